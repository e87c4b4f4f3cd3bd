"""Decides whether a delivery can be moved and to which days, and builds the models of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import reader
from portal.contract.errors import NotFound
from portal.contract.models import mapped
from portal.conversations.provider.queries import asked_account
from portal.deliveries.api import DateChange, DeliveryEvent, OrderStatus, ShipmentStatus, ShippedItem
from portal.deliveries.provider import queries
from portal.deliveries.provider.account import OrderedUnits, date_change_account, delivery_account, place_of
from portal.deliveries.rules import days as delivery_days
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_order_number
from portal.links.provider import PendingLink
from portal.orders.provider.queries import OrderQueries, delivery_ahead, line_picture, to_scheduled
from portal.orders.rules import contents_known
from portal.pictures.provider.lookup import ArticlePicture, pictures_of_lines
from portal.settings import Settings
from portal.tables.deliveries import DateChangeRow, DeliveryEventRow
from portal.tables.orders import AddressRole, OrderAddressRow, OrderLineRow, OrderRow, ShipmentRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import (
    CALLED_OFF,
    DateChangeStatus,
    DeliveryStatus,
    current_status,
    handed_over,
    why_it_stays,
    window_of,
)


async def days_with_places(
    session: AsyncSession, settings: Settings, country: Country, now: datetime
) -> dict[date, bool]:
    days = delivery_days(now, country, settings.delivery_days, settings.delivery_handling_days)
    full = await queries.full_days(session, country, days, settings.delivery_places)
    return {day: day not in full for day in days}


def why_not(order: OrderRow, shipments: Sequence[ShipmentRow]) -> Code | None:
    if refusal := why_it_stays(order.delivery_status):
        return refusal
    # If only some shipments have left, the others can still be moved.
    if shipments and all(has_left(order, shipment) for shipment in shipments):
        return Code.ALREADY_HANDED_OVER
    if Feature.DELIVERY_DATE.value not in order.features:
        return Code.DATE_CHANGE_NOT_OFFERED
    return None if delivery_ahead(order.delivery_status, order.scheduled_day) else Code.DELIVERY_NOT_PLANNED


def has_left(order: OrderRow, shipment: ShipmentRow) -> bool:
    return shipment.shipped_at is not None or handed_over(shipment.status or order.delivery_status)


def window(order: OrderRow) -> tuple[str, str]:
    """Start and end (local, 'HH:MM') of the window on a new day. An evening delivery stays in the evening."""
    return window_of(order.scheduled_from)


def still_waits(change: DateChangeRow, free: dict[date, bool], now: datetime) -> bool:
    """Whether a request is still pending and blocks a new one.

    A request that waits for the customer blocks only while its link is valid and its day has a free place. If the day
    is full by now, the customer can choose another day at once.
    """
    if change.status is DateChangeStatus.WAITING_FOR_RETAILER:
        return True
    return (
        change.status is DateChangeStatus.WAITING_FOR_CUSTOMER
        and change.link_expires_at > now
        and free.get(change.new_day, False)
    )


Line = tuple[OrderLineRow, str | None]
"""An order line and the id of the bike that it became, if any."""


def known_number(order_number: str) -> str:
    if not is_order_number(order_number):
        raise NotFound
    return order_number


def date_change(
    order: OrderRow,
    lines: Sequence[Line],
    row: DateChangeRow,
    now: datetime,
    pending: PendingLink | None = None,
    *,
    asked: bool = False,
) -> DateChange:
    return mapped(
        DateChange,
        row,
        account=asked_account(date_change_account(order, ordered_units(lines), row, now), asked=asked),
        status=current_status(row.status, row.link_expires_at, now),
        email=pending.email if pending else "",
        resend_at=pending.resend_at if pending else None,
        email_failed=pending.failed if pending else False,
        asked=asked,
    )


def ordered_units(lines: Sequence[Line], withdrawn: Mapping[int, int] = MappingProxyType({})) -> list[OrderedUnits]:
    counted = [(line, line.quantity - withdrawn.get(line.id, 0)) for line, _ in lines]
    return [(line, count) for line, count in counted if count > 0]


def order_status(
    order: OrderRow,
    lines: Sequence[Line],
    address: OrderAddressRow | None,
    shipments: Sequence[ShipmentRow],
    contents: Mapping[int, Mapping[int, int]],
    events: Sequence[DeliveryEventRow],
    found: Mapping[int, ArticlePicture],
    *,
    withdrawn: Mapping[int, int] = MappingProxyType({}),
) -> OrderStatus:
    """Build the status model of an order, without `change` and `change_refusal`.

    `address` is the shipping address. `contents` maps shipment id to order line id to quantity, as
    `ShipmentQueries.contents` returns it. `found` is what is known of the pictures of lines. `withdrawn` are units that
    are not delivered any more, as `ShipmentQueries.withdrawn` returns them; an order that was called off names them.
    """
    gone = {} if order.delivery_status in CALLED_OFF else withdrawn
    parts = {shipment.id: number for number, shipment in enumerate(shipments, 1)}
    by_key = {line.id: (line, bike) for line, bike in lines}
    shipped: dict[int, int] = {}
    for inside in contents.values():
        for key, quantity in inside.items():
            shipped[key] = shipped.get(key, 0) + quantity
    # Without recorded contents, a single shipment holds the whole order.
    whole = not contents and len(shipments) == 1
    statuses = [_status(order, shipment) for shipment in shipments]
    left_over = {key: line.quantity - line.returned - shipped.get(key, 0) for key, (line, _) in by_key.items()}
    for key, count in gone.items():
        in_none = max(0, min(count, left_over[key]))
        left_over[key] -= in_none
        contents = _without(contents, key, count - in_none, order, shipments)
    pending = [
        _item(line, bike, left_over[line.id], found)
        for line, bike in lines
        if (contents or not shipments) and left_over[line.id] > 0
    ]
    contents = contents_known([*parts], contents)
    left = [
        bool(shipment.shipped_at) or handed_over(status) for shipment, status in zip(shipments, statuses, strict=True)
    ]
    place, scheduled = place_of(order, address, shipments), to_scheduled(order, order.delivery_status)
    return OrderStatus(
        account=delivery_account(order, order.delivery_status, ordered_units(lines, gone), place, scheduled),
        order_number=order.order_number,
        order_date=local_day(order.ordered_at),
        name=lines[0][0].name_in(reader()) if lines else "",
        delivery_method=order.delivery_method,
        status=order.delivery_status,
        scheduled=scheduled,
        preferred_week=order.preferred_week,
        shipments=[
            _shipment(
                order,
                place,
                number,
                shipment,
                status,
                _inside(contents.get(shipment.id, {}), by_key, ordered_units(lines, gone), whole),
                found,
            )
            for (number, shipment), status in zip(enumerate(shipments, 1), statuses, strict=True)
        ],
        unshipped=pending,
        partly_shipped=any(left) and (not all(left) or bool(pending)),
        events=[
            mapped(DeliveryEvent, event, part=parts.get(event.shipment_id) if event.shipment_id else None)
            for event in events
        ],
    )


async def load_status(session: AsyncSession, order: OrderRow) -> OrderStatus:
    orders = OrderQueries(session, order.customer_id)
    shipments = queries.ShipmentQueries(session, order.customer_id)
    lines = await orders.lines(order)
    return order_status(
        order,
        lines,
        (await orders.addresses(order)).get(AddressRole.SHIPPING),
        await shipments.all(order),
        await orders.contents(order),
        await shipments.events(order),
        await pictures_of_lines(session, order.customer_id, [line.id for line, _ in lines]),
        withdrawn=await shipments.withdrawn(order),
    )


def _without(
    contents: Mapping[int, Mapping[int, int]],
    line: int,
    count: int,
    order: OrderRow,
    shipments: Sequence[ShipmentRow],
) -> Mapping[int, Mapping[int, int]]:
    """The contents of the shipments without units of a line that are not sent; the last shipment loses them first."""
    left = {shipment: dict(inside) for shipment, inside in contents.items()}
    for shipment in reversed([entry for entry in shipments if not has_left(order, entry)]):
        inside = left.get(shipment.id, {})
        taken = min(count, inside.get(line, 0))
        count -= taken
        if taken:
            inside[line] -= taken
    return {shipment: {key: n for key, n in inside.items() if n} for shipment, inside in left.items()}


def _status(order: OrderRow, shipment: ShipmentRow) -> DeliveryStatus:
    """The status of a shipment. Without its own, it has that of the order, unless it has a delivery date already."""
    if shipment.status is not None:
        return shipment.status
    if shipment.delivered_at is not None:
        picked_up = order.delivery_status is DeliveryStatus.ORDER_PICKED_UP
        return DeliveryStatus.ORDER_PICKED_UP if picked_up else DeliveryStatus.ORDER_DELIVERED
    return order.delivery_status or DeliveryStatus.UNKNOWN


def _inside(
    content: Mapping[int, int],
    by_key: Mapping[int, Line],
    ordered: Sequence[OrderedUnits],
    whole: bool,
) -> list[tuple[OrderLineRow, str | None, int]]:
    if whole:
        return [(line, by_key[line.id][1], count) for line, count in ordered]
    return [(*by_key[key], quantity) for key, quantity in content.items() if key in by_key]


def _item(line: OrderLineRow, bike_id: str | None, quantity: int, found: Mapping[int, ArticlePicture]) -> ShippedItem:
    return mapped(
        ShippedItem,
        line,
        name=line.name_in(reader()),
        item_color=line.color_in(reader()),
        quantity=quantity,
        bike_id=bike_id,
        picture=line_picture(line, found),
    )


def _shipment(
    order: OrderRow,
    place: Sequence[str],
    number: int,
    row: ShipmentRow,
    status: DeliveryStatus,
    inside: Sequence[tuple[OrderLineRow, str | None, int]],
    found: Mapping[int, ArticlePicture],
) -> ShipmentStatus:
    planned = to_scheduled(row, status) or to_scheduled(order, status)
    return mapped(
        ShipmentStatus,
        row,
        account=delivery_account(order, status, [(line, count) for line, _, count in inside], place, planned),
        part=number,
        status=status,
        items=[_item(line, bike, count, found) for line, bike, count in inside],
        scheduled=planned,
    )
