"""The content of an invoice: lines, VAT, payment instructions and the payment QR code (part-1 §3)."""

import io
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from segno import QRCode
from segno.helpers import make_epc_qr
from stdnum import iban

from portal.backend.letter import day, money, unbroken
from portal.backend.pdf import Exact
from portal.contract.models import Locale, Model, Picture
from portal.kernel.texts import gettext_for
from portal.orders.api import NamedAddress, Payment
from portal.setting_groups import Brand
from portal.tables.columns import InColor, Named
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.orders import (
    ACCOUNT_HOLDER,
    PAY_BY_APP,
    PAY_OVERDUE,
    PAY_UNTIL,
    PAYMENT_CODE,
    PAYMENT_METHODS,
    PAYMENT_REFERENCE,
    InvoiceStatus,
)
from portal.vocabulary.services import ServicePackage

PAID_BY_RETURN = outcome(Departure.DECLARED, Dependent.INVOICE).customer

STANDARD_RATE = Decimal(21)
"""VAT in percent on bikes, accessories, shipping and service packages, in the Netherlands and in Belgium."""

CENT = Decimal("0.01")
NOTHING = Decimal("0.00")


class InvoiceLine(Named, InColor, Model):
    """One line of an invoice. Amounts are in euros and include VAT; a discount has a negative price.

    `vat_rate` is in percent; 0 means exempt, such as an insurance premium. `picture` is that of the ordered item.
    """

    name: str
    name_en: str = ""
    item_color: str = ""
    item_color_en: str = ""
    frame_size: str = ""
    battery: str = ""
    quantity: int = 1
    unit_price: Decimal
    price: Decimal
    vat_rate: Decimal = STANDARD_RATE
    picture: Picture | None = None


class VatPart(Model):
    """The part of an invoice at one VAT rate (percent). `net + vat == gross`, in euros."""

    rate: Decimal
    net: Decimal
    vat: Decimal
    gross: Decimal


class InvoiceDocument(Model):
    """The content of an invoice. Amounts are in euros and include VAT.

    `invoice_date`, `expire_date`, `order_date`: local days.
    `shipping_address`: delivery address; not printed if it equals the billing address.
    `service_package`: what the service costs are for; None if unknown.
    `due`: part of the total that is to be paid now; negative if too much was paid.
    `payment_method`: key of `PAYMENT_METHODS` or the name of the method; empty if unknown.
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
    service_package: ServicePackage | None = None
    insurance_costs: Decimal = NOTHING
    total: Decimal
    paid: Decimal = NOTHING
    due: Decimal
    due_later: Decimal = NOTHING
    payment_method: str = ""
    currency: str = "EUR"

    @property
    def payable(self) -> bool:
        return self.due > 0 and self.status is not InvoiceStatus.CANCELLED

    @property
    def vat_parts(self) -> list[VatPart]:
        """The total by VAT rate, highest first.

        Insurance and lines at another rate are counted at their own rate, the rest of the total at the standard rate.
        """
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


_MAX_NAME = 70
_MAX_TEXT = 140


def payment_code(name: str, account: str, amount: Decimal, reference: str) -> QRCode:
    """The payment QR code (EPC) for banking apps."""
    return make_epc_qr(
        name=_one_line(name, _MAX_NAME),
        iban=iban.validate(account),
        amount=amount,
        text=_one_line(reference, _MAX_TEXT),
    )


def picture(code: QRCode, colour: str) -> Exact:
    """The QR code as SVG, one unit per module. The page must add the quiet zone."""
    out = io.BytesIO()
    code.save(out, kind="svg", border=0, dark=colour, xmldecl=False, svgns=True, omitsize=True)
    return Exact(out.getvalue().decode())


def _one_line(text: str, longest: int) -> str:
    # A line break would start the next field of the code.
    return " ".join(text.split())[:longest]


INK = "#12231e"


def payment_of(number: str, due: Decimal, brand: Brand) -> Payment | None:
    """How the amount due of an invoice is transferred to the shop; None if nothing is due."""
    if due <= 0:
        return None
    return Payment(
        amount=due,
        holder=brand.name,
        iban=iban.format(brand.iban),
        reference=number,
        code=picture(payment_code(brand.name, brand.iban, due, number), INK),
    )


def next_step(document: InvoiceDocument, locale: Locale, brand: Brand) -> dict[str, object]:
    """Data of the box with the next step: payment instructions and QR code, or the note that no payment is needed."""
    _ = gettext_for(locale)
    paid_by = _(PAYMENT_METHODS.get(document.payment_method, document.payment_method))
    method = [(_("Payment method"), paid_by)] if document.payment_method else []
    payment = payment_of(document.number, document.due, brand) if document.payable else None
    if payment is None:
        title, text = _nothing_to_pay(document, locale)
        return {"title": title, "text": text, "facts": method, "qr": None, "alt": ""}
    amount = money(payment.amount, locale, document.currency)
    text = _(PAY_OVERDUE if document.status is InvoiceStatus.UNPAID else PAY_UNTIL)
    later = [_(PAID_BY_RETURN)] if document.due_later else []
    return {
        "title": _(PAY_BY_APP),
        "text": " ".join([text.format(date=unbroken(day(document.expire_date, locale))), *later]),
        "facts": [
            (_("Amount"), amount),
            (_("IBAN"), unbroken(payment.iban)),
            (_(ACCOUNT_HOLDER), payment.holder),
            (_(PAYMENT_REFERENCE), payment.reference),
        ],
        "qr": Exact(payment.code),
        "alt": _(PAYMENT_CODE).format(amount=amount, name=payment.holder, iban=payment.iban, number=payment.reference),
    }


def _nothing_to_pay(document: InvoiceDocument, locale: Locale) -> tuple[str, str]:
    _ = gettext_for(locale)
    if document.status is InvoiceStatus.CANCELLED:
        return _("Cancelled"), _("This invoice was cancelled. You don’t need to pay it.")
    if document.due < 0:
        return _("You get money back"), _("We’ll refund what you overpaid.")
    if document.due_later:
        return _("Nothing to pay now"), _(PAID_BY_RETURN)
    return _("Nothing left to pay"), _("This invoice has been paid. There’s nothing more you need to do.")
