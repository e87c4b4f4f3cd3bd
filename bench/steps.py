"""What a step of a flow costs: `python -m bench.steps`.

Fifty customers press Next as fast as they are answered, each in a draft of their own that is durably saved. The same
drafts are then saved through the provider API (a FastAPI route) over kept-alive connections, in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from bench.events import Tab, percentile
from bench.harness import Login, Portal, Row, log_in, median, report, running
from portal.work_orders.flow.repair import BIKE_STEP, DAMAGE, REPAIR

PATH = REPAIR.url(DAMAGE)
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid uit de trapas, vooral bij regen. " * 5

_COPIED = ("customers", "orders", "bikes")


def furnish(portal: Portal, count: int) -> list[tuple[str, str]]:
    """Add customers with an order and a bike each, straight into the database."""
    people = []
    with sqlite3.connect(portal.data_dir / "portal.db", timeout=10) as connection:
        connection.row_factory = sqlite3.Row
        sample = {
            "customers": connection.execute("SELECT * FROM customers WHERE email = 'sanne@example.com'").fetchone(),
            "orders": connection.execute("SELECT * FROM orders WHERE order_number = '900000001'").fetchone(),
        }
        sample["bikes"] = connection.execute(
            "SELECT * FROM bikes WHERE order_id = ? AND pin_code IS NULL", (sample["orders"]["id"],)
        ).fetchone()
        for place in range(count):
            number, email = f"88{place:07d}", f"customer{place}@bench.example"
            changes: dict[str, Any] = {"email": email, "email_key": email, "order_number": number}
            for table in _COPIED:
                row = dict(sample[table])
                row |= {name: value for name, value in changes.items() if name in row}
                row["public_id"] = (
                    secrets.token_hex(5).upper().replace("0", "2").replace("1", "3") if ("public_id" in row) else None
                )
                # Computed columns are not among these names.
                own = {column["name"] for column in connection.execute(f"PRAGMA table_info({table})")} - {"id"}
                row = {name: value for name, value in row.items() if name in own and value is not None}
                if table == "bikes":
                    row.pop("order_line_id", None)
                    row["frame_number"] = f"NVH{place:08d}"
                names = ", ".join(row)
                marks = ", ".join("?" for _ in row)
                statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of our own tables
                changes[f"{table[:-1]}_id"] = connection.execute(statement, tuple(row.values())).lastrowid
            people.append((number, email))
    connection.close()
    return people


class StepTab(Tab):
    """A tab with the second question of a repair on the screen."""

    def __init__(self, portal: Portal, login: Login, number: int) -> None:
        super().__init__(portal, login, number)
        self.draft, self.version = "", 0
        self._turn = 0
        self._redirected = asyncio.Event()

    def form(self) -> dict[str, Any]:
        """The next answers, other than the last ones."""
        self._turn += 1
        return {
            "draft-id": self.draft,
            "draft-version": str(self.version),
            "parts": ["chain", "gears"],
            "details_chain": f"{TEXT}{self._turn}",
            "details_gears": TEXT,
        }

    async def _on_event(self, update: dict[str, Any]) -> None:
        for values in (update.get("delta") or {}).values():
            self.draft = values.get("draft_rx_state_", self.draft)
            self.version = values.get("version_rx_state_", self.version)
        if any(event["name"] == "_redirect" for event in update.get("events") or ()):
            self._redirected.set()
        await super()._on_event(update)

    async def press(self, name: str, path: str, payload: dict[str, Any]) -> float:
        """Send an event and wait until the answer leads to another page; returns the seconds."""
        self._redirected.clear()
        started = time.perf_counter()
        await self._emit(name, path, payload)
        await asyncio.wait_for(self._redirected.wait(), 20)
        return time.perf_counter() - started


async def begin(portal: Portal, logins: list[Login], handler: str) -> list[StepTab]:
    """Open a tab for each customer and bring it to the second question."""
    tabs = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{portal.port}", timeout=30) as api:
        for number, login in enumerate(logins):
            token = next(value for name, value in login.cookies.items() if name.endswith("session"))
            bearer = {"Authorization": f"Bearer {token}"}
            draft = (await api.post("/mijn-fw/v2/drafts", json={"flow": REPAIR.name}, headers=bearer)).json()["data"]
            bike = draft["facts"]["bikes"][0]["id"]
            tab = StepTab(portal, login, 7000 + number)
            await tab.open()
            tab.draft, tab.version = draft["draft_id"], draft["version"]
            ticket = {"draft-id": tab.draft, "draft-version": str(tab.version)}
            await tab.press(handler, REPAIR.url(BIKE_STEP), {"form": {**ticket, "bike": bike}})
            tabs.append(tab)
    return tabs


async def closed_loop(tabs: list[StepTab], handler: str, turns: int) -> tuple[float, list[float]]:
    """Every tab presses Next as soon as the last press was answered; events per second and latencies."""
    latencies: list[float] = []

    async def run(tab: StepTab) -> None:
        for _ in range(turns):
            latencies.append(await tab.press(handler, PATH, {"form": tab.form()}))

    started = time.perf_counter()
    await asyncio.gather(*(run(tab) for tab in tabs))
    return len(latencies) / (time.perf_counter() - started), latencies


async def api_loop(portal: Portal, logins: list[Login], tabs: list[StepTab], turns: int) -> tuple[float, list[float]]:
    """The same saves through the provider API."""
    latencies: list[float] = []

    async def run(login: Login, tab: StepTab) -> None:
        token = next(value for name, value in login.cookies.items() if name.endswith("session"))
        reader, writer = await asyncio.open_connection("127.0.0.1", portal.port)
        for _ in range(turns):
            answers = {name: value for name, value in tab.form().items() if not name.startswith("draft-")}
            body = json.dumps({"step": REPAIR.address(DAMAGE), "answers": answers, "version": tab.version}).encode()
            head = (
                f"PUT /mijn-fw/v2/drafts/{tab.draft}/step HTTP/1.1\r\nHost: localhost:{portal.port}\r\n"
                f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            started = time.perf_counter()
            writer.write(head.encode() + body)
            headers = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", headers, re.IGNORECASE)
            answer = json.loads(await reader.readexactly(int(size[1]))) if size else {}
            latencies.append(time.perf_counter() - started)
            if not answer.get("success"):
                raise RuntimeError(f"the API refused: {answer}")
            tab.version = answer["data"]["version"]
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(run(login, tab) for login, tab in zip(logins, tabs, strict=True)))
    return len(latencies) / (time.perf_counter() - started), latencies


def processor_seconds(portal: Portal) -> float:
    """Processor time that the server has used so far: the watching process and its worker."""
    total = 0
    watcher = Path(f"/proc/{portal.pid}")
    children = (watcher / "task" / str(portal.pid) / "children").read_text().split()
    for pid in (str(portal.pid), *children):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def measure(portal: Portal, logins: list[Login], rounds: int) -> list[Row]:
    """Take all figures from one running portal, the best of several rounds of each."""
    from portal.flow.pages.state import FlowRun

    handler = f"{FlowRun.get_full_name()}.next"
    tabs = await begin(portal, logins, handler)
    rows: list[Row] = []
    alone = (await closed_loop(tabs[:1], handler, 40))[1]
    rows.append(Row("Next, one customer alone: p50", percentile(alone, 0.5) * 1000, "ms"))
    rows.append(Row("Next, one customer alone: p95", percentile(alone, 0.95) * 1000, "ms", 25))
    await asyncio.sleep(3)
    steps: list[tuple[float, list[float]]] = []
    saves: list[tuple[float, list[float]]] = []
    used: list[float] = []
    used_by_api: list[float] = []
    for _ in range(rounds):
        # A socket may send 60 events at once and 20 a second; the rounds keep below that.
        before = processor_seconds(portal)
        steps.append(await closed_loop(tabs, handler, 40))
        used.append((processor_seconds(portal) - before) / len(steps[-1][1]) * 1000)
        before = processor_seconds(portal)
        saves.append(await api_loop(portal, logins, tabs, 40))
        used_by_api.append((processor_seconds(portal) - before) / len(saves[-1][1]) * 1000)
        await asyncio.sleep(2)
    rate, latencies = sorted(steps, key=lambda entry: entry[0])[len(steps) // 2]
    # Taken in turn, so that other work on the machine slows both down.
    shares = [step[0] / save[0] for step, save in zip(steps, saves, strict=True)]
    rows.append(Row("steps for each save through FastAPI", median(shares), "", 0.85, at_least=True))
    rows.append(Row(f"step events, closed loop of {len(tabs)}", rate, "1/s"))
    rows.append(Row(f"step events, closed loop of {len(tabs)}: p95", percentile(latencies, 0.95) * 1000, "ms"))
    rows.append(Row("step event: processor time of the server", median(used), "ms"))
    rate, latencies = sorted(saves, key=lambda entry: entry[0])[len(saves) // 2]
    rows.append(Row(f"FastAPI route that saves the same draft, {len(tabs)} connections", rate, "1/s"))
    rows.append(Row("FastAPI route: p95", percentile(latencies, 0.95) * 1000, "ms"))
    rows.append(Row("FastAPI route: processor time of the server", median(used_by_api), "ms"))
    for tab in tabs:
        await tab.close()
    return rows


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--customers", type=int, default=50)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    with running():
        pass  # compiles the pages when they are not there yet
    with running(PORTAL_CODE_WAIT_SECONDS="0", PORTAL_CODES_PER_ADDRESS_HOUR="100000") as portal:
        people = furnish(portal, chosen.customers)
        logins = [log_in(portal, *person) for person in people]
        rows = asyncio.run(measure(portal, logins, chosen.rounds))
    return report("steps", rows)


if __name__ == "__main__":
    sys.exit(main())
