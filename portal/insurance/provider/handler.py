"""The handler of the insurance flow (part-2 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.sessions import Owner
from portal.backend.shops import term_book
from portal.bikes.provider.bike_question import BikeQuestion, bike_entry, chosen_bike
from portal.bikes.provider.queries import OwnedBike, bike_picture
from portal.contract.errors import NotFound, Refused
from portal.flow.api import RequestItem
from portal.flow.provider.handler import CurrentRequest, DraftSubmission, FlowHandler, Submitted
from portal.insurance.flow import IBAN, INSURANCE, INSURER, KEY_NUMBER, OFFERS, TYPE, chosen_offer
from portal.insurance.provider.account import insurance_account, record_case
from portal.insurance.provider.backoffice import send_link
from portal.insurance.provider.offers import offers_for
from portal.insurance.provider.queries import InsuranceQueries, can_be_insured, insurance_refusal
from portal.insurance.rules import same_terms
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now
from portal.kernel.validation import short_id
from portal.login.provider.queries import CustomerQueries
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import INSURING, InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.links import LIFETIME

REFERENCE_LENGTH = 8


async def entries(session: AsyncSession, owner: Owner, bikes: Sequence[OwnedBike]) -> list[dict[str, Any]]:
    """The entries of bikes with premiums and documents, or the reason why they cannot be insured."""
    moment = now()
    latest = await InsuranceQueries(session, owner.customer_id).latest(bikes)
    refusals = {owned.bike.id: insurance_refusal(owned, latest.get(owned.bike.id), moment) for owned in bikes}
    insurable = [owned.bike for owned in bikes if not refusals[owned.bike.id]]
    offers = await offers_for(session, owner.customer_id, insurable, local_day(moment))
    return [
        {
            **bike_entry(owned),
            "refusal": refusals[owned.bike.id] or "",
            "pin": False,
            "key_number": owned.bike.key_number_1,
            OFFERS: {offer.key: offer.model_dump(mode="json") for offer in offers.get(owned.bike.id, ())},
        }
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
