"""What staff see of the end of a contract: a line in the queue, and the content of its case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep
from portal.backend.context import Context
from portal.backend.reader import reader
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.contracts.provider.account import end_account
from portal.contracts.provider.backoffice import CONTRACT_END, following
from portal.contracts.provider.case_facts import facts_of
from portal.contracts.provider.queries import ContractQueries, end_by_reference
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.contracts import ContractEndRow
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.contracts import (
    CONTRACT_ENDS,
    CONTRACT_KIND_NAMES,
    END_DESK_LABELS,
    END_KIND_NAMES,
    END_STATUSES,
    end_tone,
)

_T = LocalizedText.of


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    """What the queue shows of ends of contracts."""
    rows = (await session.exec(select(ContractEndRow).where(col(ContractEndRow.reference).in_(references)))).all()
    bikes: dict[str, BikeRow] = {}
    for table in (PackageOrderRow, InsuranceRequestRow):
        query = (
            select(table.reference, BikeRow)
            .join(BikeRow, col(BikeRow.id) == table.bike_id)
            .where(col(table.reference).in_([row.contract for row in rows]))
        )
        bikes |= {contract: bike for contract, bike in await session.exec(query)}
    return {row.reference: _line(row, bikes.get(row.contract)) for row in rows}


def _line(row: ContractEndRow, bike: BikeRow | None) -> CaseLine:
    return CaseLine(
        label=_T(END_DESK_LABELS[row.status]),
        tone=end_tone(row.status),
        what=LocalizedText.each(
            lambda locale: (
                f"{_T(END_KIND_NAMES[row.ending]).text(locale)}: {_T(CONTRACT_KIND_NAMES[row.kind]).text(locale)}"
            )
        ),
        item=bike_in_full(bike, reader()) if bike else "",
        bike_id=bike.id if bike else None,
        planned=row.ends_on,
    )


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    """What the page of the case shows; None if the end or its contract is gone."""
    try:
        row = await end_by_reference(session, reference)
        contract = await ContractQueries(session, row.customer_id).get(row.contract)
    except NotFound:
        return None
    return CaseContent(
        account=end_account(contract, row, context.settings),
        line=_line(row, contract.bike),
        steps=[
            StatusStep(
                status=status.value,
                label=_T(END_DESK_LABELS[status]),
                sentence=_T(END_STATUSES[status].meaning),
                ends=status in CONTRACT_ENDS.ends,
            )
            for status in following(row)
        ],
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(ContractEndRow).order_by(col(ContractEndRow.id)))
    return [(facts_of(row), row.received_at, row.updated_at) for row in rows]


def of_bike(bike: BikeRow) -> Any:
    """The references of the ends of the contracts of a bike."""
    contracts = [
        select(table.reference).where(table.bike_id == bike.id) for table in (PackageOrderRow, InsuranceRequestRow)
    ]
    return select(ContractEndRow.reference).where(or_(*[col(ContractEndRow.contract).in_(each) for each in contracts]))


CONTRACT_END_CASES = CaseSubject(CONTRACT_END, lines, content, facts, of_bike)
