"""Layout of the invoice as a PDF, with texts, amounts and dates in the given language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time
from typing import Any

from portal.backend.letter import day, footer, money, percentage, postal_lines, seller
from portal.backend.pdf import DocumentError, Exact, compile_pdf, in_thread
from portal.contract.models import Locale
from portal.kernel.texts import gettext_for
from portal.orders.provider.invoice_document import NOTHING, InvoiceDocument, InvoiceLine, next_step
from portal.orders.rules import unit_price
from portal.setting_groups import Brand
from portal.vocabulary.orders import INVOICE_LABELS, INVOICE_STATUSES
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES, ServicePackage

TONES = {status: row.tone for status, row in INVOICE_STATUSES.items() if row.tone in {"ok", "warn"}}
"""Colour of the status badge; a status that is not listed has the plain badge."""

Text = Callable[[str], str]


def invoice_title(document: InvoiceDocument, locale: Locale, brand: Brand) -> str:
    """The document title, which PDF readers show: 'Factuur 2026-00123, bestelling 900000001, Bovenbuis'."""
    _ = gettext_for(locale)
    title = _("Invoice {number}, order {order}").format(number=document.number, order=document.order_number)
    return f"{title}, {brand.name}"


def invoice_page(
    document: InvoiceDocument, locale: Locale, brand: Brand, pictures: Sequence[str] = ()
) -> dict[str, Any]:
    _ = gettext_for(locale)
    return {
        "brand": brand.name,
        "order_label": _("Order number"),
        "order_number": document.order_number,
        "running": _("Invoice {number}, order {order}").format(number=document.number, order=document.order_number),
        "foot": footer(brand, locale),
        "heading": _("Invoice"),
        "status": _(INVOICE_LABELS[document.status]),
        "tone": TONES.get(document.status, "plain"),
        "facts": [
            (_("Invoice number"), document.number),
            (_("Invoice date"), day(document.invoice_date, locale)),
            (_("Due date"), day(document.expire_date, locale)),
            (_("Order date"), day(document.order_date, locale)),
        ],
        "addresses": [*_addresses(document, locale, _), {"title": _("Seller"), "lines": seller(brand, locale)}],
        "columns": [_("Item"), _("Quantity"), _("Unit price"), _("Amount")],
        "lines": [
            {**_line(line, document.currency, locale, _), "picture": picture}
            for line, picture in zip(document.lines, pictures or [Exact()] * len(document.lines), strict=True)
        ],
        "pictured": any(pictures),
        "vat": _vat(document, locale, _),
        **_amounts(document, locale, _),
        "next": next_step(document, locale, brand),
    }


def _addresses(document: InvoiceDocument, locale: Locale, _: Text) -> list[dict[str, Any]]:
    billing = [document.billing_address.name, *postal_lines(document.billing_address, locale)]
    shipping = document.shipping_address
    if shipping is None:
        return [{"title": _("Billing address"), "lines": billing}]
    delivery = [shipping.name, *postal_lines(shipping, locale)]
    if delivery == billing:
        return [{"title": _("Billing and delivery address"), "lines": billing}]
    return [{"title": _("Billing address"), "lines": billing}, {"title": _("Delivery address"), "lines": delivery}]


def _line(line: InvoiceLine, currency: str, locale: Locale, _: Text) -> dict[str, str]:
    details = (
        (_("Colour"), line.color_in(locale)),
        (_("Frame size"), line.frame_size),
        (_("Battery"), line.battery),
    )
    each = unit_price(line.quantity, line.unit_price, line.price)
    return {
        "name": line.name_in(locale),
        "details": ", ".join(f"{name}: {value}" for name, value in details if value),
        "quantity": str(line.quantity),
        "unit_price": "" if each is None else money(each, locale, currency),
        "price": money(line.price, locale, currency),
    }


def _vat(document: InvoiceDocument, locale: Locale, _: Text) -> dict[str, Any]:
    parts = document.vat_parts
    return {
        "title": _("VAT in the total"),
        "columns": [_("Rate"), _("Excluding VAT"), _("VAT"), _("Including VAT")],
        "rows": [
            [
                percentage(part.rate, locale) if part.rate else _("Exempt"),
                *(money(amount, locale, document.currency) for amount in (part.net, part.vat, part.gross)),
            ]
            for part in parts
        ],
        "note": _("Insurance is exempt from VAT. The premium includes insurance tax.")
        if document.insurance_costs
        else "",
    }


def _package(package: ServicePackage | None, _: Text) -> str:
    """The package as the page of the order and the contract call it."""
    if package in (None, ServicePackage.SERVICE12):
        return _("Service package")
    return _("Service package {name}").replace("{name}", _(SERVICE_PACKAGE_NAMES[package]))


def _amounts(document: InvoiceDocument, locale: Locale, _: Text) -> dict[str, Any]:
    """The totals. A discount, cost or payment of 0 has no row."""

    def row(name: str, amount: Any) -> tuple[str, str]:
        return name, money(amount, locale, document.currency)

    costs = (
        (_("Discount"), -document.discount),
        (_("Shipping costs"), document.shipping_costs),
        (_package(document.service_package, _), document.service_costs),
        (_("Insurance"), document.insurance_costs),
    )
    extra = [row(name, amount) for name, amount in costs if amount]
    settled = [row(_("Paid"), document.paid)] if document.paid else []
    if document.due_later:
        settled.append(row(_("To be settled with your return"), document.due_later))
    if document.due < 0:
        settled.append(row(_("You get back"), -document.due))
    elif not document.payable:
        settled.append(row(_("Still to pay"), NOTHING))
    return {
        "totals": [row(_("Subtotal"), document.subtotal), *extra] if extra else [],
        "total": row(_("Total"), document.total),
        "settled": settled,
        "due": row(_("Still to pay"), document.due) if document.payable else None,
    }


def invoice_pdf(document: InvoiceDocument, locale: Locale, brand: Brand, pictures: Sequence[str] = ()) -> bytes:
    """Create the invoice as a tagged PDF; the same document gives the same bytes.

    Blocks for some hundredths of a second; async code must use `render_invoice`.
    """
    try:
        page = invoice_page(document, locale, brand, pictures)
    except (ArithmeticError, KeyError, ValueError) as error:
        raise DocumentError("the invoice cannot be laid out") from error
    made = datetime.combine(document.invoice_date, time(12), UTC)
    title = invoice_title(document, locale, brand)
    return compile_pdf("invoice", page, locale, title, author=brand.name, created=made)


async def render_invoice(
    document: InvoiceDocument, locale: Locale, brand: Brand, pictures: Sequence[str] = ()
) -> bytes:
    return await in_thread(invoice_pdf, document, locale, brand, pictures)
