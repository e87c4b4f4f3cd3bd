"""What stands on an invoice, and the VAT in it (part-1 §3)."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from portal.contract.base import Shape
from portal.contract.orders import NamedAddress
from portal.vocabulary.orders import InvoiceStatus

STANDARD_RATE = Decimal(21)
"""Percent of VAT in the Netherlands and in Belgium on bikes, accessories, shipping and service packages."""
CENT = Decimal("0.01")
NOTHING = Decimal("0.00")


class InvoiceLine(Shape):
    """One line. Amounts in euro including VAT; a discount has a negative price.

    `vat_rate` in percent; 0 for what is exempt, such as an insurance premium.
    """

    name: str
    item_color: str = ""
    frame_size: str = ""
    battery: str = ""
    quantity: int = 1
    unit_price: Decimal
    price: Decimal
    vat_rate: Decimal = STANDARD_RATE


class VatPart(Shape):
    """What an invoice holds at one rate: `net + vat == gross`, in euro."""

    rate: Decimal
    net: Decimal
    vat: Decimal
    gross: Decimal


class InvoiceDocument(Shape):
    """Everything that stands on an invoice. Amounts in euro, including VAT.

    Attributes:
        number: of the invoice; the reference of a payment.
        order_number: stands top left, where the login page says it is.
        invoice_date, expire_date, order_date: local days.
        billing_address: with the name of the customer.
        shipping_address: where it was delivered; not shown when it is the same.
        subtotal: of the lines.
        discount: positive; what goes off the subtotal.
        shipping_costs, service_costs, insurance_costs: what comes on top of it, and is not among the
            lines. Insurance is exempt from VAT.
        total: what the customer owes in all; `due` is what is still open of it.
        payment_method: as customers know it ('iDEAL'); empty when unknown.
    """

    number: str
    invoice_date: date
    expire_date: date
    status: InvoiceStatus
    order_number: str
    order_date: date
    billing_address: NamedAddress
    shipping_address: NamedAddress | None = None
    lines: list[InvoiceLine]
    subtotal: Decimal
    discount: Decimal = NOTHING
    shipping_costs: Decimal = NOTHING
    service_costs: Decimal = NOTHING
    insurance_costs: Decimal = NOTHING
    total: Decimal
    paid: Decimal = NOTHING
    due: Decimal
    payment_method: str = ""
    currency: str = "EUR"

    @property
    def payable(self) -> bool:
        """Whether the customer is asked to pay."""
        return self.due > 0 and self.status is not InvoiceStatus.CANCELLED

    @property
    def vat_parts(self) -> list[VatPart]:
        """The total by rate, highest first. What no line or insurance claims is taxed at the standard rate."""
        gross: dict[Decimal, Decimal] = {}
        for line in self.lines:
            if line.vat_rate != STANDARD_RATE:
                gross[line.vat_rate] = gross.get(line.vat_rate, NOTHING) + line.price
        if self.insurance_costs:
            gross[Decimal(0)] = gross.get(Decimal(0), NOTHING) + self.insurance_costs
        standard = self.total - sum(gross.values(), NOTHING)
        if standard or not gross:
            gross[STANDARD_RATE] = standard
        return [_vat_part(rate, gross[rate]) for rate in sorted(gross, reverse=True)]


def _vat_part(rate: Decimal, gross: Decimal) -> VatPart:
    vat = (gross * rate / (100 + rate)).quantize(CENT, ROUND_HALF_UP)
    return VatPart(rate=rate, net=gross - vat, vat=vat, gross=gross)
