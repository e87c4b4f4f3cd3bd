"""What drawing documents in the server gains and costs: `python -m bench.drawing`.

Two portals serve the same build, one of them with `PORTAL_DRAWN=false`. The same pages are loaded in turn, each by a
browser that has never been here, over a slow line and with the processor slowed four times.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass

import httpx
from playwright.async_api import Browser, async_playwright

from bench.harness import Login, Portal, Row, free_port, log_in, median, report, running
from bench.link import SLOW_4G, opened
from bench.next import furnish
from bench.pages import CHROMIUM, FLAGS, ROWS, SLOWDOWN, TILES, cold
from portal.work_orders.flow.repair import MAINTENANCE, REPAIR

STEP = REPAIR.url(MAINTENANCE)
PAGES = (
    ("orders", "/orders", ROWS),
    ("dashboard", "/dashboard", TILES),
    ("step with its draft", STEP, "main form input[type=radio]"),
)


@dataclass(frozen=True, slots=True)
class Served:
    """A portal behind a line.

    Attributes:
        portal: the portal.
        port: where a browser goes.
        login: a customer with many orders.
        drafting: a customer who has begun a repair.
    """

    portal: Portal
    port: int
    login: Login
    drafting: Login


async def loads(
    browser: Browser, portals: list[Served], path: str, selector: str, rounds: int
) -> list[list[tuple[float, float]]]:
    """Load a page from each portal in turn; milliseconds until it is painted and until the first paint, by portal."""
    taken: list[list[tuple[float, float]]] = [[] for _ in portals]
    for turn in range(rounds):
        for index in (range(len(portals)), reversed(range(len(portals))))[turn % 2]:
            served = portals[index]
            login = served.drafting if path == STEP else served.login
            async with opened(SLOW_4G, served.port, served.portal.port):
                taken[index].append(await cold(browser, f"http://localhost:{served.port}", path, selector, login))
    return taken


async def measure(portals: list[Served], rounds: int) -> list[Row]:
    """All figures; the first portal draws, the second does not."""
    rows: list[Row] = []
    for served in portals:
        await furnish(served.portal, served.drafting)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, path, selector in PAGES:
            drawn, built = await loads(browser, portals, path, selector, rounds)
            pairs = list(zip(drawn, built, strict=True))
            rows += [
                Row(f"{name}: painted, drawn, {SLOW_4G.name}, {SLOWDOWN}x", median([ms for ms, _ in drawn]), "ms"),
                Row(f"{name}: painted, as built", median([ms for ms, _ in built]), "ms"),
                Row(f"{name}: painted, drawn / as built", median([a[0] / b[0] for a, b in pairs]), "x", 0.7),
                Row(f"{name}: first paint, drawn / as built", median([a[1] / b[1] for a, b in pairs]), "x"),
            ]
        await browser.close()
    async with httpx.AsyncClient(base_url=portals[0].portal.address) as client:
        counts = (await client.get("/ready")).json()["drawing"]["documents"]
    rows.append(Row("documents that were drawn", 100 * counts.get("drawn", 0) / sum(counts.values()), "%"))
    return rows


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    ports = free_port(), free_port()
    public = [f"http://localhost:{port}" for port in ports]
    with (
        running(PORTAL_PUBLIC_URL=public[0]) as drawn,
        running(PORTAL_PUBLIC_URL=public[1], PORTAL_DRAWN="false") as built,
    ):
        portals = [
            Served(
                portal,
                port,
                log_in(portal, "900000009", "max@example.com", origin=origin),
                log_in(portal, "900000001", "sanne@example.com", origin=origin),
            )
            for portal, port, origin in zip((drawn, built), ports, public, strict=True)
        ]
        rows = asyncio.run(measure(portals, chosen.rounds))
    return report("drawing", rows)


if __name__ == "__main__":
    sys.exit(main())
