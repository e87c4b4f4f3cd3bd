"""What a customer waits for after Next: `python -m bench.next`.

The browser changes an answer and presses Next at three round trips, until the next step is painted; the answers are
saved as always. The first press is counted by itself, because the browser then runs the script of the next step for the
first time.

Browser and server share the cores here, as they do not at a customer. So the processor time of the page's own thread is
told as well: what the browser works for a press, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass

import httpx
from playwright.async_api import Browser, BrowserContext, CDPSession, Page, async_playwright

from bench.events import percentile
from bench.harness import Login, Portal, Row, logged_in_behind, median, report
from bench.link import DIRECT, Line, opened
from bench.pages import CHROMIUM, FIFTY, FLAGS, visitor
from portal.work_orders.flow.repair import BIKE_STEP, DAMAGE, MAINTENANCE, REPAIR

LINES = (DIRECT, FIFTY, Line("150 ms", 0.150))
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid uit de trapas, vooral bij regen."

_GOES = """([from, to, text]) => new Promise((done) => {
    const heading = () => document.querySelector("main h1")?.textContent;
    const before = heading();
    if (text) {
        const field = document.querySelector("#details_chain");
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const started = performance.now();
    from ? document.querySelector(from).click() : history.back();
    // Asked before each paint; what was there by then is painted when the timer runs.
    const look = () => location.pathname === to && heading() && heading() !== before
        ? setTimeout(() => done(performance.now() - started))
        : requestAnimationFrame(look);
    requestAnimationFrame(look);
})"""
"""Changes a text, if one is given, and clicks an element, or goes back; resolves with the milliseconds until the page
at another path is painted."""

_NEXT = "main form button[type=submit]"

_PAUSE = 500
"""Milliseconds before a press."""


@dataclass(frozen=True, slots=True)
class Press:
    """One press, in milliseconds.

    Attributes:
        painted: until the next step is painted.
        worked: processor time of the page's thread until then.
    """

    painted: float
    worked: float


async def _worked(session: CDPSession) -> float:
    """Milliseconds of processor time that the page's thread has used for tasks."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration") * 1000


async def furnish(portal: Portal, login: Login) -> None:
    """Begin a repair and answer its first two questions."""
    token = next(value for name, value in login.cookies.items() if name.endswith("session"))
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=portal.address, headers=headers, timeout=30) as api:
        draft = (await api.post("/mijn-fw/v2/drafts", json={"flow": REPAIR.name})).json()["data"]
        bike = next(entry["id"] for entry in draft["facts"]["bikes"] if not entry["pin"])
        for step, answers in (
            (BIKE_STEP, {"bike": bike}),
            (DAMAGE, {"parts": ["chain"], "details_chain": TEXT}),
        ):
            body = {"step": REPAIR.address(step), "answers": answers, "version": draft["version"]}
            answer = await api.put(f"/mijn-fw/v2/drafts/{draft['draft_id']}/step", json=body)
            draft = answer.raise_for_status().json()["data"]


async def unchanged(page: Page, address: str, count: int, pause: int = 400) -> list[float]:
    """Press Next in a step that is answered already, and go back again; milliseconds of each press.

    Args:
        page: a tab.
        address: of an app with this step: the portal or one of its peers.
        count: presses.
        pause: milliseconds before a press.
    """
    damage, maintenance = REPAIR.url(DAMAGE), REPAIR.url(MAINTENANCE)
    await page.goto(address + damage)
    await page.wait_for_selector(f"{_NEXT}:not([disabled])")
    await page.wait_for_timeout(1500)
    times = []
    for _ in range(count):
        times.append(float(await page.evaluate(_GOES, [_NEXT, maintenance, ""])))
        await page.wait_for_timeout(pause)
        await page.evaluate(_GOES, ["", damage, ""])
        await page.wait_for_timeout(pause)
    return times


async def presses(context: BrowserContext, page: Page, address: str, count: int, pause: int) -> list[Press]:
    """Change an answer, press Next and go back again.

    Args:
        context: the browser of the tab.
        page: a tab.
        address: of the portal.
        count: presses.
        pause: milliseconds before a press.
    """
    session = await context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    damage, maintenance = REPAIR.url(DAMAGE), REPAIR.url(MAINTENANCE)
    await page.goto(address + damage)
    await page.wait_for_selector(f"{_NEXT}:not([disabled])")
    await page.wait_for_timeout(1500 + pause)
    found: list[Press] = []
    for number in range(count):
        before = await _worked(session)
        painted = float(await page.evaluate(_GOES, [_NEXT, maintenance, f"{TEXT} {address} {number}"]))
        found.append(Press(painted, await _worked(session) - before))
        await page.wait_for_timeout(pause)
        await page.evaluate(_GOES, ["", damage, ""])
        await page.wait_for_timeout(pause)
    return found


async def measure(browser: Browser, portal: Portal, port: int, login: Login, count: int) -> list[Row]:
    """All figures of one running portal."""
    address = f"http://localhost:{port}"
    rows = []
    for line in LINES:
        round_trip = line.round_trip * 1000
        async with opened(line, port, portal.port), visitor(browser, address, login) as (context, page):
            first, *later = await presses(context, page, address, count, _PAUSE + int(2 * round_trip))
        name = f"Next painted beyond the round trip, {line.name}"
        painted, worked = [press.painted - round_trip for press in later], [press.worked for press in later]
        rows += [
            Row(f"{name}: first press", first.painted - round_trip, "ms"),
            Row(f"{name}: p50", median(painted), "ms"),
            Row(f"{name}: p95", percentile(painted, 0.95), "ms", 40),
            Row(f"{name}: processor time of the page, first press", first.worked, "ms"),
            Row(f"{name}: processor time of the page, p50", median(worked), "ms"),
            Row(f"{name}: processor time of the page, p95", percentile(worked, 0.95), "ms"),
        ]
    return rows


async def _measured(portal: Portal, port: int, login: Login, count: int) -> list[Row]:
    await furnish(portal, login)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        rows = await measure(browser, portal, port, login, count)
        await browser.close()
    return rows


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--presses", type=int, default=60, help="of 20, the 95th percentile is the slowest")
    chosen = options.parse_args()
    with logged_in_behind("900000005", "noor@example.com") as (portal, port, login):
        rows = asyncio.run(_measured(portal, port, login, chosen.presses))
    return report("next", rows)


if __name__ == "__main__":
    sys.exit(main())
