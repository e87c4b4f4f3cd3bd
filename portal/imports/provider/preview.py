"""What a dry run shows: a few customers with their orders and bikes, stored in a transaction that is rolled back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.database import OneTransaction
from portal.imports.provider.importer import Importer
from portal.imports.rules.files import FolderStep, records_of
from portal.imports.rules.reading import RawRecord
from portal.kernel.address import address_lines
from portal.kernel.days import local_day
from portal.orders.provider.money import adds_up, open_amount
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportedRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DELIVERY_STATUSES

CUSTOMERS = 3
_ORDERS = 10
"""Most orders and bikes of a customer that are shown."""


@dataclass(slots=True)
class Sample:
    """The records of a few customers, picked while files are read. `wanted` are keys of records to look for."""

    records: dict[str, list[RawRecord]] = field(default_factory=dict)
    wanted: dict[str, set[str]] = field(default_factory=dict)

    def picking(self, kind: str, records: Iterable[RawRecord]) -> Iterator[RawRecord]:
        """Pass records on, and pick those of the first customers with orders."""
        for raw in records:
            if kind == "orders" and not raw.error:
                self._pick(raw, "customers", _text(raw, "customer"))
            elif kind == "bikes" and _text(raw, "order") in self.wanted.get("orders", ()):
                self.records.setdefault("bikes", []).append(raw)
            yield raw

    def complete(self, steps: Sequence[FolderStep]) -> None:
        """Look for the customers and articles of the orders; without orders, for the first customers."""

        def read(kind: str) -> Iterator[RawRecord]:
            return (raw for step in steps if step.kind == kind for raw in records_of(*step))

        customers, articles = self.wanted.get("customers"), self.wanted.get("articles", set())
        for raw in read("customers"):
            found = self.records.setdefault("customers", [])
            if not raw.error and (customers is None or _text(raw, "external_id") in customers):
                found.append(raw)
            if len(found) == CUSTOMERS and customers is None:
                break
        for raw in read("products"):
            if articles and _text(raw, "sku") in articles:
                plain = {name: value for name, value in raw.values.items() if name != "image"}
                self.records.setdefault("products", []).append(RawRecord(raw.line, plain))

    def _pick(self, order: RawRecord, kind: str, customer: str) -> None:
        customers = self.wanted.setdefault(kind, set())
        if customer in customers or (customer and len(customers) < CUSTOMERS):
            customers.add(customer)
            self.records.setdefault("orders", []).append(order)
            self.wanted.setdefault("orders", set()).add(_text(order, "external_id"))
            lines = order.values.get("lines")
            for line in lines if isinstance(lines, list) else ():
                self.wanted.setdefault("articles", set()).add(str(line.get("sku")) if isinstance(line, dict) else "")


def _text(raw: RawRecord, name: str) -> str:
    """A value as text, whatever was sent."""
    return str(raw.values.get(name) or "")


class _Enough(Exception):
    """Rolls the transaction back."""


async def pages_of(context: Context, source: str, sample: Sample, steps: Sequence[FolderStep]) -> list[str]:
    """A few lines for each customer of a sample: who it is, the orders with what is open, and the bikes."""
    sample.complete(steps)
    found: list[str] = []
    try:
        async with context.database.transaction() as session:
            trial = Context(context.settings, OneTransaction(context.database, session))
            for kind in ("customers", "products", "orders", "bikes"):
                await Importer(trial, source).store(kind, sample.records.get(kind, ()))
            keys = {_text(raw, "external_id") for raw in sample.records.get("customers", ())}
            keys |= sample.wanted.get("customers", set())
            imported = select(ImportedRow.row_id).where(
                ImportedRow.source == source, ImportedRow.kind == "customers", col(ImportedRow.external_id).in_(keys)
            )
            people = select(CustomerRow).where(col(CustomerRow.id).in_(imported)).order_by(col(CustomerRow.id))
            for customer in (await session.exec(people.execution_options(populate_existing=True))).all():
                found += await _page(session, customer)
            raise _Enough
    except _Enough:
        return found


async def _page(session: AsyncSession, customer: CustomerRow) -> list[str]:
    address = address_lines(customer).joined or "no address"
    lines = [f"  {customer.full_name or 'no name'}, {customer.email}, {customer.phone or 'no phone'}, {address}"]
    orders = select(OrderRow).where(OrderRow.customer_id == customer.id).order_by(col(OrderRow.ordered_at).desc())
    for row in (await session.exec(orders.limit(_ORDERS))).all():
        status = DELIVERY_STATUSES[row.delivery_status].label if row.delivery_status else "no status"
        money = f"open € {open_amount(row)}" if adds_up(row) else "does not add up"
        lines.append(f"    order {row.order_number} of {local_day(row.ordered_at)}: € {row.total}, {money}, {status}")
    bikes = select(BikeRow).where(BikeRow.customer_id == customer.id).limit(_ORDERS)
    lines += [
        f"    bike {row.name}, {row.frame_number or 'no frame number'}" for row in (await session.exec(bikes)).all()
    ]
    return lines
