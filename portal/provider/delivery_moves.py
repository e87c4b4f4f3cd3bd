"""Whether a delivery can be moved, and to which days: the same for the page, the link and the back office."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.codes import Code
from portal.domain.countries import Country
from portal.domain.delivery_options import days as delivery_days
from portal.provider.repositories import delivery_days as places
from portal.provider.tables.deliveries import DateChangeRow
from portal.provider.tables.orders import OrderRow, ShipmentRow
from portal.settings import Settings
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DateChangeStatus, handed_over, why_it_stays, window_of


async def days_with_places(
    session: AsyncSession, settings: Settings, country: Country, now: datetime
) -> dict[date, bool]:
    """The days that can be chosen, each with whether a place is left."""
    days = delivery_days(now, country, settings.delivery_days, settings.delivery_handling_days)
    full = await places.full_days(session, country, days, settings.delivery_places)
    return {day: day not in full for day in days}


def why_not(order: OrderRow, shipments: Sequence[ShipmentRow]) -> Code | None:
    """Why the delivery of an order cannot be moved, whatever the day; none when it can."""
    if refusal := why_it_stays(order.delivery_status):
        return refusal
    # Of an order in parts, what is still here can be moved.
    if shipments and all(has_left(order, shipment) for shipment in shipments):
        return Code.ALREADY_HANDED_OVER
    if Feature.DELIVERY_DATE.value not in order.features:
        return Code.DATE_CHANGE_NOT_OFFERED
    return Code.DELIVERY_NOT_PLANNED if order.scheduled_day is None else None


def has_left(order: OrderRow, shipment: ShipmentRow) -> bool:
    """Whether a part is with the carrier or beyond."""
    return shipment.shipped_at is not None or handed_over(shipment.status or order.delivery_status)


def window(order: OrderRow) -> tuple[str, str]:
    """Local times of the window on another day: an evening stays an evening."""
    return window_of(order.scheduled_from)


def still_waits(change: DateChangeRow, free: dict[date, bool], now: datetime) -> bool:
    """Whether a wish blocks another one.

    One that waits for the customer does as long as its link works and its day is to be had: a day that was taken
    meanwhile would otherwise keep the customer from choosing another one.
    """
    if change.status is DateChangeStatus.WAITING_FOR_RETAILER:
        return True
    return (
        change.status is DateChangeStatus.WAITING_FOR_CUSTOMER
        and change.link_expires_at > now
        and free.get(change.new_day, False)
    )
