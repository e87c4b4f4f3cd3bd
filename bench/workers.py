"""What a second worker carries: `python -m bench.workers --redis-url URL --database-url URL`.

Tabs load pages from the database as fast as they are answered, first from one worker, then from two, on the same shop
in the same run. The clients, PostgreSQL and Redis run on the same machine, so on two cores the rate says what they
leave to the workers. What the workers carry is therefore told by their processor time: a worker that has a core for
itself answers as many page loads a second as fit into a second of its processor time, and with two the busier one is
full first. So the ratio counts what sharing costs, and tabs that are not spread evenly.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.events import closed_loop, opened, steps
from bench.harness import Login, Portal, Row, log_in, median, report, running

_SECONDS = 4.0
_REST_SECONDS = 4.0
"""Between two loops, because the guard allows 20 events a second for one socket after 60 at once."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What the workers of one portal answered, the median of some rounds.

    Attributes:
        rate: page loads a second, beside the clients and the databases.
        milliseconds: processor time of all workers for one page load.
        capacity: page loads for a second of processor time of the busiest worker.
        share: of the work that the busiest worker did.
    """

    rate: float
    milliseconds: float
    capacity: float
    share: float


def workers_of(portal: Portal) -> list[int]:
    """Process ids of the workers: each has the process beside it that draws documents, which answers no page load."""
    children = Path(f"/proc/{portal.pid}/task/{portal.pid}/children").read_text().split()
    return [int(child) for child in children]


def processor_seconds(process: int) -> float:
    """Processor time that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def page_loads(portal: Portal, login: Login, *, rounds: int, tab_count: int, worker_count: int) -> Carried:
    """Load pages in closed loops.

    Args:
        portal: to load them from.
        login: of the customer.
        rounds: closed loops.
        tab_count: open tabs.
        worker_count: workers that the portal has.

    Raises:
        RuntimeError: the portal does not have this number of workers.
    """
    _, orders, bikes = steps()
    workers = workers_of(portal)
    if len(workers) != worker_count:
        raise RuntimeError(f"{len(workers)} workers instead of {worker_count}")
    tabs = await opened(portal, login, 0, tab_count)
    await closed_loop(tabs, (orders, bikes), 1)
    found: list[Carried] = []
    for _ in range(rounds):
        await asyncio.sleep(_REST_SECONDS)
        before = [processor_seconds(worker) for worker in workers]
        rate, latencies = await closed_loop(tabs, (orders, bikes), _SECONDS)
        used = [processor_seconds(worker) - then for worker, then in zip(workers, before, strict=True)]
        loads, all_used, most = len(latencies), sum(used), max(used)
        found.append(Carried(rate, all_used / loads * 1000, loads / most, most / all_used))
    await asyncio.gather(*(tab.close() for tab in tabs))
    return Carried(
        median([round.rate for round in found]),
        median([round.milliseconds for round in found]),
        median([round.capacity for round in found]),
        median([round.share for round in found]),
    )


def main() -> int:
    """Measure and report.

    Returns:
        0 when the budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--redis-url", required=True)
    options.add_argument("--database-url", required=True, help="an empty PostgreSQL database")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--tabs", type=int, default=100, help="fewer where other work slows the machine down")
    chosen = options.parse_args()
    shared = {
        "PORTAL_REDIS_URL": chosen.redis_url,
        "PORTAL_DATABASE_URL": chosen.database_url,
        "PORTAL_CODE_WAIT_SECONDS": "0",
    }
    carried = {}
    with tempfile.TemporaryDirectory() as folder:
        for workers in (1, 2):
            with running(shop=Path(folder), **shared, PORTAL_WORKERS=str(workers)) as portal:
                login = log_in(portal, "900000009", "max@example.com")
                carried[workers] = asyncio.run(
                    page_loads(portal, login, rounds=chosen.rounds, tab_count=chosen.tabs, worker_count=workers)
                )
    one, two = carried[1], carried[2]
    return report(
        f"workers (load of the machine {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores)",
        [
            Row("processor time of a page load, one worker", one.milliseconds, "ms"),
            Row("processor time of a page load, two workers", two.milliseconds, "ms"),
            Row("page loads for a second of the worker", one.capacity, "1/s"),
            Row("page loads for a second of the busier of two", two.capacity, "1/s"),
            Row("share of the busier of two", two.share * 100, "%"),
            Row("two workers / one, by processor time", two.capacity / one.capacity, "x", 1.7, at_least=True),
            Row("page loads of one worker beside the clients", one.rate, "1/s"),
            Row("page loads of two workers beside the clients", two.rate, "1/s"),
            Row("two workers / one beside the clients", two.rate / one.rate, "x"),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
