"""The PDF documents of a return: the label or the drop-off slip, and the summary (part-2 §8: PDF).

They render the account as it stands when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import segno

from portal.backend.letter import day, footer
from portal.backend.pdf import Exact, render
from portal.contract.account import Account
from portal.contract.models import Locale
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.orders.provider.invoice_document import picture
from portal.orders.provider.mapping import line_picture
from portal.pictures.provider.lookup import ArticlePicture, printed
from portal.returns.provider.account import ReturnCase, account_of, pickup_place
from portal.returns.provider.wording import amount_rows, department_lines, handover_lines, item_lines, total_row
from portal.settings import Brand, Settings
from portal.vocabulary.returns import RETURN_KIND_NAMES, ReturnKind, ReturnMethod

_INK = "#12231e"
_NOTHING: Mapping[int, ArticlePicture] = MappingProxyType({})


async def label_pdf(
    case: ReturnCase, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture] = _NOTHING
) -> bytes:
    """The label of a parcel or a pick-up, or the slip of what is brought to a store.

    Its code opens the return at the staff site, also with the camera of a phone.
    """
    brand, account = options.brand, account_of(case, options.brand)
    if case.row.method is ReturnMethod.STORE:
        return await _slip(case, account, locale, options, found)
    row, _ = case.row, gettext_for(locale)
    name = _("Exchange label {reference}") if row.kind is ReturnKind.EXCHANGE else _("Return label {reference}")
    place, country = pickup_place(row)
    declared_by = str((row.statement or {}).get("name", ""))
    return await _render(
        "return_label",
        {
            **await _common(case, account, locale, options, found),
            "to_label": _("To"),
            "to": department_lines(brand, locale),
            "from_label": _("Sender"),
            "sender": [line for line in (*place, country.text(locale)) if line] or [declared_by] * bool(declared_by),
            "how": _(
                "Print this page, cut along the line and stick the label on the outside of the parcel, or hang it on."
            ),
        },
        name.format(reference=account.reference),
        case,
        locale,
        brand,
    )


async def _slip(
    case: ReturnCase, account: Account, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]
) -> bytes:
    """The slip that the customer shows in the store. It has no address for a parcel."""
    _ = gettext_for(locale)
    return await _render(
        "return_slip",
        {
            **await _common(case, account, locale, options, found),
            "steps_label": _("What you do"),
            "steps": [
                _("Bring everything listed here to the store, with all that came with it."),
                _("Show this page at the counter, on paper or on your phone. The store will scan the code."),
                _("The store will give you a receipt. Keep it until everything is settled."),
            ],
        },
        _("Drop-off slip {reference}").format(reference=account.reference),
        case,
        locale,
        options.brand,
    )


async def summary_pdf(
    case: ReturnCase, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture] = _NOTHING
) -> bytes:
    """The summary: status, items, handover, answers, amounts and next steps."""
    _, brand = gettext_for(locale), options.brand
    account = account_of(case, brand)
    money = account.money
    return await _render(
        "return_summary",
        {
            **await _common(case, account, locale, options, found),
            "status_label": _("Status"),
            "status": account.status.text(locale),
            "meaning": account.meaning.text(locale),
            "answers": [
                [fact.label.text(locale), "\n".join(line.text(locale) for line in fact.lines)] for fact in account.facts
            ],
            "steps_label": _("What happens next"),
            "steps": [step.text(locale) for step in account.next_steps],
            "amounts_label": _("Amounts, including VAT"),
            "amounts": amount_rows(money.lines, locale),
            "total": total_row(money, locale),
            "besides": amount_rows(money.besides, locale),
            "note": money.note.text(locale),
        },
        account.title.text(locale),
        case,
        locale,
        brand,
    )


async def _render(
    template: str, data: dict[str, Any], heading: str, case: ReturnCase, locale: Locale, brand: Brand
) -> bytes:
    return await render(
        template,
        {**data, "heading": heading},
        locale,
        f"{heading} – {in_groups(case.row.reference)}" if template == "return_summary" else heading,
        author=brand.name,
        created=case.row.created_at.replace(microsecond=0),
    )


async def _common(
    case: ReturnCase, account: Account, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]
) -> dict[str, Any]:
    row, brand, _ = case.row, options.brand, gettext_for(locale)
    code = segno.make_qr(f"{options.desk_address}/receive/{row.reference}", error="m")
    lines = {unit.line.id: unit.line for unit in case.units}
    texts = item_lines(case.units, locale)
    pictures = await printed(options, [line_picture(line, found) for line in lines.values()])
    exchange = row.kind is ReturnKind.EXCHANGE
    about = _("QR code of exchange number {reference}") if exchange else _("QR code of return number {reference}")
    return {
        "brand": brand.name,
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "reference": Exact(account.reference),
        "reference_label": _("Exchange number") if exchange else _("Return number"),
        "qr": picture(code, _INK),
        "qr_alt": about.format(reference=account.reference),
        "order_label": _("Order numbers") if len(case.order_numbers) > 1 else _("Order number"),
        "order": Exact(case.orders),
        "day_label": _("Requested on"),
        "day": day(local_day(row.created_at), locale),
        "items_label": _("You send back") if exchange else _("You return"),
        "items": [{"text": text, "picture": shown} for text, shown in zip(texts, pictures, strict=True)],
        "way_label": _("How you hand it in") if exchange else _("How you’re returning it"),
        "way": handover_lines(account.handover, locale),
        "foot": footer(brand, locale),
    }
