"""The job card: a page a case, with a code that opens the case."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import segno

from portal.backend.letter import clock, day, handover_values
from portal.backend.pdf import Exact, Long, render
from portal.cases.api import CaseDetail
from portal.contract.account import LocalizedText
from portal.contract.models import Locale
from portal.kernel.days import local_day
from portal.kernel.texts import N_, gettext_for
from portal.kernel.validation import in_groups
from portal.orders.provider.invoice_document import INK, picture
from portal.settings import Brand
from portal.vocabulary.cases import CASE_LABELS, kind_path


async def job_cards_pdf(cases: Sequence[tuple[CaseDetail, bytes]], address: str, locale: Locale, brand: Brand) -> bytes:
    _ = gettext_for(locale)
    title = _("Job card {reference}").format(reference=in_groups(cases[0][0].reference)) if len(cases) == 1 else ""
    return await render(
        "job_card",
        {"brand": brand.name, "cards": [_card(case, photo, address, locale) for case, photo in cases]},
        locale,
        title or _("Job cards"),
        author=brand.name,
    )


def _card(case: CaseDetail, photo: bytes, address: str, locale: Locale) -> dict[str, Any]:
    _ = gettext_for(locale)
    way = handover_values(case.account.handover, locale) if case.account.handover else None
    code = segno.make_qr(f"{address}/cases/{kind_path(case.kind)}/{case.reference}", error="m")
    bike = case.bike
    facts = [
        (_("Customer"), [case.customer.name, case.customer.phone] if case.customer else []),
        (_("Bike"), [bike.name, bike.details] if bike else []),
        (_("Frame number"), [bike.frame_number] if bike else []),
        (_("Key and lock numbers"), bike.key_numbers if bike else []),
        (_("Battery number"), [bike.battery_number] if bike else []),
        (_("Tracker (IMEI)"), [bike.tracker_number] if bike else []),
        (_("Electronic lock"), [_("The code is with the case")] if bike and bike.pin_code else []),
        (_("Package"), [bike.service_package.text(locale) or _("No package")] if bike else []),
        (_("Warranty"), [_until(bike.warranty_until, locale)] if bike and bike.warranty_until else []),
        (_("Planned for"), [day(case.planned_date, locale)] if case.planned_date else []),
        (_("Promised by"), [_moment(case.promised_at, locale)] if case.promised_at else []),
        (_("Assigned to"), [case.person.name] if case.person else []),
        (_("Handover"), [way["how"], *way["place"], way["when"]] if way else []),
    ]
    answers = [
        {"label": fact.label.text(locale), "lines": [Long(line.text(locale)) for line in fact.lines]}
        for fact in case.account.facts
    ]
    if names := [Long(file.name) for file in case.files if not file.by_staff]:
        # The page shows the files themselves; on paper their names tell that there is something to look at.
        answers.append({"label": _("Photos and other files"), "lines": names})
    notes = [{"label": note.who, "lines": [Long(note.text)]} for note in case.notes]
    return {
        "kind": _(CASE_LABELS[case.kind]),
        "reference": Exact(in_groups(case.reference)),
        "status": case.status_label.text(locale),
        "store": case.store.name if case.store else "",
        "code": picture(code, INK),
        "code_alt": _("Code that opens this case"),
        "photo": _photo(photo),
        "photo_alt": _("The first photo"),
        "facts": [[label, " · ".join(filter(None, lines))] for label, lines in facts if any(lines)],
        "answers_title": _("What the customer told us"),
        "answers": answers,
        "notes_title": _("Internal notes"),
        "notes": notes,
        "work_title": _("Work and parts"),
    }


def _photo(content: bytes) -> Exact:
    """A JPEG as SVG, because the data of a document are text; empty without one."""
    if not content:
        return Exact("")
    data = base64.b64encode(content).decode()
    # It fits itself into the sheet: only a decoder would know its size.
    return Exact(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><image width="320" height="240" '
        f'preserveAspectRatio="xMinYMid" href="data:image/jpeg;base64,{data}"/></svg>'
    )


def _until(value: Any, locale: Locale) -> str:
    return LocalizedText.of(N_("until {day}"), day=lambda each: day(value, each)).text(locale)


def _moment(value: datetime, locale: Locale) -> str:
    return f"{day(local_day(value), locale)}, {clock(value)}"
