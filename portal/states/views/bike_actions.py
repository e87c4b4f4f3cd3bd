"""What can be started for one bike: the rules of the dashboard, asked for this bike alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from portal.contract.account import Action
from portal.contract.bikes import Bike
from portal.domain.dashboard import BikeFacts, Feature, Opening, Reason, decide
from portal.domain.dates import today
from portal.states.views.dashboard import STARTS, ActionView, action_view
from portal.states.views.requests import request_path

ON_A_BIKE = (Feature.REPAIR, Feature.SERVICE, Feature.CLAIM, Feature.STATUS)


def bike_actions(bike: Bike, offered: Sequence[Action], day: date | None = None) -> list[ActionView]:
    """Repair, service, claim and status for this bike.

    Args:
        bike: the bike.
        offered: the actions of the dashboard; they tell what the retailer offers at all.
        day: today in Europe/Amsterdam.
    """
    features = frozenset(action.feature for action in offered if action.reason is not Reason.NOT_OFFERED)
    facts = BikeFacts(
        frame_number_known=bool(bike.frame_number),
        open_request=bool(bike.open_request),
        insured=bool(bike.insurance),
        ordered_on=bike.order_date,
    )
    # Whether there was a request before is known for the customer, not for the bike: the list shows them all.
    asked = bool(bike.open_request) or any(
        action.feature is Feature.STATUS and action.opening is Opening.OPEN for action in offered
    )
    decisions = decide(features, [facts], [], any_request=asked, day=day or today())
    found = (decisions[feature] for feature in ON_A_BIKE)
    actions = (Action(feature=one.feature, opening=one.opening, reason=one.reason, until=one.until) for one in found)
    return [_for_this_bike(action_view(action, []), bike) for action in actions]


def _for_this_bike(action: ActionView, bike: Bike) -> ActionView:
    """Let a flow begin with this bike chosen, and lead to its open request; without one, to all earlier ones."""
    if action.href and action.feature == Feature.STATUS:
        return replace(action, href=request_path(bike.open_request) if bike.open_request else "/maintenance")
    begins = action.href and Feature(action.feature) in STARTS
    return replace(action, href=f"{action.href}?bike={bike.bike_id}") if begins else action
