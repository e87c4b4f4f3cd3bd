"""Handlers of the four kinds of return (part-2 §2)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.address import short_address
from portal.domain.codes import Code
from portal.domain.dates import now
from portal.domain.flow import Flow
from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE, PRODUCT, TYPE, for_another
from portal.flows.order_return import ORDER_RETURN, ORDERS, REASON, REASON_TEXT
from portal.flows.returns import ITEM_PIN_STEP, RETURN
from portal.provider.flows.desk import FlowHandler, StepHandler, Submission, Submitted
from portal.provider.flows.returning import (
    accessories,
    bikes_and_parts,
    everything,
    exchange_facts,
    return_facts,
    right_pin,
)
from portal.provider.masks import masked_email
from portal.provider.repositories import products, returns
from portal.provider.repositories.returns import ReturnRepository
from portal.provider.returns.letters import send_link, tell_received
from portal.provider.returns.making import make_return
from portal.provider.returns.texting import plan_text
from portal.provider.sessions import Owner
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.links import LIFETIME
from portal.vocabulary.returns import (
    BATTERY_INSTRUCTIONS,
    ExchangeType,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
)


async def return_request_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes and parts."""
    return await return_facts(session, owner, bikes_and_parts)


async def accessories_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Accessories."""
    return await return_facts(session, owner, accessories)


async def order_return_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Everything that was ordered. An order of which a return waits for its link says where the mail went."""
    facts = await return_facts(session, owner, everything)
    for row in await returns.waiting(session, owner.customer_id, now()):
        for entry in facts[ORDERS]:
            if entry["id"] == row.order_number:
                entry["refusal"] = Code.RETURN_REQUEST_ALREADY_EXISTS.value
                entry["waiting"] = {"return_id": row.public_id, "email": masked_email(facts["email"])}
    return facts


async def submit_return(session: AsyncSession, submission: Submission) -> Submitted:
    """A bike or part comes back."""
    return await _received(session, submission, RETURN, ReturnKind.RETURN)


async def submit_accessories(session: AsyncSession, submission: Submission) -> Submitted:
    """Accessories come back."""
    return await _received(session, submission, ACCESSORIES, ReturnKind.ACCESSORIES)


async def submit_exchange(session: AsyncSession, submission: Submission) -> Submitted:
    """A bike or part is exchanged. The article is promised in the same transaction; one that is gone is told."""
    product = None
    if for_another(submission.answers):
        found = await products.take(session, submission.answers.text(PRODUCT))
        if found is None:
            raise Refused(Code.PRODUCT_GONE)
        product = {"id": found.public_id, "sku": found.sku, "name": found.name, "price": f"{found.price:.2f}"}
        product |= {"kind": found.kind.value, "color": found.item_color, "size": found.frame_size}
        product |= {"battery": found.battery}
    kind = ExchangeType(submission.answers.text(TYPE))
    return await _received(session, submission, EXCHANGE, ReturnKind.EXCHANGE, exchange_type=kind, product=product)


async def submit_order_return(session: AsyncSession, submission: Submission) -> Submitted:
    """The older return: it waits for the link. A battery that must not travel does not wait for anything."""
    more = {
        "reason": ReturnReason(submission.answers.text(REASON)),
        "reason_text": submission.answers.text(REASON_TEXT),
    }
    kind = ReturnKind.ORDER_RETURN
    waiting = await ReturnRepository(session, submission.owner.customer_id).pending_of(
        submission.answers.text("order"), submission.now
    )
    if waiting is not None:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS, fields={"order": Code.RETURN_REQUEST_ALREADY_EXISTS})
    status, until = ReturnStatus.PENDING_CONFIRMATION, submission.now + LIFETIME
    row = await make_return(session, submission, ORDER_RETURN, kind, status, confirm_until=until, **more)
    if row.urgent:
        row.status, row.confirm_until = ReturnStatus.REQUEST_RECEIVED, None
        return await _confirmed(session, submission, row)
    sent = await send_link(submission.context, session, row)
    row.confirm_until = sent.expires_at
    return Submitted(
        row.reference, {**_summary(row), "confirm_until": sent.expires_at.isoformat(), "email": sent.email}, mailed=True
    )


async def _received(
    session: AsyncSession, submission: Submission, flow: Flow, kind: ReturnKind, **more: Any
) -> Submitted:
    reason = submission.answers.text("reason")
    row = await make_return(session, submission, flow, kind, ReturnStatus.REQUEST_RECEIVED, reason_text=reason, **more)
    return await _confirmed(session, submission, row)


async def _confirmed(session: AsyncSession, submission: Submission, row: ReturnRow) -> Submitted:
    email = await tell_received(submission.context, session, row)
    await plan_text(submission.context, session, row, submission.owner.locale)
    store = await ReturnRepository(session, row.customer_id).store(row)
    place = short_address(store) if store else ""
    told = {**_summary(row), "store": store.name if store else "", "store_place": place}
    return Submitted(row.reference, {**told, "email": masked_email(email)}, mailed=True)


def _summary(row: ReturnRow) -> dict[str, Any]:
    """What the confirmation page tells."""
    return {
        "return_id": row.public_id,
        "status": row.status.value,
        "order": row.order_number,
        "method": row.method.value,
        "pickup_day": row.pickup_day.isoformat() if row.pickup_day else "",
        "pickup_window": row.pickup_window.value if row.pickup_window else "",
        "settlement": row.settlement,
        "label": row.method is not ReturnMethod.NONE,
        "instructions": list(BATTERY_INSTRUCTIONS) if row.urgent else [],
    }


RETURN_HANDLERS = (
    FlowHandler(
        RETURN,
        facts=return_request_facts,
        submit=submit_return,
        steps=(StepHandler(ITEM_PIN_STEP, check=right_pin),),
    ),
    FlowHandler(ACCESSORIES, facts=accessories_facts, submit=submit_accessories),
    FlowHandler(
        EXCHANGE,
        facts=exchange_facts,
        submit=submit_exchange,
        steps=(StepHandler(ITEM_PIN_STEP, check=right_pin),),
    ),
    FlowHandler(ORDER_RETURN, facts=order_return_facts, submit=submit_order_return),
)
