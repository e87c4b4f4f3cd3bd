"""How the demonstration shop is described: people and what they bought, with days counted from today."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto

from portal.domain.countries import Country
from portal.provider.demo.catalogue import Product
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

BIKE_FEATURES = tuple(Feature)
"""What is switched on for an order with a bike."""
PARCEL_FEATURES = (
    Feature.RETURN,
    Feature.ORDER_STATUS,
    Feature.TRACK_AND_TRACE,
    Feature.CUSTOMER_SERVICE,
    Feature.DELIVERY_DATE,
)
"""What is switched on for an order of accessories."""

PACKAGE_PRICES: dict[ServicePackage, Decimal] = {
    ServicePackage.SERVICE11: Decimal("79.00"),
    ServicePackage.SERVICE21: Decimal("119.00"),
    ServicePackage.SERVICE31: Decimal("169.00"),
    ServicePackage.SERVICE12: Decimal("0.00"),
    ServicePackage.SERVICE22: Decimal("99.00"),
    ServicePackage.SERVICE32: Decimal("179.00"),
    ServicePackage.SERVICE42: Decimal("249.00"),
}
PARCEL_SERVICE, OWN_TRANSPORT, STORE = "Kwiekpost", "Bovenbuis bezorgdienst", "Bovenbuis Amsterdam"
"""Who brings what was ordered: a carrier, the shop itself; or the store in which it is collected."""
INSURANCE = "theft_and_damage"
INSURANCE_PRICE = Decimal("289.00")


@dataclass(frozen=True, slots=True)
class Place:
    """A postal address that exists."""

    street: str
    house_number: str
    post_code: str
    city: str
    country: Country = Country.NL
    addon: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody invented. `phone` E.164."""

    first_name: str
    last_name: str
    email: str
    place: Place
    phone: str = ""
    prefix: str = ""
    locale: str = "nl"

    @property
    def full_name(self) -> str:
        """As on an address label."""
        return " ".join(part for part in (self.first_name, self.prefix, self.last_name) if part)


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """A request for the bike it stands at.

    `made` days ago; `planned` days from today; `partner` by its key; `note` came with the last status.
    `job` of a service, whose name and contents then take the place of title and description.
    """

    kind: RequestKind
    status: WorkOrderStatus
    title: str
    description: str
    made: int
    planned: int | None = None
    partner: str = ""
    note: str = ""
    job: ServiceJob | None = None


@dataclass(frozen=True, slots=True)
class BikePlan:
    """What is known of a bike beyond its product. `mileage` in km, read `read` days ago."""

    frame_known: bool = True
    keys: int = 2
    service_card: bool = False
    mileage: int | None = None
    read: int = 0
    pin_code: str | None = None
    requests: tuple[RequestPlan, ...] = ()


@dataclass(frozen=True, slots=True)
class LinePlan:
    """A product on an order; a bike is registered when it has a plan."""

    product: Product
    quantity: int = 1
    color: int = 0
    size: int = 1
    bike: BikePlan | None = None
    bundle: str | None = None


@dataclass(frozen=True, slots=True)
class ShipmentPlan:
    """A parcel, shipped and delivered so many days ago; `lines`: position and quantity of what is in it."""

    shipped: int
    delivered: int | None = None
    carrier: str = PARCEL_SERVICE
    tracked: bool = True
    lines: tuple[tuple[int, int], ...] | None = None


class Invoicing(Enum):
    """How an order is invoiced."""

    NOT_YET = auto()
    ONCE = auto()
    BY_PARCEL = auto()
    """One invoice for the first line, one for the others."""


class Payment(Enum):
    """How much of an order has been paid."""

    ALL = auto()
    NOTHING = auto()
    FIRST_INVOICE = auto()
    DEPOSIT = auto()
    """500 euro."""
    REFUNDED = auto()


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """An order, placed so many days ago.

    Attributes:
        scheduled: planned delivery, about so many days from today, moved on to a working day.
        window: local times of the planned delivery.
        weeks_ahead: preferred delivery week, from the day of the order.
        features: what is switched on; by default what fits the products.
        billing: another address for the invoice than for the delivery.
    """

    number: str
    placed: int
    lines: tuple[LinePlan, ...]
    delivery: DeliveryStatus | None
    shipments: tuple[ShipmentPlan, ...] = ()
    invoicing: Invoicing = Invoicing.ONCE
    payment: Payment = Payment.ALL
    discount: Decimal = Decimal("0.00")
    shipping_costs: Decimal = Decimal("0.00")
    package: ServicePackage | None = None
    insured: bool = False
    payment_method: str = "ideal"
    delivery_method: str = "home_ready_to_ride"
    scheduled: int | None = None
    window: tuple[str, str] = ("09:00", "13:00")
    weeks_ahead: int | None = None
    country: Country | None = None
    lease_reference: str | None = None
    features: tuple[Feature, ...] | None = None
    billing: Place | None = None


@dataclass(frozen=True, slots=True)
class CustomerPlan:
    """A customer with all orders."""

    person: Person
    orders: tuple[OrderPlan, ...] = ()
