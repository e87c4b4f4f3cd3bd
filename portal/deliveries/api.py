"""Where an order is, part by part, and moving its delivery to another day: models and operations (part-2 §2)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany, Unavailable
from portal.contract.models import Document, Model, otherwise
from portal.contract.operations import CALENDAR, PDF, DeclaredRefusal, FileLocale, Token, operation
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.orders.api import KnownDeliveryStatus, KnownItemKind, ScheduledDelivery
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus

KnownCode = Annotated[Code | None, otherwise(Code, Code.GENERAL_ERROR)]


class ShippedItem(Model):
    """So many units of an order line. `bike_id` names the bike it became, when there is one."""

    name: str
    sku: str
    kind: KnownItemKind
    item_color: str = ""
    frame_size: str = ""
    quantity: int
    bike_id: str | None = None


class DeliveryEvent(Model):
    """Something that happened. `part` is the number of the shipment, none for the whole order; times in UTC."""

    happened_at: datetime
    status: Annotated[DeliveryStatus, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)]
    part: int | None = None
    note: str = ""


class ShipmentStatus(Model):
    """One part of an order, on its own way.

    Attributes:
        part: its number within the order, from 1.
        items: what is in it; empty when the order travels in one part and nothing was written down.
        scheduled: planned day and window; the day of the order where it has none of its own.
        tracking_url: https address of the carrier, empty when there is none.
    """

    part: int
    status: Annotated[DeliveryStatus, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)]
    items: list[ShippedItem] = Field(default_factory=list)
    scheduled: ScheduledDelivery | None = None
    carrier: str = ""
    tracking_code: str = ""
    tracking_url: str = ""
    shipped_at: datetime | None = None
    delivered_at: datetime | None = None


class DateChange(Model):
    """A wish for another delivery day. All days are local days, not moments.

    Attributes:
        reference: what the customer reads and quotes.
        status: as it stands now; `expired` as soon as the link is, whether noted or not.
        original_day: planned when it was asked for.
        new_day: wanted.
        from_time, until_time: local times of the window on that day.
        requested_at: when it was asked for (UTC).
        email: where the link went, masked.
        link_expires_at: until when the link confirms (UTC).
        resend_at: from when another mail can be asked for (UTC).
        email_failed: the mail with the link could not be sent (`email_failed`); it can be sent again.
        answer_by: when the retailer answers at the latest (UTC); none until the customer confirmed.
        decided_at: when the retailer answered (UTC).
        note: what the retailer told with it.
    """

    reference: str
    status: Annotated[DateChangeStatus, otherwise(DateChangeStatus, DateChangeStatus.UNKNOWN)]
    original_day: date
    new_day: date
    from_time: str
    until_time: str
    requested_at: datetime
    email: str = ""
    link_expires_at: datetime
    resend_at: datetime | None = None
    email_failed: bool = False
    answer_by: datetime | None = None
    decided_at: datetime | None = None
    note: str = ""


class OrderStatus(Model):
    """How an order travels.

    Attributes:
        status: of the order as a whole: of the part furthest behind. None while nothing is known.
        name: its first item.
        shipments: its parts, in the order of their numbers; empty while nothing was packed.
        waiting: what is in no shipment yet: everything while nothing was packed; empty when it was not written down.
        partly_shipped: some parts left, others did not.
        events: what happened, oldest first.
        change_refusal: why the delivery day cannot be changed; none when it can.
        change: the pending change of day, or the last one that was decided; none when there was none.
    """

    order_number: str
    order_date: date
    name: str
    delivery_method: str
    status: KnownDeliveryStatus
    scheduled: ScheduledDelivery | None = None
    preferred_week: str = ""
    shipments: list[ShipmentStatus]
    waiting: list[ShippedItem]
    partly_shipped: bool
    events: list[DeliveryEvent]
    change_refusal: KnownCode = None
    change: DateChange | None = None


class DeliveryDay(Model):
    """A day on which can be delivered. `free` is false when every place is taken; then it is shown, not offered."""

    day: date
    free: bool = True


class DeliveryWeek(Model):
    """An ISO week with its delivery days. `monday` and `sunday` bound it: 'Week 24 · 8 t/m 14 juni 2026'."""

    year: int
    week: int
    monday: date
    sunday: date
    days: list[DeliveryDay]


class DeliveryDates(Model):
    """What the delivery day can be changed to.

    Attributes:
        scheduled: the day and window as planned now; none while none is planned.
        refusal: why it cannot be changed: `already_handed_over`, `delivery_not_planned`, `date_change_not_offered`,
            `date_change_pending` (then `change` is what is pending), `no_delivery_options` (then `retry_at`).
        retry_at: when to try again (UTC).
        weeks: the weeks with their days; empty when refused.
        change: the pending change, or the last one that ended.
    """

    order_number: str
    name: str
    scheduled: ScheduledDelivery | None = None
    refusal: KnownCode = None
    retry_at: datetime | None = None
    weeks: list[DeliveryWeek] = Field(default_factory=list)
    change: DateChange | None = None


class DateChoice(Model):
    """The day the customer wants, raw: ISO 8601, such as '2026-06-09'."""

    day: str = Field(default="", max_length=40)


class DateChangeSent(Model):
    """A change that waits for the link in the mail."""

    change: DateChange
    mail: LinkSent


_NO_CHANGE = DeclaredRefusal(
    Refused,
    Code.ALREADY_HANDED_OVER,
    Code.COLLECTED_IN_STORE,
    Code.DELIVERY_FAILED,
    Code.ORDER_CANCELLED,
    Code.DELIVERY_NOT_PLANNED,
    Code.DATE_CHANGE_NOT_OFFERED,
)
"""The delivery of this order cannot be moved."""

_MAILED = DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)


class DeliveriesApi(Protocol):
    """Order status and delivery day (part-2 §2)."""

    @operation("GET", "/orders/{order_number}/status")
    async def order_status(self, token: Token, order_number: str) -> OrderStatus:
        """Where an order is, part by part."""
        ...

    @operation("GET", "/orders/{order_number}/delivery-dates")
    async def delivery_dates(self, token: Token, order_number: str) -> DeliveryDates:
        """What the delivery day can be changed to, or why it cannot."""
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date",
        refuses=(
            DeclaredRefusal(
                InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE, Code.SAME_DELIVERY_DAY, Code.DELIVERY_DAY_TAKEN
            ),
            _NO_CHANGE,
            DeclaredRefusal(Refused, Code.NO_DELIVERY_OPTIONS),
            DeclaredRefusal(Conflict, Code.DATE_CHANGE_PENDING),
            _MAILED,
        ),
    )
    async def request_delivery_date(self, token: Token, order_number: str, choice: DateChoice) -> DateChangeSent:
        """Ask for another delivery day; a link to confirm it is mailed.

        What is not well formed is about the field `day`. `no_delivery_options` says in `retry_at` when to try again.
        """
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date/resend",
        refuses=(
            _NO_CHANGE,
            DeclaredRefusal(Refused, Code.DELIVERY_DAY_TAKEN, Code.DATE_CHANGE_PENDING, Code.LINK_USED),
            _MAILED,
        ),
    )
    async def resend_delivery_date(self, token: Token, order_number: str) -> DateChangeSent:
        """Mail the link of the pending change again.

        Not found when nothing waits for a link.
        """
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date/cancel",
        refuses=(DeclaredRefusal(Conflict, Code.STATUS_CHANGED),),
    )
    async def cancel_delivery_date(self, token: Token, order_number: str) -> DateChange:
        """Take back a request for another day that is pending; its links become worthless.

        Not found when nothing is pending.
        """
        ...

    @operation(
        "GET",
        "/orders/{order_number}/delivery-date/pdf",
        media=PDF,
        refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),),
    )
    async def delivery_date_pdf(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The change of the delivery day that was asked for and decided last, as a PDF.

        Not found when nothing was ever asked for.
        """
        ...

    @operation("GET", "/orders/{order_number}/calendar", media=CALENDAR)
    async def delivery_calendar(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The planned delivery as an appointment (.ics), in local time.

        Not found while no day is planned.
        """
        ...
