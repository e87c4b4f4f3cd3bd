"""A request that was sent becomes a return: units are taken, amounts stored, the customer is told."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.flow import home
from portal.backend.context import Context
from portal.contract.errors import Refused
from portal.flow import Flow
from portal.flow.provider.handler import DraftSubmission
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.locations.provider.service import PartnerRepository
from portal.returns.flow import pickup
from portal.returns.flow.items import BATTERY, METHOD, MILEAGE, STATE, STORE, chosen, is_safe
from portal.returns.provider.entries import item_id
from portal.returns.provider.queries import ReturnRepository
from portal.returns.provider.stock import LineStock, StockRepository
from portal.returns.provider.transitions import credit, enter, expire
from portal.returns.rules.settlement import ComputedSettlement, SettlementKind
from portal.returns.rules.units import Unit, returnable
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import DeliveryStatus, Window
from portal.vocabulary.orders import ItemKind, PaymentStatus
from portal.vocabulary.returns import BatteryState, ItemState, ReturnKind, ReturnMethod, ReturnStatus

Taken = list[tuple[LineStock, list[Unit]]]


async def make_return(
    session: AsyncSession, submission: DraftSubmission, flow: Flow, kind: ReturnKind, status: ReturnStatus, **more: Any
) -> ReturnRow:
    """Make the return in the transaction that marks the draft as sent.

    Args:
        session: of the transaction.
        submission: the request.
        flow: its flow.
        kind: of return.
        status: it begins with.
        more: further columns.

    Raises:
        Refused: `amounts_changed` since the customer saw them; `return_request_already_exists` when another return
            took one of the units at the same moment.
    """
    answers = submission.answers
    settlement = flow.settlement(answers).to_json() if flow.settlement else {}
    if flow.settlement and settlement != flow.settlement(submission.seen).to_json():
        raise Refused(Code.AMOUNTS_CHANGED)
    await expire(submission.context, session, submission.owner.customer_id)
    taken = await _units(session, submission)
    safe, way = is_safe(answers), _method(submission, kind)
    store = await PartnerRepository(session).get(answers.text(STORE)) if way is ReturnMethod.STORE else None
    row = ReturnRow(
        customer_id=submission.owner.customer_id,
        kind=kind,
        status=status,
        order_number=chosen(answers)[0].entry["order"],
        state=ItemState(answers.text(STATE)),
        mileage=answers.text(MILEAGE),
        battery=BatteryState(answers.text(BATTERY)) if answers.text(BATTERY) else None,
        method=way,
        store_id=store.id if store else None,
        settlement=settlement,
        draft_key=submission.key,
        urgent=not safe,
        created_at=submission.now,
        updated_at=submission.now,
        **(_pickup(submission) if way is ReturnMethod.PICK_UP else {}),
        **more,
    )
    await save(session, row, taken)
    await enter(session, row, status, submission.now)
    return row


async def save(session: AsyncSession, row: ReturnRow, taken: Taken) -> None:
    """Write a return with its units.

    Raises:
        Refused: `return_request_already_exists`; the database lets a unit be in one return only.
    """
    session.add(row)
    await session.flush()
    session.add_all(
        ReturnUnitRow(
            return_id=row.id or 0,
            order_line_id=line.row.id or 0,
            number=unit.number,
            paid=unit.worth.paid,
            package=unit.worth.package,
            insurance=unit.worth.insurance,
        )
        for line, units in taken
        for unit in units
    )
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS) from None


def _method(submission: DraftSubmission, kind: ReturnKind) -> ReturnMethod:
    if not is_safe(submission.answers):
        return ReturnMethod.NONE
    return ReturnMethod.PICK_UP if kind is ReturnKind.ORDER_RETURN else ReturnMethod(submission.answers.text(METHOD))


def _pickup(submission: DraftSubmission) -> dict[str, Any]:
    answers, address = submission.answers, home(submission.answers)
    phone = address.pop("phone", "")
    return {
        "pickup_day": date.fromisoformat(answers.text(pickup.DAY)),
        "pickup_window": Window(answers.text(pickup.WINDOW)),
        "address": {**address, "name": answers.text(pickup.NAME) or submission.answers.facts.get("name", "")},
        "phone": phone,
        "remarks": answers.text(pickup.REMARKS),
    }


async def _units(session: AsyncSession, submission: DraftSubmission) -> Taken:
    """The units that go back: those whose time runs out first."""
    stock = await StockRepository(session, submission.owner.customer_id, submission.now).all()
    lines = {item_id(order, line): line for order in stock for line in order.lines}
    taken: Taken = []
    for item in chosen(submission.answers):
        line = lines[item.entry["id"]]
        free = returnable(line.units or (), local_day(submission.now))
        if len(free) < item.count:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS)
        taken.append((line, free[: item.count]))
    return taken


_CARRIER = "Bovenbuis bezorgdienst"


async def replace(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Make the order of the new item, sent today, at the price that was agreed; its number."""
    repository = ReturnRepository(session, row.customer_id)
    units = (await repository.units([row])).get(row.id or 0, [])
    old = units[0].line
    before = (
        await session.exec(select(OrderRow).where(OrderRow.customer_id == row.customer_id, OrderRow.id == old.order_id))
    ).one()
    agreed, now = ComputedSettlement.from_json(row.settlement), context.clock()
    price = -next(line.amount for line in agreed.lines if line.kind is SettlementKind.NEW_ITEM)
    (stock,) = await StockRepository(session, row.customer_id, now).all(before.order_number)
    worth = min(price, agreed.credit)
    moved = min(worth, stock.outstanding)
    credit(before, moved)
    product = row.product or {}
    order = OrderRow(
        order_number=await _number(session),
        customer_id=row.customer_id,
        country_code=before.country_code,
        features=list(before.features),
        ordered_at=row.created_at,
        delivery_status=DeliveryStatus.READY_FOR_TRANSPORT,
        payment_status=PaymentStatus.OPEN,
        payment_method=before.payment_method,
        delivery_method=before.delivery_method,
        service_package=before.service_package,
        insurance=before.insurance,
        subtotal=price,
        total=price,
    )
    credit(order, worth - moved)
    session.add(order)
    await session.flush()
    line = OrderLineRow(
        order_id=order.id or 0,
        position=1,
        name=str(product.get("name") or old.name),
        sku=str(product.get("sku") or old.sku),
        kind=ItemKind(product["kind"]) if product.get("kind") else old.kind,
        item_color=str(product.get("color", "")) if product else old.item_color,
        frame_size=str(product.get("size", "")) if product else old.frame_size,
        battery=str(product.get("battery", "")) if product else old.battery,
        quantity=1,
        unit_price=price,
        price=price,
    )
    shipment = ShipmentRow(order_id=order.id or 0, carrier=_CARRIER, shipped_at=now)
    session.add_all([line, shipment])
    await session.flush()
    session.add(ShipmentLineRow(shipment_id=shipment.id or 0, order_line_id=line.id or 0, quantity=1))
    for address in await session.exec(select(OrderAddressRow).where(OrderAddressRow.order_id == before.id)):
        values = address.model_dump(exclude={"id", "order_id"})
        session.add(OrderAddressRow(order_id=order.id or 0, **values))
    await session.flush()
    return order.order_number


async def _number(session: AsyncSession) -> str:
    """A free order number."""
    while True:
        number = f"9{secrets.randbelow(10**8):08}"
        if (await session.exec(select(OrderRow.id).where(col(OrderRow.order_number) == number))).first() is None:
            return number
