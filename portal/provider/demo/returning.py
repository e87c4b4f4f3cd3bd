"""A customer of the demonstration whose orders show every case of a return."""

from __future__ import annotations

from decimal import Decimal

from portal.provider.demo import catalogue as shop
from portal.provider.demo import people
from portal.provider.demo.plans import (
    OWN_TRANSPORT,
    BikePlan,
    CustomerPlan,
    Invoicing,
    LinePlan,
    OrderPlan,
    Payment,
    ShipmentPlan,
)
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServicePackage

SET = "Forensenset"
BUNDLE, PARTLY, OLD, RETURNED, PENDING, UNCLEAR, NOT_SENT, PAY_LATER = (f"90000072{place}" for place in range(1, 9))

RETURNING = CustomerPlan(
    people.ROOS,
    (
        # A set with a bike that has a pin code, at a discount; within the days of withdrawal.
        OrderPlan(
            BUNDLE,
            14,
            (
                LinePlan(shop.SIGNAAL, bundle=SET, bike=BikePlan(pin_code="2468", keys=2, mileage=38, read=3)),
                LinePlan(shop.BATTERY, bundle=SET),
                LinePlan(shop.BAG, 2, bundle=SET),
            ),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(11, 10, OWN_TRANSPORT, tracked=False),),
            discount=Decimal("250.00"),
            shipping_costs=Decimal("49.95"),
            package=ServicePackage.SERVICE22,
            insured=True,
        ),
        # Five ordered, three sent, two still here.
        OrderPlan(
            PARTLY,
            30,
            (LinePlan(shop.STRAPS, 5), LinePlan(shop.PUMP)),
            DeliveryStatus.BACKORDER,
            (ShipmentPlan(20, 19, lines=((1, 3), (2, 1))),),
            Invoicing.NOT_YET,
            delivery_method="parcel",
        ),
        OrderPlan(
            OLD,
            140,
            (LinePlan(shop.KUST, bike=BikePlan(mileage=910, read=12)), LinePlan(shop.LIGHTS)),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(130, 129, OWN_TRANSPORT, tracked=False),),
        ),
        # Of three helmets one went back, one is on its way back.
        OrderPlan(
            RETURNED,
            50,
            (LinePlan(shop.HELMET, 3), LinePlan(shop.PHONE)),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(45, 44),),
            discount=Decimal("20.00"),
            delivery_method="parcel",
        ),
        OrderPlan(
            PENDING,
            25,
            (LinePlan(shop.PONCHO, 2), LinePlan(shop.CARE)),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(22, 21),),
            delivery_method="parcel",
        ),
        # The books say that more was sent than sold.
        OrderPlan(
            UNCLEAR,
            28,
            (LinePlan(shop.LOCK),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(24, 23, lines=((1, 1),)), ShipmentPlan(23, 22, lines=((1, 1),))),
            delivery_method="parcel",
        ),
        OrderPlan(
            NOT_SENT,
            2,
            (LinePlan(shop.CHILD_SEAT),),
            DeliveryStatus.ORDER_BEING_PROCESSED,
            invoicing=Invoicing.NOT_YET,
            delivery_method="parcel",
        ),
        OrderPlan(
            PAY_LATER,
            40,
            (LinePlan(shop.CLASSIC, bike=BikePlan(mileage=120, read=5)), LinePlan(shop.CARRIER)),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(35, 34, OWN_TRANSPORT, tracked=False),),
            payment=Payment.NOTHING,
            payment_method="pay_later",
        ),
    ),
)
