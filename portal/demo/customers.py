"""Customers of the demonstration shop with their bikes and orders."""

from __future__ import annotations

from decimal import Decimal

from portal.demo import partners, plans
from portal.demo.plans import (
    OWN_TRANSPORT,
    STORE,
    BikePlan,
    CustomerPlan,
    Invoicing,
    LinePlan,
    OrderPlan,
    Payment,
    RequestPlan,
    ShipmentPlan,
)
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

EVERYTHING = CustomerPlan(
    plans.SANNE,
    (
        # A bike without insurance, bought less than 14 days ago, keeps the insurance tile open.
        OrderPlan(
            "900000001",
            9,
            (
                LinePlan(
                    plans.HORIZON,
                    size=2,
                    color=1,
                    bike=BikePlan(
                        keys=3,
                        service_card=True,
                        mileage=42,
                        read=1,
                        requests=(
                            RequestPlan(
                                RequestKind.REPAIR,
                                WorkOrderStatus.DONE,
                                "Voorrem sleept",
                                "De voorrem loopt aan sinds de levering. Graag opnieuw afstellen.",
                                made=2,
                                planned=-1,
                                partner=partners.UTRECHT,
                            ),
                        ),
                    ),
                ),
                LinePlan(plans.KUST, bike=BikePlan(keys=2)),
                LinePlan(plans.BAG, color=0),
                LinePlan(plans.LOCK, 2),
            ),
            DeliveryStatus.ORDER_DELIVERED,
            (
                ShipmentPlan(5, 3, OWN_TRANSPORT, tracked=False, lines=((1, 1), (2, 1))),
                ShipmentPlan(6, 5, lines=((3, 1), (4, 2))),
            ),
            Invoicing.BY_PARCEL,
            discount=Decimal("150.00"),
            package=ServicePackage.SERVICE42,
            insured=True,
            weeks_ahead=1,
        ),
        OrderPlan(
            "900000021",
            3,
            (LinePlan(plans.HELMET), LinePlan(plans.PHONE)),
            DeliveryStatus.DRIVER_ON_THE_WAY,
            (ShipmentPlan(1),),
            Invoicing.NOT_YET,
            delivery_method="parcel",
        ),
        OrderPlan(
            "900000031",
            2,
            (LinePlan(plans.CHILD_SEAT),),
            DeliveryStatus.ORDER_BEING_PROCESSED,
            invoicing=Invoicing.NOT_YET,
            delivery_method="parcel",
            scheduled=5,
            window=("17:30", "20:00"),
            weeks_ahead=1,
        ),
    ),
)

OPEN_REPAIR = CustomerPlan(
    plans.JORIS,
    (
        OrderPlan(
            "900000002",
            210,
            (
                LinePlan(
                    plans.ZILT,
                    bike=BikePlan(
                        mileage=1240,
                        read=8,
                        requests=(
                            RequestPlan(
                                RequestKind.REPAIR,
                                WorkOrderStatus.IN_REPAIR,
                                "Versnellingen slaan over",
                                "Bij het optrekken schiet de ketting van de vierde naar de vijfde versnelling.",
                                made=8,
                                planned=-2,
                                partner=partners.AMSTERDAM,
                            ),
                            RequestPlan(
                                RequestKind.SERVICE,
                                WorkOrderStatus.DONE,
                                "Eerste servicebeurt",
                                "",
                                made=95,
                                planned=-88,
                                partner=partners.AMSTERDAM,
                                job=ServiceJob.FIRST,
                            ),
                        ),
                    ),
                ),
            ),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(202, 201, OWN_TRANSPORT, tracked=False),),
            shipping_costs=Decimal("49.95"),
            payment_method="credit_card",
            billing=plans.OFFICE,
        ),
    ),
)

UNKNOWN_FRAME = CustomerPlan(
    plans.AMBER,
    (
        OrderPlan(
            "900000003",
            60,
            (LinePlan(plans.CLASSIC, color=1, bike=BikePlan(frame_known=False, keys=0)),),
            DeliveryStatus.ORDER_PICKED_UP,
            (ShipmentPlan(52, 50, STORE, tracked=False),),
            delivery_method="store_pickup",
        ),
        OrderPlan(
            "900000013",
            40,
            (
                LinePlan(plans.SIGNAAL, bike=BikePlan(pin_code="4817", keys=2, service_card=True, mileage=310, read=4)),
                LinePlan(plans.LIGHTS),
            ),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(32, 30, OWN_TRANSPORT, tracked=False),),
            package=ServicePackage.SERVICE32,
            insured=True,
        ),
    ),
)

NOT_SHIPPED = CustomerPlan(
    plans.PIETER,
    (
        OrderPlan(
            "900000004",
            6,
            (LinePlan(plans.SIGNAAL, color=1), LinePlan(plans.PONCHO)),
            DeliveryStatus.ORDER_ASSEMBLED,
            invoicing=Invoicing.NOT_YET,
            payment=Payment.DEPOSIT,
            package=ServicePackage.SERVICE22,
            payment_method="bancontact",
            scheduled=9,
            weeks_ahead=2,
        ),
    ),
)

TOO_LATE = CustomerPlan(
    plans.NOOR,
    (
        OrderPlan(
            "900000005",
            108,
            (LinePlan(plans.CLASSIC, bike=BikePlan(keys=1)),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(101, 100),),
            payment=Payment.NOTHING,
            payment_method="pay_later",
        ),
        OrderPlan(
            "900000015",
            860,
            (LinePlan(plans.ZILT, color=1, bike=BikePlan(mileage=6120, read=30)),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(850, 848, OWN_TRANSPORT, tracked=False),),
        ),
    ),
)
