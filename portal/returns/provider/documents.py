"""The label of a return, and the request on paper (part-2 §8: PDF)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import segno

from portal.contract.base import Locale
from portal.domain.dates import local_day
from portal.domain.identifiers import spoken
from portal.provider.documents.engine import render
from portal.provider.documents.formats import day
from portal.provider.documents.letterhead import footer
from portal.provider.documents.payment_code import picture
from portal.provider.documents.plain_text import Exact
from portal.provider.repositories.returns import ReturnedUnit
from portal.provider.returns import words
from portal.provider.returns.safety import may_be_sent
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.returns import ReturnRow
from portal.settings import Brand
from portal.texts import gettext_for
from portal.vocabulary.returns import RETURN_KIND_NAMES, ReturnKind

_INK = "#12231e"


async def label_pdf(
    row: ReturnRow, units: Sequence[ReturnedUnit], store: PartnerRow | None, locale: Locale, brand: Brand
) -> bytes:
    """The label: to whom, from whom, the code in letters and as QR. Raises DocumentError."""
    _ = gettext_for(locale)
    exchange = row.kind is ReturnKind.EXCHANGE
    name = _("Exchange label {reference}") if exchange else _("Return label {reference}")
    title = name.format(reference=spoken(row.reference))
    return await render(
        "return_label",
        {
            **_common(row, units, locale, brand),
            "heading": title,
            "to_label": _("To"),
            "to": words.department_lines(brand, locale),
            "from_label": _("From"),
            "sender": words.written_address(row, locale)
            or [name for name in [(row.statement or {}).get("name")] if name],
            "how": _("Print this page, cut along the line and stick it on the outside of the parcel or hang it on."),
            "way": words.way_lines(row, store, locale),
        },
        locale,
        title,
        author=brand.name,
        created=row.created_at.replace(microsecond=0),
    )


async def summary_pdf(
    row: ReturnRow, units: Sequence[ReturnedUnit], store: PartnerRow | None, locale: Locale, brand: Brand
) -> bytes:
    """The request with what was answered and the amounts that were kept. Raises DocumentError."""
    _ = gettext_for(locale)
    title = f"{_(RETURN_KIND_NAMES[row.kind])} {spoken(row.reference)}"
    sent_by_mail = row.kind is ReturnKind.WITHDRAWAL and may_be_sent(row)
    to = words.department_lines(brand, locale) if sent_by_mail else []
    return await render(
        "return_summary",
        {
            **_common(row, units, locale, brand),
            "heading": _(RETURN_KIND_NAMES[row.kind]),
            "way_label": _("How it comes back"),
            "way": to + words.way_lines(row, store, locale),
            "answers": words.answer_lines(row, locale),
            "amounts_label": _("Amounts, including VAT"),
            "amounts": words.amount_lines(row.settlement, locale) if row.settlement.get("lines") else [],
            "total": words.total_line(row.settlement, locale),
            "open": words.open_line(row.settlement, locale),
            "promise": words.money_next(row.settlement, locale, row.kind),
        },
        locale,
        title,
        author=brand.name,
        created=row.created_at.replace(microsecond=0),
    )


def _common(row: ReturnRow, units: Sequence[ReturnedUnit], locale: Locale, brand: Brand) -> dict[str, Any]:
    _ = gettext_for(locale)
    # Letters and figures of our alphabet only: the small, quick kind of code.
    code = segno.make_qr(f"RETURN:{row.reference}", error="m")
    exchange = row.kind is ReturnKind.EXCHANGE
    about = _("QR code of exchange number {reference}") if exchange else _("QR code of return number {reference}")
    return {
        "brand": brand.name,
        "reference": Exact(spoken(row.reference)),
        "reference_label": _("Exchange number") if exchange else _("Return number"),
        "qr": picture(code, _INK),
        "qr_alt": about.format(reference=spoken(row.reference)),
        "order_label": _("Order number"),
        "order": Exact(row.order_number),
        "day_label": _("Requested on"),
        "day": day(local_day(row.created_at), locale),
        "items_label": _("What comes back"),
        "items": words.item_lines(units),
        "foot": footer(brand, locale),
    }
