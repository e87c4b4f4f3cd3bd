"""Customers of the demonstration with whom little or nothing can be done here, and why."""

from __future__ import annotations

from decimal import Decimal

from portal.domain.countries import Country
from portal.provider.demo import catalogue as shop
from portal.provider.demo import people
from portal.provider.demo.customers import OWN_TRANSPORT
from portal.provider.demo.plans import BikePlan, CustomerPlan, LinePlan, OrderPlan, ShipmentPlan
from portal.vocabulary.deliveries import DeliveryStatus

LEASE = CustomerPlan(
    people.LEASE,
    (
        OrderPlan(
            "900000006",
            120,
            (LinePlan(shop.HORIZON, bike=BikePlan()),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(112, 110, OWN_TRANSPORT, tracked=False),),
            payment_method="lease_company",
            lease_reference="LEASE240601",
        ),
    ),
)

OTHER_COUNTRY = CustomerPlan(
    people.LARS,
    (
        OrderPlan(
            "900000007",
            30,
            (LinePlan(shop.KUST, bike=BikePlan()),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(25, 22),),
            country=Country.DE,
        ),
    ),
)

NO_FEATURES = CustomerPlan(
    people.EVA,
    (
        OrderPlan(
            "900000008",
            75,
            (LinePlan(shop.STRAPS, 2, color=1),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(73, 72),),
            shipping_costs=Decimal("4.95"),
            delivery_method="parcel",
            features=(),
        ),
    ),
)

ONLY_UNKNOWN_FRAME = CustomerPlan(
    people.THIJS,
    (
        OrderPlan(
            "900000010",
            33,
            (LinePlan(shop.KUST, color=1, bike=BikePlan(frame_known=False, keys=0)),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(28, 27),),
            discount=Decimal("25.00"),
        ),
    ),
)

NO_ORDERS = CustomerPlan(people.IRIS)
"""Reachable with the documented call that names the e-mail address alone."""
