"""Ten uploads of 100 MB at once, and other customers who go on clicking: `python -m bench.uploads`.

The films are sent by a process of their own. Twenty tabs of another customer send an event every second, half of which
load a page from the database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx

from bench.events import Tab, open_loop, opened, percentile, steps
from bench.harness import Login, Portal, Row, log_in, report, running

SIZE = 100 * 1024 * 1024
AT_ONCE = 10
TABS = 20
UPLOADER = ("900000001", "sanne@example.com")
OTHER = ("900000005", "noor@example.com")

_INSPECTOR = b"portal.backend.files.worker"


def _grown(content: bytes, size: int) -> bytes:
    """A film made larger by a box that holds nothing."""
    rest = size - len(content)
    assert rest >= 8
    return content + struct.pack(">I4s", rest, b"free") + bytes(rest - 8)


def server_memory(pid: int) -> float:
    """MiB of the server's processes (proportional set size), without those that look into files."""
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            if _INSPECTOR not in Path(f"/proc/{one}/cmdline").read_bytes():
                text = Path(f"/proc/{one}/smaps_rollup").read_text()
                total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024
            waiting += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:
            continue
    return total


async def send(address: str, cookies: dict[str, str]) -> list[float]:
    """Send ten films at once into two drafts; seconds of each."""
    headers = {"Origin": address, "Authorization": f"Bearer {cookies['session']}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, cookies=cookies, timeout=600) as client:
        start = (await client.get("/mijn-fw/v2/flows/repair-request")).json()["data"]
        bikes = [entry["id"] for entry in start["facts"]["bikes"] if not entry["refusal"]][:2]
        drafts = []
        for bike in bikes:
            begun = await client.post("/mijn-fw/v2/drafts", json={"flow": "repair-request", "subject": bike})
            drafts.append(begun.json()["data"]["draft_id"])
        return await asyncio.gather(*(_one(client, drafts[n % len(drafts)], n) for n in range(AT_ONCE)))


async def _one(client: httpx.AsyncClient, draft: str, number: int) -> float:
    from tests.support.files import film

    content = _grown(film(), SIZE)

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, SIZE, 65_536):
            yield content[at : at + 65_536]

    started = time.perf_counter()
    entry = {"field": "photos", "name": f"film-{number}.mp4", "size": SIZE}
    place = (await client.post(f"/files/drafts/{draft}", json=entry)).raise_for_status().json()["data"]["upload_id"]
    answer = await client.put(f"/files/uploads/{place}", content=pieces(), headers={"Content-Length": str(SIZE)})
    answer.raise_for_status()
    return time.perf_counter() - started


async def _clicks(tabs: list[Tab], busy: asyncio.Future[Any]) -> list[float]:
    """Events of other customers until something is done; milliseconds of each."""
    light, orders, bikes = steps()
    found: list[float] = []
    while not busy.done():
        found += await open_loop(tabs, (light, orders, light, bikes), 1, 2)
    return [seconds * 1000 for seconds in found]


async def measure(portal: Portal, uploader: Login, other: Login) -> list[Row]:
    """Clicks alone, then clicks while ten films arrive."""
    tabs = await opened(portal, other, 0, TABS)
    await _clicks(tabs, asyncio.ensure_future(asyncio.sleep(2)))
    quiet = await _clicks(tabs, asyncio.ensure_future(asyncio.sleep(6)))
    before = highest = server_memory(portal.pid)
    sending = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.uploads", "--send", json.dumps([portal.address, uploader.cookies]),
        stdout=subprocess.PIPE,
    )  # fmt: skip
    done = asyncio.ensure_future(sending.communicate())
    clicking = asyncio.create_task(_clicks(tabs, done))
    while not done.done():
        highest = max(highest, await asyncio.to_thread(server_memory, portal.pid))
        await asyncio.sleep(0.25)
    output, _ = done.result()
    seconds, busy = json.loads(output), await clicking
    for tab in tabs:
        await tab.close()
    return [
        Row("clicks of others, nobody uploads: p95", percentile(quiet, 0.95), "ms"),
        Row("clicks of others, ten uploads of 100 MB: p50", percentile(busy, 0.5), "ms"),
        Row("clicks of others, ten uploads of 100 MB: p95", percentile(busy, 0.95), "ms", 200),
        Row("memory of the server, more than before", highest - before, "MiB", 50),
        Row("the ten uploads together", max(seconds), "s"),
    ]


def main() -> int:
    """Start a portal, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--send", help="used by the measurement itself: send the films")
    chosen = arguments.parse_args()
    if chosen.send:
        address, cookies = json.loads(chosen.send)
        print(json.dumps(asyncio.run(send(address, cookies))))
        return 0
    with running() as portal:
        uploader, other = log_in(portal, *UPLOADER), log_in(portal, *OTHER)
        return report("uploads", asyncio.run(measure(portal, uploader, other)))


if __name__ == "__main__":
    sys.exit(main())
