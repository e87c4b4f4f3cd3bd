"""Queries on contracts and their ends. A contract is an order of a service package or a policy."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import find_one
from portal.backend.shops import TermBook, term_book
from portal.bikes.provider.queries import BikeQueries, bike_picture
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.contract.models import Picture
from portal.kernel.days import local_day, today
from portal.kernel.texts import N_
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.columns import ZERO
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.vocabulary.contracts import BINDING, ContractKind, EndKind
from portal.vocabulary.departures import Departure
from portal.vocabulary.insurance import INSURANCE_TYPES, INSURER_NAMES, INSURING, InsuranceStatus
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A contract that was taken out in the portal.

    `row`: the order of the service package, or the insurance request.
    `concluded_on`: local day on which the contract was concluded; the right of withdrawal counts from it.
    `ends`: its withdrawals and cancellations, oldest first.
    `departure`: what happened to the bike, if the contract ended with it.
    """

    kind: ContractKind
    row: PackageOrderRow | InsuranceRequestRow
    bike: BikeRow
    product: LocalizedText
    monthly: Decimal
    concluded_on: date
    starts_on: date
    policy_number: str
    ends: Sequence[ContractEndRow]
    withdrawal_days: int
    picture: Picture = field(default_factory=Picture)
    departure: Departure | None = None

    @property
    def reference(self) -> str:
        return self.row.reference

    @property
    def end(self) -> ContractEndRow | None:
        """The end that counts, else the newest one."""
        return next((row for row in self.ends if row.status in BINDING), self.ends[-1] if self.ends else None)

    @property
    def is_ending(self) -> bool:
        """Whether it has ended or will."""
        return any(row.status in BINDING for row in self.ends)

    def runs(self, day: date) -> bool:
        return not any(row.status in BINDING and (row.ended_at or row.ends_on < day) for row in self.ends)


REFUND_DUE = sql.and_(
    col(ContractEndRow.status).in_(sorted(BINDING)),
    col(ContractEndRow.ended_at).is_not(None),
    col(ContractEndRow.refund) > ZERO,
    col(ContractEndRow.refunded_at).is_(None),
)
"""The contract has ended, and what is paid back has not been paid."""


class ContractQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def all(self, bike_id: int | None = None) -> list[TakenOut]:
        """All contracts, or those of one bike, newest first."""
        return await self._load(bike_id=bike_id, pictured=True)

    async def get(self, reference: str, *, lock: bool = False, pictured: bool = False) -> TakenOut:
        """One contract; `lock` holds it until the end of the transaction, so that it ends once.

        The picture is looked up with `pictured`: nothing else is asked between the locks of a transaction.
        """
        found = await self._load(reference=reference, lock=lock, pictured=pictured)
        if not found:
            raise NotFound
        return found[0]

    async def end_named(self, reference: str) -> tuple[TakenOut, ContractEndRow]:
        query = select(ContractEndRow).where(
            ContractEndRow.customer_id == self._customer_id, ContractEndRow.reference == reference
        )
        row = await find_one(self._session, query)
        return await self.get(row.contract), row

    async def _load(
        self, *, bike_id: int | None = None, reference: str = "", lock: bool = False, pictured: bool = False
    ) -> list[TakenOut]:
        found = [
            *await self._rows(PackageOrderRow, bike_id, reference, lock=lock),
            *await self._rows(InsuranceRequestRow, bike_id, reference, lock=lock),
        ]
        ends = select(ContractEndRow).where(
            ContractEndRow.customer_id == self._customer_id,
            col(ContractEndRow.contract).in_([row.reference for row, _ in found]),
        )
        rows = (await self._session.exec(ends.order_by(col(ContractEndRow.id)))).all() if found else []
        book, day = await term_book(self._session, self._customer_id), today()
        lines = [bike.order_line_id for _, bike in found]
        pictures = await pictures_of_lines(self._session, self._customer_id, lines) if pictured else {}
        ended = {row.contract for row in rows if row.ending is EndKind.DEPARTURE}
        keys = [bike.id for row, bike in found if row.reference in ended]
        departures = await BikeQueries(self._session, self._customer_id).departures(keys)
        contracts = [
            replace(
                _taken_out(row, bike, [end for end in rows if end.contract == row.reference], book, day),
                picture=bike_picture(bike, pictures),
                # The bike of another customer is in none of these orders.
                departure=departures.get(bike.id, Departure.GIVEN_AWAY) if row.reference in ended else None,
            )
            for row, bike in found
        ]
        return sorted(contracts, key=lambda entry: (entry.concluded_on, entry.reference), reverse=True)

    async def _rows(self, table: Any, bike_id: int | None, reference: str, *, lock: bool) -> list[Any]:
        query: Any = (
            sql.select(table, BikeRow)
            .join(BikeRow, col(BikeRow.id) == table.bike_id)
            .where(table.customer_id == self._customer_id)
        )
        if table is InsuranceRequestRow:
            query = query.where(table.status == InsuranceStatus.FINISHED, col(table.type).in_(sorted(INSURING)))
        if reference:
            query = query.where(table.reference == reference)
        if bike_id is not None:
            query = query.where(table.bike_id == bike_id)
        return list(await self._session.exec(query.with_for_update() if lock else query))


async def locked(session: AsyncSession, row: ContractEndRow) -> ContractEndRow:
    """An end as it is now, locked after its contract: in another order two transactions would wait for each other."""
    await ContractQueries(session, row.customer_id).get(row.contract, lock=True)
    await session.refresh(row, with_for_update=True)
    return row


def _taken_out(
    row: PackageOrderRow | InsuranceRequestRow,
    bike: BikeRow,
    ends: Sequence[ContractEndRow],
    book: TermBook,
    day: date,
) -> TakenOut:
    if isinstance(row, PackageOrderRow):
        ordered_on = local_day(row.created_at)
        return TakenOut(
            kind=ContractKind.SERVICE_PACKAGE,
            row=row,
            bike=bike,
            product=LocalizedText.of(
                N_("Service package {name}"), name=LocalizedText.of(SERVICE_PACKAGE_NAMES[row.package])
            ),
            monthly=row.monthly,
            concluded_on=ordered_on,
            starts_on=ordered_on,
            policy_number="",
            ends=ends,
            withdrawal_days=book.since(ordered_on, day).withdrawal_days,
        )
    # A finished request never changes again: that is when the insurer took it on.
    concluded_on = local_day(row.updated_at)
    return TakenOut(
        kind=ContractKind.INSURANCE,
        row=row,
        bike=bike,
        product=LocalizedText.of(
            N_("Bike insurance ({cover}, {insurer})"),
            cover=LocalizedText.of(INSURANCE_TYPES[row.type]),
            insurer=INSURER_NAMES[row.insurer] if row.insurer else "",
        ),
        monthly=row.premium or ZERO,
        concluded_on=concluded_on,
        starts_on=row.starts_on or concluded_on,
        policy_number=row.policy_number,
        ends=ends,
        withdrawal_days=book.since(concluded_on, day).withdrawal_days,
    )
