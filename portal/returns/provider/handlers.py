"""Handlers of the four flows of return (part-2 §2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.provider import address_facts
from portal.backend.security import masked_email
from portal.backend.sessions import Owner
from portal.bikes.flow import PIN_KNOWN
from portal.contract.errors import Refused
from portal.deliveries.provider.queries import without_places
from portal.deliveries.rules import days
from portal.flow import Answers, Findings, Flow
from portal.flow.provider.handler import DraftSubmission, FlowHandler, StepHandler, Submitted
from portal.kernel.address import PICKUP_COUNTRIES, short_address
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now
from portal.kernel.terms import RETURN_PICK_UP_COST
from portal.login.provider.queries import CustomerRepository
from portal.orders.provider.queries import on_sale, take
from portal.returns.flow.accessories import ACCESSORIES
from portal.returns.flow.exchange import CATALOGUE, EXCHANGE, PRODUCT, TYPE, is_other_item
from portal.returns.flow.items import ITEM, ITEMS
from portal.returns.flow.order_return import ORDER_RETURN, ORDERS, REASON, REASON_TEXT
from portal.returns.flow.returns import ITEM_PIN_STEP, RETURN
from portal.returns.provider import queries as returns
from portal.returns.provider.creation import make_return
from portal.returns.provider.entries import Fits, item_entries, item_id, order_entries, store_entries
from portal.returns.provider.mails import notify_received, send_link
from portal.returns.provider.queries import ReturnRepository
from portal.returns.provider.stock import LineStock, StockRepository
from portal.returns.provider.transitions import plan_text
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LIFETIME
from portal.vocabulary.returns import (
    BATTERY_INSTRUCTIONS,
    ExchangeType,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
)


def bikes_and_parts(line: LineStock) -> bool:
    """Bikes, batteries, and parts of a set that was sold with a bike."""
    return line.is_bike or line.has_battery or bool(line.row.bundle)


def accessories(line: LineStock) -> bool:
    """Everything that is no bike."""
    return not line.is_bike


def everything(_line: LineStock) -> bool:
    """All that was sold."""
    return True


async def return_facts(
    session: AsyncSession, owner: Owner, fits: Fits, moment: datetime | None = None
) -> dict[str, Any]:
    """What can be returned, why the rest cannot, and how it can come back."""
    moment = moment or now()
    day = local_day(moment)
    stock = await StockRepository(session, owner.customer_id, moment).all()
    customer = await CustomerRepository(session, owner.customer_id).get()
    full = await without_places(session, day)
    items = item_entries(stock, day, fits)
    shown = {entry["order"] for entry in items}
    return {
        ITEMS: items,
        "orders": order_entries([order for order in stock if order.row.order_number in shown], day),
        **await address_facts(session, owner),
        "name": " ".join(part for part in (customer.first_name, customer.prefix, customer.last_name) if part),
        "email": customer.email,
        "stores": await store_entries(session, customer, day),
        "pickup_days": {
            country.value: [offered.isoformat() for offered in days(moment, country) if (country, offered) not in full]
            for country in PICKUP_COUNTRIES
        },
        "fee": f"{RETURN_PICK_UP_COST:.2f}",
    }


async def exchange_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The same, with what the shop has in exchange."""
    return {
        **await return_facts(session, owner, bikes_and_parts),
        CATALOGUE: [
            {
                "id": row.public_id,
                "refusal": "" if row.stock > 0 else Code.PRODUCT_GONE.value,
                "name": row.name,
                "kind": row.kind.value,
                "is_bike": row.kind.value != "accessory",
                "color": row.item_color,
                "color_code": row.color_code,
                "size": row.frame_size,
                "price": f"{row.price:.2f}",
            }
            for row in await on_sale(session)
        ],
    }


async def right_pin(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Compare the pin code with the ones that are known of the chosen bikes. They never leave the provider."""
    if answers.get("pin_known") != PIN_KNOWN:
        return {}
    name = str(answers.get(ITEM, ""))
    stock = await StockRepository(session, owner.customer_id, now()).all(name.partition("-")[0])
    known = [
        bike.pin_code
        for order in stock
        for line in order.lines
        if item_id(order, line) == name
        for bike in line.bikes
        if bike.pin_code
    ]
    return {} if answers.get("pin_code") in known else {"pin_code": Code.WRONG_PIN_CODE}


async def return_request_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes and parts."""
    return await return_facts(session, owner, bikes_and_parts)


async def accessories_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Accessories."""
    return await return_facts(session, owner, accessories)


async def order_return_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Everything that was ordered. An order of which a return waits for its link says where the mail went."""
    facts = await return_facts(session, owner, everything)
    for row in await returns.pending(session, owner.customer_id, now()):
        for entry in facts[ORDERS]:
            if entry["id"] == row.order_number:
                entry["refusal"] = Code.RETURN_REQUEST_ALREADY_EXISTS.value
                entry["waiting"] = {"return_id": row.public_id, "email": masked_email(facts["email"])}
    return facts


async def submit_return(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """A bike or part comes back."""
    return await _received(session, submission, RETURN, ReturnKind.RETURN)


async def submit_accessories(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Accessories come back."""
    return await _received(session, submission, ACCESSORIES, ReturnKind.ACCESSORIES)


async def submit_exchange(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """A bike or part is exchanged. The article is promised in the same transaction; one that is gone is told."""
    product = None
    if is_other_item(submission.answers):
        found = await take(session, submission.answers.text(PRODUCT))
        if found is None:
            raise Refused(Code.PRODUCT_GONE)
        product = {"id": found.public_id, "sku": found.sku, "name": found.name, "price": f"{found.price:.2f}"}
        product |= {"kind": found.kind.value, "color": found.item_color, "size": found.frame_size}
        product |= {"battery": found.battery}
    kind = ExchangeType(submission.answers.text(TYPE))
    return await _received(session, submission, EXCHANGE, ReturnKind.EXCHANGE, exchange_type=kind, product=product)


async def submit_order_return(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """The older return: it waits for the link. A battery that must not travel does not wait for anything."""
    more = {
        "reason": ReturnReason(submission.answers.text(REASON)),
        "reason_text": submission.answers.text(REASON_TEXT),
    }
    kind = ReturnKind.ORDER_RETURN
    pending = await ReturnRepository(session, submission.owner.customer_id).pending_of(
        submission.answers.text("order"), submission.now
    )
    if pending is not None:
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
    session: AsyncSession, submission: DraftSubmission, flow: Flow, kind: ReturnKind, **more: Any
) -> Submitted:
    reason = submission.answers.text("reason")
    row = await make_return(session, submission, flow, kind, ReturnStatus.REQUEST_RECEIVED, reason_text=reason, **more)
    return await _confirmed(session, submission, row)


async def _confirmed(session: AsyncSession, submission: DraftSubmission, row: ReturnRow) -> Submitted:
    email = await notify_received(submission.context, session, row)
    await plan_text(submission.context, session, row, submission.owner.locale)
    store = await ReturnRepository(session, row.customer_id).store(row)
    place = short_address(store) if store else ""
    described = {**_summary(row), "store": store.name if store else "", "store_place": place}
    return Submitted(row.reference, {**described, "email": masked_email(email)}, mailed=True)


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
