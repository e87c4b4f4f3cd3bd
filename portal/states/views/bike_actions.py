"""What can be started for one bike, where that begins, and what cannot (part-1 §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from portal.contract.account import Action
from portal.contract.bike_home import BikeHome
from portal.contract.bikes import Bike
from portal.flows.claim import CLAIM
from portal.flows.repair import REPAIR
from portal.flows.returns import RETURN
from portal.flows.service import SERVICE
from portal.flows.service_package import SERVICE_PACKAGE
from portal.states.views.dashboard import ActionView, action_view, contact_about
from portal.states.views.requests import request_path
from portal.vocabulary.actions import Feature, Opening

_BEGINS = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: RETURN.path,
}
"""Begins with this bike chosen (`?bike=`)."""
_OF_ITS_ORDER = {
    Feature.ORDER_STATUS: "/order-status/{order}",
    Feature.TRACK_AND_TRACE: "/order-status/{order}",
    Feature.DELIVERY_DATE: "/delivery-date/{order}",
}
"""Pages about the order that it came with."""


def bike_actions(home: BikeHome) -> list[ActionView]:
    """Everything that can be arranged for this bike; what is open leads there, what is closed says why."""
    return [_for_this_bike(action, home.bike) for action in home.actions]


def open_and_closed(actions: Sequence[ActionView]) -> tuple[list[ActionView], list[ActionView]]:
    """What can be started, and what cannot, each in the order of the provider."""
    startable = [action for action in actions if action.opening == Opening.OPEN]
    return startable, [action for action in actions if action.opening != Opening.OPEN]


def _for_this_bike(action: Action, bike: Bike) -> ActionView:
    view = action_view(action, [])
    return replace(view, href=_target(action.feature, bike)) if action.opening is Opening.OPEN else view


def _target(feature: Feature, bike: Bike) -> str:
    """Where an open action begins."""
    if feature in _BEGINS:
        return f"{_BEGINS[feature]}?bike={bike.bike_id}"
    if feature in _OF_ITS_ORDER:
        return _OF_ITS_ORDER[feature].format(order=bike.order_number)
    if feature is Feature.STATUS:
        # Without an open request, all earlier ones.
        return request_path(bike.open_request) if bike.open_request else "/maintenance"
    return contact_about(feature)
