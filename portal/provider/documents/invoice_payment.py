"""How an invoice is paid, or that nothing needs to be done."""

from __future__ import annotations

from typing import Any

from stdnum import iban

from portal.contract.base import Locale
from portal.provider.documents.formats import day, money, unbroken
from portal.provider.documents.invoice_document import InvoiceDocument
from portal.provider.documents.payment_code import payment_code, picture
from portal.settings import Brand
from portal.texts import gettext_for
from portal.vocabulary.orders import PAYMENT_METHODS, InvoiceStatus

INK = "#12231e"


def next_step(document: InvoiceDocument, locale: Locale, brand: Brand) -> dict[str, Any]:
    """The card that says what to do, with instructions and a code for a banking app when there is something to pay.

    Raises:
        ValueError: an amount or the account of the brand cannot be in a payment code.
    """
    _ = gettext_for(locale)
    paid_by = _(PAYMENT_METHODS.get(document.payment_method, document.payment_method))
    method = [(_("Payment method"), paid_by)] if document.payment_method else []
    if not document.payable:
        title, text = _nothing_to_pay(document, locale)
        return {"title": title, "text": text, "facts": method, "qr": None, "alt": ""}
    amount = money(document.due, locale, document.currency)
    account = iban.format(brand.iban)
    text = (
        _("Scan the code with your banking app, or transfer the amount yourself. The due date was {date}.")
        if document.status is InvoiceStatus.UNPAID
        else _("Scan the code with your banking app, or transfer the amount yourself. Pay no later than {date}.")
    )
    return {
        "title": _("Pay with your banking app"),
        "text": text.format(date=unbroken(day(document.expire_date, locale))),
        "facts": [
            (_("Amount"), amount),
            (_("IBAN"), unbroken(account)),
            (_("In the name of"), brand.name),
            (_("Reference"), document.number),
        ],
        "qr": picture(payment_code(brand.name, brand.iban, document.due, document.number), INK),
        "alt": _("QR code for your banking app: {amount} to {name}, {iban}, reference {number}").format(
            amount=amount, name=brand.name, iban=account, number=document.number
        ),
    }


def _nothing_to_pay(document: InvoiceDocument, locale: Locale) -> tuple[str, str]:
    _ = gettext_for(locale)
    if document.status is InvoiceStatus.CANCELLED:
        return _("Cancelled"), _("This invoice was cancelled. You do not need to pay it.")
    if document.due < 0:
        return _("You get money back"), _("We will pay you back the amount that is too much.")
    return _("Nothing left to pay"), _("This invoice has been paid. You do not need to do anything.")
