"""Cases for spreadsheets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.spreadsheet import BOM, lines
from portal.contract.models import Locale
from portal.kernel.days import AMSTERDAM
from portal.kernel.texts import gettext_for
from portal.tables.cases import CaseRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import status_label

AT_ONCE = 500
"""Cases that are read at once."""

_CASE = (
    "kind", "reference", "state", "status", "urgent", "store", "assigned_to", "opened_at", "changed_at", "promised_at",
    "closed_at", "shop",
)  # fmt: skip


async def case_list(context: Context, condition: ColumnElement[bool], locale: Locale) -> AsyncIterator[bytes]:
    """The cases that meet a condition, read in parts so that a long list needs no more memory than a short one.

    Kind, state and status are in words of the given language.
    """
    yield (BOM + lines([_CASE], locale)).encode()
    last = 0
    while True:
        query: Any = (
            select(CaseRow, PartnerRow.name, StaffRow.name)
            .outerjoin(PartnerRow, col(PartnerRow.id) == col(CaseRow.partner_id))
            .outerjoin(StaffRow, col(StaffRow.id) == col(CaseRow.assigned_to))
            .where(condition, col(CaseRow.id) > last)
            .order_by(col(CaseRow.id))
            .limit(AT_ONCE)
        )
        async with context.database.session() as session:
            found = (await session.exec(query)).all()
        if not found:
            return
        last = found[-1][0].id
        shop = context.settings.shop_name
        rows = ((*_case(case, store, person, locale), shop(case.source)) for case, store, person in found)
        yield lines(rows, locale).encode()


def _case(case: CaseRow, store: str | None, person: str | None, locale: Locale) -> tuple[object, ...]:
    _ = gettext_for(locale)
    return (
        case.kind,
        case.reference,
        case.state,
        _(status_label(case.kind, case.status)),
        _("yes") if case.urgent else "",
        store,
        person,
        _local(case.opened_at),
        _local(case.changed_at),
        _local(case.promised_at),
        _local(case.closed_at),
    )


def _local(moment: datetime | None) -> str:
    return f"{moment.astimezone(AMSTERDAM):%Y-%m-%d %H:%M}" if moment else ""
