"""Views of returns: an entry of the list, and the page of one return."""

from __future__ import annotations

from dataclasses import dataclass, field

from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.contract.models import Picture
from portal.frontend.accounts import texts_of
from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnDetail, ReturnedItem, ReturnStore, ReturnSummary
from portal.vocabulary.returns import DONE, GIVES_BACK, ReturnMethod, return_tone
from portal.vocabulary.status import Tone

CLOSED = DONE | GIVES_BACK
"""Statuses of finished returns."""


@dataclass(frozen=True, slots=True)
class ReturnListItem:
    """A return of the list.

    Attributes:
        requested: the day, ISO 8601.
        picture: of its first item.
    """

    return_id: str
    reference: str
    kind: str
    status: str
    tone: Tone
    order_number: str
    requested: str
    title: dict[str, str]
    label: dict[str, str]
    meaning: dict[str, str]
    unconfirmed: bool
    closed: bool
    href: str
    picture: Picture
    others: list[Picture]


def return_path(return_id: str) -> str:
    return f"/returns/{return_id}"


def return_list_item(entry: ReturnSummary) -> ReturnListItem:
    return ReturnListItem(
        return_id=entry.return_id,
        reference=in_groups(entry.reference),
        kind=entry.kind.value,
        status=entry.status.value,
        tone="warn" if entry.asked else return_tone(entry.status),
        order_number=", ".join(entry.order_numbers or [entry.order_number]),
        requested=entry.requested_on.isoformat(),
        title=texts_of(entry.title),
        label=texts_of(entry.label),
        meaning=texts_of(entry.meaning),
        unconfirmed=entry.can_resend,
        closed=entry.status in CLOSED and not entry.can_resend,
        href=return_path(entry.return_id),
        picture=entry.picture,
        others=[*entry.others],
    )


@dataclass(frozen=True, slots=True)
class ReturnItemView:
    """Units of one order line. `details` is colour and size, `frames` the frame numbers; both may be empty."""

    name: str
    details: str
    picture: Picture
    count: int
    frames: str
    received: int
    given_back: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """How to reach a store. An empty text means unknown; `phone` is for reading, `phone_number` for dialling."""

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
class ReturnEventView:
    """An event of the timeline; `label` and `meaning` are by language."""

    label: dict[str, str]
    meaning: dict[str, str]
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class ReturnView:
    """Everything that the page of a return shows. An empty text means unknown or none.

    Attributes:
        picture: of the first item.
        events: newest first.
    """

    return_id: str = ""
    reference: str = ""
    reference_in_groups: str = ""
    kind: str = ""
    status: str = ""
    tone: Tone = "neutral"
    account: Account = EMPTY_ACCOUNT
    picture: Picture = field(default_factory=Picture)
    unconfirmed: bool = False
    closed: bool = False
    order_number: str = ""
    order_numbers: list[str] = field(default_factory=list)
    articles: list[ReturnItemView] = field(default_factory=list)
    frames: str = ""
    store: StoreView = field(default_factory=StoreView)
    brought: bool = False
    mail: MailView = field(default_factory=MailView)
    can_cancel: bool = False
    has_label: bool = False
    battery_asked: bool = False
    instructions: bool = False
    account_wanted: bool = False
    events: list[ReturnEventView] = field(default_factory=list)


def return_view(detail: ReturnDetail) -> ReturnView:
    return ReturnView(
        return_id=detail.return_id,
        reference=detail.reference,
        reference_in_groups=in_groups(detail.reference),
        kind=detail.kind.value,
        status=detail.status.value,
        tone=return_tone(detail.status),
        account=detail.account,
        picture=detail.items[0].picture if detail.items else Picture(),
        unconfirmed=detail.pending is not None,
        closed=detail.status in CLOSED,
        order_number=detail.order_number,
        order_numbers=detail.order_numbers or [detail.order_number],
        articles=[_item(item) for item in detail.items],
        frames=", ".join(number for item in detail.items for number in item.frame_numbers),
        store=_store(detail.store) if detail.store else StoreView(),
        brought=detail.method is ReturnMethod.STORE,
        mail=_mail(detail),
        can_cancel=detail.can_cancel,
        has_label=detail.has_label,
        battery_asked=detail.battery_asked,
        instructions=detail.instructions,
        account_wanted=detail.account_wanted,
        events=[
            ReturnEventView(texts_of(event.label), texts_of(event.meaning), event.note, event.happened_at.isoformat())
            for event in reversed(detail.timeline)
        ],
    )


def _item(item: ReturnedItem) -> ReturnItemView:
    return ReturnItemView(
        name=item.name,
        details=", ".join(part for part in (item.item_color, item.frame_size) if part),
        picture=item.picture,
        count=item.count,
        frames=", ".join(item.frame_numbers),
        received=item.received,
        given_back=item.given_back,
    )


def _store(store: ReturnStore) -> StoreView:
    street, place = address_lines(store)
    return StoreView(
        phone=readable_phone(store.phone),
        phone_number=store.phone,
        route=route_url(store.name, street, place),
    )


def _mail(detail: ReturnDetail) -> MailView:
    pending = detail.pending
    if pending is None:
        return MailView()
    return MailView(
        pending.email, pending.expires_at.isoformat(), pending.expired, pending.failed, over=not pending.can_resend
    )
