"""What staff wait for with 100,000 cases: `python -m bench.cases`, `--database-url` for an empty PostgreSQL database.

Every number is the slowest of some calls of an operation: queue in all views, search, counts, one case, and the search
of one among as many customers.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text
from sqlmodel import SQLModel

from bench.harness import Row, report
from portal.backend.migrations import migrate
from portal.backend.staff import StaffSessions
from portal.cases.api import MAIN_SHOP, CaseFilter, CasesApi, CountsFilter, QueuePage, SavedViewEntry
from portal.kernel.address import Country
from portal.kernel.days import now
from portal.kernel.search import search_text
from portal.provider.application import Application
from portal.setting_groups import Brand, FurtherShop
from portal.settings import Settings
from portal.staff.api.customers import CustomersApi, CustomerSearch
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState, CaseView
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import ItemKind, PaymentStatus
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

STORES, PEOPLE, CALLS = 40, 200, 9
BATCH = 5_000
LIMIT_MILLISECONDS, SEARCH_MILLISECONDS = 200, 100
SHOPS = ("second", "rare")
"""Further shops: of a fifth of the customers, and of one in 5,000."""


def _tables(count: int) -> Iterator[tuple[type[SQLModel], list[dict[str, Any]]]]:
    """The rows: a third of the cases is open, and each customer has one bike with one case."""
    moment, chance = now(), random.Random(7)
    yield (
        PartnerRow,
        [
            {"id": key, "public_id": f"STORE{key}", "name": f"Winkel {key}", "location_type": LocationType.OWN_STORE,
             "street": "Neude", "house_number": "1", "post_code": "3512 AE", "city": "Utrecht",
             "country_code": Country.NL}
            for key in range(1, STORES + 1)
        ],
    )  # fmt: skip
    yield (
        StaffRow,
        [
            {"id": key, "public_id": f"PERSON{key}", "name": f"Persoon {key}", "email": f"p{key}@example.com",
             "role": Role.ADMINISTRATOR if key == 1 else Role.MECHANIC, "created_at": moment}
            for key in range(1, PEOPLE + 1)
        ],
    )  # fmt: skip
    yield StaffStoreRow, [{"staff_id": key, "partner_id": key % STORES + 1} for key in range(2, PEOPLE + 1)]
    names = ["Jansen", "de Vries", "Bakker", "Visser", "Smit", "Dijkstra", "Meijer", "Mulder", "Peeters", "Hoekstra"]
    keys = range(1, count + 1)
    yield (
        CustomerRow,
        [
            {"id": key, "public_id": f"C{key}", "first_name": f"Voornaam{key % 997}", "prefix": "van der",
             "last_name": f"{names[key % 10]}{key % 5003}", "email": f"klant{key}@example.com",
             "email_key": f"klant{key}@example.com", "phone": f"+316{10_000_000 + key}",
             "search_text": search_text(
                 f"{names[key % 10]}{key % 5003}", f"Voornaam{key % 997}", "van der", f"+316{10_000_000 + key}",
                 ["Noordveld Horizon 5"],
             ), "street": "Biltstraat", "house_number": str(key % 300 + 1),
             "post_code": f"{1000 + key % 8999} AB", "city": "Utrecht", "country_code": Country.NL}
            for key in keys
        ],
    )  # fmt: skip
    yield (
        OrderRow,
        [
            {"id": key, "order_number": str(800_000_000 + key), "customer_id": key, "country_code": Country.NL,
             "ordered_at": moment, "payment_status": PaymentStatus.PAID, "payment_method": "ideal",
             "delivery_method": "own_transport", "features": [], "adjustments": [], "subtotal": Decimal(1),
             "total": Decimal(1)}
            for key in keys
        ],
    )  # fmt: skip
    yield (
        BikeRow,
        [
            {"id": key, "public_id": f"B{key}", "customer_id": key, "order_id": key, "name": "Noordveld Horizon 5",
             "brand": "Noordveld", "kind": ItemKind.E_BIKE, "frame_number": f"NVH{key:08}"}
            for key in keys
        ],
    )  # fmt: skip
    requests, cases, events = [], [], []
    for key in keys:
        is_open, opened = key % 3 == 0, moment - timedelta(hours=chance.randrange(1, 20_000))
        state = chance.choice((CaseState.NEW, CaseState.OPEN, CaseState.WAITING)) if is_open else CaseState.DONE
        partner = chance.randrange(1, STORES + 1)
        status = WorkOrderStatus.IN_REPAIR if is_open else WorkOrderStatus.DONE
        shared = {"id": key, "reference": f"R{key:07}", "customer_id": key, "partner_id": partner, "status": status}
        requests.append(
            {**shared, "bike_id": key, "kind": RequestKind.REPAIR, "title": "Ketting", "created_at": opened,
             "description": "De ketting kraakt."}
        )  # fmt: skip
        cases.append(
            {**shared, "status": status.value, "kind": CaseKind.REPAIR, "state": state, "opened_at": opened,
             "changed_at": opened, "assigned_to": chance.choice((None, chance.randrange(1, PEOPLE + 1))),
             "promised_at": chance.choice((None, moment + timedelta(hours=chance.randrange(-300, 300)))),
             "closed_at": None if is_open else opened,
             "source": "rare" if key % 5_000 == 0 else "second" if key % 5 == 0 else ""}
        )  # fmt: skip
        events.append(
            {"case_id": key, "type": CaseEventType.OPENED, "status": status.value, "by_customer": True, "details": {},
             "happened_at": opened}
        )  # fmt: skip
    yield RequestRow, requests
    yield CaseRow, cases
    yield CaseEventRow, events


async def measure(folder: Path, url: str, count: int) -> list[Row]:
    """Fill an empty database and measure."""
    brand = Brand(**Settings().brand.model_dump())
    shops = {name: FurtherShop(brand=brand, mail_from="shop@example.com", public_url="") for name in SHOPS}
    settings = Settings(data_dir=folder, database_url=url, shops=shops)
    await asyncio.to_thread(migrate, settings.database)
    application = Application(settings)
    name = "PostgreSQL" if url.startswith("postgresql") else "SQLite"
    try:
        for table, rows in _tables(count):
            async with application.context.database.transaction() as session:
                for start in range(0, len(rows), BATCH):
                    await (await session.connection()).execute(insert(table), rows[start : start + BATCH])
        async with application.context.database.transaction() as session:
            await (await session.connection()).execute(text("ANALYZE"))
            tokens = {
                who: await StaffSessions(application.context).open(session, key)
                for who, key in (("administrator", 1), ("mechanic", 2))
            }
        found = [one for who, token in tokens.items() for one in await _slowest(application, who, token, count)]
        rows = [Row(f"{name}, {what}", value, "ms", LIMIT_MILLISECONDS) for what, value in found]
        searches = await _searches(application, tokens["administrator"], count)
        return rows + [Row(f"{name}, {what}", value, "ms", SEARCH_MILLISECONDS) for what, value in searches]
    finally:
        await application.close()


async def _slowest(application: Application, who: str, token: str, count: int) -> list[tuple[str, float]]:
    cases = application.services.ask(CasesApi)
    await cases.save_view(token, SavedViewEntry(name="Mine", filter=CaseFilter(view=CaseView.MINE)))
    asked = {
        **{f"queue {view.value}": QueuePage(view=view) for view in CaseView},
        "page 20": QueuePage(page=20),
        **{f"queue of shop {shop}": QueuePage(shop=shop) for shop in (MAIN_SHOP, *SHOPS)},
        **{f"done of shop {shop}": QueuePage(shop=shop, view=CaseView.DONE) for shop in (MAIN_SHOP, *SHOPS)},
        "search reference": QueuePage(search=f"R{count // 2:07}"),
        "search last name": QueuePage(search="dijk"),
        "search full name": QueuePage(search="Voornaam12 Jansen"),
        "search post code": QueuePage(search="1024 AB 25"),
        "search frame": QueuePage(search=f"NVH{count // 2:08}"),
        "search email": QueuePage(search=f"klant{count // 2}@example.com"),
        "search order": QueuePage(search=str(800_000_000 + count // 2)),
    }
    found = [
        (f"{who}: {what}", await _time(lambda page=page: cases.queue(token, page))) for what, page in asked.items()
    ]
    found.append((f"{who}: counts", await _time(lambda: cases.counts(token, CountsFilter()))))
    reference = (await cases.queue(token, QueuePage())).items[0].reference
    found.append((f"{who}: case", await _time(lambda: cases.case(token, "repair", reference))))
    return found


async def _searches(application: Application, token: str, count: int) -> list[tuple[str, float]]:
    """The search of customers by whatever they call themselves by."""
    customers, middle = application.services.ask(CustomersApi), count // 2
    found = []
    for what, typed in {
        "first name": f"voornaam{middle % 997}",
        "beginning of many names": "voor",
        "names in another order": f"Voornaam{middle % 997} dijkstra van",
        "nobody": "Søren Østergård",
        "phone": f"06-{10_000_000 + middle}",
        "bike": "horizon noordveld",
        "bike and name": f"horizon bakker{middle % 5003}",
        "frame number": f"NVH{middle:08}",
        "order": str(800_000_000 + middle),
        "email": f"klant{middle}@example.com",
        "post code": "1024 AB 25",
    }.items():
        asked = CustomerSearch(text=typed)
        found.append((f"customer by {what}", await _time(lambda asked=asked: customers.find_customers(token, asked))))
    return found


async def _time(call: Callable[[], Awaitable[Any]]) -> float:
    await call()
    slowest = 0.0
    for _ in range(CALLS):
        started = time.perf_counter()
        await call()
        slowest = max(slowest, time.perf_counter() - started)
    return round(slowest * 1000, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print.

    Returns:
        0 if everything is answered within the limit, else 1.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--database-url", default=os.environ.get("PORTAL_DATABASE_URL", ""))
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as folder:
        url = chosen.database_url or f"sqlite+aiosqlite:///{folder}/portal.db"
        rows = asyncio.run(measure(Path(folder), url, chosen.cases))
    return report("Cases", rows)


if __name__ == "__main__":
    sys.exit(main())
