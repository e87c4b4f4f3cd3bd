"""What a second worker carries: `python -m bench.workers --redis-url URL --database-url URL`.

Tabs load pages from the database as fast as they are answered, first from one worker, then from two, on the same shop
in the same run. The ratio means something only while two cores are free: the clients need part of one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

from bench.events import closed_loop, opened, steps
from bench.harness import Login, Portal, Row, log_in, median, report, running

_TABS = 100
_SECONDS = 4.0
_REST_SECONDS = 4.0
"""Between two loops, because the guard allows 20 events a second for one socket after 60 at once."""


async def page_loads(portal: Portal, login: Login, rounds: int) -> float:
    """Pages loaded a second."""
    _, orders, bikes = steps()
    tabs = await opened(portal, login, 0, _TABS)
    await closed_loop(tabs, (orders, bikes), 1)
    rates = []
    for _ in range(rounds):
        await asyncio.sleep(_REST_SECONDS)
        rates.append((await closed_loop(tabs, (orders, bikes), _SECONDS))[0])
    await asyncio.gather(*(tab.close() for tab in tabs))
    return median(rates)


def main() -> int:
    """Measure and report.

    Returns:
        0 when the budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--redis-url", required=True)
    options.add_argument("--database-url", required=True, help="an empty PostgreSQL database")
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    shared = {
        "PORTAL_REDIS_URL": chosen.redis_url,
        "PORTAL_DATABASE_URL": chosen.database_url,
        "PORTAL_CODE_WAIT_SECONDS": "0",
    }
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for workers in (1, 2):
            with running(shop=Path(folder), **shared, PORTAL_WORKERS=str(workers)) as portal:
                login = log_in(portal, "900000009", "max@example.com")
                rates[workers] = asyncio.run(page_loads(portal, login, chosen.rounds))
    return report(
        f"workers (load of the machine {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores)",
        [
            Row("page loads of one worker", rates[1], "1/s"),
            Row("page loads of two workers", rates[2], "1/s"),
            Row("two workers / one", rates[2] / rates[1], "x", 1.7, at_least=True),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
