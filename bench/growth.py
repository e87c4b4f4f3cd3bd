"""What a fleet costs: `python -m bench.growth`.

Three companies have 5, 250 and 5,000 bikes, with their orders, invoices, insurances and requests. The operations behind
the pages and the flows are called for each in turn. Ratios are of processor time, as other work on the machine does not
change it. Then the company with most bikes works, and other customers load their dashboards beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Table, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from bench.events import percentile
from bench.harness import Row, median, report
from portal.backend.sessions import Sessions
from portal.bikes.api import BikesApi
from portal.flow.api import Draft, DraftStart, FlowApi, StepEntry
from portal.insurance.api import InsuranceApi
from portal.insurance.flow import INSURANCE
from portal.kernel.days import now
from portal.kernel.validation import short_id
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.provider.application import Application, load_demo
from portal.service_packages.api import ServicePackagesApi
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import InvoiceRow, OrderAddressRow, OrderLineRow, OrderRow, ShipmentRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE

SIZES = (5, 250, 5_000)
AT_MOST = {250: 1.5, 5_000: 3.0}
"""Processor time beside that of five bikes."""

FLOWS = {flow.name: flow for flow in (REPAIR, SERVICE, CLAIM, INSURANCE, SERVICE_PACKAGE)}
LONGER_PAGES = ("orders", "invoices", "requests")
"""Lists that show up to 25 entries, where five bikes have one order, one invoice and three requests."""

BIKES_OF_AN_ORDER = 10
OTHERS, LOADS = 10, 20
"""Other customers, and how often each loads the dashboard."""


class Fleet(NamedTuple):
    """A company: number of its bikes, its session, and one of its bikes that can be chosen."""

    bikes: int
    token: str
    bike_id: str


async def _sample(connection: AsyncConnection, row: type[SQLModel], **where: Any) -> dict[str, Any]:
    """A row of the demonstration shop to copy, without its keys."""
    table = _table(row)
    query = select(table).where(*(table.c[name] == value for name, value in where.items()))
    found: Mapping[str, Any] = dict((await connection.execute(query.limit(1))).mappings().one())
    computed = {column.name for column in table.columns if column.computed is not None}
    return {name: value for name, value in found.items() if name not in {"id", "draft_key", *computed}}


def _table(row: type[SQLModel]) -> Table:
    return row.__table__  # pyrefly: ignore[missing-attribute]  # SQLModel sets it at run time


async def _add(connection: AsyncConnection, row: type[SQLModel], values: list[dict[str, Any]]) -> list[int]:
    """Insert rows and return their keys, in their order."""
    table = _table(row)
    known = (await connection.execute(text(f"SELECT coalesce(max(id), 0) FROM {table.name}"))).scalar_one()  # noqa: S608 - a table of ours
    numbered = [{**entry, "id": known + place} for place, entry in enumerate(values, start=1)]
    for start in range(0, len(numbered), 2_000):
        await connection.execute(insert(table), numbered[start : start + 2_000])
    return [entry["id"] for entry in numbered]


async def furnish(connection: AsyncConnection, bikes: int, moment: datetime) -> int:
    """Add a company with so many bikes, ten to an order, and return the key of its customer."""
    sanne = await _sample(connection, CustomerRow, email="sanne@example.com")
    order = await _sample(connection, OrderRow, order_number="900000001")
    key = (await connection.execute(text("SELECT id FROM orders WHERE order_number = '900000001'"))).scalar_one()
    address = await _sample(connection, OrderAddressRow, order_id=key)
    line = await _sample(connection, OrderLineRow, order_id=key, position=1)
    bike = await _sample(connection, BikeRow, order_id=key)
    email = f"fleet{bikes}@bench.example"
    (customer,) = await _add(
        connection, CustomerRow, [{**sanne, "email": email, "email_key": email, "public_id": short_id()}]
    )
    sizes = [min(BIKES_OF_AN_ORDER, bikes - first) for first in range(0, bikes, BIKES_OF_AN_ORDER)]
    days = [moment - timedelta(days=3 + place) for place in range(len(sizes))]
    numbers = [f"8{bikes:04d}{place:04d}" for place in range(len(sizes))]
    orders = await _add(
        connection,
        OrderRow,
        [
            {**order, "customer_id": customer, "order_number": number, "ordered_at": day, "lease_reference": None,
             "delivery_status": DeliveryStatus.ORDER_DELIVERED}
            for number, day in zip(numbers, days, strict=True)
        ],
    )  # fmt: skip
    await _add(connection, OrderAddressRow, [{**address, "order_id": order_id} for order_id in orders])
    await _add(
        connection,
        ShipmentRow,
        [
            {"order_id": order_id, "carrier": "Eigen vervoer", "tracking_code": "", "tracking_url": "",
             "shipped_at": day + timedelta(days=1), "delivered_at": day + timedelta(days=2)}
            for order_id, day in zip(orders, days, strict=True)
        ],
    )  # fmt: skip
    invoice = await _sample(connection, InvoiceRow)
    await _add(
        connection,
        InvoiceRow,
        [
            {**invoice, "customer_id": customer, "order_id": order_id, "number": f"F{number}",
             "public_id": short_id(), "invoice_date": day.date()}
            for order_id, number, day in zip(orders, numbers, days, strict=True)
        ],
    )  # fmt: skip
    places = [
        (order_id, position) for order_id, size in zip(orders, sizes, strict=True) for position in range(1, size + 1)
    ]
    lines = await _add(
        connection,
        OrderLineRow,
        [{**line, "order_id": order_id, "position": position, "quantity": 1} for order_id, position in places],
    )
    # Half of the bikes are insured, one of seven has no package, one of ten has an open request.
    owned = await _add(
        connection,
        BikeRow,
        [
            {**bike, "customer_id": customer, "order_id": order_id, "order_line_id": line_id, "public_id": short_id(),
             "frame_number": f"NVH{bikes:04d}{place:05d}", "pin_code": None,
             "insurance": "theft" if place % 2 else "", "policy_number": f"P{place}" if place % 2 else "",
             "service_package": None if place % 7 == 2 else bike["service_package"]}
            for place, ((order_id, _), line_id) in enumerate(zip(places, lines, strict=True))
        ],
    )  # fmt: skip
    await _add(
        connection,
        InsuranceRequestRow,
        [
            {"reference": short_id(), "customer_id": customer, "bike_id": bike_id, "type": InsuranceType.THEFT,
             "status": InsuranceStatus.FINISHED, "waits_for_link": False, "document_id": "", "key_number": "",
             "iban": "", "policy_number": "", "note": "", "created_at": moment, "updated_at": moment}
            for place, bike_id in enumerate(owned)
            if place % 2
        ],
    )  # fmt: skip
    request = await _sample(connection, RequestRow)
    await _add(
        connection,
        RequestRow,
        [
            {**request, "reference": f"R{bikes:04d}{place:05d}", "customer_id": customer, "bike_id": bike_id,
             "kind": RequestKind.REPAIR, "created_at": moment - timedelta(hours=place),
             "status": WorkOrderStatus.DONE if place % 10 else WorkOrderStatus.IN_REPAIR}
            for place, bike_id in enumerate(owned)
            if place % 2 == 0
        ],
    )  # fmt: skip
    return customer


async def _fleet(application: Application, bikes: int) -> Fleet:
    async with application.context.database.transaction() as session:
        customer = await furnish(await session.connection(), bikes, now())
        row = await session.get(CustomerRow, customer)
        if row is None:
            raise RuntimeError("the company is gone")
        opened = await Sessions(application.context).open(session, customer, row.public_id, f"8{bikes:04d}0000")
        # Not insured, without a package, without an open request: every flow accepts it.
        query = text(
            "SELECT public_id FROM bikes WHERE customer_id = :customer AND insurance = '' AND service_package IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM requests WHERE bike_id = bikes.id AND status = 'in_repair')"
            " ORDER BY id LIMIT 1"
        )
        chosen = (await (await session.connection()).execute(query, {"customer": customer})).scalar_one()
    return Fleet(bikes, opened.jwt, chosen)


Call = Callable[[Fleet], Awaitable[Any]]


def operations(application: Application) -> dict[str, Call]:
    """The operations behind the pages of customers, by name."""
    ask = application.services.ask

    async def choose(fleet: Fleet, flow: str) -> Draft:
        """Begin a request and choose its bike."""
        draft = await ask(FlowApi).open_draft(fleet.token, DraftStart(flow=flow, anew=True))
        step = FLOWS[flow].address("bike")
        entry = StepEntry(step=step, answers={"bike": fleet.bike_id}, version=draft.version)
        saved = await ask(FlowApi).save_step(fleet.token, draft.draft_id, entry)
        await ask(FlowApi).discard_draft(fleet.token, saved.draft_id)
        return saved

    def flow_start(name: str) -> Call:
        return lambda fleet: ask(FlowApi).flow_start(fleet.token, name)

    def choosing(name: str) -> Call:
        return lambda fleet: choose(fleet, name)

    return {
        "dashboard": lambda fleet: ask(OverviewApi).dashboard(fleet.token),
        "bikes": lambda fleet: ask(BikesApi).bikes(fleet.token),
        "page of a bike": lambda fleet: ask(OverviewApi).bike_home(fleet.token, fleet.bike_id),
        "insurance: bikes": lambda fleet: ask(InsuranceApi).insurance_bikes(fleet.token),
        "insurance: premiums": lambda fleet: ask(InsuranceApi).insurance_options(fleet.token, fleet.bike_id),
        "service packages": lambda fleet: ask(ServicePackagesApi).service_packages(fleet.token, fleet.bike_id),
        "orders": lambda fleet: ask(OrdersApi).orders(fleet.token, 1),
        "invoices": lambda fleet: ask(OrdersApi).invoices(fleet.token, 1),
        "requests": lambda fleet: ask(WorkOrdersApi).service_requests(fleet.token, 1),
        **{f"{name}: intro": flow_start(name) for name in (*FLOWS, "return-request")},
        **{f"{name}: draft opened, bike saved": choosing(name) for name in FLOWS},
    }


async def _cost(call: Call, fleet: Fleet, calls: int) -> float:
    """Processor time of one call in milliseconds."""
    before = time.process_time()
    for _ in range(calls):
        await call(fleet)
    return (time.process_time() - before) / calls * 1000


async def growth(application: Application, fleets: Sequence[Fleet], rounds: int) -> list[Row]:
    """Processor time of each operation with the fewest bikes, and how often that with more bikes."""
    rows: list[Row] = []
    for name, call in operations(application).items():
        for fleet in fleets:
            await call(fleet)
        # Taken in turn; the best of each, as what disturbs a round only adds to it.
        best = [min(costs) for costs in zip(*[[await _cost(call, fleet, 5) for fleet in fleets] for _ in range(rounds)],
                                            strict=True)]  # fmt: skip
        rows.append(Row(f"{name}: {fleets[0].bikes} bikes", best[0], "ms"))
        for fleet, cost in zip(fleets[1:], best[1:], strict=True):
            budget = None if name in LONGER_PAGES else AT_MOST[fleet.bikes]
            rows.append(Row(f"{name}: {fleet.bikes:,} bikes", cost / best[0], "x", budget))
    return rows


async def beside(application: Application, others: Sequence[Fleet], worker: Fleet | None) -> float:
    """95th percentile of the dashboards of other customers in milliseconds, while a company works or nobody does.

    The company opens a page or saves a step every quarter of a second.
    """
    calls, working = list(operations(application).values()), True
    latencies: list[float] = []

    async def work(fleet: Fleet) -> None:
        turn = 0
        while working:
            await calls[turn % len(calls)](fleet)
            turn += 1
            await asyncio.sleep(0.25)

    async def load(fleet: Fleet, place: int) -> None:
        await asyncio.sleep(place / len(others) / 4)
        for _ in range(LOADS):
            started = time.perf_counter()
            await application.services.ask(OverviewApi).dashboard(fleet.token)
            latencies.append(time.perf_counter() - started)
            await asyncio.sleep(0.25)

    task = asyncio.create_task(work(worker)) if worker else None
    await asyncio.gather(*(load(fleet, place) for place, fleet in enumerate(others)))
    working = False
    if task:
        await task
    return percentile(latencies, 0.95) * 1000


async def measure(settings: Settings, rounds: int) -> list[Row]:
    """Add the companies to a demonstration shop and measure."""
    application = Application(settings)
    try:
        fleets = [await _fleet(application, bikes) for bikes in SIZES]
        rows = await growth(application, fleets, rounds)
        others, most = [fleets[0]] * OTHERS, fleets[-1]
        pairs = [(await beside(application, others, None), await beside(application, others, most)) for _ in range(3)]
        rows.append(Row("dashboards of others: p95", median([alone for alone, _ in pairs]), "ms"))
        ratio = median([together / alone for alone, together in pairs])
        rows.append(Row(f"the same while {most.bikes:,} bikes are worked on", ratio, "x", 2))
        return rows
    finally:
        await application.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print.

    Returns:
        0 if every budget is kept, else 1.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as folder:
        settings = Settings(data_dir=Path(folder))
        load_demo(settings)
        rows = asyncio.run(measure(settings, chosen.rounds))
    return report("growth", rows)


if __name__ == "__main__":
    sys.exit(main())
