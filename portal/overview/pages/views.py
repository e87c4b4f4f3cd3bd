"""The dashboard: what is going on, and what can be started."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from portal.contract.account import Action, Dashboard, Ongoing, OngoingKind
from portal.states.views.requests import request_path
from portal.states.views.return_rows import return_path
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening
from portal.vocabulary.deliveries import ON_ITS_WAY, DeliveryStatus, delivery_tone, handed_over
from portal.vocabulary.returns import ReturnStatus, return_tone
from portal.vocabulary.status import Tone
from portal.vocabulary.work_orders import request_tone

REQUEST, DELIVERY, RETURN = OngoingKind.REQUEST.value, OngoingKind.DELIVERY.value, OngoingKind.RETURN.value
"""Kinds of what is going on."""


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
    """Something that is going on. `status` is one of a request, a delivery or a return, as `kind` says."""

    kind: str
    reference: str
    name: str
    request_kind: str
    return_kind: str
    status: str
    tone: Tone
    since: str
    planned: str
    partner: str
    href: str


STARTS: dict[Feature, str] = {
    Feature.REPAIR: "/repair-request",
    Feature.SERVICE: "/service-request",
    Feature.CLAIM: "/claim-request",
    Feature.SERVICE_PACKAGE: "/service-package",
    Feature.RETURN: "/return-request",
    Feature.STATUS: "/status",
    Feature.INSURANCE: "/insurance-package",
}
"""Where an action leads. In the variant for returns, a return is one of an order (`OLDER_RETURN`)."""
OLDER_RETURN = "/order-return"
_OF_AN_ORDER: dict[Feature, Callable[[DeliveryStatus | None], bool]] = {
    Feature.ORDER_STATUS: lambda _status: True,
    Feature.TRACK_AND_TRACE: lambda status: status in ON_ITS_WAY,
    Feature.DELIVERY_DATE: lambda status: not handed_over(status),
}
"""Which deliveries an action can mean, by their status."""


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
    if feature in _OF_AN_ORDER:
        return _delivery(going_on, feature)
    return contact_about(feature)


def _delivery(going_on: Sequence[Ongoing], feature: Feature) -> str:
    """The page of the one order that can be meant; the list where there are several, or none is under way."""
    meant = [
        entry.reference
        for entry in going_on
        if entry.kind is OngoingKind.DELIVERY and _OF_AN_ORDER[feature](entry.delivery_status)
    ]
    page = "delivery-date" if feature is Feature.DELIVERY_DATE else "order-status"
    return f"/{page}/{meant[0]}" if len(meant) == 1 else "/orders"


def _ongoing(entry: Ongoing) -> OngoingView:
    status, tone, href = _standing(entry)
    return OngoingView(
        kind=entry.kind.value,
        reference=entry.reference,
        name=entry.name,
        request_kind=entry.request_kind.value if entry.request_kind else "",
        return_kind=entry.return_kind.value if entry.return_kind else "",
        status=status.value if status else "",
        tone=tone,
        since=entry.since.isoformat(),
        planned=entry.planned.isoformat() if entry.planned else "",
        partner=entry.partner,
        href=href,
    )


def _standing(entry: Ongoing) -> tuple[StrEnum | None, Tone, str]:
    """Status, tone, and where it is shown."""
    if entry.kind is OngoingKind.REQUEST:
        return entry.work_order_status, request_tone(entry.work_order_status), request_path(entry.reference)
    if entry.kind is OngoingKind.RETURN:
        status = entry.return_status or ReturnStatus.UNKNOWN
        return status, return_tone(status), return_path(entry.reference)
    return entry.delivery_status, delivery_tone(entry.delivery_status), f"/order-status/{entry.reference}"
