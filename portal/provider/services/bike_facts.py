"""What decides which actions are open for one bike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from portal.contract.account import Action
from portal.domain.code import Code
from portal.domain.dashboard import BikeFacts, OrderFacts
from portal.domain.dates import local_day
from portal.flows.service_package import has_room
from portal.provider.repositories.bikes import OwnedBike
from portal.provider.repositories.insurances import is_open
from portal.provider.services.bike_timeline import Life
from portal.provider.services.returns import status_now
from portal.provider.services.user_data import switched_on
from portal.provider.tables.orders import OrderRow, ShipmentRow
from portal.vocabulary.actions import Decision, Feature, Opening, Reason
from portal.vocabulary.returns import GIVES_BACK

OF_A_BIKE = (
    Feature.REPAIR,
    Feature.SERVICE,
    Feature.CLAIM,
    Feature.STATUS,
    Feature.SERVICE_PACKAGE,
    Feature.INSURANCE,
    Feature.RETURN,
    Feature.ORDER_STATUS,
    Feature.TRACK_AND_TRACE,
    Feature.DELIVERY_DATE,
    Feature.CUSTOMER_SERVICE,
)
"""Actions on the page of a bike, in their order."""


_GONE = {Code.ORDER_CANCELLED: Reason.ORDER_CANCELLED, Code.ALREADY_RETURNED: Reason.RETURNED}


def bike_facts(owned: OwnedBike) -> BikeFacts:
    """Of the bike itself."""
    return BikeFacts(
        frame_number_known=bool(owned.bike.frame_number),
        open_request=owned.open_request is not None,
        insured=bool(owned.bike.insurance),
        ordered_on=local_day(owned.order.ordered_at),
        gone=_GONE[owned.gone] if owned.gone else None,
    )


def actions_of(decisions: Mapping[Feature, Decision], owned: OwnedBike, life: Life, now: datetime) -> list[Action]:
    """What can be started for a bike, in the order of its page.

    Args:
        decisions: those of the dashboard, for this bike and its order.
        owned: the bike.
        life: what was asked for it already.
        now: the moment.
    """
    insurance = life.insurances[-1] if life.insurances else None
    unknown = None if owned.bike.frame_number else Reason.FRAME_NUMBER_UNKNOWN
    has_package = not has_room(owned.bike.service_package)
    returned = any(status_now(row, now) not in GIVES_BACK for row in life.returns)
    closed = {
        Feature.SERVICE_PACKAGE: Reason.PACKAGE_EXISTS if has_package else unknown,
        Feature.INSURANCE: Reason.INSURANCE_REQUESTED if is_open(insurance, now) else unknown,
        Feature.RETURN: Reason.RETURN_REQUESTED if returned else None,
    }
    actions = []
    for feature in OF_A_BIKE:
        found = decisions.get(feature)
        if found is None:
            continue
        action = Action(feature=feature, opening=found.opening, reason=found.reason, until=found.until)
        reason = closed.get(feature)
        if reason and action.opening is Opening.OPEN:
            action = Action(feature=feature, opening=Opening.CLOSED, reason=reason)
        actions.append(action)
    return actions


def order_facts(order: OrderRow, shipments: Sequence[ShipmentRow]) -> OrderFacts:
    """Of the order it came with."""
    shipped = [shipment.shipped_at for shipment in shipments if shipment.shipped_at]
    return OrderFacts(
        features=frozenset(switched_on([order.features])),
        shipped_on=local_day(max(shipped)) if shipped else None,
        status=order.delivery_status,
        has_tracking=any(shipment.tracking_url and shipment.delivered_at is None for shipment in shipments),
    )
