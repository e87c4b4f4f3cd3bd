"""Where an order is, part by part, and the wish for another day. Days are ISO days, never moments."""

from __future__ import annotations

from dataclasses import dataclass, field

from portal.contract.delivery import DateChange, DeliveryEvent, OrderStatus, ShipmentStatus, ShippedItem
from portal.domain.codes import Code
from portal.domain.identifiers import spoken
from portal.states.views.order import preferred
from portal.vocabulary.deliveries import (
    FINISHED_DELIVERY,
    PENDING,
    DeliveryEnd,
    date_change_tone,
    delivery_tone,
    end,
    handed_over,
    phase,
)
from portal.vocabulary.orders import STORE_PICKUP
from portal.vocabulary.status import Tone


@dataclass(frozen=True, slots=True)
class ItemView:
    """So many units of an order line; `detail` is colour and size."""

    name: str
    detail: str
    kind: str
    quantity: int
    bike_id: str


@dataclass(frozen=True, slots=True)
class PartView:
    """One part of an order. `day` is empty when it has arrived or none is planned."""

    part: int
    status: str
    tone: Tone
    carrier: str
    code: str
    url: str
    shipped: str
    delivered: str
    day: str
    start: str
    until: str
    content: list[ItemView]


@dataclass(frozen=True, slots=True)
class DeliveryEventView:
    """Something that happened. `part` is 0 for the whole order; `moved` is false when only something was told."""

    status: str
    part: int
    moved: bool
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A wish for another day; an empty status means that there was none.

    `spoken` is its reference in groups; `expires` and the like are moments (UTC).
    """

    reference: str = ""
    spoken: str = ""
    status: str = ""
    tone: Tone = "neutral"
    original: str = ""
    new: str = ""
    start: str = ""
    until: str = ""
    email: str = ""
    expires: str = ""
    resend_at: str = ""
    email_failed: bool = False
    answer_by: str = ""
    note: str = ""
    pending: bool = False


@dataclass(frozen=True, slots=True)
class OrderStatusView:
    """Everything that the page of an order's status shows.

    Attributes:
        phase: which phase is going on, from 0; -1 when the order left the road.
        ending: names the last phases.
        day: the planned day, while something is to come.
        undated: no day is planned yet.
        week, week_from: the preferred week and its Monday, for an order without a planned day.
        partly: some parts have left, others have not.
        events: what happened, newest first.
        refusal: why the day cannot be changed, a code; empty when it can.
    """

    number: str = ""
    name: str = ""
    ordered: str = ""
    method: str = ""
    status: str = ""
    tone: Tone = "neutral"
    phase: int = -1
    ending: str = DeliveryEnd.DELIVERY.value
    day: str = ""
    start: str = ""
    until: str = ""
    undated: bool = False
    week: str = ""
    week_from: str = ""
    parts: list[PartView] = field(default_factory=list)
    waiting: list[ItemView] = field(default_factory=list)
    partly: bool = False
    events: list[DeliveryEventView] = field(default_factory=list)
    refusal: str = ""
    change: ChangeView = field(default_factory=ChangeView)


def order_status_view(order: OrderStatus) -> OrderStatusView:
    """Tell how an order travels."""
    at = phase(order.status)
    active = order.status not in FINISHED_DELIVERY
    planned = order.scheduled if active else None
    week, monday = preferred(order.preferred_week)
    pickup = order.delivery_method == STORE_PICKUP
    return OrderStatusView(
        number=order.order_number,
        name=order.name,
        ordered=order.order_date.isoformat(),
        method=order.delivery_method,
        status=order.status.value if order.status else "",
        tone=delivery_tone(order.status),
        phase=-1 if at is None else at,
        ending=(DeliveryEnd.PICKUP if pickup else end(order.status)).value,
        day=planned.day.isoformat() if planned else "",
        start=planned.from_time if planned else "",
        until=planned.until_time if planned else "",
        undated=planned is None and not handed_over(order.status),
        week=week,
        week_from=monday,
        parts=[_part(part) for part in order.shipments],
        waiting=[_item(item) for item in order.waiting],
        partly=order.partly_shipped,
        events=_events(order.events),
        refusal=order.change_refusal.value if order.change_refusal else "",
        change=change_view(order.change),
    )


def change_view(change: DateChange | None) -> ChangeView:
    """Tell a wish for another day."""
    if change is None:
        return ChangeView()
    return ChangeView(
        reference=change.reference,
        spoken=spoken(change.reference),
        status=change.status.value,
        tone=date_change_tone(change.status),
        original=change.original_day.isoformat(),
        new=change.new_day.isoformat(),
        start=change.from_time,
        until=change.until_time,
        email=change.email,
        expires=change.link_expires_at.isoformat(),
        resend_at=change.resend_at.isoformat() if change.resend_at else "",
        email_failed=change.email_failed,
        answer_by=change.answer_by.isoformat() if change.answer_by else "",
        note=change.note,
        pending=change.status in PENDING,
    )


def standing(refusal: Code | None, change: DateChange | None) -> str:
    """Which face the change of a day has: empty for the form, the status of what is pending, or why it is refused."""
    if refusal is Code.DATE_CHANGE_PENDING and change is not None and change.status in PENDING:
        return change.status.value
    return refusal.value if refusal else ""


def _part(part: ShipmentStatus) -> PartView:
    planned = part.scheduled if part.status not in FINISHED_DELIVERY else None
    return PartView(
        part=part.part,
        status=part.status.value,
        tone=delivery_tone(part.status),
        carrier=part.carrier,
        code=part.tracking_code,
        # Whatever the provider says, a link of ours leads to https only.
        url=part.tracking_url if part.tracking_url.startswith("https://") else "",
        shipped=part.shipped_at.isoformat() if part.shipped_at else "",
        delivered=part.delivered_at.isoformat() if part.delivered_at else "",
        day=planned.day.isoformat() if planned else "",
        start=planned.from_time if planned else "",
        until=planned.until_time if planned else "",
        content=[_item(item) for item in part.items],
    )


def _item(item: ShippedItem) -> ItemView:
    detail = ", ".join(text for text in (item.item_color, item.frame_size) if text)
    return ItemView(item.name, detail, item.kind.value, item.quantity, item.bike_id or "")


def _events(events: list[DeliveryEvent]) -> list[DeliveryEventView]:
    told: list[DeliveryEventView] = []
    last: dict[int, str] = {}
    for event in events:
        part = event.part or 0
        moved = last.get(part) != event.status.value
        last[part] = event.status.value
        told.append(
            DeliveryEventView(event.status.value, part, moved, event.note, event.happened_at.isoformat()),
        )
    return told[::-1]
