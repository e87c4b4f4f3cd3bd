"""Operations and models of order status and delivery day (part-2 §2)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.contract.models import Document, Model, OptionalLink, Picture, otherwise
from portal.contract.operations import CALENDAR, PDF, DeclaredRefusal, FileLocale, Token, operation
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.orders.api import KnownDeliveryStatus, KnownItemKind, ScheduledDelivery
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus

KnownCode = Annotated[Code | None, otherwise(Code, Code.GENERAL_ERROR)]


class ShippedItem(Model):
    """Units of an order line. `bike_id` is the customer's bike that the line became, None if it is no bike."""

    name: str
    sku: str
    kind: KnownItemKind
    item_color: str = ""
    frame_size: str = ""
    quantity: int
    bike_id: str | None = None
    picture: Picture = Picture()


class DeliveryEvent(Model):
    """An entry of the delivery history, in UTC. `part` is the number of the shipment, None for the whole order."""

    happened_at: datetime
    status: Annotated[DeliveryStatus, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)]
    part: int | None = None
    note: str = ""


class ShipmentStatus(Model):
    """One shipment of an order. Times in UTC.

    `part`: its number within the order, from 1.
    `items`: its contents; empty if they are not known.
    `scheduled`: planned day and window; those of the order if the shipment has none of its own.
    `tracking_url`: https address of the carrier's tracking page; empty if there is none.
    """

    account: Account
    part: int
    status: Annotated[DeliveryStatus, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)]
    items: list[ShippedItem] = Field(default_factory=list)
    scheduled: ScheduledDelivery | None = None
    carrier: str = ""
    tracking_code: str = ""
    tracking_url: OptionalLink = ""
    shipped_at: datetime | None = None
    delivered_at: datetime | None = None


class DateChange(Model):
    """A request for another delivery day. All days are local.

    `status`: current status; `expired` as soon as the link has expired, even if the database does not say so yet.
    `original_day`: planned day at the time of the request.
    `from_time`, `until_time`: local times 'HH:MM' of the window on the new day.
    `email`: address to which the latest link was sent; empty if there is no link.
    `email_failed`: whether the mail with the link could not be sent. It can be sent again.
    `decided_at`: when the request was accepted, refused or cancelled (UTC).
    `asked`: whether staff wait for an answer of the customer; the account then says so in place of the status.
    """

    account: Account
    reference: str
    status: Annotated[DateChangeStatus, otherwise(DateChangeStatus, DateChangeStatus.UNKNOWN)]
    original_day: date
    new_day: date
    from_time: str
    until_time: str
    email: str = ""
    link_expires_at: datetime
    resend_at: datetime | None = None
    email_failed: bool = False
    decided_at: datetime | None = None
    note: str = ""
    asked: bool = False


class OrderStatus(Model):
    """Delivery status of an order.

    `status`: status of the whole order, which is that of the shipment furthest behind. None while nothing is known.
    `preferred_week`: ISO week that the customer prefers, such as '2026-W24'; empty if none.
    `shipments`: shipments by number; empty before anything is packed.
    `unshipped`: items in no shipment yet: all of them before anything is packed, none if contents are not known.
    `partly_shipped`: whether something has left and something has not.
    `change_refusal`: why the delivery day cannot be changed; None if it can.
    `change`: the latest request for another day, pending or not; None if there was none.
    """

    account: Account
    order_number: str
    order_date: date
    name: str
    delivery_method: str
    status: KnownDeliveryStatus
    scheduled: ScheduledDelivery | None = None
    preferred_week: str = ""
    shipments: list[ShipmentStatus]
    unshipped: list[ShippedItem]
    partly_shipped: bool
    events: list[DeliveryEvent]
    change_refusal: KnownCode = None
    change: DateChange | None = None


class DeliveryDay(Model):
    """A delivery day. `free` is false if every place is taken; pages show such a day, but it cannot be chosen."""

    day: date
    free: bool = True


class DeliveryWeek(Model):
    """An ISO week with its delivery days. Pages name it by `monday` and `sunday`: 'Week 24 · 8 t/m 14 juni 2026'."""

    year: int
    week: int
    monday: date
    sunday: date
    days: list[DeliveryDay]


class DeliveryDates(Model):
    """The days to which a delivery can be moved, or why it cannot.

    `scheduled`: currently planned day and window; None if no day is planned.
    `refusal`: why the day cannot be changed, such as `already_handed_over`, `delivery_not_planned`,
    `date_change_not_offered`, `date_change_pending` (see `change`) or `no_delivery_options` (see `retry_at`).
    `retry_at`: when to try again (UTC).
    `weeks`: the weeks with their days; empty if there is a refusal.
    """

    order_number: str
    name: str
    scheduled: ScheduledDelivery | None = None
    refusal: KnownCode = None
    retry_at: datetime | None = None
    weeks: list[DeliveryWeek] = Field(default_factory=list)
    change: DateChange | None = None


class DateChoice(Model):
    """The requested day as the customer sent it, not validated yet: ISO 8601, such as '2026-06-09'."""

    day: str = Field(default="", max_length=40)


class DateChangeSent(Model):
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
"""The codes for an order whose delivery cannot be moved to any day."""

_MAILED = DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)


class TrackingEntry(Model):
    """A link that follows a delivery: the last part of its address."""

    code: str = Field(default="", max_length=300)


class TrackedPart(Model):
    """One shipment, as far as everybody with the link may know. Texts are those of its account.

    `when`: the planned day and hours; empty if none is planned, or it is finished.
    `tracking_url`: https address of the carrier's tracking page; empty if there is none.
    """

    status: LocalizedText
    when: LocalizedText
    carrier: str = ""
    tracking_code: str = ""
    tracking_url: OptionalLink = ""


class Tracking(Model):
    """Where a delivery is, without a login: no name, no address, no number of the order, no items.

    `status`, `meaning`: of the whole order.
    `phases`, `phase`: as in its account.
    `when`: the planned day and hours; empty if none is planned, or it is finished.
    """

    status: LocalizedText
    meaning: LocalizedText
    phases: list[LocalizedText]
    phase: int | None = None
    when: LocalizedText
    parts: list[TrackedPart]


class DeliveriesApi(Protocol):
    """Operations on order status and delivery day (part-2 §2)."""

    @operation("POST", "/tracking/look", refuses=(DeclaredRefusal(NotFound),))
    async def tracking(self, entry: TrackingEntry) -> Tracking:
        """Where a delivery is, for somebody with the link of a mail. It needs no session.

        Not found if the link is not ours, or has expired.
        """

    @operation("GET", "/orders/{order_number}/status")
    async def order_status(self, token: Token, order_number: str) -> OrderStatus:
        """The delivery status of an order, shipment by shipment."""

    @operation("GET", "/orders/{order_number}/delivery-dates")
    async def delivery_dates(self, token: Token, order_number: str) -> DeliveryDates:
        """The days to which a delivery can be moved, or why it cannot."""

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
        """Request another delivery day and mail a link to confirm it.

        Invalid input names the field `day`. `no_delivery_options` comes with `retry_at`.
        """

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
        """Mail the link of the pending request again.

        Not found if no request waits for the customer's confirmation.
        """

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date/cancel",
        refuses=(DeclaredRefusal(Conflict, Code.STATUS_CHANGED),),
    )
    async def cancel_delivery_date(self, token: Token, order_number: str) -> DateChange:
        """Cancel the pending request for another day; its links stop working.

        Not found if no request is pending.
        """

    @operation(
        "GET",
        "/orders/{order_number}/delivery-date/pdf",
        media=PDF,
        refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),),
    )
    async def delivery_date_pdf(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The latest request for another delivery day, as a PDF.

        Not found if there was no request.
        """

    @operation("GET", "/orders/{order_number}/calendar", media=CALENDAR)
    async def delivery_calendar(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The planned delivery as an all-day calendar entry (.ics).

        Not found if no day is planned, or it is no longer ahead.
        """
