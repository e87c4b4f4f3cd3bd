"""The dashboard: what is going on, and what can be started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portal.contract.account import Action, Dashboard, Ongoing, OngoingKind
from portal.domain.dashboard import BUTTONS, TILES, Feature, Opening
from portal.domain.statuses import DeliveryStatus
from portal.flows import SHOWN
from portal.states.views.requests import request_path
from portal.states.views.tones import Tone, delivery_tone, request_tone


@dataclass(frozen=True, slots=True)
class ActionView:
    """A tile or a button. `href` is where it leads when it is open; `contact` where to ask when it is not."""

    feature: str
    opening: str
    reason: str
    until: str
    href: str
    contact: str


@dataclass(frozen=True, slots=True)
class OngoingView:
    """Something that is going on. `status` is a status of a request or of a delivery, as `kind` says."""

    kind: str
    reference: str
    name: str
    request_kind: str
    status: str
    tone: Tone
    since: str
    planned: str
    partner: str
    href: str


_BEGUN_BY = {
    Feature.REPAIR: "repair-request",
    Feature.SERVICE: "service-request",
    Feature.CLAIM: "claim-request",
    Feature.RETURN: "return-request",
}
STARTS: dict[Feature, str] = {
    **{feature: SHOWN[name].path for feature, name in _BEGUN_BY.items() if name in SHOWN},
    Feature.STATUS: "/status",
}
"""Where an action leads. In the variant for returns, a return is one of an order (`OLDER_RETURN`)."""
OLDER_RETURN = SHOWN["order-return"].path
_MOVING = (DeliveryStatus.DRIVER_ON_THE_WAY, DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE)


def tiles(board: Dashboard) -> list[ActionView]:
    """The six tiles, in the order of the domain."""
    return _pick(board, TILES)


def buttons(board: Dashboard) -> list[ActionView]:
    """The five buttons, in the order of the domain."""
    return _pick(board, BUTTONS)


def _pick(board: Dashboard, features: tuple[Feature, ...]) -> list[ActionView]:
    given = {action.feature: action for action in board.actions}
    return [action_view(given[feature], board.ongoing) for feature in features if feature in given]


def ongoing(board: Dashboard) -> list[OngoingView]:
    """What is going on: requests before deliveries, as the provider gave them."""
    return [_ongoing(entry) for entry in board.ongoing]


def contact_about(feature: Feature) -> str:
    """The page of the customer service, with the subject filled in."""
    return "/contact" if feature is Feature.CUSTOMER_SERVICE else f"/contact?topic={feature.value}"


def action_view(action: Action, going_on: Sequence[Ongoing]) -> ActionView:
    """Tell an action; what is going on decides which order is meant."""
    return ActionView(
        feature=action.feature.value,
        opening=action.opening.value,
        reason=action.reason.value if action.reason else "",
        until=action.until.isoformat() if action.until else "",
        href=_target(action.feature, going_on) if action.opening is Opening.OPEN else "",
        contact=contact_about(action.feature),
    )


def _target(feature: Feature, going_on: Sequence[Ongoing]) -> str:
    """Where an open action leads."""
    if feature in STARTS:
        return STARTS[feature]
    if feature in {Feature.ORDER_STATUS, Feature.TRACK_AND_TRACE}:
        return _delivery(going_on, feature)
    return contact_about(feature)


def _delivery(going_on: Sequence[Ongoing], feature: Feature) -> str:
    """The order whose delivery is meant: the one that is moving for track and trace, else the newest unfinished."""
    deliveries = [entry for entry in going_on if entry.kind is OngoingKind.DELIVERY]
    moving = [entry for entry in deliveries if entry.delivery_status in _MOVING]
    if feature is Feature.TRACK_AND_TRACE and moving:
        return f"/orders/{moving[0].reference}"
    return f"/orders/{deliveries[0].reference}" if deliveries else "/orders"


def _ongoing(entry: Ongoing) -> OngoingView:
    request = entry.kind is OngoingKind.REQUEST
    status = entry.work_order_status if request else entry.delivery_status
    return OngoingView(
        kind=entry.kind.value,
        reference=entry.reference,
        name=entry.name,
        request_kind=entry.request_kind.value if entry.request_kind else "",
        status=status.value if status else "",
        tone=request_tone(entry.work_order_status) if request else delivery_tone(entry.delivery_status),
        since=entry.since.isoformat(),
        planned=entry.planned.isoformat() if entry.planned else "",
        partner=entry.partner,
        href=request_path(entry.reference) if request else f"/orders/{entry.reference}",
    )
