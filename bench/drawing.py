"""What drawing documents in the server gains and costs: `python -m bench.drawing`.

Two portals serve the same build, one of them with `PORTAL_DRAWN=false`. The same pages are loaded in turn, each by a
browser that has never been here, over a slow line and with the processor slowed four times. Then as many documents as
possible are asked for, eight at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

import httpx
from playwright.async_api import Browser, async_playwright

from bench.harness import Login, Portal, Row, free_port, log_in, median, report, running
from bench.link import SLOW_4G, opened
from bench.next import furnish
from bench.pages import CHROMIUM, FLAGS, ROWS, SLOWDOWN, TILES, cold
from portal.work_orders.flow.repair import MAINTENANCE, REPAIR

AT_ONCE = 8
PAGES = (
    ("orders", "/orders", ROWS),
    ("dashboard", "/dashboard", TILES),
    ("step with its draft", REPAIR.url(MAINTENANCE), "main form input[type=radio]"),
)


async def loads(
    browser: Browser, portals: list[tuple[Portal, int, Login]], path: str, selector: str, rounds: int
) -> list[list[tuple[float, float]]]:
    """Load a page from each portal in turn; milliseconds until it is painted and until the first paint, by portal."""
    taken: list[list[tuple[float, float]]] = [[] for _ in portals]
    for turn in range(rounds):
        for index in (range(len(portals)), reversed(range(len(portals))))[turn % 2]:
            portal, port, login = portals[index]
            async with opened(SLOW_4G, port, portal.port):
                taken[index].append(await cold(browser, f"http://localhost:{port}", path, selector, login))
    return taken


async def documents(portal: Portal, login: Login, seconds: float) -> float:
    """Documents of the orders a second, with as many requests at once as `AT_ONCE`."""
    until, served = time.monotonic() + seconds, 0

    async def visit(client: httpx.AsyncClient) -> None:
        nonlocal served
        while time.monotonic() < until:
            (await client.get("/orders")).raise_for_status()
            served += 1

    async with httpx.AsyncClient(base_url=portal.address, cookies=login.cookies, timeout=30) as client:
        await asyncio.gather(*(visit(client) for _ in range(AT_ONCE)))
    return served / seconds


async def measure(portals: list[tuple[Portal, int, Login]], rounds: int) -> list[Row]:
    """All figures; the first portal draws, the second does not."""
    rows: list[Row] = []
    await asyncio.gather(*(furnish(portal, login) for portal, _, login in portals))
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
    for name, (portal, _, login) in zip(("drawn", "as built"), portals, strict=True):
        rows.append(Row(f"documents of the orders a second, {name}", await documents(portal, login, 5), "1/s"))
    (portal, *_), *_ = portals
    async with httpx.AsyncClient(base_url=portal.address) as client:
        counts = (await client.get("/ready")).json()["drawing"]["documents"]
    served = sum(counts.values())
    rows.append(Row("documents that were drawn", 100 * counts.get("drawn", 0) / served, "%"))
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
            (portal, port, log_in(portal, "900000009", "max@example.com", origin=origin))
            for portal, port, origin in zip((drawn, built), ports, public, strict=True)
        ]
        rows = asyncio.run(measure(portals, chosen.rounds))
    return report("drawing", rows)


if __name__ == "__main__":
    sys.exit(main())
