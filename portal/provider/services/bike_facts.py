"""What decides which actions are open for one bike."""

from __future__ import annotations

from collections.abc import Sequence

from portal.domain.dashboard import BikeFacts, OrderFacts
from portal.domain.dates import local_day
from portal.domain.deliveries import handed_over
from portal.domain.statuses import FINISHED_DELIVERY, DeliveryStatus
from portal.provider.repositories.bikes import OwnedBike
from portal.provider.services.account import switched_on
from portal.provider.tables.orders import OrderRow, ShipmentRow


def bike_facts(owned: OwnedBike) -> BikeFacts:
    """Of the bike itself."""
    return BikeFacts(
        frame_number_known=bool(owned.bike.frame_number),
        open_request=owned.open_request is not None,
        insured=bool(owned.bike.insurance),
        ordered_on=local_day(owned.order.ordered_at),
    )


def order_facts(order: OrderRow, shipments: Sequence[ShipmentRow]) -> OrderFacts:
    """Of the order it came with."""
    shipped = [shipment.shipped_at for shipment in shipments if shipment.shipped_at]
    return OrderFacts(
        features=frozenset(switched_on([order.features])),
        shipped_on=local_day(max(shipped)) if shipped else None,
        finished=order.delivery_status in FINISHED_DELIVERY,
        handed_over=handed_over(order.delivery_status),
        has_tracking=any(shipment.tracking_url and shipment.delivered_at is None for shipment in shipments),
        cancelled=order.delivery_status is DeliveryStatus.ORDER_CANCELLED,
    )
