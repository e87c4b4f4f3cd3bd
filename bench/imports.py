"""How fast a shop's orders are imported: `python -m bench.imports`.

Orders of two lines each, with their customers, are written to a file of JSON Lines and imported into an empty database,
then once more, when nothing has changed. The budget is 1 million order lines in 10 minutes and 500 MB (measurements
M31).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.harness import Row, report
from portal.backend.context import Context, database_of
from portal.backend.migrations import migrate
from portal.imports.provider.importer import Importer
from portal.imports.rules.reading import read_file
from portal.settings import Settings

LINES_PER_ORDER = 2
SLOWEST = 1_000_000 / 600
"""Fewest order lines a second."""

MOST_MEGABYTES = 500
MOST_GROWTH = 1.5
"""Of the last tenth of a file beside the first: its processor time, and the memory afterwards."""


def customers(count: int) -> Iterator[dict[str, Any]]:
    """Customers, one for every four orders."""
    for number in range(count):
        yield {
            "external_id": str(number),
            "first_name": "Noor",
            "last_name": f"Jansen {number}",
            "email": f"noor{number}@example.com",
            "street": "Kade",
            "house_number": str(number % 400 + 1),
            "post_code": "3511 AB",
            "city": "Utrecht",
            "country_code": "NL",
        }


def orders(count: int) -> Iterator[dict[str, Any]]:
    """Orders of a bike and an accessory."""
    address = {
        "name": "Noor Jansen",
        "street": "Kade",
        "house_number": "1",
        "post_code": "3511 AB",
        "city": "Utrecht",
        "country_code": "NL",
    }
    for number in range(count):
        yield {
            "external_id": str(number),
            "customer": str(number // 4),
            "order_number": str(800_000_000 + number),
            "country_code": "NL",
            "ordered_at": "2026-03-01T10:00:00+01:00",
            "delivery_status": "order_delivered",
            "payment_status": "paid",
            "payment_method": "ideal",
            "delivery_method": "home_ready_to_ride",
            "paid": "1024.45",
            "lines": [
                {"name": "Kuststreek", "sku": "KS-1", "kind": "city_bike", "unit_price": "999.00"},
                {"name": "Lock", "sku": "L-1", "kind": "accessory", "unit_price": "25.45"},
            ],
            "shipping_address": address,
        }


def write(path: Path, records: Iterator[dict[str, Any]]) -> Path:
    """Write records as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    return path


async def measure(folder: Path, url: str, count: int) -> list[Row]:
    """Import orders with `count` lines in all, twice."""
    settings = Settings(data_dir=folder, database_url=url)
    migrate(settings.database)
    context = Context(settings, database_of(settings))
    people = write(folder / "customers.jsonl", customers(count // LINES_PER_ORDER // 4 + 1))
    sold = write(folder / "orders.jsonl", orders(count // LINES_PER_ORDER))
    name = "PostgreSQL" if url.startswith("postgresql") else "SQLite"
    rows = []
    try:
        importer = Importer(context, "bench")
        await importer.store("customers", read_file(people))
        for label in ("new", "unchanged"):
            started, marks = time.perf_counter(), list[tuple[float, float]]()
            found = await importer.store("orders", read_file(sold), progress=partial(_mark, marks))
            seconds = time.perf_counter() - started
            if found.rejected or found.waiting:
                raise RuntimeError(f"the import went wrong: {found}")
            rows.append(Row(f"{name}, order lines a second, {label}", count / seconds, "1/s", SLOWEST, at_least=True))
            tenth = max(1, len(marks) // 10)
            slower = (marks[-1][0] - marks[-1 - tenth][0]) / (marks[tenth][0] - marks[0][0])
            rows.append(Row(f"{name}, last tenth beside the first, {label}: processor time", slower, "x", MOST_GROWTH))
            larger = marks[-1][1] / marks[tenth][1]
            rows.append(Row(f"{name}, last tenth beside the first, {label}: memory", larger, "x", MOST_GROWTH))
    finally:
        await context.database.close()
    rows.append(Row(f"{name}, most memory of the process", _memory(), "MB", MOST_MEGABYTES))
    return rows


def _mark(marks: list[tuple[float, float]], _report: object, _line: int) -> None:
    # Processor time, because beside other work the seconds say more about that.
    marks.append((time.process_time(), _memory()))


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--lines", type=int, default=1_000_000)
    options.add_argument("--database-url", default=os.environ.get("PORTAL_DATABASE_URL", ""))
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as folder:
        url = chosen.database_url or f"sqlite+aiosqlite:///{folder}/portal.db"
        rows = asyncio.run(measure(Path(folder), url, chosen.lines))
    return report("imports", rows)


if __name__ == "__main__":
    sys.exit(main())
