"""Changes of the status of an insurance request, the mails about them, and the case that staff see."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import (
    BackOfficeCase,
    CurrentStatus,
    Departed,
    NotAllowed,
    Transition,
    TransitionRequest,
    known_reference,
)
from portal.backend.bike_names import bike_called, bike_in_full, bike_mark
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, hide
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.letter import account_values, subject_line, with_button
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import reader
from portal.bikes.provider.queries import bike_picture, departure_of_bike
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput
from portal.contract.models import Locale
from portal.deliveries.provider.confirmation import language
from portal.insurance.provider.account import facts_of, insurance_account, insurer_asks, record_case, status_words
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import N_, gettext_for, known_locale
from portal.links.api import LinkSent
from portal.links.provider import Addressee, Links, Subject
from portal.login.provider.queries import CustomerQueries
from portal.pictures.provider.lookup import mail_picture, pictures_of_lines
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import REQUEST_PAGE
from portal.vocabulary.departures import Dependent, Effect, outcome, refusal
from portal.vocabulary.insurance import (
    INSURANCE_DESK_LABELS,
    INSURANCE_REQUESTS,
    INSURANCE_TYPES,
    INSURER_ASKS_DESK,
    INSURING,
    OPEN_INSURANCE,
    InsuranceStatus,
    insurance_tone,
)
from portal.vocabulary.links import LinkPurpose


class InsuranceMatch(NamedTuple):
    request: InsuranceRequestRow
    bike: BikeRow
    customer: CustomerRow


async def _locked_insurance(session: AsyncSession, reference: str) -> InsuranceMatch:
    query = (
        select(InsuranceRequestRow, BikeRow, CustomerRow)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(CustomerRow, col(CustomerRow.id) == InsuranceRequestRow.customer_id)
        .where(InsuranceRequestRow.reference == reference)
    )
    return InsuranceMatch(*await find_one(session, query, lock=True))


async def send_link(
    context: Context, session: AsyncSession, customer: CustomerRow, bike: BikeRow, row: InsuranceRequestRow
) -> LinkSent:
    locale = language(customer)
    return await Links(context).send(
        session,
        LinkPurpose.INSURANCE,
        Subject(row.id, row.customer_id),
        Addressee(customer.email, locale),
        Template.CONFIRM_INSURANCE,
        await _link_details(context, session, row, bike, locale),
    )


async def _link_details(
    context: Context, session: AsyncSession, row: InsuranceRequestRow, bike: BikeRow, locale: Locale
) -> dict[str, object]:
    details = await _details(context, session, row, bike, locale)
    subject = LocalizedText.of(N_("Confirm your insurance: {bike}"), bike=(await bike_called(session, bike)).text)
    return with_button(details, subject.text(locale))


async def notify_status(
    context: Context, session: AsyncSession, customer: CustomerRow, bike: BikeRow, row: InsuranceRequestRow
) -> None:
    locale = language(customer)
    await Outbox(context).post(
        session,
        Template.INSURANCE_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details=await _details(context, session, row, bike, locale),
    )


async def _details(
    context: Context, session: AsyncSession, row: InsuranceRequestRow, bike: BikeRow, locale: Locale
) -> dict[str, Any]:
    account = insurance_account(row, bike, context.clock())
    subject = subject_line(account.title, await bike_called(session, bike))
    found = await pictures_of_lines(session, row.customer_id, [bike.order_line_id])
    return {
        "bike": bike.name_in(locale),
        "picture": mail_picture(bike_picture(bike, found), bike.name_in(locale), bike_mark(bike, locale)),
        "bike_id": bike.public_id,
        "request_page": f"{REQUEST_PAGE}/{row.reference}" if insurer_asks(row) else "",
        "document_id": row.document_id,
        "account": account_values(account, locale, subject),
    }


async def change_status(
    context: Context,
    session: AsyncSession,
    row: InsuranceRequestRow,
    bike: BikeRow,
    target: InsuranceStatus,
    *,
    mailed: bool = True,
    by_customer: bool = False,
    **values: Any,
) -> None:
    """Set the status of a request with all that follows from it; `values` are stored with it.

    Raises `Conflict`: it has changed meanwhile.
    """
    now = context.clock()
    if target in INSURANCE_REQUESTS.ends:
        # The account is no longer needed: the insurer has it, or the request is cancelled.
        values["iban"] = ""
    statement = (
        update(InsuranceRequestRow)
        .where(col(InsuranceRequestRow.id) == row.id, col(InsuranceRequestRow.status) == row.status)
        .values(status=target, waits_for_link=False, updated_at=now, **values)
    )
    if (await session.exec(statement)).rowcount != 1:
        raise Conflict(Code.STATUS_CHANGED)
    if target is InsuranceStatus.CANCELLED:
        await Links(context).withdraw(session, LinkPurpose.INSURANCE, Subject(row.id, row.customer_id))
    await session.refresh(row)
    if mailed:
        await notify_status(context, session, await CustomerQueries(session, row.customer_id).get(), bike, row)
    await live.publish(session, row.customer_id, Topic.INSURANCES, now)
    await record_case(session, row, now, by_customer=by_customer)


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.transaction() as session:
        found = await _locked_insurance(session, known_reference(reference))
        return _current_status(reference, found.request.status)


async def move(context: Context, session: AsyncSession, reference: str, transition: TransitionRequest) -> Transition:
    """Move a request to another status.

    Finishing one needs the policy number; the policy starts on the planned day, else today.
    """
    if transition.status not in INSURANCE.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target, now = InsuranceStatus(transition.status), context.clock()
    found = await _locked_insurance(session, known_reference(reference))
    row, bike = found.request, found.bike
    before = row.status
    if before == target:
        return _current_status(reference, before).after(before, changed=False)
    if transition.seen and transition.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    if not INSURANCE_REQUESTS.allows(before, target):
        raise NotAllowed(before, target, _possible(before))
    departure = await departure_of_bike(session, bike)
    if target is not InsuranceStatus.CANCELLED and (closed := refusal(departure, Dependent.INSURANCE_REQUEST)):
        raise Conflict(closed)
    values: dict[str, Any] = {"note": transition.note}
    if target is InsuranceStatus.FINISHED and row.type in INSURING:
        values |= _take_out(bike, row, transition, local_day(now))
    await change_status(context, session, row, bike, target, **values)
    return _current_status(reference, target).after(before, changed=True)


def _take_out(bike: BikeRow, row: InsuranceRequestRow, transition: TransitionRequest, today: date) -> dict[str, object]:
    """Set the insurance of the bike; the result is stored in the request."""
    if not transition.policy_number:
        raise InvalidInput(Code.INVALID_INPUT, fields={"policy_number": Code.REQUIRED})
    if bike.insurance:
        raise Conflict(Code.INSURANCE_EXISTS)
    start = transition.planned_date or today
    bike.insurance, bike.policy_number, bike.insurance_start = row.type.value, transition.policy_number, start
    return {"policy_number": transition.policy_number, "starts_on": start}


INSURANCE = BackOfficeCase("insurance", InsuranceStatus, current_status, move)


def _possible(status: InsuranceStatus) -> list[str]:
    return [target.value for target in INSURANCE_REQUESTS.following(status)]


def _current_status(reference: str, status: InsuranceStatus) -> CurrentStatus:
    return CurrentStatus(reference=reference, status=status, possible=_possible(status))


async def end_insurance_requests(context: Context, session: AsyncSession, departed: Departed) -> None:
    """Cancel what is open for bikes that left their customer, and mail the customer."""
    cell = outcome(departed.final, Dependent.INSURANCE_REQUEST)
    if cell.effect is not Effect.ENDS:
        return
    query = select(InsuranceRequestRow, BikeRow).join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
    query = query.where(
        col(InsuranceRequestRow.bike_id).in_(departed.bike_ids),
        col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE)),
    )
    for row, bike in (await session.exec(query.order_by(col(InsuranceRequestRow.id)))).all():
        customer = await CustomerQueries(session, row.customer_id).get()
        note = gettext_for(known_locale(customer.locale))(cell.customer)
        with suppress(Conflict):
            await change_status(context, session, row, bike, InsuranceStatus.CANCELLED, note=note)


_T = LocalizedText.of
_ASKED = InsuranceStatus.WAITING_FOR_INPUT


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    query: Any = (
        select(InsuranceRequestRow, BikeRow)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .where(col(InsuranceRequestRow.reference).in_(references))
    )
    return {row.reference: _line(row, bike) for row, bike in await session.exec(query)}


def _line(row: InsuranceRequestRow, bike: BikeRow) -> CaseLine:
    return CaseLine(
        label=_desk_words(row, row.status, asked=insurer_asks(row)),
        tone=insurance_tone(row.status),
        what=_T(INSURANCE_TYPES[row.type]),
        item=bike_in_full(bike, reader()),
        bike_id=bike.id,
        planned=row.starts_on,
    )


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    query: Any = (
        select(InsuranceRequestRow, BikeRow, OrderRow.order_number)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .where(InsuranceRequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        return None
    row, bike, order_number = found
    departure = await departure_of_bike(session, bike)
    account = insurance_account(row, bike, context.clock(), departure)
    waits = row.status in OPEN_INSURANCE and refusal(departure, Dependent.INSURANCE_REQUEST)
    if waits:
        staff = outcome(departure, Dependent.INSURANCE_REQUEST).staff
        account = account.model_copy(update={"meaning": _T(staff)})
    return CaseContent(
        account=hide(account),
        line=_line(row, bike),
        steps=[
            _step(row, status)
            for status in INSURANCE_REQUESTS.following(row.status)
            if not waits or status is InsuranceStatus.CANCELLED
        ],
        order_numbers=[order_number],
        file_keys=(row.draft_key or "",),
    )


def _desk_words(row: InsuranceRequestRow, status: InsuranceStatus, *, asked: bool) -> LocalizedText:
    """The name of a status for staff. Arguments as of `status_words`."""
    if row.type not in INSURING and status is InsuranceStatus.FINISHED:
        return status_words(row, status, asked=asked)[0]
    return _T(INSURER_ASKS_DESK if asked and row.type in INSURING else INSURANCE_DESK_LABELS[status])


def _step(row: InsuranceRequestRow, status: InsuranceStatus) -> StatusStep:
    # Staff set this status when the insurer asks something; the mailed link is only at the beginning.
    asked = status is _ASKED
    _, sentence = status_words(row, status, asked=asked)
    return StatusStep(
        status=status.value,
        label=_desk_words(row, status, asked=asked),
        sentence=sentence,
        asks_policy=status is InsuranceStatus.FINISHED and row.type in INSURING,
        ends=status in INSURANCE_REQUESTS.ends,
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(InsuranceRequestRow).order_by(col(InsuranceRequestRow.id)))
    return [(facts_of(row), row.created_at, row.updated_at) for row in rows]


def of_bike(bike: BikeRow) -> Any:
    return select(InsuranceRequestRow.reference).where(InsuranceRequestRow.bike_id == bike.id)


INSURANCE_CASES = CaseSubject(INSURANCE, lines, content, facts, of_bike)
