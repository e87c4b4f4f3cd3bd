"""Creating rows: a sent draft becomes a return with its units, and an exchange gets the order of its new item."""

import secrets
from collections.abc import Collection
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.flow import home
from portal.backend.backoffice import Departed
from portal.backend.context import Context
from portal.backend.shops import term_book
from portal.bikes.provider.queries import locked, record_mileage
from portal.contract.errors import Refused
from portal.flow import Flow
from portal.flow.provider.handler import DraftSubmission
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.locations.provider import PartnerQueries
from portal.orders.provider.money import surcharges
from portal.returns.flow import pickup
from portal.returns.flow.items import BATTERY, BIKES, METHOD, MILEAGE, STATE, STORE, chosen, is_safe
from portal.returns.models import ReturnFacts
from portal.returns.provider.documents import notify_moved
from portal.returns.provider.entries import equal_bikes, item_id
from portal.returns.provider.queries import LineStock, OrderStock, ReturnQueries, StockQueries, refunded_by_shop
from portal.returns.provider.return_case import never_sent
from portal.returns.provider.transitions import change_status, close_unsent, credit, expire, record
from portal.returns.rules.settlement import ComputedSettlement, Returned, SettlementKind, Terms, settle
from portal.returns.rules.units import Hold, Unit, returnable, withdrawable
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import DeliveryStatus, Window
from portal.vocabulary.departures import Departure
from portal.vocabulary.orders import ItemKind, PaymentStatus
from portal.vocabulary.returns import BatteryState, ItemState, ReturnKind, ReturnMethod, ReturnStatus

Taken = list[tuple[LineStock, list[Unit]]]
"""Order lines, each with the units that a return takes."""


async def create_return(
    session: AsyncSession,
    submission: DraftSubmission,
    flow: Flow,
    kind: ReturnKind,
    status: ReturnStatus,
    **columns: Any,
) -> ReturnRow:
    """Store a return in the transaction that marks its draft as sent."""
    answers = submission.answers
    settlement = {}
    if flow.settlement:
        agreed = flow.settlement(answers)
        if agreed.amounts != flow.settlement(submission.seen).amounts:
            raise Refused(Code.AMOUNTS_CHANGED)
        settlement = agreed.to_json()
    await expire(submission.context, session, submission.owner.customer_id)
    taken = await _units(session, submission)
    named = answers.several(BIKES)
    method = _method(submission, kind)
    store = await PartnerQueries(session).get(answers.text(STORE)) if method is ReturnMethod.STORE else None
    terms = (await term_book(session, submission.owner.customer_id)).on(local_day(submission.now))
    row = ReturnRow(
        customer_id=submission.owner.customer_id,
        kind=kind,
        status=status,
        order_number=chosen(answers)[0].item.order,
        state=ItemState(answers.text(STATE)),
        mileage=answers.text(MILEAGE),
        battery=BatteryState(answers.text(BATTERY)) if answers.text(BATTERY) else None,
        method=method,
        store_id=store.id if store else None,
        settlement=settlement,
        draft_key=submission.key,
        urgent=not is_safe(answers),
        answer_days=terms.return_answer_days,
        created_at=submission.now,
        updated_at=submission.now,
        **columns,
    )
    if method is ReturnMethod.PICK_UP:
        _set_pickup(row, submission)
    bikes = await save(session, row, taken, named, answers.text("pin_code"))
    if row.mileage and len(bikes) == 1:
        bike = await locked(session, submission.owner.customer_id, bikes[0])
        await record_mileage(session, bike, Decimal(row.mileage), submission.now)
    await record(session, row, status, submission.now, by_customer=True)
    return row


def settle_units(order: OrderStock, taken: Taken) -> ComputedSettlement:
    """The amounts of units that were withdrawn or cancelled; with the last of an order go its costs."""
    gone = {id(unit) for _, units in taken for unit in units}
    units = [unit for line in order.lines for unit in line.units or ()]
    whole = all(id(unit) in gone or (unit.unsent and unit.hold is Hold.DONE) for unit in units)
    return settle(
        [Returned(line.row.name, tuple(unit.worth for unit in units), order.row.order_number) for line, units in taken],
        Terms(
            shipping=order.row.shipping_costs if whole else ZERO,
            surcharges=surcharges(order.row) if whole else ZERO,
            outstanding={order.row.order_number: order.outstanding},
            left={} if order.left is None else {order.row.order_number: order.left},
        ),
    )


def _bikes_of(
    line: LineStock, units: list[Unit], named: Collection[str], pin_code: str, *, alike: bool
) -> list[BikeRow]:
    """Which bikes of a line units are: all that are left, those that were named, or any where nothing tells them apart.

    Nobody is asked of what is withdrawn without a login, or cancelled by the shop. Staff then say which has arrived.
    """
    left = sum(unit.hold is Hold.FREE for unit in line.units or ())
    if len(units) == left == len(line.free_bikes):
        return line.free_bikes
    for meant in (
        [bike for bike in line.free_bikes if bike.public_id in named],
        [bike for bike in line.free_bikes if pin_code and bike.pin_code == pin_code],
        line.free_bikes[: len(units)] if alike else [],
    ):
        if len(meant) == len(units):
            return meant
    return []


async def save(
    session: AsyncSession, row: ReturnRow, taken: Taken, named: Collection[str] = (), pin_code: str = ""
) -> list[int]:
    """Store a return with its units, and answer which bikes these are, as far as that is known.

    `named`: ids of those of equal bikes that were chosen.
    `pin_code`: of the lock, which also says which bike is meant.
    """
    told = await equal_bikes(session, (line for line, _ in taken), "nl")
    bikes = {
        line.row.id: _bikes_of(line, units, named, pin_code, alike=told.get(line.row.id) == []) for line, units in taken
    }
    session.add(row)
    await session.flush()
    session.add_all(
        ReturnUnitRow(
            return_id=row.id,
            order_line_id=line.row.id,
            number=unit.number,
            bike_id=bike.id if bike else None,
            paid=unit.worth.paid,
            package=unit.worth.package,
            insurance=unit.worth.insurance,
            # What is withdrawn before it was sent is with us already.
            received=never_sent(row) or (unit.unsent and row.kind is ReturnKind.WITHDRAWAL),
        )
        for line, units in taken
        for unit, bike in zip_longest(units, bikes[line.row.id])
    )
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS) from None
    return [bike.id for own in bikes.values() for bike in own]


def _method(submission: DraftSubmission, kind: ReturnKind) -> ReturnMethod:
    if not is_safe(submission.answers):
        return ReturnMethod.NONE
    return ReturnMethod.PICK_UP if kind is ReturnKind.ORDER_RETURN else ReturnMethod(submission.answers.text(METHOD))


def _set_pickup(row: ReturnRow, submission: DraftSubmission) -> None:
    answers, address = submission.answers, home(submission.answers)
    row.phone, row.remarks = address.pop("phone", ""), answers.text(pickup.REMARKS)
    row.pickup_day = date.fromisoformat(answers.text(pickup.DAY))
    row.pickup_window = Window(answers.text(pickup.WINDOW))
    row.address = {
        **address,
        "name": answers.text(pickup.NAME) or answers.part(ReturnFacts).name,
        "street_addition": answers.text(pickup.STREET_ADDITION),
        "email": answers.text(pickup.EMAIL),
    }


async def _units(session: AsyncSession, submission: DraftSubmission) -> Taken:
    """The chosen units; those with the earliest last day are taken first."""
    stock = await StockQueries(session, submission.owner.customer_id, submission.now).all()
    lines = {item_id(order, line): line for order in stock for line in order.lines}
    taken: Taken = []
    for item in chosen(submission.answers):
        line = lines[item.item.id]
        free = returnable(line.units or (), local_day(submission.now))
        if len(free) < item.count:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS)
        taken.append((line, free[: item.count]))
    return taken


async def create_replacement(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Create the order of the new item of an exchange, shipped now at the agreed price.

    What the customer gets for the returned item first pays the rest of the old order, then the new order. The service
    package and the insurance of the returned bike pass to the new one, with what they cost.
    """
    queries = ReturnQueries(session, row.customer_id)
    units = (await queries.units([row])).get(row.id, [])
    old, old_line = units[0].unit, units[0].line
    query = select(OrderRow).where(OrderRow.customer_id == row.customer_id, OrderRow.id == old_line.order_id)
    old_order = (await session.exec(query)).one()
    agreed, now = ComputedSettlement.from_json(row.settlement), context.clock()
    price = -next(line.amount for line in agreed.lines if line.kind is SettlementKind.NEW_ITEM)
    (stock,) = await StockQueries(session, row.customer_id, now).all(old_order.order_number)
    worth = min(price, agreed.credit) + old.package + old.insurance
    for_old_order = min(worth, stock.outstanding)
    credit(old_order, for_old_order)
    product = row.product or {}
    order = OrderRow(
        order_number=await _number(session),
        customer_id=row.customer_id,
        country_code=old_order.country_code,
        features=list(old_order.features),
        ordered_at=row.created_at,
        delivery_status=DeliveryStatus.READY_FOR_TRANSPORT,
        payment_status=PaymentStatus.OPEN,
        payment_method=old_order.payment_method,
        delivery_method=old_order.delivery_method,
        service_package=old_order.service_package if old.package or not old_order.service_costs else None,
        insurance=old_order.insurance if old.insurance else "",
        subtotal=price,
        service_costs=old.package,
        insurance_costs=old.insurance,
        total=price + old.package + old.insurance,
    )
    credit(order, worth - for_old_order)
    session.add(order)
    await session.flush()
    line = OrderLineRow(
        order_id=order.id,
        position=1,
        name=str(product.get("name") or old_line.name),
        name_en=str(product.get("name_en", "")) if product else old_line.name_en,
        sku=str(product.get("sku") or old_line.sku),
        kind=ItemKind(product["kind"]) if product.get("kind") else old_line.kind,
        item_color=str(product.get("color", "")) if product else old_line.item_color,
        item_color_en=str(product.get("color_en", "")) if product else old_line.item_color_en,
        frame_size=str(product.get("size", "")) if product else old_line.frame_size,
        battery=str(product.get("battery", "")) if product else old_line.battery,
        quantity=1,
        unit_price=price,
        price=price,
        service_costs=old.package,
        insurance_costs=old.insurance,
    )
    shipment = ShipmentRow(order_id=order.id, carrier=context.settings.carriers.own, shipped_at=now)
    session.add_all([line, shipment])
    await session.flush()
    session.add(ShipmentLineRow(shipment_id=shipment.id, order_line_id=line.id, quantity=1))
    for address in await session.exec(select(OrderAddressRow).where(OrderAddressRow.order_id == old_order.id)):
        values = address.model_dump(exclude={"id", "order_id"})
        session.add(OrderAddressRow(order_id=order.id, **values))
    await session.flush()
    return order.order_number


async def _number(session: AsyncSession) -> str:
    """A random order number that is not used yet."""
    while True:
        number = f"9{secrets.randbelow(10**8):08}"
        if (await session.exec(select(OrderRow.id).where(col(OrderRow.order_number) == number))).first() is None:
            return number


async def refund_cancelled(context: Context, session: AsyncSession, departed: Departed) -> bool:
    """Put up for refund what was paid for an order, or a part of it, that was cancelled, and mail the customer.

    Nothing is put up of what a return holds, nor of an order that the shop refunded.
    """
    order, now = departed.order, context.clock()
    if order is None or departed.departure is not Departure.CANCELLED:
        return False
    owes_nothing = departed.units is None and order.paid + order.settled <= ZERO
    if owes_nothing or order.payment_status is PaymentStatus.REFUNDED:
        return False
    (stock,) = await StockQueries(session, order.customer_id, now).all(order.order_number)
    taken: Taken = []
    for line in stock.lines:
        units = withdrawable(line.units or ())
        if departed.units is not None:
            # Of what is in cancelled parts, some may have been cancelled or withdrawn before.
            held = sum(unit.unsent and unit.hold is not Hold.FREE for unit in line.units or ())
            units = [unit for unit in units if unit.unsent][: max(0, departed.units.get(line.row.id, 0) - held)]
        if units:
            taken.append((line, units))
    if not taken:
        return False
    row = ReturnRow(
        customer_id=order.customer_id,
        kind=ReturnKind.CANCELLATION,
        status=ReturnStatus.REQUEST_RECEIVED,
        order_number=order.order_number,
        method=ReturnMethod.NONE,
        settlement=settle_units(stock, taken).to_json(),
        statement={"unsent": True},
        created_at=now,
        updated_at=now,
    )
    await save(session, row, taken)
    await record(session, row, ReturnStatus.REQUEST_RECEIVED, now)
    await close_unsent(context, session, row, by_customer=False)
    await notify_moved(context, session, row, departed.note)
    return True


async def record_refunded(context: Context, session: AsyncSession, order: OrderRow) -> None:
    """Record as paid what was still to be refunded of an order that the shop says it refunded, and mail the customer.

    Of an order that the shop refunded in part, that is the refund, or all of them together, of exactly that amount.
    A return of several orders stays in the list of finance.
    """
    query = select(ReturnRow).where(
        ReturnRow.order_number == order.order_number,
        ReturnRow.status == ReturnStatus.CLOSED,
        col(ReturnRow.refund_amount) > ZERO,
    )
    due = []
    for row in (await session.exec(query.order_by(col(ReturnRow.id)).with_for_update())).all():
        units = (await ReturnQueries(session, row.customer_id).units([row])).get(row.id, [])
        if {unit.order_number for unit in units} <= {row.order_number}:
            due.append((row, row.refund_amount or ZERO))
    refunded = (await refunded_by_shop(session, [order]))[order.id]
    if order.payment_status is not PaymentStatus.REFUNDED and sum(amount for _, amount in due) != refunded:
        due = [entry for entry in due if entry[1] == refunded][:1]
    for row, _ in due:
        row.refunded_at = order.refunded_at or context.clock()
        await change_status(context, session, row, ReturnStatus.REFUND_PROCESSED)
        await notify_moved(context, session, row, "")
