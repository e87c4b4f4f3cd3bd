"""Returns and exchanges: the models that travel, and the operations (part-2 §2, §3)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany, Unavailable
from portal.contract.models import Amount, Document, Model, Page, otherwise
from portal.contract.operations import PDF, DeclaredRefusal, FileLocale, PageNumber, Token, operation
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.orders.api import KnownItemKind
from portal.returns.rules.settlement import SettlementKind
from portal.vocabulary.deliveries import Window
from portal.vocabulary.returns import (
    BatteryState,
    ExchangeType,
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
)

KnownReturnKind = Annotated[ReturnKind, otherwise(ReturnKind, ReturnKind.UNKNOWN)]

KnownReturnStatus = Annotated[ReturnStatus, otherwise(ReturnStatus, ReturnStatus.UNKNOWN)]


class ReturnableItem(Model):
    """An item of an order, and whether it can be returned.

    Attributes:
        item_id: order number and line, such as '900000001-3'; the subject of the flows.
        refusal: why not; none when it can.
        sold, shipped: units of the line; `most` of them can be returned now.
        until: last day for the first of these.
        bundle: name of the set it was sold in.
        battery: whether one travels with it.
        amount: what the units that can be returned were paid with, together.
    """

    item_id: str
    refusal: Code | None = None
    order_number: str
    order_day: date
    name: str
    kind: KnownItemKind
    is_bike: bool
    item_color: str = ""
    frame_size: str = ""
    bundle: str = ""
    bike_id: str = ""
    frame_number: str = ""
    battery: bool = False
    sold: int
    shipped: int
    most: int
    until: date | None = None
    amount: Amount


class Returnables(Model):
    """What can be returned of one order or of all, and why the rest cannot.

    Attributes:
        refusal: why nothing can be returned at all.
        withdraw_until: of one order: last day of the right of withdrawal; none when something is still to come.
        withdrawable: whether the customer can withdraw from it (or part of it) today.
    """

    order_number: str = ""
    refusal: Code | None = None
    items: list[ReturnableItem]
    withdraw_until: date | None = None
    withdrawable: bool = False


class SettlementEntry(Model):
    """A line of what comes back: positive comes back, negative is taken off."""

    kind: Annotated[SettlementKind, otherwise(SettlementKind, SettlementKind.ITEM)]
    amount: Amount
    item: str = ""
    quantity: int = 0


class Settlement(Model):
    """What a return is worth. `refund` or `charge` is zero; amounts include VAT.

    Attributes:
        open: what is still to be paid for the same orders, whatever comes of this; no part of the total.
    """

    currency: str = "EUR"
    lines: list[SettlementEntry]
    total: Amount
    refund: Amount
    charge: Amount
    open: Amount = Decimal("0.00")


class ReturnSummary(Model):
    """A return in the list. `can_resend`: it has no status to view, but its link can be mailed again."""

    return_id: str
    reference: str
    kind: KnownReturnKind
    status: KnownReturnStatus
    order_number: str
    requested_on: date
    names: list[str]
    count: int
    can_resend: bool = False


class ReturnedItem(Model):
    """Units of one line in a return.

    Attributes:
        battery: whether one travels with it.
        received: how many arrived; `given_back`: how many are the customer's again.
    """

    name: str
    kind: KnownItemKind
    item_color: str = ""
    frame_size: str = ""
    order_number: str
    frame_numbers: list[str] = Field(default_factory=list)
    count: int
    battery: bool = False
    received: int = 0
    given_back: int = 0


class ReturnEvent(Model):
    """An entry of the timeline (UTC)."""

    status: KnownReturnStatus
    note: str = ""
    happened_at: datetime


class WaitingForLink(Model):
    """How the mailed link stands; times in UTC.

    Attributes:
        failed: the mail could not be sent (`email_failed`).
        can_resend: it can be mailed again; what was not confirmed in time only while its pick-up day can be had.
    """

    email: str
    expires_at: datetime
    resend_at: datetime
    expired: bool
    failed: bool
    can_resend: bool = True


class ReturnStore(Model):
    """Where it is brought."""

    name: str
    street: str
    house_number: str
    house_number_addon: str = ""
    post_code: str
    city: str
    phone: str = ""


class ReturnDetail(Model):
    """A return.

    Attributes:
        phases_done: of the four phases of its kind.
        refund_amount: decided amount; `refunded_at` when it was paid; `refund_by` the last day of the 14-day promise.
        timeline: what happened, oldest first; empty while it waits for its link.
        waiting: while it waits for its link, or was not confirmed in time.
        can_cancel: nothing was picked up yet. `has_label`: a label can be downloaded.
        battery_asked: before there is a label, the customer has to say how its battery is (`answer_battery`).
        instructions: whether its battery must not travel: `vocabulary.returns.BATTERY_INSTRUCTIONS` are shown.
        product: name and price of what is delivered instead.
        statement: of a withdrawal, what was declared.
    """

    return_id: str
    reference: str
    kind: KnownReturnKind
    status: KnownReturnStatus
    order_number: str
    requested_on: date
    requested_at: datetime
    items: list[ReturnedItem]
    reason: Annotated[ReturnReason | None, otherwise(ReturnReason, None)] = None
    reason_text: str = ""
    state: Annotated[ItemState | None, otherwise(ItemState, None)] = None
    mileage: str = ""
    battery: Annotated[BatteryState | None, otherwise(BatteryState, None)] = None
    method: Annotated[ReturnMethod, otherwise(ReturnMethod, ReturnMethod.NONE)]
    store: ReturnStore | None = None
    pickup_day: date | None = None
    pickup_window: Annotated[Window | None, otherwise(Window, None)] = None
    pickup_address: list[str] = Field(default_factory=list)
    phone: str = ""
    remarks: str = ""
    exchange_type: Annotated[ExchangeType | None, otherwise(ExchangeType, None)] = None
    product: dict[str, Any] | None = None
    settlement: Settlement
    phases_done: int
    refund_amount: Amount | None = None
    refunded_at: datetime | None = None
    refund_by: date | None = None
    timeline: list[ReturnEvent] = Field(default_factory=list)
    waiting: WaitingForLink | None = None
    can_cancel: bool = False
    has_label: bool = False
    battery_asked: bool = False
    instructions: bool = False
    statement: dict[str, Any] | None = None


class ReturnName(Model):
    """Which return."""

    return_id: str = Field(default="", max_length=1000)


class BatteryAnswer(ReturnName):
    """How the battery of a return is: a value of `BatteryState`, raw."""

    battery: str = Field(default="", max_length=1000)


ReturnId = Annotated[str, Field(default="", max_length=1000, description="Which return.")]

OrderNumber = Annotated[str, Field(default="", max_length=1000, description="Number of the order; empty for all.")]

_NAMED = (
    DeclaredRefusal(InvalidInput, Code.MISSING_ID_PARAM),
    DeclaredRefusal(Refused, Code.ITEM_RETURN_DOES_NOT_EXIST),
)
"""How everything is refused that names a return."""

_PDF_FAILED = DeclaredRefusal(Unavailable, Code.PDF_FAILED)


class ReturnsApi(Protocol):
    """What goes back, and what became of it."""

    @operation(
        "GET",
        "/returnables",
        refuses=(DeclaredRefusal(Refused, Code.ORDER_ID_NOT_FOUND), DeclaredRefusal(InvalidInput, Code.INVALID_ORDER)),
    )
    async def returnables(self, token: Token, order_number: OrderNumber = "") -> Returnables:
        """What can be returned of an order, or of all, and why the rest cannot.

        `invalid_order`: this is no order number.
        """
        ...

    @operation("GET", "/drafts/{draft_id}/settlement")
    async def refund_preview(self, token: Token, draft_id: str) -> Settlement:
        """What the return that is being filled in is worth, as far as it is answered. Nothing is kept."""
        ...

    @operation("GET", "/returns")
    async def returns(self, token: Token, page: PageNumber = 1) -> Page[ReturnSummary]:
        """The customer's returns, newest first. A page beyond the last is the last."""
        ...

    @operation("GET", "/returns/detail", refuses=_NAMED)
    async def return_detail(self, token: Token, return_id: ReturnId) -> ReturnDetail:
        """One return."""
        ...

    @operation(
        "POST",
        "/returns/cancel",
        body=ReturnName,
        refuses=(*_NAMED, DeclaredRefusal(Refused, Code.RETURN_NOT_CANCELLABLE)),
    )
    async def cancel_return(self, token: Token, return_id: str) -> ReturnDetail:
        """Cancel a return of which nothing was picked up yet. Done again, it stays cancelled."""
        ...

    @operation(
        "POST",
        "/returns/resend",
        body=ReturnName,
        refuses=(
            *_NAMED,
            DeclaredRefusal(Refused, Code.LINK_USED, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.INVALID_TIME),
            DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY),
        ),
    )
    async def resend_return(self, token: Token, return_id: str) -> LinkSent:
        """Mail the link again; a request that was not confirmed in time waits again."""
        ...

    @operation(
        "POST",
        "/returns/battery",
        refuses=(
            *_NAMED,
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE),
            DeclaredRefusal(Conflict, Code.STATUS_CHANGED),
        ),
    )
    async def answer_battery(self, token: Token, entry: BatteryAnswer) -> ReturnDetail:
        """Say how the battery of a withdrawal is, once; only a safe one gets a label.

        The same answer again changes nothing. `required` and `invalid_choice` are about the field `battery`;
        `status_changed`: this is not asked of the return, or not any more.
        """
        ...

    @operation(
        "GET",
        "/returns/label",
        media=PDF,
        refuses=(*_NAMED, DeclaredRefusal(Refused, Code.RETURN_WITHOUT_LABEL), _PDF_FAILED),
    )
    async def return_label(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The label, as a PDF with code and QR."""
        ...

    @operation("GET", "/returns/summary", media=PDF, refuses=(*_NAMED, _PDF_FAILED))
    async def return_summary_pdf(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The request with its amounts, as a PDF."""
        ...
