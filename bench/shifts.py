"""How far pages move while they load: `python -m bench.shifts`.

Every page of customers is opened by a browser that has never been here, on a phone and on a wide screen, behind a line
with a round trip of 50 ms and with the processor slowed four times. What counts is the cumulative layout shift
(web.dev/cls), until the page has its data and its font.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from playwright.async_api import Browser, Error, async_playwright

from bench.harness import Login, Portal, Row, logged_in_behind, report
from bench.link import opened
from bench.next import furnish
from bench.pages import CHROMIUM, FIFTY, FLAGS, SLOWDOWN, visitor
from portal.flow.journey import FLOWS
from portal.portal import _all
from portal.ui.page import sample_path

WIDTHS = (375, 1280)
MOST = 20

SHIFTS = """() => {
    let worst = 0, sum = 0, first = 0, last = 0;
    new PerformanceObserver((list) => {
        for (const { startTime, value, hadRecentInput } of list.getEntries()) {
            if (hadRecentInput) continue;
            const goesOn = sum && startTime - last < 1000 && startTime - first < 5000;
            [sum, first, last] = goesOn ? [sum + value, first, startTime] : [value, startTime, startTime];
            worst = Math.max(worst, sum);
        }
        window.__shift = worst;
    }).observe({ type: 'layout-shift', buffered: true });
}"""
"""Keeps the largest sum of shifts that follow each other."""


async def shift(browser: Browser, address: str, path: str, width: int, login: Login | None) -> float:
    """The cumulative layout shift of a first visit."""
    async with visitor(browser, address, login, SLOWDOWN) as (_, page):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.add_init_script(f"({SHIFTS})()")
        await page.goto(address + path, wait_until="networkidle")
        await page.wait_for_function("() => window.localStorage.font")
        await page.wait_for_timeout(600)
        try:
            return float(await page.evaluate("() => window.__shift ?? 0"))
        except Error:  # the page has led on to another one
            await page.wait_for_timeout(600)
            return float(await page.evaluate("() => window.__shift ?? 0"))


def paths() -> list[str]:
    """Pages with an address of their own, and the first steps of flows."""
    steps = {flow.url(step).strip("/") for flow in FLOWS.values() for step in flow.all_steps[2:]}
    return [sample_path(page.route) for page in _all if "[" not in page.route and page.route not in steps]


async def measure(portal: Portal, port: int, login: Login, chosen: list[str]) -> list[Row]:
    """The worst pages of each width."""
    address = f"http://localhost:{port}"
    await furnish(portal, login)
    rows = []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        async with opened(FIFTY, port, portal.port):
            for width in WIDTHS:
                found = [(await shift(browser, address, path, width, login), path) for path in chosen]
                found.sort(reverse=True)
                rows += [
                    Row(f"{path} at {width} px: layout shift", 1000 * value, "/ 1000", MOST)
                    for value, path in found[:6]
                ]
        await browser.close()
    return rows


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("paths", nargs="*", help="pages to open; all by default")
    chosen = options.parse_args()
    with logged_in_behind("900000001", "sanne@example.com") as (portal, port, login):
        rows = asyncio.run(measure(portal, port, login, chosen.paths or paths()))
    return report("shifts", rows)


if __name__ == "__main__":
    sys.exit(main())
