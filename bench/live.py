"""What pages that change by themselves cost: `python -m bench.live`.

500 tabs show the service requests of their customers and wait. Measured are the processor time of the server while
nothing happens, with and without them watching, and how long a change of another process takes to reach a tab.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.events import HYDRATE, Tab, family_of, worker_memory
from bench.harness import ROOT, Login, Portal, Row, log_in, median, report, running

PAGE, QUIET_PAGE = "/maintenance", "/contact"


class WatchingTab(Tab):
    """A tab on a page; counts what reaches it."""

    def __init__(self, portal: Portal, login: Login, number: int, path: str) -> None:
        super().__init__(portal, login, number)
        self._path = path
        self.updates: list[dict[str, Any]] = []

    async def _on_event(self, update: dict[str, Any]) -> None:
        await super()._on_event(update)
        self.updates.append(update.get("delta") or {})

    async def _emit(self, name: str, path: str, payload: dict[str, Any]) -> None:
        await super()._emit(name, self._path if name == HYDRATE else path, payload)


def processor_seconds(portal: Portal) -> float:
    """Processor time of the server's processes so far."""
    ticks = 0
    for pid in family_of(portal.pid):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def opened(portal: Portal, login: Login, first: int, count: int, path: str) -> list[WatchingTab]:
    """Open tabs on a page."""
    tabs = [WatchingTab(portal, login, first + place, path) for place in range(count)]
    for start in range(0, count, 25):
        await asyncio.gather(*[tab.open() for tab in tabs[start : start + 25]])
    return tabs


async def share_of_a_core(portal: Portal, seconds: float) -> float:
    """Processor time a second while nothing happens, in percent of one core."""
    before, started = processor_seconds(portal), time.monotonic()
    await asyncio.sleep(seconds)
    return (processor_seconds(portal) - before) / (time.monotonic() - started) * 100


async def moved(portal: Portal, reference: str, status: str) -> float:
    """Move a work order by command line; the moment that its history has for it, which lies before the commit."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "portal.provider", "work-order", reference, status,
        cwd=ROOT, env={**os.environ, "PORTAL_DATA_DIR": str(portal.data_dir)}, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    if await process.wait():
        raise RuntimeError("the work order was not moved")
    with sqlite3.connect(portal.data_dir / "portal.db") as connection:
        query = "SELECT status, happened_at FROM work_order_events ORDER BY id DESC LIMIT 1"
        [(kept, moment)] = connection.execute(query).fetchall()
    if kept != status:
        raise RuntimeError("the work order was not moved")
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()


async def latencies(portal: Portal, tab: WatchingTab, reference: str) -> list[float]:
    """Seconds from the move to the update of the page."""
    found = []
    for status in ("wait_for_parts", "repair_continued", "wait_for_parts", "repair_continued", "wait_for_customer"):
        tab.updates.clear()
        reached: list[float] = []

        async def arrival(status: str = status, reached: list[float] = reached) -> None:
            while not any(status in repr(update) for update in tab.updates):
                await asyncio.sleep(0.005)
            reached.append(time.time())

        waiting = asyncio.create_task(arrival())
        done = await moved(portal, reference, status)
        await asyncio.wait_for(waiting, 10)
        found.append(reached[0] - done)
    return found


async def measure(portal: Portal, many: Login, one: Login, tabs: int, seconds: float) -> list[Row]:
    """Take all figures."""
    with sqlite3.connect(portal.data_dir / "portal.db") as connection:
        [(reference,)] = connection.execute("SELECT reference FROM requests WHERE status = 'in_repair'").fetchall()
    quiet = await opened(portal, many, 0, tabs, QUIET_PAGE)
    await asyncio.sleep(3)
    without = await share_of_a_core(portal, seconds)
    for tab in quiet:
        await tab.close()
    await asyncio.sleep(2)
    before = worker_memory(portal)
    watching = await opened(portal, many, 10_000, tabs - 1, PAGE)
    [watched] = await opened(portal, one, 20_000, 1, PAGE)
    if not all(tab.signed_in for tab in [*watching, watched]):
        raise RuntimeError("not every tab was logged in; the figures would be those of refusals")
    await asyncio.sleep(5)
    memory = worker_memory(portal) - before
    with_them = await share_of_a_core(portal, seconds)
    waits = await latencies(portal, watched, reference)
    for tab in [*watching, watched]:
        await tab.close()
    await asyncio.sleep(3)
    after = await share_of_a_core(portal, 5)
    return [
        Row(f"{tabs} tabs that do not watch: share of one core", without, "%"),
        Row(f"{tabs} tabs that watch: share of one core", with_them, "%", 15),
        Row("the same, memory more than before", memory, "MiB"),
        Row("change by command line to page: median", median(waits) * 1000, "ms"),
        Row("change by command line to page: longest", max(waits) * 1000, "ms", 2000),
        Row("when all tabs are closed: share of one core", after, "%"),
    ]


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--tabs", type=int, default=500)
    options.add_argument("--seconds", type=float, default=40)
    chosen = options.parse_args()
    with running():
        pass  # compiles the pages when they are not there yet
    # All tabs come from one address, and most of them from one session.
    room = str(chosen.tabs + 100)
    with running(PORTAL_SOCKETS_PER_ADDRESS=room, PORTAL_SOCKETS_PER_SESSION=room) as portal:
        many = log_in(portal, "900000009", "max@example.com")
        one = log_in(portal, "900000002", "joris@example.com")
        rows = asyncio.run(measure(portal, many, one, chosen.tabs, chosen.seconds))
    return report("live", rows)


if __name__ == "__main__":
    sys.exit(main())
