"""Operations on insurances, and the handlers of the mailed link and of the flow (part-2 §2, §4)."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import live
from portal.backend.backoffice import known_reference
from portal.backend.cases import wait_for_link
from portal.backend.context import Context
from portal.backend.sessions import Owner, Service, Sessions
from portal.backend.shops import term_book
from portal.bikes.provider.queries import BikeQueries, OwnedBike, bike_picture
from portal.bikes.provider.service import BikeQuestion, bike_entry, chosen_bike
from portal.contract.errors import Conflict, NotFound, Refused
from portal.contract.models import Document, Locale, Page, mapped
from portal.conversations.provider.queries import asked_of
from portal.flow.api import RequestItem
from portal.flow.provider.handler import CurrentRequest, DraftSubmission, FlowHandler, Submitted
from portal.insurance.api import InsuranceApi, InsuranceBike, InsuranceBikes, InsuranceOptions, InsuranceRequest
from portal.insurance.flow import IBAN, INSURANCE, INSURER, KEY_NUMBER, TYPE, InsurableBike, chosen_offer
from portal.insurance.provider.account import insurance_account, record_case
from portal.insurance.provider.backoffice import change_status, send_link
from portal.insurance.provider.queries import (
    InsuranceQueries,
    can_be_insured,
    find_document,
    insurance_bike,
    insurance_refusal,
    insurance_request,
    offers_for,
)
from portal.insurance.rules import same_terms
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now
from portal.kernel.texts import gettext_for
from portal.kernel.validation import is_short_id, short_id
from portal.links.api import LinkAbout, LinkSent
from portal.links.provider import LinkHandler, Links, PendingLink, Subject
from portal.login.provider.queries import CustomerQueries
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.insurance import (
    INSURANCE_REQUESTS,
    INSURER_NAMES,
    INSURING,
    InsuranceStatus,
    InsuranceType,
    Insurer,
)
from portal.vocabulary.links import LIFETIME, LinkPurpose


async def _lock(session: AsyncSession, subject: Subject) -> None:
    await InsuranceQueries(session, subject.customer_id).get(key=subject.key, lock=True)


async def _describe(context: Context, session: AsyncSession, subject: Subject) -> LinkAbout:
    row, bike = await InsuranceQueries(session, subject.customer_id).get(key=subject.key)
    return LinkAbout(reference=row.reference, account=insurance_account(row, bike, context.clock()))


async def _confirm(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    row, bike = await InsuranceQueries(session, subject.customer_id).get(key=subject.key)
    await _check_bike(session, bike)
    if row.status is not InsuranceStatus.WAITING_FOR_INPUT:
        raise Conflict(Code.STATUS_CHANGED)
    await change_status(context, session, row, bike, InsuranceStatus.CREATED, by_customer=True)


async def _renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    row, bike = await InsuranceQueries(session, subject.customer_id).get(key=subject.key)
    await _check_bike(session, bike)
    expired = row.status is InsuranceStatus.CANCELLED and row.link_expires_at is not None and not row.iban
    if expired:
        # Cancelled because the link expired: the account is deleted, so a new request is needed.
        raise Refused(Code.INVALID_HASH)
    if not row.waits_for_link:
        raise Refused(Code.LINK_USED)
    renewed_at = context.clock()
    row.updated_at, row.link_expires_at = renewed_at, renewed_at + LIFETIME
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.INSURANCE_REQUEST_EXISTS) from None
    await live.publish(session, subject.customer_id, Topic.INSURANCES, renewed_at)
    customer = await CustomerQueries(session, subject.customer_id).get()
    sent = await send_link(context, session, customer, bike, row)
    await wait_for_link(session, CaseKind.INSURANCE, row.reference, sent.expires_at, renewed_at)
    return sent


async def _check_bike(session: AsyncSession, bike: BikeRow) -> None:
    owned = await BikeQueries(session, bike.customer_id).get(bike.public_id)
    if owned.gone:
        raise Refused(owned.gone)
    if bike.insurance:
        raise Refused(Code.INSURANCE_EXISTS)


LINK_HANDLER = LinkHandler(_lock, _describe, _confirm, _renew)


class InsuranceService(Service, InsuranceApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._links = Links(context)

    @override
    async def insurance_bikes(self, token: str, page: int = 1) -> InsuranceBikes:
        async with self._sessions.reading(token) as (owner, session):
            now, bikes = self._context.clock(), BikeQueries(session, owner.customer_id)
            part = await bikes.part(page, listed=True)
            book = await term_book(session, owner.customer_id)
            waiting = await bikes.named(await InsuranceQueries(session, owner.customer_id).waiting())
            suggested = await bikes.newest(*can_be_insured(now, book)) or await bikes.newest()
            shown = {owned.bike.public_id: owned for owned in (*part.rows, *waiting)}
            found = {
                bike.bike_id: bike for bike in await self._bikes(session, owner.customer_id, [*shown.values()], now)
            }
        return InsuranceBikes(
            items=[found[owned.bike.public_id] for owned in part.rows],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
            waiting=[found[owned.bike.public_id] for owned in waiting],
            suggested=suggested.bike.public_id if suggested else "",
        )

    @override
    async def insurance_requests(self, token: str, page: int = 1) -> Page[InsuranceRequest]:
        async with self._sessions.reading(token) as (owner, session):
            rows, place = await InsuranceQueries(session, owner.customer_id).part(page)
            pending = await self._pending(session, owner.customer_id, [row for row, _ in rows])
            asked = await asked_of(session, owner.customer_id)
        now = self._context.clock()
        items = [
            insurance_request(row, bike, now, pending.get(row.id), asked=row.reference in asked) for row, bike in rows
        ]
        return Page(items=items, page=place.page, pages=place.pages, total=place.total)

    @override
    async def insurance_options(self, token: str, bike_id: str) -> InsuranceOptions:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            now = self._context.clock()
            owned = await BikeQueries(session, owner.customer_id).get(bike_id)
            found = await offers_for(session, owner.customer_id, [owned.bike], local_day(now))
            (bike,) = await self._bikes(session, owner.customer_id, [owned], now)
        return InsuranceOptions(bike=bike, offers=found[owned.bike.id])

    @override
    async def insurance_document(self, token: str, document_id: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (_owner, session):
            row = await find_document(session, document_id) if is_short_id(document_id) else None
        if row is None:
            raise NotFound
        _ = gettext_for(locale)
        name = _("Product information {insurer} {version}.pdf").format(
            insurer=INSURER_NAMES[row.insurer], version=row.version
        )
        content = row.english if locale == "en" else row.dutch
        return Document(name=name, media_type="application/pdf", content=content)

    @override
    async def resend_insurance(self, token: str, reference: str) -> LinkSent:
        owner = await self._sessions.owner(token)
        known_reference(reference)
        async with self._context.database.transaction() as session:
            row, _ = await InsuranceQueries(session, owner.customer_id).get(reference=reference)
            if not row.waits_for_link:
                raise NotFound
            return await _renew(self._context, session, Subject(row.id, owner.customer_id))

    @override
    async def cancel_insurance(self, token: str, reference: str) -> InsuranceRequest:
        owner = await self._sessions.owner(token)
        known_reference(reference)
        async with self._context.database.transaction() as session:
            row, bike = await InsuranceQueries(session, owner.customer_id).get(reference=reference)
            target = InsuranceStatus.CANCELLED
            if not INSURANCE_REQUESTS.allows(row.status, target):
                raise Refused(Code.STATUS_NOT_ALLOWED)
            await change_status(self._context, session, row, bike, target, mailed=False, by_customer=True)
            return insurance_request(row, bike, self._context.clock())

    async def _bikes(
        self, session: AsyncSession, customer_id: int, bikes: Sequence[OwnedBike], now: datetime
    ) -> list[InsuranceBike]:
        latest = await InsuranceQueries(session, customer_id).latest(bikes)
        pending = await self._pending(session, customer_id, [*latest.values()])
        asked = await asked_of(session, customer_id)
        return [
            insurance_bike(
                owned, row := latest.get(owned.bike.id), now, pending.get(row.id) if row else None, asked=asked
            )
            for owned in bikes
        ]

    async def _pending(
        self, session: AsyncSession, customer_id: int, rows: Sequence[InsuranceRequestRow]
    ) -> dict[int, PendingLink]:
        """The links that requests of a customer wait for, by primary key of the request."""
        keys = [row.id for row in rows if row.waits_for_link]
        return await self._links.pending_of(session, LinkPurpose.INSURANCE, keys, customer_id)


REFERENCE_LENGTH = 8


async def entries(session: AsyncSession, owner: Owner, bikes: Sequence[OwnedBike]) -> list[InsurableBike]:
    moment = now()
    latest = await InsuranceQueries(session, owner.customer_id).latest(bikes)
    refusals = {owned.bike.id: insurance_refusal(owned, latest.get(owned.bike.id), moment) for owned in bikes}
    insurable = [owned.bike for owned in bikes if not refusals[owned.bike.id]]
    offers = await offers_for(session, owner.customer_id, insurable, local_day(moment))
    return [
        mapped(
            InsurableBike,
            bike_entry(owned),
            refusal=refusals[owned.bike.id] or "",
            pin=False,
            key_number=owned.bike.key_number_1,
            offers={offer.key: offer for offer in offers.get(owned.bike.id, ())},
        )
        for owned in bikes
    ]


async def submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Store the request; a unique index allows one open request per bike."""
    answers, owner = submission.answers, submission.owner
    offer, seen = chosen_offer(answers), chosen_offer(submission.seen)
    if not same_terms(seen, offer):
        raise Refused(Code.AMOUNTS_CHANGED)
    owned = await chosen_bike(session, owner, answers.given)
    insurances = InsuranceQueries(session, owner.customer_id)
    await insurances.end_expired(owned.bike, submission.now)
    kind = InsuranceType(answers.text(TYPE))
    insuring = kind in INSURING
    terms = (await term_book(session, owner.customer_id)).on(local_day(submission.now))
    row = InsuranceRequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=owner.customer_id,
        bike_id=owned.bike.id,
        insurer=Insurer(answers.text(INSURER)) if insuring else None,
        type=kind,
        premium=offer.premium if offer else None,
        # What the customer saw counts, also if a newer version was added meanwhile.
        document_id=seen.document_id if seen else "",
        key_number=answers.text(KEY_NUMBER) if insuring else "",
        iban=answers.text(IBAN) if insuring else "",
        # 'No insurance' and 'insured already' need no confirmation.
        status=InsuranceStatus.WAITING_FOR_INPUT if insuring else InsuranceStatus.FINISHED,
        waits_for_link=insuring,
        link_expires_at=submission.now + LIFETIME if insuring else None,
        draft_key=submission.key,
        answer_days=terms.insurer_answer_days,
        created_at=submission.now,
        updated_at=submission.now,
    )
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.INSURANCE_REQUEST_EXISTS) from None
    if insuring:
        customer = await CustomerQueries(session, owner.customer_id).get()
        await send_link(submission.context, session, customer, owned.bike, row)
    await live.publish(session, owner.customer_id, Topic.INSURANCES, submission.now)
    await record_case(session, row, submission.now, by_customer=True)
    return Submitted(
        row.reference,
        {
            "bike": owned.bike.name_in(owner.locale),
            "bike_id": owned.bike.public_id,
            "type": kind.value,
            "insurer": row.insurer.value if row.insurer else "",
            "premium": str(offer.premium) if offer else "",
            "status": row.status.value,
        },
        mailed=insuring,
    )


async def current_insurance(session: AsyncSession, owner: Owner, reference: str) -> CurrentRequest | None:
    """An insurance request of this customer as it holds now; None if it no longer exists."""
    try:
        row, bike = await InsuranceQueries(session, owner.customer_id).get(reference=reference, lock=False)
    except NotFound:
        return None
    found = await pictures_of_lines(session, owner.customer_id, [bike.order_line_id])
    item = RequestItem(name=bike.name_in(owner.locale), picture=bike_picture(bike, found))
    return CurrentRequest(insurance_account(row, bike, now()), [item])


INSURANCE_HANDLER = FlowHandler(
    INSURANCE,
    subjects=BikeQuestion(entries, lambda book: can_be_insured(now(), book)),
    submit=submit,
    current=current_insurance,
)
