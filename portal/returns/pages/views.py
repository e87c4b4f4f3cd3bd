"""Views of returns: an entry of the list, and the page of one return."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnDetail, ReturnedItem, ReturnStore, ReturnSummary
from portal.returns.pages.flow_views import Amounts, amounts
from portal.vocabulary.returns import DONE, GIVES_BACK, RETURN_STATUSES, ReturnKind, return_tone
from portal.vocabulary.status import Tone

CLOSED = DONE | GIVES_BACK
"""Statuses of finished returns."""


@dataclass(frozen=True, slots=True)
class ReturnListItem:
    """A return of the list.

    Attributes:
        reference: in groups of digits.
        requested: the day, ISO 8601.
        name: of the first item.
        more: number of other items.
        unconfirmed: it waits for confirmation, or was not confirmed in time. It has no status to view.
        closed: it is finished.
    """

    return_id: str
    reference: str
    kind: str
    status: str
    tone: Tone
    order_number: str
    requested: str
    name: str
    more: int
    unconfirmed: bool
    closed: bool
    href: str


def return_path(return_id: str) -> str:
    """The path of the page of a return."""
    return f"/returns/{return_id}"


def return_list_item(entry: ReturnSummary) -> ReturnListItem:
    """The view of a return of the list."""
    return ReturnListItem(
        return_id=entry.return_id,
        reference=in_groups(entry.reference),
        kind=entry.kind.value,
        status=entry.status.value,
        tone=return_tone(entry.status),
        order_number=entry.order_number,
        requested=entry.requested_on.isoformat(),
        name=entry.names[0] if entry.names else "",
        more=max(0, len(entry.names) - 1),
        unconfirmed=entry.can_resend,
        closed=entry.status in CLOSED and not entry.can_resend,
        href=return_path(entry.return_id),
    )


NO_PHASE = -1
"""The phase of a return that is not confirmed, was rejected or cancelled, or has an unknown status."""

_OUTSIDE_PHASES = frozenset(status for status, row in RETURN_STATUSES.items() if not row.phase)


@dataclass(frozen=True, slots=True)
class ReturnItemView:
    """Units of one order line. `details` is colour and size, `frames` the frame numbers; both may be empty."""

    name: str
    details: str
    kind: str
    count: int
    frames: str
    received: int
    given_back: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store. An empty text means unknown; `phone` is for reading, `phone_number` for dialling."""

    name: str = ""
    street: str = ""
    place: str = ""
    phone: str = ""
    phone_number: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class MailView:
    """State of the mailed link; `email` is empty when the return needs no link. Moments are ISO 8601, UTC.

    Attributes:
        over: it cannot be mailed again, because the pick-up day is no longer available.
    """

    email: str = ""
    expires_at: str = ""
    expired: bool = False
    failed: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class DeclarationView:
    """The declaration of a withdrawal; `name` is empty for other returns."""

    name: str = ""
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReturnEventView:
    """An event of the timeline."""

    status: str
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class ReturnView:
    """Everything that the page of a return shows. An empty text means unknown or none; days are ISO 8601.

    Attributes:
        phase: number of the four phases that are done, or `NO_PHASE`.
        unconfirmed: it waits for confirmation, or was not confirmed in time.
        frames: the frame numbers of all items.
        country: country code of the pick-up.
        refunded: when the refund was paid.
        refund_by: last day of the refund; empty once it is paid.
        battery_asked: the customer has to answer the battery question before there is a label.
        instructions: its battery must not travel.
        events: newest first.
    """

    return_id: str = ""
    reference: str = ""
    reference_in_groups: str = ""
    kind: str = ""
    status: str = ""
    tone: Tone = "neutral"
    phase: int = NO_PHASE
    unconfirmed: bool = False
    closed: bool = False
    order_number: str = ""
    requested: str = ""
    requested_at: str = ""
    name: str = ""
    more: int = 0
    articles: list[ReturnItemView] = field(default_factory=list)
    frames: str = ""
    reason: str = ""
    reason_text: str = ""
    state: str = ""
    mileage: str = ""
    battery: str = ""
    method: str = ""
    store: StoreView = field(default_factory=StoreView)
    pickup_day: str = ""
    pickup_window: str = ""
    address: list[str] = field(default_factory=list)
    country: str = ""
    phone: str = ""
    remarks: str = ""
    exchange: str = ""
    product: str = ""
    amounts: Amounts = field(default_factory=Amounts)
    refund_amount: str = ""
    refunded: str = ""
    refund_by: str = ""
    mail: MailView = field(default_factory=MailView)
    declared: DeclarationView = field(default_factory=DeclarationView)
    can_cancel: bool = False
    has_label: bool = False
    battery_asked: bool = False
    instructions: bool = False
    events: list[ReturnEventView] = field(default_factory=list)


def return_view(detail: ReturnDetail) -> ReturnView:
    """The view of one return."""
    names = list(dict.fromkeys(item.name for item in detail.items))
    address, country = _address(detail.pickup_address)
    return ReturnView(
        return_id=detail.return_id,
        reference=detail.reference,
        reference_in_groups=in_groups(detail.reference),
        kind=detail.kind.value,
        status=detail.status.value,
        tone=return_tone(detail.status),
        phase=NO_PHASE if detail.status in _OUTSIDE_PHASES else detail.phases_done,
        unconfirmed=detail.waiting is not None,
        closed=detail.status in CLOSED,
        order_number=detail.order_number,
        requested=detail.requested_on.isoformat(),
        requested_at=detail.requested_at.isoformat(),
        name=names[0] if names else "",
        more=max(0, len(names) - 1),
        articles=[_item(item) for item in detail.items],
        frames=", ".join(number for item in detail.items for number in item.frame_numbers),
        reason=detail.reason.value if detail.reason else "",
        reason_text=detail.reason_text,
        state=detail.state.value if detail.state else "",
        mileage=detail.mileage,
        battery=detail.battery.value if detail.battery else "",
        method=detail.method.value if detail.kind is not ReturnKind.WITHDRAWAL else "",
        store=_store(detail.store) if detail.store else StoreView(),
        pickup_day=detail.pickup_day.isoformat() if detail.pickup_day else "",
        pickup_window=detail.pickup_window.value if detail.pickup_window else "",
        address=address,
        country=country,
        phone=readable_phone(detail.phone),
        remarks=detail.remarks,
        exchange=detail.exchange_type.value if detail.exchange_type else "",
        product=str((detail.product or {}).get("name", "")),
        amounts=amounts(detail.settlement),
        refund_amount=str(detail.refund_amount) if detail.refund_amount else "",
        refunded=_iso(detail.refunded_at),
        refund_by=detail.refund_by.isoformat() if detail.refund_by and not detail.refunded_at else "",
        mail=_mail(detail),
        declared=_declared(detail),
        can_cancel=detail.can_cancel,
        has_label=detail.has_label,
        battery_asked=detail.battery_asked,
        instructions=detail.instructions,
        events=[
            ReturnEventView(event.status.value, event.note, event.happened_at.isoformat())
            for event in reversed(detail.timeline)
        ],
    )


def _item(item: ReturnedItem) -> ReturnItemView:
    return ReturnItemView(
        name=item.name,
        details=", ".join(part for part in (item.item_color, item.frame_size) if part),
        kind=item.kind.value,
        count=item.count,
        frames=", ".join(item.frame_numbers),
        received=item.received,
        given_back=item.given_back,
    )


def _address(lines: list[str]) -> tuple[list[str], str]:
    """The address without its last line, and the country code in that line."""
    if lines and len(lines[-1]) == 2 and lines[-1].isupper():
        return lines[:-1], lines[-1]
    return lines, ""


def _store(store: ReturnStore) -> StoreView:
    street, place = address_lines(store)
    return StoreView(
        name=store.name,
        street=street,
        place=place,
        phone=readable_phone(store.phone),
        phone_number=store.phone,
        route=route_url(store.name, street, place),
    )


def _mail(detail: ReturnDetail) -> MailView:
    waiting = detail.waiting
    if waiting is None:
        return MailView()
    return MailView(
        waiting.email, waiting.expires_at.isoformat(), waiting.expired, waiting.failed, over=not waiting.can_resend
    )


def _declared(detail: ReturnDetail) -> DeclarationView:
    statement = detail.statement or {}
    return DeclarationView(str(statement.get("name", "")), [str(line) for line in statement.get("lines", [])])


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
