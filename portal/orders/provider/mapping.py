"""Conversion of the rows of an order to the models of the API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from portal.backend.security import reader
from portal.contract.models import Picture, mapped
from portal.kernel.address import address_parts
from portal.kernel.days import local_day, today
from portal.orders.api import NamedAddress, OrderLine, OrderSummary, ScheduledDelivery
from portal.orders.provider.queries import Item
from portal.pictures.provider.lookup import ArticlePicture, picture_of
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentRow
from portal.vocabulary.deliveries import ALL_DAY, DeliveryStatus, handed_over, names_day

SHOWN_ITEMS = 3
"""Maximum number of lines that an order in the list names."""


def to_order_summary(
    row: OrderRow, items: list[Item], found: Mapping[int, ArticlePicture], *, returnable: bool, invoice_id: str
) -> OrderSummary:
    shown = items[:SHOWN_ITEMS]
    first = shown[0] if shown else None
    return mapped(
        OrderSummary,
        row,
        order_date=local_day(row.ordered_at),
        names=[item.name_in(reader()) for item in shown],
        kinds=[item.kind for item in shown],
        picture=picture_of(found.get(first.line), first.kind, first.name) if first else Picture(),
        more=len(items) - len(shown),
        movable=not handed_over(row.delivery_status) and bool(delivery_ahead(row.delivery_status, row.scheduled_day)),
        returnable=returnable,
        invoice_id=invoice_id,
    )


def to_order_line(row: OrderLineRow, bike_id: str | None, found: Mapping[int, ArticlePicture]) -> OrderLine:
    return mapped(
        OrderLine,
        row,
        name=row.name_in(reader()),
        item_color=row.color_in(reader()),
        bike_id=bike_id,
        picture=line_picture(row, found),
    )


def line_picture(row: OrderLineRow, found: Mapping[int, ArticlePicture]) -> Picture:
    return picture_of(found.get(row.id), row.kind, row.name)


def to_named_address(row: OrderAddressRow) -> NamedAddress:
    return NamedAddress(name=row.name, **address_parts(row), country_code=row.country_code)


def delivery_ahead(status: DeliveryStatus | None, planned: date | None) -> date | None:
    return planned if planned and planned >= today() and names_day(status) else None


def to_scheduled(row: OrderRow | ShipmentRow, status: DeliveryStatus | None) -> ScheduledDelivery | None:
    """Convert the planned day and window; None if no day is ahead. Without hours, we come at any time of the day."""
    day = delivery_ahead(status, row.scheduled_day)
    if day is None:
        return None
    first, last = (f"{moment:%H:%M}" for moment in ALL_DAY)
    return ScheduledDelivery(day=day, from_time=row.scheduled_from or first, until_time=row.scheduled_until or last)
