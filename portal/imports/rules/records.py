"""The records that a shop sends, one model per kind. Amounts are in euro including VAT; moments carry a time zone."""

from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from portal.illustrations import NAMES
from portal.imports.rules.fields import (
    Article,
    ArticleName,
    Color,
    Day,
    EnglishColor,
    EnglishName,
    ExternalId,
    Name,
    Optional,
    Package,
    Positive,
    PostalAddress,
    Required40,
    Required60,
    ShopRecord,
    Stored,
    Text,
    Text20,
    Text40,
    Text60,
    checked,
)
from portal.imports.rules.order_records import InvoiceRecord, OrderRecord
from portal.imports.rules.reasons import refused
from portal.kernel import days, validation
from portal.kernel.address import Country
from portal.kernel.terms import bounds
from portal.service_packages.rules import Inclusion
from portal.vocabulary.exchange import Rejection
from portal.vocabulary.insurance import INSURANCES, Cover, InsuranceType, Insurer
from portal.vocabulary.locations import LocationType
from portal.vocabulary.prices import ShopTerm
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage


class CustomerRecord(ShopRecord, PostalAddress):
    """A customer. The e-mail address is where login codes go."""

    essential: ClassVar[frozenset[str]] = frozenset("external_id email".split())
    first_name: Text60 = ""
    prefix: Text60 = Field(default="", description="Such as 'van der'.")
    last_name: Text60
    email: Annotated[str, Field(min_length=1, max_length=254), checked(validation.email)]
    phone: Annotated[str, Field(max_length=30)] = Field(default="", description="With country code, or as in country.")
    locale: Annotated[str, Field(pattern="^(nl|en)$")] = "nl"


def _drawn(value: str) -> str:
    if value and value not in NAMES:
        raise refused(Rejection.NO_DRAWING)
    return value


Drawing = Annotated[str, Text, AfterValidator(_drawn), Field(json_schema_extra={"enum": ["", *sorted(NAMES)]})]


class ProductRecord(ShopRecord):
    """An article in one colour and size."""

    essential: ClassVar[frozenset[str]] = frozenset("external_id sku name kind price".split())
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
    image: Annotated[str, Text, Field(max_length=500)] = Field(
        default="",
        description="JPEG, PNG, WebP or AVIF: its https address, or its path from the folder of the imported file.",
    )


class BikeRecord(ShopRecord):
    """A bike that was sold with an order. Empty means unknown."""

    essential: ClassVar[frozenset[str]] = frozenset("external_id order position name brand kind".split())
    order: ExternalId = Field(description="External id of the order.")
    position: Annotated[int | None, Field(ge=1), Optional] = Field(
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
    frame_number: Annotated[Annotated[str, checked(validation.frame_number)] | None, Optional] = None
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
    mileage: Annotated[int | None, Field(ge=0), Optional] = None
    mileage_at: Day = None
    pin_code: Annotated[Annotated[str, Field(pattern=r"^[0-9]{4,8}$")] | None, Optional] = None
    delivered_on: Day = None
    warranty_until: Day = None


def _opening_hours(text: str | None) -> str | None:
    if text:
        try:
            days.read(text)
        except ValueError:
            raise refused(Rejection.WRONG_HOURS) from None
    return text or None


class LocationRecord(ShopRecord, PostalAddress):
    """A service location."""

    essential: ClassVar[frozenset[str]] = frozenset("external_id name location_type street city country_code".split())
    name: Name
    location_type: Annotated[LocationType, Stored]
    phone: Text20 = ""
    email: Annotated[str, Field(max_length=254), checked(validation.email)] = ""
    latitude: Annotated[float | None, Field(ge=-90, le=90), Optional] = None
    longitude: Annotated[float | None, Field(ge=-180, le=180), Optional] = None
    opening_hours: Annotated[Annotated[str, Field(max_length=200)] | None, AfterValidator(_opening_hours)] = Field(
        default=None, description="Such as 'Mo-Fr 09:00-18:00, Sa 10:00-17:00'; empty when unknown."
    )
    travel_cost: Annotated[Positive | None, Optional] = Field(
        default=None, description="Call-out fee; empty when no mechanic visits customers."
    )
    vacation_from: Day = None
    vacation_until: Day = None
    recommended: bool = False
    waiting_weeks: Annotated[int, Field(ge=0, le=104)] = 0
    closed: bool = False
    customer_rating: Annotated[Annotated[Decimal, Field(ge=0, le=10, decimal_places=1)] | None, Optional] = None


class DatedRecord(ShopRecord):
    """A price or number that holds from a day on. Another record with a later day announces a change."""

    valid_from: date = Field(default=days.ALWAYS, description="First day on which it holds; without it, since ever.")


class ServiceProductRecord(DatedRecord):
    """The price of a maintenance job for a bike or an e-bike."""

    sku: Required40
    job: Annotated[ServiceJob, Stored]
    drive: Drive
    half_price: bool = Field(default=False, description="Whether this is the price with a service package.")
    price: Positive


class ServicePackageRecord(DatedRecord):
    """Price and contents of a service package. 'None' (SERVICE12) is a package that costs nothing."""

    package: ServicePackage
    monthly: Positive = Field(description="Euro a month.")
    includes: list[Inclusion] = Field(default_factory=list)
    half_price_jobs: list[Annotated[ServiceJob, Stored]] = Field(
        default_factory=list, description="The jobs that cost half with the package."
    )
    most_chosen: bool = False


class _OfInsurance(DatedRecord):
    """What belongs to one insurance."""

    insurer: Annotated[Insurer, Stored]
    type: Annotated[InsuranceType, Stored]

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

    country_code: Annotated[Country, Stored]
    weekday: Annotated[int, Field(ge=1, le=7)] = Field(description="1 is Monday.")
    places: Annotated[int, Field(ge=0, le=100_000)] = Field(description="0 closes the weekday.")


class DeliveryDayRecord(ShopRecord):
    """How many deliveries can be moved to a day in a country."""

    country_code: Annotated[Country, Stored]
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
