"""What the pages compute from their models: entries in progress, tiles and buttons, and the actions of a bike."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.bikes.api import Bike
from portal.contract.models import Action, Ongoing, OngoingKind, Picture, Rank
from portal.frontend.actions import ActionView, action_view, contact_about, grouped
from portal.frontend.models import computed, viewed
from portal.kernel.days import local_day, today
from portal.overview.api import BikeHome, Dashboard, TimelineEvent
from portal.returns.flow.kinds import RETURN
from portal.returns.pages.state import return_path
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening, Reason
from portal.vocabulary.deliveries import delivery_tone
from portal.vocabulary.insurance import InsuranceStatus, insurance_tone
from portal.vocabulary.returns import ReturnStatus, return_tone
from portal.vocabulary.status import Tone
from portal.vocabulary.work_orders import request_tone
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from portal.work_orders.pages.requests import request_path

TODAY, TOMORROW = "today", "tomorrow"


class OngoingEntry(Ongoing):
    @computed
    def tone(self) -> Tone:
        if self.asked or self.kind is OngoingKind.INVOICE:
            return "warn"
        if self.kind is OngoingKind.REQUEST:
            return request_tone(self.work_order_status)
        if self.kind is OngoingKind.RETURN:
            return return_tone(self.return_status or ReturnStatus.UNKNOWN)
        if self.kind is OngoingKind.INSURANCE:
            return insurance_tone(self.insurance_status or InsuranceStatus.UNKNOWN)
        return delivery_tone(self.delivery_status)

    @computed
    def href(self) -> str:
        if self.kind is OngoingKind.REQUEST:
            return request_path(self.reference)
        if self.kind is OngoingKind.RETURN:
            return return_path(self.reference)
        if self.kind is OngoingKind.INSURANCE:
            return "/insurance-package"
        return f"/{'invoices' if self.kind is OngoingKind.INVOICE else 'order-status'}/{self.reference}"

    @computed
    def overdue(self) -> bool:
        """Whether an invoice was to be paid before today."""
        return self.kind is OngoingKind.INVOICE and self.planned is not None and self.planned < today()

    @computed
    def nearness(self) -> str:
        """Whether the customer can confirm until `TODAY` or `TOMORROW`; empty for another day."""
        days = (local_day(self.before) - today()).days if self.before else -1
        return {0: TODAY, 1: TOMORROW}.get(days, "")


def ongoing(board: Dashboard, rank: Rank) -> list[OngoingEntry]:
    """The entries of a rank, in the order of the provider. What brings the first bike has a place of its own."""
    return [
        viewed(OngoingEntry, entry)
        for entry in board.ongoing
        if entry.rank is rank and (rank is Rank.NEEDS_YOU or not _brings(entry, board))
    ]


def first_delivery(board: Dashboard) -> OngoingEntry | None:
    return next((viewed(OngoingEntry, entry) for entry in board.ongoing if _brings(entry, board)), None)


def _brings(entry: Ongoing, board: Dashboard) -> bool:
    first = board.first_bike
    return first is not None and entry.kind is OngoingKind.DELIVERY and entry.reference == first.order_number


_NEVER_HAD = frozenset({Reason.NO_BIKE, Reason.NOT_OFFERED, Reason.NO_REQUEST})
"""Why tiles are closed for a customer who has no bike yet."""


def tiles(board: Dashboard) -> list[ActionView]:
    """Map the six tiles: those that are open first, each in its order; what is closed for one reason is one entry."""
    found = grouped(sorted(_pick(board, TILES), key=lambda tile: tile.opening != Opening.OPEN))
    waits = board.first_bike is not None or all(tile.reason in _NEVER_HAD for tile in found if tile.reason)
    return [tile for tile in found if tile.opening == Opening.OPEN] if board.bike is None and waits else found


def lead_picture(board: Dashboard) -> Picture | None:
    """The picture of the first tile, which weighs more than the others; None without a bike or an open tile."""
    return board.bike if any(tile.opening == Opening.OPEN for tile in tiles(board)) else None


_NOTHING_CAME = frozenset({Reason.NOT_SHIPPED, Reason.NO_TRACKING})
"""Why buttons are closed while everything is still on order."""


def buttons(board: Dashboard) -> list[ActionView]:
    """Map the five buttons, in their order."""
    found = _pick(board, BUTTONS)
    if board.first_bike is None:
        return found
    own_row = board.first_bike.movable
    return [
        button
        for button in found
        if button.reason not in _NOTHING_CAME and not (own_row and button.feature == Feature.DELIVERY_DATE)
    ]


def _pick(board: Dashboard, features: tuple[Feature, ...]) -> list[ActionView]:
    given = {action.feature: action for action in board.actions}
    return [action_view(given[feature], board.ongoing) for feature in features if feature in given]


_FLOW_PATHS = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: RETURN.path,
}
_ORDER_PATHS = {
    Feature.ORDER_STATUS: "/order-status",
    Feature.TRACK_AND_TRACE: "/order-status",
    Feature.DELIVERY_DATE: "/delivery-date",
}


def bike_actions(home: BikeHome) -> tuple[list[ActionView], list[ActionView]]:
    views = [_for_this_bike(action, home.bike) for action in home.actions]
    is_open = [view for view in views if view.opening == Opening.OPEN]
    return is_open, [view for view in views if view.opening != Opening.OPEN]


def _for_this_bike(action: Action, bike: Bike) -> ActionView:
    view = action_view(action, [])
    if action.opening is Opening.OPEN:
        return view.model_copy(update={"href": _target(action.feature, bike)})
    if view.reason is Reason.REQUEST_OPEN and bike.open_request:
        return view.model_copy(update={"remedy": request_path(bike.open_request)})
    # The field for the frame number is on this page.
    return view.model_copy(update={"remedy": ""}) if view.reason is Reason.FRAME_NUMBER_UNKNOWN else view


def _target(feature: Feature, bike: Bike) -> str:
    if feature in _FLOW_PATHS:
        return f"{_FLOW_PATHS[feature]}?bike={bike.bike_id}"
    if feature in _ORDER_PATHS:
        return f"{_ORDER_PATHS[feature]}/{bike.order_number}"
    if feature is Feature.STATUS:
        # Without an open request: the list of all requests.
        return request_path(bike.open_request) if bike.open_request else "/maintenance"
    return contact_about(feature)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """Days as people say them: `months` is 0 below two months, `years` below two years."""

    days: int
    months: int
    years: int


def time_left(days: int) -> TimeLeft:
    """How far a day is away, ahead or past, in whole days, rounded months and rounded years."""
    days = abs(days)
    months = round(days / 30.44) if days >= 60 else 0
    return TimeLeft(days, months, round(months / 12) if months >= 24 else 0)


SHOWN_AT_ONCE = 8
"""Past events that are shown before 'earlier' is opened; future ones are always shown."""


def shown_at_once(events: Sequence[TimelineEvent]) -> int:
    ahead = sum(event.ahead for event in events)
    return len(events) if len(events) <= ahead + SHOWN_AT_ONCE + 2 else ahead + SHOWN_AT_ONCE
