"""Returns in a list, and one return whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from portal.kernel.address import address_lines, readable, route_url
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnDetail, ReturnedItem, ReturnStore, ReturnSummary
from portal.returns.pages.flow_views import Amounts, amounts
from portal.vocabulary.returns import DONE, GIVES_BACK, RETURN_STATUSES, ReturnKind, return_tone
from portal.vocabulary.status import Tone

CLOSED = DONE | GIVES_BACK
"""Nothing happens to these any more."""


@dataclass(frozen=True, slots=True)
class ReturnListItem:
    """One return of the list.

    Attributes:
        reference: in groups.
        name: of the first item; `more`: how many other items there are.
        unconfirmed: it waits for its mailed link, or was not confirmed in time; it has no status to view.
        closed: nothing happens to it any more.
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
    """Where a return is shown."""
    return f"/returns/{return_id}"


def return_list_item(entry: ReturnSummary) -> ReturnListItem:
    """Tell one return of the list."""
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
"""The return left its road, has not begun it, or its road is not known."""

_OUTSIDE_PHASES = frozenset(status for status, row in RETURN_STATUSES.items() if not row.phase)


@dataclass(frozen=True, slots=True)
class ReturnItemView:
    """Units of one line. `details`: colour and size; `frames`: frame numbers; empty texts for what there is none of."""

    name: str
    details: str
    kind: str
    count: int
    frames: str
    received: int
    given_back: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store. Empty texts mean not known, or none."""

    name: str = ""
    street: str = ""
    place: str = ""
    phone: str = ""
    phone_number: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class MailView:
    """How the mailed link stands; `email` is empty when none is waited for. Moments are ISO 8601, UTC.

    Attributes:
        over: it cannot be mailed again: its pick-up day can no longer be had.
    """

    email: str = ""
    expires_at: str = ""
    expired: bool = False
    failed: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class DeclarationView:
    """What was declared in a withdrawal; `name` is empty for other returns."""

    name: str = ""
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReturnEventView:
    """Something that happened."""

    status: str
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class ReturnView:
    """Everything that the page of a return shows. Empty texts mean not known, or none.

    Attributes:
        phase: how many of the four phases are done, or `NO_PHASE`.
        unconfirmed: nothing was requested yet: it waits for its link, or was not confirmed in time.
        battery_asked: the customer has to say how its battery is, before there is a label.
        country: of the pick-up, as a code.
        events: what happened, newest first.
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


def return_view(found: ReturnDetail) -> ReturnView:
    """Tell a whole return."""
    names = list(dict.fromkeys(item.name for item in found.items))
    address, country = _address(found.pickup_address)
    shown = found.waiting is None
    return ReturnView(
        return_id=found.return_id,
        reference=found.reference,
        reference_in_groups=in_groups(found.reference),
        kind=found.kind.value,
        status=found.status.value,
        tone=return_tone(found.status),
        phase=NO_PHASE if found.status in _OUTSIDE_PHASES else found.phases_done,
        unconfirmed=not shown,
        closed=found.status in CLOSED,
        order_number=found.order_number,
        requested=found.requested_on.isoformat(),
        requested_at=found.requested_at.isoformat(),
        name=names[0] if names else "",
        more=max(0, len(names) - 1),
        articles=[_item(item) for item in found.items],
        frames=", ".join(number for item in found.items for number in item.frame_numbers),
        reason=found.reason.value if found.reason else "",
        reason_text=found.reason_text,
        state=found.state.value if found.state else "",
        mileage=found.mileage,
        battery=found.battery.value if found.battery else "",
        method=found.method.value if found.kind is not ReturnKind.WITHDRAWAL else "",
        store=_store(found.store) if found.store else StoreView(),
        pickup_day=found.pickup_day.isoformat() if found.pickup_day else "",
        pickup_window=found.pickup_window.value if found.pickup_window else "",
        address=address,
        country=country,
        phone=readable(found.phone),
        remarks=found.remarks,
        exchange=found.exchange_type.value if found.exchange_type else "",
        product=str((found.product or {}).get("name", "")),
        amounts=amounts(found.settlement),
        refund_amount=str(found.refund_amount) if found.refund_amount else "",
        refunded=_iso(found.refunded_at),
        refund_by=found.refund_by.isoformat() if found.refund_by and not found.refunded_at else "",
        mail=_mail(found),
        declared=_declared(found),
        can_cancel=found.can_cancel,
        has_label=found.has_label,
        battery_asked=found.battery_asked,
        instructions=found.instructions,
        events=[
            ReturnEventView(event.status.value, event.note, event.happened_at.isoformat())
            for event in reversed(found.timeline)
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
    """The lines of an envelope, and the country that the last of them names by its code."""
    if lines and len(lines[-1]) == 2 and lines[-1].isupper():
        return lines[:-1], lines[-1]
    return lines, ""


def _store(store: ReturnStore) -> StoreView:
    street, place = address_lines(store)
    return StoreView(
        name=store.name,
        street=street,
        place=place,
        phone=readable(store.phone),
        phone_number=store.phone,
        route=route_url(store.name, street, place),
    )


def _mail(found: ReturnDetail) -> MailView:
    waiting = found.waiting
    if waiting is None:
        return MailView()
    return MailView(
        waiting.email, waiting.expires_at.isoformat(), waiting.expired, waiting.failed, over=not waiting.can_resend
    )


def _declared(found: ReturnDetail) -> DeclarationView:
    said = found.statement or {}
    return DeclarationView(str(said.get("name", "")), [str(line) for line in said.get("lines", [])])


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
