"""A claim becomes a work order: quote, review by the insurer, repair (part-1 §3 Claim, §4 Claim journey)."""

from __future__ import annotations

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.identifiers import short_id
from portal.domain.statuses import RequestKind
from portal.flows.bike import BIKES
from portal.flows.claim import CLAIM, HANDLINGS, HOLDER
from portal.flows.repair import PARTS
from portal.provider.flows.bikes import bike_entry, chosen_bike, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.masks import masked_iban
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.sessions import Owner
from portal.provider.tables.requests import RequestRow
from portal.texts import gettext_for

REFERENCE_LENGTH = 8
_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The bikes, each with the number of its policy when it is insured through us, and the customer's name."""
    bikes = await BikeRepository(session, owner.customer_id).all()
    customer = await CustomerRepository(session, owner.customer_id).get()
    name = (customer.first_name, customer.prefix, customer.last_name)
    return {
        BIKES: [
            {**bike_entry(owned), "policy_number": owned.bike.policy_number if owned.bike.insurance else ""}
            for owned in bikes
        ],
        HOLDER: " ".join(part for part in name if part),
    }


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order. The database lets one bike have one open work order only.

    Account and pin code stay in the details, for those who handle the claim; no text that is shown or mailed holds
    them.
    """
    answers = case.answers
    owned = await chosen_bike(session, case.owner, answers)
    say = gettext_for(case.owner.locale)
    handling = str(answers["handling"])
    texts = [str(answers["cause"]), say(HANDLINGS[handling])]
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=case.owner.customer_id,
        bike_id=owned.bike.id or 0,
        kind=RequestKind.CLAIM,
        title=", ".join(say(text) for part, text in PARTS.items() if part in answers["parts"])[:_LONGEST_TITLE],
        description="\n\n".join(texts)[:_LONGEST_DESCRIPTION],
        details=dict(answers),
        draft_key=case.key,
        created_at=case.now,
        updated_at=case.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    summary = {
        "bike": owned.bike.name,
        "bike_id": owned.bike.public_id,
        "policy_number": answers["policy_number"],
        "handling": handling,
        "account": masked_iban(str(answers.get("iban", ""))),
    }
    return Sent(request.reference, summary)


DESK = Desk(CLAIM, facts, fulfil, {"pincode-step": right_pin})
