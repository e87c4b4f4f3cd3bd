"""Views of deliveries: order status, shipments and the days to choose from. Days and times are ISO 8601 texts.

Empty texts mean that there is no such value. `start` and `until` are local times of a window.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from portal.contract.account import EMPTY_ACCOUNT, Account, LocalizedText
from portal.contract.models import Picture
from portal.deliveries.api import (
    DateChange,
    DeliveryDates,
    DeliveryEvent,
    DeliveryWeek,
    OrderStatus,
    ShipmentStatus,
    ShippedItem,
)
from portal.kernel.codes import Code
from portal.pictures.pages.views import PictureView, picture_view
from portal.vocabulary.deliveries import (
    PENDING,
    date_change_tone,
    delivery_tone,
    handed_over,
    window_of,
)
from portal.vocabulary.status import Tone


def preferred(text: str) -> tuple[str, str]:
    """Number and Monday of an ISO week such as '2026-W24'. Any other text is returned as it is, with an empty day."""
    found = re.fullmatch(r"(\d{4})-W(\d{1,2})", text)
    try:
        monday = date.fromisocalendar(int(found[1]), int(found[2]), 1) if found else None
    except ValueError:
        monday = None
    return (str(monday.isocalendar().week), monday.isoformat()) if monday else (text, "")


@dataclass(frozen=True, slots=True)
class ItemView:
    """Units of an order line; `detail` is colour and size."""

    name: str
    detail: str
    picture: PictureView
    quantity: int
    bike_id: str


@dataclass(frozen=True, slots=True)
class PartView:
    """One shipment. `label`, `meaning` and `when` are from its account; `when` is empty if no day is planned."""

    part: int
    status: str
    label: LocalizedText
    meaning: LocalizedText
    when: LocalizedText
    tone: Tone
    carrier: str
    code: str
    url: str
    shipped: str
    delivered: str
    content: list[ItemView]


@dataclass(frozen=True, slots=True)
class DeliveryEventView:
    """An entry of the history. `part` is 0 for the whole order; `moved` is false if the status did not change."""

    status: str
    part: int
    moved: bool
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A request for another day; an empty status means that there is none. `resend_at` is in UTC."""

    account: Account = EMPTY_ACCOUNT
    reference: str = ""
    status: str = ""
    tone: Tone = "neutral"
    email: str = ""
    resend_at: str = ""
    email_failed: bool = False
    pending: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class OrderStatusView:
    """All data of the order status page.

    Attributes:
        account: what every channel says about the order.
        phase: the current phase, from 0; -1 if the order was cancelled or refused, or its status is unknown.
        picture: of what was ordered: of a bike, if there is one.
        planned: whether a day is planned and the delivery is not finished.
        undated: whether a day is still to be planned.
        followed: the carrier's page of the shipment on its way; empty if there are several, each with its own, or none.
        events: history, newest first.
        refusal: code of the reason why the day cannot be changed; empty if it can.
    """

    account: Account = EMPTY_ACCOUNT
    number: str = ""
    name: str = ""
    picture: PictureView = field(default_factory=PictureView)
    ordered: str = ""
    status: str = ""
    tone: Tone = "neutral"
    phase: int = -1
    planned: bool = False
    undated: bool = False
    week: str = ""
    week_from: str = ""
    parts: list[PartView] = field(default_factory=list)
    unshipped: list[ItemView] = field(default_factory=list)
    partly: bool = False
    followed: str = ""
    events: list[DeliveryEventView] = field(default_factory=list)
    refusal: str = ""
    change: ChangeView = field(default_factory=ChangeView)


def order_status_view(order: OrderStatus) -> OrderStatusView:
    at = order.account.phase
    planned = order.scheduled is not None
    week, monday = preferred(order.preferred_week)
    parts = [_part(part) for part in order.shipments]
    return OrderStatusView(
        account=order.account,
        number=order.order_number,
        name=order.name,
        picture=_picture(order),
        ordered=order.order_date.isoformat(),
        status=order.status.value if order.status else "",
        tone=delivery_tone(order.status),
        phase=-1 if at is None else at,
        planned=planned,
        undated=not planned and not handed_over(order.status),
        week=week,
        week_from=monday,
        parts=parts,
        unshipped=[_item(item) for item in order.unshipped],
        partly=order.partly_shipped,
        followed=_followed(parts),
        events=_events(order.events),
        refusal=order.change_refusal.value if order.change_refusal else "",
        change=change_view(order.change),
    )


def _followed(parts: list[PartView]) -> str:
    pages = [part.url for part in parts if part.url and not part.delivered]
    return pages[0] if len(pages) == 1 else ""


def _picture(order: OrderStatus) -> PictureView:
    items = [*(item for part in order.shipments for item in part.items), *order.unshipped]
    bikes = [item for item in items if item.bike_id]
    return picture_view(next((item.picture for item in (*bikes, *items)), Picture()))


def change_view(change: DateChange | None) -> ChangeView:
    """The view of a request for another day; an empty view for None."""
    if change is None:
        return ChangeView()
    return ChangeView(
        account=change.account,
        reference=change.reference,
        status=change.status.value,
        tone="warn" if change.asked else date_change_tone(change.status),
        email=change.email,
        resend_at=change.resend_at.isoformat() if change.resend_at else "",
        email_failed=change.email_failed,
        pending=change.status in PENDING,
        asked=change.asked,
    )


def date_status(refusal: Code | None, change: DateChange | None) -> str:
    """What the pages for another day show.

    Empty means the form; otherwise the status of the pending request or the code of the refusal.
    """
    if refusal is Code.DATE_CHANGE_PENDING and change is not None and change.status in PENDING:
        return change.status.value
    return refusal.value if refusal else ""


def _part(part: ShipmentStatus) -> PartView:
    return PartView(
        part=part.part,
        status=part.status.value,
        label=part.account.status,
        meaning=part.account.meaning,
        when=part.account.handover.when if part.account.handover else LocalizedText(),
        tone=delivery_tone(part.status),
        carrier=part.carrier,
        code=part.tracking_code,
        # The page never links to anything but https, whatever the provider sends.
        url=part.tracking_url if part.tracking_url.startswith("https://") else "",
        shipped=part.shipped_at.isoformat() if part.shipped_at else "",
        delivered=part.delivered_at.isoformat() if part.delivered_at else "",
        content=[_item(item) for item in part.items],
    )


def _item(item: ShippedItem) -> ItemView:
    detail = ", ".join(text for text in (item.item_color, item.frame_size) if text)
    return ItemView(item.name, detail, picture_view(item.picture), item.quantity, item.bike_id or "")


def _events(events: list[DeliveryEvent]) -> list[DeliveryEventView]:
    views: list[DeliveryEventView] = []
    last: dict[int, str] = {}
    for event in events:
        part = event.part or 0
        moved = last.get(part) != event.status.value
        last[part] = event.status.value
        views.append(
            DeliveryEventView(event.status.value, part, moved, event.note, event.happened_at.isoformat()),
        )
    return views[::-1]


FREE, FULL, PLANNED, CLOSED = "free", "full", "planned", "closed"
"""Kinds of days in the calendar: available, without a free place, currently planned, without deliveries."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A delivery day. Only a free one can be chosen. `first` marks the first free day of its week."""

    day: str
    free: bool
    first: bool


@dataclass(frozen=True, slots=True)
class CellView:
    """A day of the calendar. `named` is true if the month is shown below the number."""

    day: str
    number: int
    kind: str
    named: bool


@dataclass(frozen=True, slots=True)
class WeekView:
    """A week from Monday to Sunday. `days` are its delivery days, `cells` all seven; `free` counts the free days."""

    id: str
    number: int
    monday: str
    sunday: str
    free: int
    days: list[DayView]
    cells: list[CellView]


@dataclass(frozen=True, slots=True)
class DatesView:
    """All data of the pages for another delivery day.

    Attributes:
        day: the currently planned day; empty if none is planned.
        new_start, new_until: the window on the new day.
        date_status: empty for the form; otherwise the status of the pending request or the code of the refusal.
        retry_at: when to try again (UTC).
        change: the latest request for another day, pending or not.
    """

    number: str = ""
    name: str = ""
    day: str = ""
    start: str = ""
    until: str = ""
    new_start: str = ""
    new_until: str = ""
    date_status: str = ""
    retry_at: str = ""
    weeks: list[WeekView] = field(default_factory=list)
    change: ChangeView = field(default_factory=ChangeView)


def dates_view(dates: DeliveryDates) -> DatesView:
    """The view of the days to which a delivery can be moved."""
    planned = dates.scheduled
    start, until = window_of(planned.from_time if planned else "")
    return DatesView(
        number=dates.order_number,
        name=dates.name,
        day=planned.day.isoformat() if planned else "",
        start=planned.from_time if planned else "",
        until=planned.until_time if planned else "",
        new_start=start,
        new_until=until,
        date_status=date_status(dates.refusal, dates.change),
        retry_at=dates.retry_at.isoformat() if dates.retry_at else "",
        weeks=_weeks(dates.weeks, planned.day if planned else None),
        change=change_view(dates.change),
    )


def week_of(view: DatesView, day: str) -> str:
    """The id of the week in which a day can be chosen; empty if it cannot be chosen."""
    return next((week.id for week in view.weeks for entry in week.days if entry.day == day and entry.free), "")


def _weeks(weeks: list[DeliveryWeek], planned: date | None) -> list[WeekView]:
    return [_week(week, planned, first=place == 0) for place, week in enumerate(weeks)]


def _week(week: DeliveryWeek, planned: date | None, *, first: bool) -> WeekView:
    free = {entry.day: entry.free for entry in week.days}
    first_free = next((day for day, can_be_had in free.items() if can_be_had), None)
    return WeekView(
        id=f"{week.year}-W{week.week:02}",
        number=week.week,
        monday=week.monday.isoformat(),
        sunday=week.sunday.isoformat(),
        free=sum(free.values()),
        days=[DayView(day.isoformat(), can_be_had, day == first_free) for day, can_be_had in free.items()],
        cells=[_cell(week.monday + timedelta(days=place), free, planned, first and place == 0) for place in range(7)],
    )


def _cell(day: date, free: Mapping[date, bool], planned: date | None, first: bool) -> CellView:
    kind = PLANNED if day == planned else CLOSED if day not in free else FREE if free[day] else FULL
    return CellView(day.isoformat(), day.day, kind, first or day.day == 1)
