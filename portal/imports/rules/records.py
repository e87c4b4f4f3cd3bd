"""The records that a shop sends, one model per kind. Amounts are in euro including VAT; moments carry a time zone."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from portal.illustrations import NAMES
from portal.imports.rules.reasons import refused
from portal.kernel import days, validation
from portal.kernel.address import Country
from portal.kernel.terms import bounds
from portal.service_packages.rules import Inclusion
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.exchange import Rejection
from portal.vocabulary.insurance import INSURANCES, Cover, InsuranceType, Insurer
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus
from portal.vocabulary.prices import ShopTerm
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage


def _checked(check: Callable[[str], str]) -> AfterValidator:
    """Validate and normalise a text that may be empty with a rule of the portal."""

    def read(value: str) -> str:
        if not value:
            return value
        try:
            return check(value)
        except validation.InvalidValue as error:
            raise refused(error.code) from None

    return AfterValidator(read)


def _none_if_empty(value: Any) -> Any:
    # An empty cell of a CSV file means that nothing is known.
    return None if value == "" else value


def _empty_if_none(value: Any) -> Any:
    return "" if value is None else value


def _known(value: StrEnum) -> StrEnum:
    if value.name == "UNKNOWN":
        raise refused(Rejection.NOT_STORED)
    return value


def _drawn(value: str) -> str:
    if value and value not in NAMES:
        raise refused(Rejection.NO_DRAWING)
    return value


_Optional = BeforeValidator(_none_if_empty)
_Text = BeforeValidator(_empty_if_none)
_Stored = AfterValidator(_known)

ExternalId = Annotated[
    str,
    BeforeValidator(lambda value: str(value) if isinstance(value, int) else value),
    Field(min_length=1, max_length=100),
]
Name = Annotated[str, Field(min_length=1, max_length=120)]
ArticleName = Annotated[
    str, Field(min_length=1, max_length=120, description="In Dutch, or in the only language there is.")
]
EnglishName = Annotated[str, _Text, Field(max_length=120, description="In English; empty if `name` says it, too.")]
EnglishColor = Annotated[
    str, _Text, Field(max_length=60, description="In English; empty if the other one says it, too.")
]
Text20 = Annotated[str, _Text, Field(max_length=20)]
Text40 = Annotated[str, _Text, Field(max_length=40)]
Text60 = Annotated[str, _Text, Field(max_length=60)]
Required20 = Annotated[str, Field(min_length=1, max_length=20)]
Required40 = Annotated[str, Field(min_length=1, max_length=40)]
Required60 = Annotated[str, Field(min_length=1, max_length=60)]
Euro = Annotated[Decimal, Field(max_digits=12, decimal_places=2)]
Positive = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-4]):[0-5][0-9]$|^$")]
Color = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Day = Annotated[date | None, _Optional]
Article = Annotated[ItemKind, _Stored]
Delivery = Annotated[Annotated[DeliveryStatus, _Stored] | None, _Optional]
Package = Annotated[ServicePackage | None, _Optional]


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise refused(Rejection.NO_TIME_ZONE)
    return moment


Moment = Annotated[datetime, AfterValidator(_aware)]
OptionalMoment = Annotated[Moment | None, _Optional]


def _any_order_number(text: str) -> str:
    """An order number of any shop; the importer checks the form of its shop."""
    return validation.order_number(text, validation.ANY_ORDER_NUMBER)


class ShopRecord(BaseModel):
    """What all records have in common. Unknown fields are refused, so that a misspelled one does not get lost."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    external_id: ExternalId = Field(description="Id of the record at the source; never changes.")


class PostalAddress(BaseModel):
    """A postal address."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    street: Required60
    house_number: Annotated[str, Field(min_length=1, max_length=10)]
    house_number_addon: Text60 = ""
    post_code: Annotated[str, Field(min_length=1, max_length=10)]
    city: Required60
    country_code: Annotated[Country, _Stored]


class CustomerRecord(ShopRecord, PostalAddress):
    """A customer. The e-mail address is where login codes go."""

    first_name: Text60 = ""
    prefix: Text60 = Field(default="", description="Such as 'van der'.")
    last_name: Required60
    email: Annotated[str, Field(min_length=1, max_length=254), _checked(validation.email)]
    phone: Annotated[str, Field(max_length=30)] = Field(default="", description="With country code, or as in country.")
    locale: Annotated[str, Field(pattern="^(nl|en)$")] = "nl"

    @model_validator(mode="before")
    @classmethod
    def _phone_as_e164(cls, value: Any) -> Any:
        if not isinstance(value, dict) or not value.get("phone") or not isinstance(value.get("country_code"), str):
            return value
        if value["country_code"] not in set(Country):
            return value
        try:
            return {**value, "phone": validation.phone(str(value["phone"]), Country(value["country_code"]))}
        except validation.InvalidValue as error:
            raise refused(error.code, "phone") from None


Drawing = Annotated[str, _Text, AfterValidator(_drawn), Field(json_schema_extra={"enum": ["", *sorted(NAMES)]})]


class ProductRecord(ShopRecord):
    """An article in one colour and size."""

    sku: Required40
    name: ArticleName
    name_en: EnglishName = ""
    kind: Article
    item_color: Text60 = ""
    item_color_en: EnglishColor = ""
    color_code: Color = "#5b6770"
    frame_size: Text20 = ""
    battery: Text60 = ""
    price: Positive
    stock: Annotated[int, Field(ge=0)] = 0
    on_sale: bool = True
    drawing: Drawing = Field(
        default="", description="The drawing to show without an image; empty to decide by kind and name."
    )
    image: Annotated[str, _Text, Field(max_length=500)] = Field(
        default="",
        description="JPEG, PNG, WebP or AVIF: its https address, or its path from the folder of the imported file.",
    )


class OrderLineRecord(BaseModel):
    """One line of an order, in the order in which they stand on it."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    name: ArticleName
    name_en: EnglishName = ""
    sku: Required40
    kind: Article
    item_color: Text60 = ""
    item_color_en: EnglishColor = ""
    frame_size: Text20 = ""
    battery: Text60 = ""
    bundle: Annotated[Annotated[str, Field(max_length=120)] | None, _Optional] = None
    bundle_en: EnglishName = ""
    quantity: Annotated[int, Field(ge=1, le=10_000)] = 1
    unit_price: Positive
    price: Annotated[Positive | None, _Optional] = Field(
        default=None, description="Price of all units together, where it is not quantity times unit_price."
    )
    service_costs: Positive = Field(
        default=Decimal("0.00"), description="Part of the order's service_costs that belongs to the bikes of this line."
    )
    insurance_costs: Positive = Field(default=Decimal("0.00"), description="Likewise of insurance_costs.")

    @property
    def costs(self) -> Decimal:
        """What all units cost together."""
        return self.unit_price * self.quantity if self.price is None else self.price


class OrderAddressRecord(PostalAddress):
    """An address on an order, with the name that stands above it."""

    name: Annotated[str, Field(min_length=1, max_length=180)]


class ShipmentLineRecord(BaseModel):
    """Units of an order line in a shipment. `position` counts the lines of the order from 1."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    position: Annotated[int, Field(ge=1)]
    quantity: Annotated[int, Field(ge=1)] = 1


class ShipmentRecord(BaseModel):
    """A parcel or delivery. Without lines it contains the whole order, if it is the only one."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    carrier: Required60
    tracking_code: Text60 = ""
    tracking_url: Annotated[str, Field(max_length=500, pattern=r"^https://\S+$|^$")] = ""
    shipped_at: OptionalMoment = None
    delivered_at: OptionalMoment = None
    status: Delivery = None
    scheduled_day: Day = None
    scheduled_from: Clock = ""
    scheduled_until: Clock = ""
    lines: list[ShipmentLineRecord] = Field(default_factory=list)


class OrderRecord(ShopRecord):
    """An order with its lines, addresses, payment and shipments."""

    customer: ExternalId = Field(description="External id of the customer.")
    order_number: Annotated[str, _checked(_any_order_number), Field(min_length=1)] = Field(
        description="As the form of the shop's order numbers says; in capitals, without spaces and dashes."
    )
    country_code: Annotated[Country, _Stored]
    lease_reference: Annotated[Annotated[str, Field(max_length=20)] | None, _Optional] = None
    features: list[Feature] = Field(default_factory=list, description="What the customer can do; empty for the usual.")
    ordered_at: Moment
    invoiced_at: Day = None
    delivery_status: Delivery = None
    payment_status: Annotated[PaymentStatus, _Stored]
    payment_method: Required60
    payment_reference: Annotated[str, Field(max_length=100)] = Field(
        default="", description="By which the payment provider finds the payment, for a refund."
    )
    delivery_method: Required60
    preferred_week: Annotated[str, Field(pattern=r"^[0-9]{4}-W[0-5][0-9]$|^$")] = ""
    scheduled_day: Day = None
    scheduled_from: Clock = ""
    scheduled_until: Clock = ""
    service_package: Package = None
    insurance: Text60 = ""
    discount: Positive = Decimal("0.00")
    shipping_costs: Positive = Decimal("0.00")
    service_costs: Positive = Decimal("0.00")
    insurance_costs: Positive = Decimal("0.00")
    paid: Positive = Decimal("0.00")
    refunded: Positive = Field(
        default=Decimal("0.00"), description="Of what was paid; all of it if `payment_status` is refunded."
    )
    lines: Annotated[list[OrderLineRecord], Field(min_length=1, max_length=500)]
    shipping_address: OrderAddressRecord
    billing_address: OrderAddressRecord | None = None
    shipments: list[ShipmentRecord] = Field(default_factory=list)

    @model_validator(mode="after")
    def _shipped_lines_exist(self) -> Self:
        wrong = [line.position for parcel in self.shipments for line in parcel.lines if line.position > len(self.lines)]
        if wrong:
            raise refused(Rejection.NO_SUCH_LINE, "shipments", line=wrong[0])
        return self

    @property
    def subtotal(self) -> Decimal:
        """Sum of all lines."""
        return sum((line.costs for line in self.lines), Decimal("0.00"))

    @property
    def total(self) -> Decimal:
        """What the customer pays."""
        costs = self.shipping_costs + self.service_costs + self.insurance_costs
        return self.subtotal - self.discount + costs


class BikeRecord(ShopRecord):
    """A bike that was sold with an order. Empty means unknown."""

    order: ExternalId = Field(description="External id of the order.")
    position: Annotated[int | None, Field(ge=1), _Optional] = Field(
        default=None, description="Line of the order, counted from 1."
    )
    name: ArticleName
    name_en: EnglishName = ""
    brand: Required60
    kind: Article
    color: Text60 = ""
    color_en: EnglishColor = ""
    color_code: Color = "#5b6770"
    size: Text20 = ""
    frame_number: Annotated[Annotated[str, _checked(validation.frame_number)] | None, _Optional] = None
    engine_brand: Text60 = ""
    engine_system: Text60 = ""
    battery_number: Text40 = ""
    imei_number: Annotated[str, Field(pattern=r"^[0-9]{15}$|^$")] = ""
    key_number_1: Text20 = ""
    key_number_2: Text20 = ""
    key_number_3: Text20 = ""
    service_card: Text40 = ""
    service_package: Package = None
    insurance: Text60 = ""
    policy_number: Text40 = ""
    insurance_start: Day = None
    mileage: Annotated[int | None, Field(ge=0), _Optional] = None
    mileage_at: Day = None
    pin_code: Annotated[Annotated[str, Field(pattern=r"^[0-9]{4,8}$")] | None, _Optional] = None
    delivered_on: Day = None
    warranty_until: Day = None


class InvoiceLineRecord(BaseModel):
    """One line of an invoice."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    name: ArticleName
    name_en: EnglishName = ""
    item_color: Text60 = ""
    item_color_en: EnglishColor = ""
    frame_size: Text20 = ""
    battery: Text60 = ""
    quantity: Annotated[int, Field(ge=1)] = 1
    unit_price: Euro
    vat_rate: Annotated[Decimal, Field(ge=0, le=100, decimal_places=2)] = Decimal("21.00")


class InvoiceRecord(ShopRecord):
    """An invoice for an order, or for a part of it."""

    order: ExternalId = Field(description="External id of the order.")
    number: Required20
    invoice_date: date
    expire_date: date
    status: Annotated[InvoiceStatus, _Stored]
    discount: Positive = Decimal("0.00")
    shipping_costs: Positive = Decimal("0.00")
    service_costs: Positive = Decimal("0.00")
    insurance_costs: Positive = Decimal("0.00")
    paid: Euro = Decimal("0.00")
    lines: Annotated[list[InvoiceLineRecord], Field(min_length=1, max_length=500)]
    document: Annotated[str, _Text, Field(max_length=500)] = Field(
        default="",
        description="The shop's own PDF: its https address, or its path from the folder of the imported file.",
    )

    @property
    def subtotal(self) -> Decimal:
        """Sum of all lines."""
        return sum((line.unit_price * line.quantity for line in self.lines), Decimal("0.00"))

    @property
    def total(self) -> Decimal:
        """What the customer pays."""
        costs = self.shipping_costs + self.service_costs + self.insurance_costs
        return self.subtotal - self.discount + costs


def _opening_hours(text: str | None) -> str | None:
    if text:
        try:
            days.read(text)
        except ValueError:
            raise refused(Rejection.WRONG_HOURS) from None
    return text or None


class LocationRecord(ShopRecord, PostalAddress):
    """A service location."""

    name: Name
    location_type: Annotated[LocationType, _Stored]
    phone: Text20 = ""
    email: Annotated[str, Field(max_length=254), _checked(validation.email)] = ""
    latitude: Annotated[float | None, Field(ge=-90, le=90), _Optional] = None
    longitude: Annotated[float | None, Field(ge=-180, le=180), _Optional] = None
    opening_hours: Annotated[Annotated[str, Field(max_length=200)] | None, AfterValidator(_opening_hours)] = Field(
        default=None, description="Such as 'Mo-Fr 09:00-18:00, Sa 10:00-17:00'; empty when unknown."
    )
    travel_cost: Annotated[Positive | None, _Optional] = Field(
        default=None, description="Call-out fee; empty when no mechanic visits customers."
    )
    vacation_from: Day = None
    vacation_until: Day = None
    recommended: bool = False
    waiting_weeks: Annotated[int, Field(ge=0, le=104)] = 0
    closed: bool = False
    customer_rating: Annotated[Annotated[Decimal, Field(ge=0, le=10, decimal_places=1)] | None, _Optional] = None


class DatedRecord(ShopRecord):
    """A price or number that holds from a day on. Another record with a later day announces a change."""

    valid_from: date = Field(default=days.ALWAYS, description="First day on which it holds; without it, since ever.")


class ServiceProductRecord(DatedRecord):
    """The price of a maintenance job for a bike or an e-bike."""

    sku: Required40
    job: Annotated[ServiceJob, _Stored]
    drive: Drive
    half_price: bool = Field(default=False, description="Whether this is the price with a service package.")
    price: Positive


class ServicePackageRecord(DatedRecord):
    """Price and contents of a service package. 'None' (SERVICE12) is a package that costs nothing."""

    package: ServicePackage
    monthly: Positive = Field(description="Euro a month.")
    includes: list[Inclusion] = Field(default_factory=list)
    half_price_jobs: list[Annotated[ServiceJob, _Stored]] = Field(
        default_factory=list, description="The jobs that cost half with the package."
    )
    most_chosen: bool = False


class _OfInsurance(DatedRecord):
    """What belongs to one insurance."""

    insurer: Annotated[Insurer, _Stored]
    type: Annotated[InsuranceType, _Stored]

    @model_validator(mode="after")
    def _is_an_insurance(self) -> Self:
        if (self.insurer, self.type) not in INSURANCES:
            raise refused(Rejection.NO_INSURANCE, "type")
        return self


class InsuranceRecord(_OfInsurance):
    """What an insurance covers. Only insurances that were imported are offered."""

    offered: bool = Field(default=True, description="Whether customers can take it out from that day on.")
    covers: list[Cover] = Field(
        default_factory=list, description="What is covered, at least one if it is offered; everything else is not."
    )
    excess: Positive = Field(default=Decimal("0.00"), description="What the customer pays of each damage, in euro.")
    most_chosen: bool = False

    @model_validator(mode="after")
    def _covers_something(self) -> Self:
        if self.offered and not self.covers:
            raise refused(Rejection.TOO_FEW, "covers", least=1)
        return self


class TariffRecord(_OfInsurance):
    """The tariff of an insurance for one kind of bike."""

    kind: Article
    per_mille: Annotated[Decimal, Field(ge=0, decimal_places=2)] = Field(
        description="Yearly premium, per mille of the price of the bike."
    )
    minimum: Positive = Field(description="Lowest premium, in euro a month.")


_BOUNDS = ", ".join("{}: {} to {}".format(term.value, *bounds(term)) for term in ShopTerm) + "."


class TermRecord(DatedRecord):
    """A period of the terms of the shop."""

    term: ShopTerm
    value: int = Field(description="In the unit of the term. " + _BOUNDS)

    @model_validator(mode="after")
    def _within_bounds(self) -> Self:
        least, most = bounds(self.term)
        if not least <= self.value <= most:
            raise refused(Rejection.OUT_OF_BOUNDS, "value", least=least, most=most)
        return self


class DeliveryPlacesRecord(DatedRecord):
    """How many deliveries can be moved to a weekday in a country, unless the day has a number of its own."""

    country_code: Annotated[Country, _Stored]
    weekday: Annotated[int, Field(ge=1, le=7)] = Field(description="1 is Monday.")
    places: Annotated[int, Field(ge=0, le=100_000)] = Field(description="0 closes the weekday.")


class DeliveryDayRecord(ShopRecord):
    """How many deliveries can be moved to a day in a country."""

    country_code: Annotated[Country, _Stored]
    day: date
    capacity: Annotated[int, Field(ge=0, le=100_000)] = Field(description="Number of places; 0 closes the day.")


RECORDS: dict[str, type[ShopRecord]] = {
    "customers": CustomerRecord,
    "products": ProductRecord,
    "orders": OrderRecord,
    "bikes": BikeRecord,
    "invoices": InvoiceRecord,
    "locations": LocationRecord,
    "service-products": ServiceProductRecord,
    "service-packages": ServicePackageRecord,
    "insurances": InsuranceRecord,
    "tariffs": TariffRecord,
    "terms": TermRecord,
    "delivery-places": DeliveryPlacesRecord,
    "delivery-days": DeliveryDayRecord,
}
"""The model of each kind, by the name of the kind on the command line and in the API."""
