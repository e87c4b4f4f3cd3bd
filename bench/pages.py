"""What a customer waits for: `python -m bench.pages`.

Cold loads over a shaped line (150 ms round trip, 1.6 Mbit/s, TCP slow start) with the processor slowed four times,
navigation between visited pages at 50 ms, and the time from a key to its letter in a browser that does not wait for the
next frame of a screen.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from bench.events import percentile
from bench.harness import Login, Portal, Row, logged_in_behind, median, report
from bench.link import DIRECT, SLOW_4G, Line, opened

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNPACED = [*FLAGS, "--disable-frame-rate-limit", "--disable-gpu-vsync"]
"""Of a browser that shows a frame as soon as it is drawn. At 60 frames a second a key waits up to 16.7 ms for the next
one, whatever the page does: that is the screen of the customer."""
SLOWDOWN = 4
ROWS = "main a[href^='/orders/']"
BIKES = "main a[href^='/bikes/']"
TILES = "main h3 a"
FIFTY = Line("50 ms", 0.050)
_KEYS = 100
_ONE_FIELD = "<!doctype html><title>One field</title><input name=email>"

PAINTED = """(selector) => new Promise((done) => {
    const seen = () => document.querySelector(selector)
        && requestAnimationFrame(() => setTimeout(() => done(performance.now())));
    if (!seen()) new MutationObserver((_, watch) => seen() && watch.disconnect())
        .observe(document, { childList: true, subtree: true });
})"""
"""Resolves with the milliseconds since navigation at which the selected element has been painted."""

FIRST_PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) done(paint.startTime);
}).observe({ type: 'paint', buffered: true }))"""
"""Resolves with the milliseconds until the first paint; the browser reports it a moment after it has happened."""


TRANSFERRED = """(kind) => [...new Map(['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
    .filter(entry => entry.name.match(kind) && !/\\.woff2$|\\/(_event|pictures|drawings|map)\\b/.test(entry.name))
    .map(entry => [entry.name, entry.encodedBodySize])).values()].reduce((sum, size) => sum + size, 0)"""
"""Returns the bytes of what a page loaded whose address matches, compressed as served.

Fonts and what the socket carries are not of the page; pictures and the map have limits of their own. A file that is
preloaded and then read from the cache is listed twice and counts once.
"""


@asynccontextmanager
async def visitor(
    browser: Browser, address: str, login: Login | None, slowdown: int = 1
) -> AsyncIterator[tuple[BrowserContext, Page]]:
    """A browser that has never been here, logged in or not."""
    context = await browser.new_context(viewport={"width": 375, "height": 720}, locale="nl-NL")
    if login:
        await context.add_cookies(
            [{"name": name, "value": value, "url": address} for name, value in login.cookies.items()]
        )
    page = await context.new_page()
    if slowdown > 1:
        session = await context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    try:
        yield context, page
    finally:
        await context.close()


async def cold(
    browser: Browser, address: str, path: str, selector: str, login: Login | None, slowdown: int = SLOWDOWN
) -> tuple[float, float]:
    """First visit of a page on a slow machine; returns ms until the selector and until the first paint."""
    async with visitor(browser, address, login, slowdown) as (_, page):
        await page.add_init_script(f"window.__painted = ({PAINTED})({selector!r})")
        await page.goto(address + path, wait_until="commit")
        painted = await page.evaluate("() => window.__painted")
        first = await page.evaluate(FIRST_PAINT)
        return float(painted), float(first)


async def transferred(
    browser: Browser, address: str, path: str, selector: str, login: Login | None
) -> tuple[float, float]:
    """Kilobytes (1000) of a first visit: everything, and the scripts alone (`TRANSFERRED`)."""
    async with visitor(browser, address, login) as (_, page):
        await page.goto(address + path, wait_until="networkidle")
        await page.wait_for_selector(selector)
        everything, scripts = [await page.evaluate(TRANSFERRED, kind) for kind in (".", r"\.js$")]
        return everything / 1000, scripts / 1000


async def navigation(browser: Browser, address: str, login: Login, visits: int) -> float:
    """Median ms from clicking a menu link to the painted page, between two pages that were visited before."""
    async with visitor(browser, address, login) as (_, page):
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.goto(address + "/orders")
        await page.wait_for_selector(ROWS)
        times: list[float] = []
        for turn in range(visits * 2 + 2):
            path, selector = (("/bikes", BIKES), ("/orders", ROWS))[turn % 2]
            ms = await page.evaluate(
                """([path, selector]) => new Promise((done) => {
                    const started = performance.now();
                    document.querySelector(`header a[href='${path}']`).click();
                    const look = () => document.querySelector(selector)
                        ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)))
                        : requestAnimationFrame(look);
                    requestAnimationFrame(look);
                })""",
                [path, selector],
            )
            if turn >= 2:
                times.append(float(ms))
            await page.wait_for_timeout(150)
        return median(times)


async def keystroke(browser: Browser, address: str, keys: int, content: str = "") -> list[float]:
    """Milliseconds from each key to its letter painted, in the e-mail field of the login, or of another page."""
    async with visitor(browser, address, None) as (_, page):
        await page.goto(address + ("/ping" if content else "/"))
        if content:
            await page.set_content(content)
        field = page.locator("input[name=email]")
        await field.click()
        await page.wait_for_timeout(4000)  # What the page loads ahead has come.
        await page.evaluate(
            """() => {
                window.__keys = [];
                const note = (pressed) => window.__keys.push(performance.now() - pressed);
                document.querySelector('input[name=email]').addEventListener('input', (event) =>
                    requestAnimationFrame(() => setTimeout(() => note(event.timeStamp))));
            }"""
        )
        for _ in range(keys):
            await page.keyboard.press("a")
            await page.wait_for_timeout(40)
        return [float(ms) for ms in await page.evaluate("() => window.__keys")]


async def measure(portal: Portal, port: int, login: Login, rounds: int) -> list[Row]:
    """Take all figures; `port` is where the browser goes, through the shaped line."""
    address = f"http://localhost:{port}"
    rows: list[Row] = []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, path, selector, who, budget, bytes_budget in (
            ("login", "/", "form input[name=email]", None, None, 159),
            ("dashboard", "/dashboard", TILES, login, None, 170),
            ("orders", "/orders", ROWS, login, 1900, 170),
        ):
            async with opened(DIRECT, port, portal.port):
                size, scripts = await transferred(browser, address, path, selector, who)
            async with opened(SLOW_4G, port, portal.port):
                loads = [await cold(browser, address, path, selector, who) for _ in range(rounds)]
            rows += [
                Row(f"{name}: bytes of a first visit", size, "kB", bytes_budget),
                Row(f"{name}: scripts of a first visit", scripts, "kB"),
                Row(f"{name}: first paint, {SLOW_4G.name}, {SLOWDOWN}x", median([first for _, first in loads]), "ms"),
                Row(
                    f"{name}: content painted, {SLOW_4G.name}, {SLOWDOWN}x",
                    median([ms for ms, _ in loads]),
                    "ms",
                    budget,
                ),
            ]
        async with opened(FIFTY, port, portal.port):
            rows.append(
                Row("navigation between visited pages, 50 ms", await navigation(browser, address, login, 8), "ms", 100)
            )
        unpaced = await driver.chromium.launch(executable_path=CHROMIUM, args=UNPACED)
        async with opened(FIFTY, port, portal.port):
            times = await keystroke(unpaced, address, _KEYS)
            bare = await keystroke(unpaced, address, _KEYS, _ONE_FIELD)
        await unpaced.close()
        rows += [
            Row("key to letter: p50", median(times), "ms"),
            Row("key to letter: p95", percentile(times, 0.95), "ms", 8),
            Row("key to letter: p95 in a page that has nothing but the field", percentile(bare, 0.95), "ms"),
        ]
        await browser.close()
    return rows


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    with logged_in_behind("900000009", "max@example.com") as (portal, port, login):
        rows = asyncio.run(measure(portal, port, login, chosen.rounds))
    return report("pages", rows)


if __name__ == "__main__":
    sys.exit(main())
