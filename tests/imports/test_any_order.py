"""However the records of a shop come - shuffled, repeated, in files that were cut off - the tables end the same."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from portal.backend.context import Context, database_of
from portal.imports.provider.importer import Importer
from portal.imports.rules.reading import WORDS, read_file
from portal.settings import Settings
from portal.tables import metadata
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.insurance import InsuranceProductRow, ShopTermRow
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from tests.support.shop_records import bike, customer, order, raw

Record = tuple[str, dict[str, Any]]
State = list[list[Any]]

FROM: list[dict[str, str]] = [{}, {"valid_from": "2027-03-01"}]
"""Since ever, and from a day on."""


def insurance(number: int) -> dict[str, Any]:
    """What an insurance covers, first and from a later day on."""
    covers = ["bike_stolen", "abroad"][:number]
    about = {"insurer": "kettingzeker", "type": "theft", "excess": f"{number}.50", "covers": covers}
    return {"external_id": f"v{number}", **about, **FROM[number - 1]}


RECORDS: list[Record] = [
    *(("customers", customer(number)) for number in (1, 2)),
    *(("orders", order(number, owner)) for number, owner in ((1, 1), (2, 1), (3, 2))),
    *(("bikes", bike(number, number)) for number in (1, 2, 3)),
    *(("insurances", insurance(number)) for number in (1, 2)),
    *(
        ("terms", {"external_id": f"t{days}", "term": "return_days", "value": days, **FROM[place]})
        for place, days in enumerate((100, 200))
    ),
]
KINDS = list(dict.fromkeys(kind for kind, _ in RECORDS))
QUIET = [HealthCheck.function_scoped_fixture]


async def state(context: Context) -> State:
    """What is in the tables, without keys and times of the import."""
    found: dict[type[Any], list[Any]] = {}
    async with context.database.session() as session:
        for table in (
            CustomerRow, OrderRow, OrderLineRow, OrderAddressRow, ShipmentRow, ShipmentLineRow, BikeRow, ImportedRow,
            WaitingRecordRow, RejectedRecordRow, ImportDifferenceRow, InsuranceProductRow, ShopTermRow,
        ):  # fmt: skip
            found[table] = list((await session.exec(select(table))).all())
    people = {row.id: row.email for row in found[CustomerRow]}
    numbers = {row.id: row.order_number for row in found[OrderRow]}
    parcels = {row.id: numbers[row.order_id] for row in found[ShipmentRow]}
    lines = {row.id: row.position for row in found[OrderLineRow]}
    return [
        sorted((row.email, row.phone, row.city) for row in found[CustomerRow]),
        sorted((row.order_number, people[row.customer_id], row.subtotal, row.total) for row in found[OrderRow]),
        sorted((numbers[row.order_id], row.position, row.sku, row.price) for row in found[OrderLineRow]),
        sorted((numbers[row.order_id], row.role, row.name, row.city) for row in found[OrderAddressRow]),
        sorted((parcels[row.shipment_id], lines[row.order_line_id], row.quantity) for row in found[ShipmentLineRow]),
        sorted((row.frame_number, numbers[row.order_id], lines.get(row.order_line_id)) for row in found[BikeRow]),
        sorted((row.valid_from, row.insurer, row.covers, row.excess) for row in found[InsuranceProductRow]),
        sorted((row.term, row.valid_from, row.value) for row in found[ShopTermRow]),
        sorted((row.kind, row.external_id, row.fingerprint) for row in found[ImportedRow]),
        *([row.external_id for row in found[table]] for table in (WaitingRecordRow, RejectedRecordRow)),
        [row.field for row in found[ImportDifferenceRow]],
    ]


Act = Callable[[Context], Any]


def after(url: str, folder: Path, act: Act) -> State:
    """The state after an import into empty tables."""

    async def run() -> State:
        settings = Settings(data_dir=folder, database_url=url)
        context = Context(settings, database_of(settings))
        try:
            async with context.database.engine.begin() as connection:
                for table in reversed(metadata.sorted_tables):
                    await connection.execute(table.delete())
            await act(context)
            return await state(context)
        finally:
            await context.database.close()

    return asyncio.run(run())


def sending(records: Iterable[Record]) -> Act:
    """Import single records, as the API gets them."""

    async def act(context: Context) -> None:
        for kind, record in records:
            await Importer(context, "shop").store(kind, raw(record))

    return act


def as_lines(records: Sequence[dict[str, Any]]) -> str:
    """A file of JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def as_csv(records: Sequence[dict[str, Any]]) -> str:
    """A CSV file; a record with lines takes several rows. What is in which parcel cannot be told in CSV."""
    rows: list[dict[str, Any]] = []
    for record in records:
        whole = {name: value for name, value in record.items() if not isinstance(value, list | dict)}
        whole |= {
            f"{name}.{part}": value
            for name, parts in record.items()
            if isinstance(parts, dict)
            for part, value in parts.items()
        }
        whole |= {name: " ".join(record[name]) for name in WORDS if name in record}
        entries = [{f"lines.{part}": value for part, value in line.items()} for line in record.get("lines", [])]
        rows.append(whole | (entries[0] if entries else {}))
        rows += [{"external_id": record["external_id"], **entry} for entry in entries[1:]]
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


FORMS = {"jsonl": as_lines, "csv": as_csv}


def files(folder: Path, form: str, cut: dict[str, float] | None = None) -> list[tuple[str, Path]]:
    """A file of each kind, of which a share is there; the rest was cut off."""
    found = []
    for kind in KINDS:
        content = FORMS[form]([record for name, record in RECORDS if name == kind]).encode()
        path = folder / f"{kind}.{form}"
        path.write_bytes(content[: round(len(content) * (cut or {}).get(kind, 1.0))])
        found.append((kind, path))
    return found


def reading(folder: Path, form: str, order_of: Sequence[str], cuts: Sequence[dict[str, float]]) -> Act:
    """Import cut files in some order of the kinds, and then the whole files."""

    async def act(context: Context) -> None:
        for cut in (*cuts, {}):
            paths = dict(files(folder, form, cut))
            for kind in order_of:
                await Importer(context, "shop").store(kind, read_file(paths[kind]), paths[kind].name)

    return act


@cache
def once(url: str, folder: Path, form: str = "") -> State:
    """The state after one import in the best order: of records, or of whole files."""
    return after(url, folder, reading(folder, form, KINDS, ()) if form else sending(RECORDS))


ORDERS = st.permutations(RECORDS)
REPEATED = st.lists(st.sampled_from(RECORDS), max_size=5)
CUTS = st.lists(st.fixed_dictionaries({kind: st.floats(0, 1) for kind in KINDS}), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None, suppress_health_check=QUIET)
@given(order_of=ORDERS, repeated=REPEATED)
def test_shuffled_and_repeated_records_end_in_the_same_state(
    tables_url: str, tmp_path: Path, order_of: list[Record], repeated: list[Record]
) -> None:
    assert after(tables_url, tmp_path, sending([*order_of, *repeated])) == once(tables_url, tmp_path)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=10, deadline=None, suppress_health_check=QUIET)
@given(order_of=st.permutations(KINDS), cuts=CUTS)
def test_files_that_were_cut_off_end_in_the_same_state_once_they_are_whole(
    tables_url: str, tmp_path: Path, form: str, order_of: list[str], cuts: list[dict[str, float]]
) -> None:
    whole = once(tables_url, tmp_path, form)
    assert after(tables_url, tmp_path, reading(tmp_path, form, order_of, cuts)) == whole
    assert whole[-3:] == [[], [], []]


@pytest.mark.each_database
@settings(max_examples=3, deadline=None, suppress_health_check=QUIET)
@given(order_of=ORDERS, repeated=REPEATED, cuts=CUTS)
def test_each_database_ends_in_the_same_state(
    tables_url: str, tmp_path: Path, order_of: list[Record], repeated: list[Record], cuts: list[dict[str, float]]
) -> None:
    expected = once(tables_url, tmp_path)
    assert after(tables_url, tmp_path, sending([*order_of, *repeated])) == expected
    assert after(tables_url, tmp_path, reading(tmp_path, "jsonl", KINDS[::-1], cuts)) == expected
