"""A claim becomes a work order: quote, review by the insurer, repair (part-1 §3 Claim, §4 Claim journey)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.flows.bike import BIKES, PIN_STEP
from portal.flows.claim import CLAIM, HANDLINGS, HOLDER, NEXT_STEPS, NOW, WAIT
from portal.flows.repair import PARTS
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.flows import work_orders
from portal.provider.flows.bikes import bike_entry, pin_rows, repairable, right_pin
from portal.provider.flows.desk import FlowHandler, StepHandler, Submission, Submitted
from portal.provider.masks import masked_iban
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.sessions import Owner
from portal.texts import gettext_for
from portal.vocabulary.work_orders import RequestKind

_EITHER_WAY = tuple(text for text in NEXT_STEPS[WAIT] if text in NEXT_STEPS[NOW])
"""What happens next whichever way the damage is handled."""


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The bikes, each with the number of its policy when it is insured through us, and the customer's name."""
    bikes = await BikeRepository(session, owner.customer_id).all()
    customer = await CustomerRepository(session, owner.customer_id).get()
    name = (customer.first_name, customer.prefix, customer.last_name)
    entries = [
        {**bike_entry(owned), "policy_number": owned.bike.policy_number if owned.bike.insurance else ""}
        for owned in bikes
    ]
    return {
        BIKES: await repairable(session, owner, entries),
        HOLDER: " ".join(part for part in name if part),
    }


async def submit(session: AsyncSession, submission: Submission) -> Submitted:
    """Make the work order. The database lets one bike have one open work order only.

    Account and pin code stay in the details, for those who handle the claim; no text that is shown or mailed holds
    them.
    """
    answers = submission.answers.given
    title, description = describe(StoredRequest(answers, locale=submission.owner.locale))
    sent = await work_orders.make(
        session,
        submission,
        CLAIM,
        RequestKind.CLAIM,
        title=title,
        description=description,
    )
    summary = {
        **sent.summary,
        "policy_number": answers["policy_number"],
        "handling": str(answers["handling"]),
        "account": masked_iban(str(answers.get("iban", ""))),
    }
    return Submitted(sent.reference, summary, sent.mailed)


def describe(stored: StoredRequest) -> tuple[str, str]:
    """The parts, how the damage arose, and how it is handled."""
    say = gettext_for(stored.locale)
    parts = [say(text) for part, text in PARTS.items() if part in stored.several("parts")]
    handling = HANDLINGS.get(stored.text("handling"), "")
    return ", ".join(parts), "\n\n".join([stored.text("cause"), *([say(handling)] if handling else [])])


def next_steps(stored: StoredRequest) -> Sequence[str]:
    """What happens next, as the customer wants the damage handled; at the counter nobody wrote that down."""
    return NEXT_STEPS.get(stored.text("handling"), _EITHER_WAY)


CLAIM_HANDLER = FlowHandler(
    CLAIM,
    facts=facts,
    submit=submit,
    describe=describe,
    next_steps=next_steps,
    steps=(StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),),
)
