"""What a shop says of an order: lines, money, parcels, invoices."""

import re
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from portal.imports.rules.fields import (
    Article,
    ArticleName,
    Clock,
    Day,
    Delivery,
    EnglishColor,
    EnglishName,
    Euro,
    ExternalId,
    Moment,
    Optional,
    OptionalMoment,
    Package,
    Part,
    Positive,
    PostalAddress,
    Required20,
    Required40,
    Required60,
    ShopRecord,
    Stored,
    Text,
    Text20,
    Text60,
    checked,
)
from portal.imports.rules.reasons import refused
from portal.kernel import validation
from portal.kernel.address import Country
from portal.vocabulary.actions import Feature
from portal.vocabulary.exchange import Rejection
from portal.vocabulary.orders import InvoiceStatus, PaymentStatus


def _any_order_number(text: str) -> str:
    """An order number of any shop; the importer checks the form of its shop."""
    return validation.order_number(text, validation.ANY_ORDER_NUMBER)


def _euro(currency: str) -> str:
    if currency != "EUR":
        raise refused(Rejection.OTHER_CURRENCY)
    return currency


_CENT, _ZERO = Decimal("0.01"), Decimal("0.00")


class OrderLineRecord(Part):
    """One line of an order, in the order in which they stand on it."""

    name: ArticleName
    name_en: EnglishName = ""
    sku: Required40
    kind: Annotated[Article | None, Optional] = Field(
        default=None, description="Without it, that of the product with this `sku`; without that, an accessory."
    )
    item_color: Text60 = ""
    item_color_en: EnglishColor = ""
    frame_size: Text20 = ""
    battery: Text60 = ""
    bundle: Annotated[Annotated[str, Field(max_length=120)] | None, Optional] = None
    bundle_en: EnglishName = ""
    quantity: Annotated[int, Field(ge=1, le=10_000)] = 1
    unit_price: Positive
    price: Annotated[Positive | None, Optional] = Field(
        default=None, description="Price of all units together, where it is not quantity times unit_price."
    )
    service_costs: Positive = Field(
        default=Decimal("0.00"), description="Part of the order's service_costs that belongs to the bikes of this line."
    )
    insurance_costs: Positive = Field(default=Decimal("0.00"), description="Likewise of insurance_costs.")
    returned: Annotated[int, Field(ge=0)] = Field(
        default=0, description="Units that came back to the shop, or were taken off the order, outside the portal."
    )
    refunded: Positive = Field(default=Decimal("0.00"), description="Part of the order's refunded for this line.")

    @property
    def costs(self) -> Decimal:
        """What all units cost together."""
        return self.unit_price * self.quantity if self.price is None else self.price


class AdjustmentRecord(Part):
    """What an order costs more or less besides its lines and costs, such as a surcharge or a trade-in."""

    name: ArticleName
    name_en: EnglishName = ""
    amount: Euro = Field(description="Below zero for what the customer does not pay.")


class OrderAddressRecord(PostalAddress):
    """An address on an order, with the name that stands above it."""

    name: Annotated[str, Text, Field(max_length=180)]


class ShipmentLineRecord(Part):
    """Units of an order line in a shipment. `position` counts the lines of the order from 1."""

    position: Annotated[int, Field(ge=1)]
    quantity: Annotated[int, Field(ge=0)] = Field(
        default=1, description="0 in a further parcel of what another one is said to contain."
    )


def _secure(address: Any) -> Any:
    """A link of a carrier by https, which all of them have; what is no link is dropped and rejects nothing."""
    if not isinstance(address, str):
        return "" if address is None else address
    found = re.fullmatch(r"https?://(\S+)", address.strip(), re.IGNORECASE)
    return f"https://{found[1]}" if found else ""


class ShipmentRecord(Part):
    """A parcel or delivery. Without lines it contains the whole order, if it is the only one."""

    carrier: Text60 = ""
    tracking_code: Text60 = ""
    tracking_url: Annotated[str, BeforeValidator(_secure), Field(max_length=500)] = ""
    shipped_at: OptionalMoment = None
    delivered_at: OptionalMoment = None
    status: Delivery = None
    scheduled_day: Day = None
    scheduled_from: Clock = ""
    scheduled_until: Clock = ""
    lines: list[ShipmentLineRecord] = Field(default_factory=list)


class OrderRecord(ShopRecord):
    """An order with its lines, addresses, payment and shipments."""

    essential: ClassVar[frozenset[str]] = frozenset(
        "external_id customer order_number country_code ordered_at payment_status discount shipping_costs "
        "service_costs insurance_costs adjustments adjustments.name adjustments.amount currency "
        "total paid refunded lines lines.returned lines.refunded lines.name lines.sku lines.kind lines.quantity "
        "lines.unit_price lines.price lines.service_costs lines.insurance_costs shipping_address shipments "
        "shipments.status shipments.lines shipments.shipped_at shipments.delivered_at "
        "shipments.lines.position shipments.lines.quantity".split()
    )
    customer: ExternalId = Field(description="External id of the customer.")
    order_number: Annotated[str, checked(_any_order_number), Field(min_length=1)] = Field(
        description="As the form of the shop's order numbers says; in capitals, without spaces and dashes."
    )
    country_code: Annotated[Country, Stored]
    lease_reference: Annotated[Annotated[str, Field(max_length=20)] | None, Optional] = None
    features: list[Feature] = Field(default_factory=list, description="What the customer can do; empty for the usual.")
    ordered_at: Moment
    invoiced_at: Day = None
    delivery_status: Delivery = None
    payment_status: Annotated[PaymentStatus, Stored]
    payment_method: Required60
    payment_reference: Annotated[str, Field(max_length=100)] = Field(
        default="", description="By which the payment provider finds the payment, for a refund."
    )
    delivery_method: Required60 = "parcel"
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
    adjustments: Annotated[list[AdjustmentRecord], Field(max_length=100)] = Field(
        default_factory=list, description="Surcharges, and below zero trade-ins and the like."
    )
    currency: Annotated[str, AfterValidator(_euro)] = "EUR"
    total: Annotated[Positive | None, Optional] = Field(
        default=None, description="As the shop counts; without it, the sum of the parts."
    )
    paid: Positive = Decimal("0.00")
    refunded: Positive = Field(
        default=Decimal("0.00"), description="Of what was paid; all of it if `payment_status` is refunded."
    )
    lines: Annotated[list[OrderLineRecord], Field(min_length=1, max_length=500)]
    shipping_address: OrderAddressRecord | None = Field(default=None, description="Without it, that of the customer.")
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
    def charged(self) -> Decimal:
        """What the customer pays."""
        return self._sum if self.total is None else self.total

    @property
    def all_adjustments(self) -> list[AdjustmentRecord]:
        """The adjustments of the shop, and a cent a line by which shops round a total otherwise than their lines."""
        rest = self.charged - self._sum
        if not rest or self.unexplained:
            return self.adjustments
        return [*self.adjustments, AdjustmentRecord(name="Afronding", name_en="Rounding", amount=rest)]

    @property
    def unexplained(self) -> Decimal:
        """By how much the total of the shop is more than its parts; zero if the order adds up."""
        rest = self.charged - self._sum
        return rest if abs(rest) > _CENT * len(self.lines) else _ZERO

    @property
    def adds_up(self) -> bool:
        """Whether the parts are the total, and no more was refunded than paid."""
        return not self.unexplained and self.refunded <= self.paid

    @property
    def _sum(self) -> Decimal:
        costs = self.shipping_costs + self.service_costs + self.insurance_costs
        return self.subtotal - self.discount + costs + sum((entry.amount for entry in self.adjustments), _ZERO)


class InvoiceLineRecord(Part):
    """One line of an invoice."""

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
    status: Annotated[InvoiceStatus, Stored]
    discount: Positive = Decimal("0.00")
    shipping_costs: Positive = Decimal("0.00")
    service_costs: Positive = Decimal("0.00")
    insurance_costs: Positive = Decimal("0.00")
    paid: Euro = Decimal("0.00")
    lines: Annotated[list[InvoiceLineRecord], Field(min_length=1, max_length=500)]
    document: Annotated[str, Text, Field(max_length=500)] = Field(
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
