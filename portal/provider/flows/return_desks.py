"""Desks of the four kinds of return (part-2 §2)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.address import short_address
from portal.domain.codes import Code
from portal.domain.dates import now
from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE, PRODUCT, TYPE, for_another
from portal.flows.order_return import ORDER_RETURN, ORDERS, REASON, REASON_TEXT
from portal.flows.returns import RETURN
from portal.provider.flows.desk import Case, Desk, Sent
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


async def fulfil_return(session: AsyncSession, case: Case) -> Sent:
    """A bike or part comes back."""
    return await _received(session, case, RETURN.name, ReturnKind.RETURN)


async def fulfil_accessories(session: AsyncSession, case: Case) -> Sent:
    """Accessories come back."""
    return await _received(session, case, ACCESSORIES.name, ReturnKind.ACCESSORIES)


async def fulfil_exchange(session: AsyncSession, case: Case) -> Sent:
    """A bike or part is exchanged. The article is promised in the same transaction; one that is gone is told."""
    product = None
    if for_another(case.asked):
        found = await products.take(session, case.asked.text(PRODUCT))
        if found is None:
            raise Refused(Code.PRODUCT_GONE)
        product = {"id": found.public_id, "sku": found.sku, "name": found.name, "price": f"{found.price:.2f}"}
        product |= {"kind": found.kind.value, "color": found.item_color, "size": found.frame_size}
        product |= {"battery": found.battery}
    kind = ExchangeType(case.asked.text(TYPE))
    return await _received(session, case, EXCHANGE.name, ReturnKind.EXCHANGE, exchange_type=kind, product=product)


async def fulfil_order_return(session: AsyncSession, case: Case) -> Sent:
    """The older return: it waits for the link. A battery that must not travel does not wait for anything."""
    more = {
        "reason": ReturnReason(case.asked.text(REASON)),
        "reason_text": case.asked.text(REASON_TEXT),
    }
    name, kind = ORDER_RETURN.name, ReturnKind.ORDER_RETURN
    waiting = await ReturnRepository(session, case.owner.customer_id).pending_of(case.asked.text("order"), case.now)
    if waiting is not None:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS, fields={"order": Code.RETURN_REQUEST_ALREADY_EXISTS})
    status, until = ReturnStatus.PENDING_CONFIRMATION, case.now + LIFETIME
    row = await make_return(session, case, name, kind, status, confirm_until=until, **more)
    if row.urgent:
        row.status, row.confirm_until = ReturnStatus.REQUEST_RECEIVED, None
        return await _told(session, case, row)
    sent = await send_link(case.context, session, row)
    row.confirm_until = sent.expires_at
    return Sent(
        row.reference, {**_summary(row), "confirm_until": sent.expires_at.isoformat(), "email": sent.email}, mailed=True
    )


async def _received(session: AsyncSession, case: Case, flow: str, kind: ReturnKind, **more: Any) -> Sent:
    reason = case.asked.text("reason")
    row = await make_return(session, case, flow, kind, ReturnStatus.REQUEST_RECEIVED, reason_text=reason, **more)
    return await _told(session, case, row)


async def _told(session: AsyncSession, case: Case, row: ReturnRow) -> Sent:
    email = await tell_received(case.context, session, row)
    await plan_text(case.context, session, row, case.owner.locale)
    store = await ReturnRepository(session, row.customer_id).store(row)
    place = short_address(store) if store else ""
    told = {**_summary(row), "store": store.name if store else "", "store_place": place}
    return Sent(row.reference, {**told, "email": masked_email(email)}, mailed=True)


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


RETURN_DESK = Desk(RETURN, return_request_facts, fulfil_return, {"pincode-step": right_pin})
ACCESSORIES_DESK = Desk(ACCESSORIES, accessories_facts, fulfil_accessories)
EXCHANGE_DESK = Desk(EXCHANGE, exchange_facts, fulfil_exchange, {"pincode-step": right_pin})
ORDER_RETURN_DESK = Desk(ORDER_RETURN, order_return_facts, fulfil_order_return)
RETURN_DESKS = (RETURN_DESK, ACCESSORIES_DESK, EXCHANGE_DESK, ORDER_RETURN_DESK)
