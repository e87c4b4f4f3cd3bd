"""What staff see of an insurance request: a line in the queue, and the content of its case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, hide
from portal.backend.context import Context
from portal.backend.reader import reader
from portal.bikes.provider.departures import departure_of_bike
from portal.contract.account import LocalizedText
from portal.insurance.provider.account import facts_of, insurance_account, insurer_asks, status_words
from portal.insurance.provider.backoffice import INSURANCE
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.vocabulary.departures import Dependent, outcome, refusal
from portal.vocabulary.insurance import (
    INSURANCE_DESK_LABELS,
    INSURANCE_REQUESTS,
    INSURANCE_TYPES,
    INSURER_ASKS_DESK,
    INSURING,
    OPEN_INSURANCE,
    InsuranceStatus,
    insurance_tone,
)

_T = LocalizedText.of
_ASKED = InsuranceStatus.WAITING_FOR_INPUT


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    """What the queue shows of insurance requests."""
    query: Any = (
        select(InsuranceRequestRow, BikeRow)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .where(col(InsuranceRequestRow.reference).in_(references))
    )
    return {row.reference: _line(row, bike) for row, bike in await session.exec(query)}


def _line(row: InsuranceRequestRow, bike: BikeRow) -> CaseLine:
    return CaseLine(
        label=_desk_words(row, row.status, asked=insurer_asks(row)),
        tone=insurance_tone(row.status),
        what=_T(INSURANCE_TYPES[row.type]),
        item=bike_in_full(bike, reader()),
        bike_id=bike.id,
        planned=row.starts_on,
    )


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    """What the page of the case shows; None if the request is gone."""
    query: Any = (
        select(InsuranceRequestRow, BikeRow, OrderRow.order_number)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .where(InsuranceRequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        return None
    row, bike, order_number = found
    departure = await departure_of_bike(session, bike)
    account = insurance_account(row, bike, context.clock(), departure)
    waits = row.status in OPEN_INSURANCE and refusal(departure, Dependent.INSURANCE_REQUEST)
    if waits:
        staff = outcome(departure, Dependent.INSURANCE_REQUEST).staff
        account = account.model_copy(update={"meaning": _T(staff)})
    return CaseContent(
        account=hide(account),
        line=_line(row, bike),
        steps=[
            _step(row, status)
            for status in INSURANCE_REQUESTS.following(row.status)
            if not waits or status is InsuranceStatus.CANCELLED
        ],
        order_numbers=[order_number],
        file_keys=(row.draft_key or "",),
    )


def _desk_words(row: InsuranceRequestRow, status: InsuranceStatus, *, asked: bool) -> LocalizedText:
    """The name of a status for staff. Arguments as of `status_words`."""
    if row.type not in INSURING and status is InsuranceStatus.FINISHED:
        return status_words(row, status, asked=asked)[0]
    return _T(INSURER_ASKS_DESK if asked and row.type in INSURING else INSURANCE_DESK_LABELS[status])


def _step(row: InsuranceRequestRow, status: InsuranceStatus) -> StatusStep:
    # Staff set this status when the insurer asks something; the mailed link is only at the beginning.
    asked = status is _ASKED
    _, sentence = status_words(row, status, asked=asked)
    return StatusStep(
        status=status.value,
        label=_desk_words(row, status, asked=asked),
        sentence=sentence,
        asks_policy=status is InsuranceStatus.FINISHED and row.type in INSURING,
        ends=status in INSURANCE_REQUESTS.ends,
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(InsuranceRequestRow).order_by(col(InsuranceRequestRow.id)))
    return [(facts_of(row), row.created_at, row.updated_at) for row in rows]


def of_bike(bike: BikeRow) -> Any:
    """The references of the insurance requests for a bike."""
    return select(InsuranceRequestRow.reference).where(InsuranceRequestRow.bike_id == bike.id)


INSURANCE_CASES = CaseSubject(INSURANCE, lines, content, facts, of_bike)
