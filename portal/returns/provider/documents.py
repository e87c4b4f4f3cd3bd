"""The PDF documents of a return: the label and the summary (part-2 §8: PDF)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import segno

from portal.backend.letter import day, footer
from portal.backend.pdf import Exact, render
from portal.contract.models import Locale
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.orders.provider.invoice_document import picture
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.provider.wording import (
    amount_lines,
    answer_lines,
    department_lines,
    item_lines,
    may_be_sent,
    method_lines,
    open_line,
    payment_note,
    pickup_address_lines,
    total_line,
)
from portal.settings import Brand
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import RETURN_KIND_NAMES, ReturnKind

_INK = "#12231e"


async def label_pdf(
    row: ReturnRow, units: Sequence[ReturnedUnit], store: PartnerRow | None, locale: Locale, brand: Brand
) -> bytes:
    """The label: addressee, sender, and the return number as text and as QR code.

    Raises:
        DocumentError: the PDF could not be rendered.
    """
    _ = gettext_for(locale)
    exchange = row.kind is ReturnKind.EXCHANGE
    name = _("Exchange label {reference}") if exchange else _("Return label {reference}")
    title = name.format(reference=in_groups(row.reference))
    return await render(
        "return_label",
        {
            **_common(row, units, locale, brand),
            "heading": title,
            "to_label": _("To"),
            "to": department_lines(brand, locale),
            "from_label": _("From"),
            "sender": pickup_address_lines(row, locale)
            or [name for name in [(row.statement or {}).get("name")] if name],
            "how": _("Print this page, cut along the line and stick it on the outside of the parcel or hang it on."),
            "way": method_lines(row, store, locale),
        },
        locale,
        title,
        author=brand.name,
        created=row.created_at.replace(microsecond=0),
    )


async def summary_pdf(
    row: ReturnRow, units: Sequence[ReturnedUnit], store: PartnerRow | None, locale: Locale, brand: Brand
) -> bytes:
    """The summary of the request: items, answers and stored amounts.

    Raises:
        DocumentError: the PDF could not be rendered.
    """
    _ = gettext_for(locale)
    title = f"{_(RETURN_KIND_NAMES[row.kind])} {in_groups(row.reference)}"
    sent_by_mail = row.kind is ReturnKind.WITHDRAWAL and may_be_sent(row)
    to = department_lines(brand, locale) if sent_by_mail else []
    return await render(
        "return_summary",
        {
            **_common(row, units, locale, brand),
            "heading": _(RETURN_KIND_NAMES[row.kind]),
            "way_label": _("How it comes back"),
            "way": to + method_lines(row, store, locale),
            "answers": answer_lines(row, locale),
            "amounts_label": _("Amounts, including VAT"),
            "amounts": amount_lines(row.settlement, locale) if row.settlement.get("lines") else [],
            "total": total_line(row.settlement, locale),
            "open": open_line(row.settlement, locale),
            "promise": payment_note(row.settlement, locale, row.kind),
        },
        locale,
        title,
        author=brand.name,
        created=row.created_at.replace(microsecond=0),
    )


def _common(row: ReturnRow, units: Sequence[ReturnedUnit], locale: Locale, brand: Brand) -> dict[str, Any]:
    _ = gettext_for(locale)
    # A QR code of capital letters and digits only is smaller.
    code = segno.make_qr(f"RETURN:{row.reference}", error="m")
    exchange = row.kind is ReturnKind.EXCHANGE
    about = _("QR code of exchange number {reference}") if exchange else _("QR code of return number {reference}")
    return {
        "brand": brand.name,
        "reference": Exact(in_groups(row.reference)),
        "reference_label": _("Exchange number") if exchange else _("Return number"),
        "qr": picture(code, _INK),
        "qr_alt": about.format(reference=in_groups(row.reference)),
        "order_label": _("Order number"),
        "order": Exact(row.order_number),
        "day_label": _("Requested on"),
        "day": day(local_day(row.created_at), locale),
        "items_label": _("What comes back"),
        "items": item_lines(units),
        "foot": footer(brand, locale),
    }
