"""Types that describe the demonstration shop: people, products and orders, with days relative to today."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum, auto
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from portal.deliveries.rules import is_working_day, next_working_day
from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM
from portal.kernel.validation import ALPHABET
from portal.settings import Settings
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus


@dataclass(frozen=True, slots=True)
class Color:
    """A colour: Dutch name, English name and CSS hex value."""

    name: str
    english: str
    code: str


@dataclass(frozen=True, slots=True)
class Engine:
    """A motor with its battery. `code` is the prefix of battery numbers."""

    brand: str
    system: str
    battery: str
    code: str


@dataclass(frozen=True, slots=True)
class Product:
    """A product. `frame_code` is the prefix of frame numbers; a product with a `tracker` has an IMEI number.

    `drawing` is the name of its drawing; empty where its name says it. `english` is its English name; empty for a name
    that needs no translation.
    """

    sku: str
    name: str
    price: Decimal
    kind: ItemKind = ItemKind.ACCESSORY
    brand: str = ""
    frame_code: str = ""
    colors: tuple[Color, ...] = ()
    sizes: tuple[str, ...] = ()
    engine: Engine | None = None
    tracker: bool = False
    battery: str = ""
    drawing: str = ""
    english: str = ""

    @property
    def is_bike(self) -> bool:
        return self.kind is not ItemKind.ACCESSORY


DATA = Path(__file__).parent / "data"


def read_data(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def _products() -> tuple[tuple[Product, ...], tuple[Product, ...]]:
    data, product = read_data("products.json"), TypeAdapter(Product)

    def of(entry: Mapping[str, Any]) -> Product:
        colors = [data["colors"][name] for name in entry.get("colors", ())]
        engine = data["engines"][entry["engine"]] if "engine" in entry else None
        return product.validate_python({**entry, "colors": colors, "engine": engine})

    return tuple(map(of, data["bikes"])), tuple(map(of, data["accessories"]))


BIKES, ACCESSORIES = _products()
PRODUCTS = {product.sku: product for product in (*BIKES, *ACCESSORIES)}


class Carrier(StrEnum):
    """Who brings an order: a parcel service, the shop's own transport, or the store where it is collected."""

    PARCEL_SERVICE = auto()
    OWN_TRANSPORT = auto()
    STORE = auto()

    def name_in(self, settings: Settings) -> str:
        names = {
            Carrier.PARCEL_SERVICE: "Kwiekpost",
            Carrier.OWN_TRANSPORT: settings.carriers.own,
            Carrier.STORE: f"{settings.brand.name} Amsterdam",
        }
        return names[self]


PARCEL_SERVICE, OWN_TRANSPORT, STORE = Carrier
TRACKING_PAGE = "https://volg.kwiekpost.example/"

INSURANCE = "theft_and_damage"
INSURANCE_PRICE = Decimal("289.00")


@dataclass(frozen=True, slots=True)
class AddressPlan:
    street: str
    house_number: str
    post_code: str
    city: str
    country_code: Country = Country.NL
    house_number_addon: str = ""


@dataclass(frozen=True, slots=True)
class PersonPlan:
    """An invented person. `phone` is in E.164 format."""

    first_name: str
    last_name: str
    email: str
    place: AddressPlan
    phone: str = ""
    prefix: str = ""
    locale: str = "nl"

    @property
    def full_name(self) -> str:
        return " ".join(part for part in (self.first_name, self.prefix, self.last_name) if part)


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """A work order request for the bike of its plan.

    It was made `made` days ago and is planned in `planned` days. `partner` is the key of a workshop; `note` belongs to
    the last status. For a service, the name and contents of its `job` replace title and description.
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
    frame_known: bool = True
    keys: int = 2
    service_card: bool = False
    mileage: int | None = None
    read: int = 0
    pin_code: str | None = None
    requests: tuple[RequestPlan, ...] = ()


@dataclass(frozen=True, slots=True)
class LinePlan:
    product: Product
    quantity: int = 1
    color: int = 0
    size: int = 1
    bike: BikePlan | None = None
    bundle: str | None = None
    bundle_en: str = ""


@dataclass(frozen=True, slots=True)
class ShipmentPlan:
    shipped: int
    delivered: int | None = None
    carrier: Carrier = PARCEL_SERVICE
    tracked: bool = True
    lines: tuple[tuple[int, int], ...] | None = None


class Invoicing(StrEnum):
    NOT_YET = auto()
    ONCE = auto()
    BY_PARCEL = auto()
    """One invoice for the first line, one for the others."""


class PaymentPlan(StrEnum):
    ALL = auto()
    NOTHING = auto()
    FIRST_INVOICE = auto()
    DEPOSIT = auto()
    """500 euro."""
    REFUNDED = auto()


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """An order. Days in the past are counted back from today.

    `scheduled`: days until the planned delivery, which is moved to the next working day.
    `weeks_ahead`: preferred delivery week, in weeks after the order date.
    `billing`: invoice address, if it differs from the delivery address.
    """

    number: str
    placed: int
    lines: tuple[LinePlan, ...]
    delivery: DeliveryStatus | None
    shipments: tuple[ShipmentPlan, ...] = ()
    invoicing: Invoicing = Invoicing.ONCE
    payment: PaymentPlan = PaymentPlan.ALL
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
    billing: AddressPlan | None = None


@dataclass(frozen=True, slots=True)
class CustomerPlan:
    person: PersonPlan
    orders: tuple[OrderPlan, ...] = ()


def local_moment(day: date, hour: int, minute: int = 0) -> datetime:
    """A local time on a day, as UTC."""
    return datetime.combine(day, time(hour, minute), AMSTERDAM).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Days:
    today: date
    settings: Settings = field(default_factory=Settings)

    def ago(self, days: int) -> date:
        return self.today - timedelta(days=days)

    def moment(self, days: int, hour: int, minute: int = 0) -> datetime:
        """A local time on the date this many days ago, as UTC."""
        return local_moment(self.ago(days), hour, minute)

    def working_day(self, ahead: int, country: Country) -> date:
        """The first delivery day at least this many days ahead: not a Sunday or a public holiday."""
        day = self.today + timedelta(days=ahead)
        return day if is_working_day(day, country) else next_working_day(day, country)

    def worked(self, days: int, country: Country = Country.NL) -> date:
        """The last delivery day at least this many days ago."""
        return last_working_day(self.ago(days), country)


def last_working_day(day: date, country: Country) -> date:
    """The day itself if it is a delivery day, else the last one before it."""
    while not is_working_day(day, country):
        day -= timedelta(days=1)
    return day


def whole_days(moved: timedelta) -> timedelta:
    """The days between two moments at the same local time, which in spring are an hour less apart than that."""
    return timedelta(days=round(moved / timedelta(days=1)))


def iso_week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def number_from(*parts: object) -> int:
    """A large number derived from the parts; equal parts give the same number."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest())


def stable_id(*parts: object, length: int = 10) -> str:
    """An id in the format of `portal.kernel.validation.short_id`, but derived from the parts."""
    number, signs = number_from(*parts), []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[digit])
    return "".join(signs)


def digits(length: int, *parts: object) -> str:
    return f"{number_from(*parts) % 10**length:0{length}}"


def imei(*parts: object) -> str:
    """An IMEI number: 15 digits, the last of which is the Luhn check digit."""
    body = "3569" + digits(10, "imei", *parts)
    return body + luhn_digit(body)


def luhn_digit(body: str) -> str:
    """The check digit that makes `body` a Luhn number."""
    total = 0
    for position, sign in enumerate(reversed(body)):
        value = int(sign) * (2 if position % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)
