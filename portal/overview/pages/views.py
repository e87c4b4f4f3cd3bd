"""Views of the dashboard (entries in progress, tiles and buttons) and of the page of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.contract.models import Ongoing, OngoingKind, Rank
from portal.conversations.api import RequestNews
from portal.frontend.actions import ActionView, action_view, grouped
from portal.kernel.days import local_day, today
from portal.kernel.validation import in_groups
from portal.overview.api import Dashboard, OwnRequest
from portal.pictures.pages.views import PictureView, picture_view
from portal.returns.pages.views import return_path
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening, Reason
from portal.vocabulary.cases import kind_path
from portal.vocabulary.deliveries import delivery_tone
from portal.vocabulary.insurance import InsuranceStatus, insurance_tone
from portal.vocabulary.returns import ReturnStatus, return_tone
from portal.vocabulary.status import Tone
from portal.vocabulary.work_orders import request_tone
from portal.work_orders.pages.requests import request_path

REQUEST, DELIVERY, RETURN, INSURANCE, INVOICE = (
    OngoingKind.REQUEST.value,
    OngoingKind.DELIVERY.value,
    OngoingKind.RETURN.value,
    OngoingKind.INSURANCE.value,
    OngoingKind.INVOICE.value,
)
"""Values of `OngoingKind`."""


@dataclass(frozen=True, slots=True)
class OngoingView:
    """A request, delivery, return, insurance or unpaid invoice. `kind` says which status `status` is.

    `overdue` is true for an invoice that was to be paid before today. `before` is the moment until which the customer
    can confirm, `nearness` whether that is today, tomorrow or neither. `label` and `meaning` are the texts of its
    account by language, empty without one.
    """

    kind: str
    reference: str
    name: str
    mark: str
    picture: PictureView
    request_kind: str
    return_kind: str
    status: str
    tone: Tone
    since: str
    planned: str
    start: str
    until: str
    amount: str
    overdue: bool
    before: str
    nearness: str
    partner: str
    href: str
    label: dict[str, str]
    meaning: dict[str, str]


@dataclass(frozen=True, slots=True)
class NewsView:
    """A request with news. `asks` is what the retailer waits for; `reference` is in groups."""

    kind: str
    reference: str
    page: str
    asks: str


def news_view(entry: RequestNews) -> NewsView:
    return NewsView(entry.kind.value, in_groups(entry.reference), _own_page(entry.page), entry.asks.value)


def _own_page(page: str) -> str:
    """A path that the provider named; the overview, if it is not one of ours."""
    own = re.fullmatch(r"/[\w/-]*(\?[\w=-]*)?", page) and not page.startswith("//")
    return page if own else "/dashboard"


@dataclass(frozen=True, slots=True)
class OwnRequestView:
    """A request for insurance or another delivery day, or the end of a contract.

    Attributes:
        kind: as in a path; empty while none is loaded.
    """

    kind: str = ""
    reference: str = ""
    reference_in_groups: str = ""
    tone: str = ""
    page: str = ""
    account: Account = EMPTY_ACCOUNT


def own_request_view(found: OwnRequest) -> OwnRequestView:
    return OwnRequestView(
        kind=kind_path(found.kind),
        reference=found.reference,
        reference_in_groups=in_groups(found.reference),
        tone=found.tone,
        page=_own_page(found.page),
        account=found.account,
    )


@dataclass(frozen=True, slots=True)
class FirstBikeView:
    """The bike that a customer who has none waits for; `number` is empty without one.

    Attributes:
        number: of the order.
        movable: whether its delivery day can be chosen or changed.
        insurable_until: last day to insure it; empty if it cannot be.
    """

    number: str = ""
    deliveries: list[OngoingView] = field(default_factory=list)
    movable: bool = False
    insurable_until: str = ""
    package: bool = False


def first_bike_view(board: Dashboard) -> FirstBikeView:
    """The view of the bike that the customer waits for; an empty one without it."""
    first = board.first_bike
    entry = next((entry for entry in board.ongoing if _brings(entry, board)), None)
    if first is None or entry is None:
        return FirstBikeView()
    return FirstBikeView(
        number=first.order_number,
        deliveries=[ongoing_view(entry)],
        movable=first.movable,
        insurable_until=first.insurable_until.isoformat() if first.insurable_until else "",
        package=first.package,
    )


def _brings(entry: Ongoing, board: Dashboard) -> bool:
    """Whether an entry is the delivery of the first bike."""
    first = board.first_bike
    return first is not None and entry.kind is OngoingKind.DELIVERY and entry.reference == first.order_number


_NEVER_HAD = frozenset({Reason.NO_BIKE, Reason.NOT_OFFERED, Reason.NO_REQUEST})
"""Why tiles are closed for a customer who has no bike yet."""


def tiles(board: Dashboard) -> list[ActionView]:
    """Map the six tiles: those that are open first, each in its order; what is closed for one reason is one entry.

    Without a bike, only those that are open: a sentence says what comes with one.
    """
    found = grouped(sorted(_pick(board, TILES), key=lambda tile: tile.opening != Opening.OPEN))
    waits = board.first_bike is not None or all(tile.reason in _NEVER_HAD for tile in found if tile.reason)
    return [tile for tile in found if tile.opening == Opening.OPEN] if board.bike is None and waits else found


def lead_picture(board: Dashboard) -> PictureView:
    """The picture of the first tile, which weighs more than the others; an empty one without a bike or an open tile."""
    opened = any(tile.opening == Opening.OPEN for tile in tiles(board))
    return picture_view(board.bike) if board.bike and opened else PictureView()


_NOTHING_CAME = frozenset({Reason.NOT_SHIPPED, Reason.NO_TRACKING})
"""Why buttons are closed while everything is still on order."""


def buttons(board: Dashboard) -> list[ActionView]:
    """Map the five buttons, in their order.

    Before the first bike, without its delivery day, which has a row of its own, and without what opens once it came.
    """
    found = _pick(board, BUTTONS)
    if board.first_bike is None:
        return found
    own_row = board.first_bike.movable
    return [
        button
        for button in found
        if button.reason not in _NOTHING_CAME and not (own_row and button.feature == Feature.DELIVERY_DATE)
    ]


def return_picture(board: Dashboard) -> PictureView:
    """The picture of a return, which leads in the variant `retouren`; an empty one while nothing can be returned."""
    return picture_view(board.item) if board.item else PictureView()


def _pick(board: Dashboard, features: tuple[Feature, ...]) -> list[ActionView]:
    given = {action.feature: action for action in board.actions}
    return [action_view(given[feature], board.ongoing) for feature in features if feature in given]


def ongoing(board: Dashboard, rank: Rank) -> list[OngoingView]:
    """Map the entries of a rank, in the order of the provider. What brings the first bike has a place of its own."""
    return [
        ongoing_view(entry)
        for entry in board.ongoing
        if entry.rank is rank and (rank is Rank.NEEDS_YOU or not _brings(entry, board))
    ]


def ongoing_view(entry: Ongoing) -> OngoingView:
    status, tone, href = _status_of(entry)
    return OngoingView(
        kind=entry.kind.value,
        reference=entry.reference,
        name=entry.name,
        mark=entry.mark,
        picture=picture_view(entry.picture),
        request_kind=entry.request_kind.value if entry.request_kind else "",
        return_kind=entry.return_kind.value if entry.return_kind else "",
        status=status.value if status else "",
        tone="warn" if entry.asked else tone,
        since=entry.since.isoformat(),
        planned=entry.planned.isoformat() if entry.planned else "",
        start=entry.from_time,
        until=entry.until_time,
        amount="" if entry.amount is None else str(entry.amount),
        overdue=entry.kind is OngoingKind.INVOICE and entry.planned is not None and entry.planned < today(),
        before=entry.before.isoformat() if entry.before else "",
        nearness=_nearness(entry.before),
        partner=entry.partner,
        href=href,
        label=dict(entry.label),
        meaning=dict(entry.meaning),
    )


TODAY, TOMORROW = "today", "tomorrow"
"""Values of `OngoingView.nearness`."""


def _nearness(moment: datetime | None) -> str:
    days = (local_day(moment) - today()).days if moment else -1
    return {0: TODAY, 1: TOMORROW}.get(days, "")


def _status_of(entry: Ongoing) -> tuple[StrEnum | None, Tone, str]:
    if entry.kind is OngoingKind.REQUEST:
        return entry.work_order_status, request_tone(entry.work_order_status), request_path(entry.reference)
    if entry.kind is OngoingKind.RETURN:
        status = entry.return_status or ReturnStatus.UNKNOWN
        return status, return_tone(status), return_path(entry.reference)
    if entry.kind is OngoingKind.INSURANCE:
        status = entry.insurance_status or InsuranceStatus.UNKNOWN
        return status, insurance_tone(status), "/insurance-package"
    if entry.kind is OngoingKind.INVOICE:
        return None, "warn", f"/invoices/{entry.reference}"
    return entry.delivery_status, delivery_tone(entry.delivery_status), f"/order-status/{entry.reference}"
