"""How long looking for a service location takes on the server.

    python -m bench.locations

Every postcode and every city of the partners' countries is searched around, with the partners of the demonstration
and with a hundred times as many; then through the services, database and session included.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from sqlmodel import select

from portal.backend.sessions import Sessions
from portal.demo.partners import partners
from portal.demo.plans import Days
from portal.kernel.address import Country
from portal.locations.api import LocationsApi, LocationSearch
from portal.locations.provider import workshop
from portal.locations.rules import locations, place_tables, places
from portal.locations.rules.locations import Workshop
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import CustomerRow
from portal.vocabulary.locations import LocationOrder

DAY = date(2026, 5, 1)
LIMIT_MS = 20.0
SEARCHES = 300


def main() -> None:
    """Print a line for each measurement."""
    place_tables.table.cache_clear()
    _told("load both tables", [_timed(places.load)], 150)
    texts = [f"{2000 + number * 17 % 7900}" for number in range(SEARCHES)] + ["Luik", "Den Bosch", "Bergen"] * 100
    _told("find a place", [_timed(lambda text=text: places.find(text, Country.NL)) for text in texts], 1)
    few = [dataclasses.replace(workshop(row), key=key) for key, row in enumerate(partners(Days(DAY)).values())]
    many = [dataclasses.replace(entry, key=key) for key, entry in enumerate(few * 100)]
    for known in (few, many):
        _told(f"find, measure and rank {len(known)} partners", _searches(known, texts[:SEARCHES]), LIMIT_MS)
    asyncio.run(_through_the_services())


def _searches(known: list[Workshop], texts: list[str]) -> list[float]:
    def search(text: str) -> None:
        place = places.find(text, Country.NL)
        if place:
            area = locations.box(place.point, 50)
            near = [
                entry
                for entry in known
                if area.south <= entry.point[0] <= area.north and area.west <= entry.point[1] <= area.east
            ]
            locations.ranked(locations.within(near, place.point, 50), LocationOrder.RECOMMENDED, DAY)

    return [_timed(lambda text=text: search(text)) for text in texts]


async def _through_the_services() -> None:
    with tempfile.TemporaryDirectory() as folder:
        options = Settings(data_dir=Path(folder))
        await asyncio.to_thread(Application.prepare, options)
        application = Application(options)
        try:
            async with application.context.database.transaction() as session:
                customer = (await session.exec(select(CustomerRow).limit(1))).one()
                opened = await Sessions(application.context).open(session, customer.id, customer.public_id, "900000001")
            times, started_cpu = [], time.process_time()
            for _ in range(SEARCHES):
                text = random.choice(["3511 LX", "Luik", "1011", "Den Bosch", "9000", "Eindhoven"])
                search = LocationSearch(text=text, country_code="NL", distance_km=random.choice(locations.DISTANCES))
                started = time.perf_counter()
                await application.services.ask(LocationsApi).service_locations(opened.jwt, search)
                times.append((time.perf_counter() - started) * 1000)
            busy = (time.process_time() - started_cpu) * 1000 / SEARCHES
            print(f"{'service_locations, processor time':55} mean   {busy:7.3f} ms")
            _told("service_locations, session and database included", times, LIMIT_MS)
        finally:
            await application.context.database.close()


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def _told(name: str, times: list[float], limit: float) -> None:
    worst = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    state = "ok" if worst <= limit else "TOO SLOW"
    print(f"{name:55} median {statistics.median(times):7.3f} ms  p95 {worst:7.3f} ms  limit {limit:g} ms  {state}")


if __name__ == "__main__":
    main()
