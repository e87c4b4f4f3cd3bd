"""Ten uploads of 100 MB at once: do other customers notice, and what memory does it take? (design: performance)

Run: `python -m bench.uploads`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path

import httpx

from bench.harness import Portal, log_in, running
from tests.support.files import film, grown

SIZE = 100 * 1024 * 1024
AT_ONCE = 10
UPLOADER = ("900000001", "sanne@example.com")
OTHERS = (("900000005", "noor@example.com"), ("900000003", "amber@example.com"))
CLICK_EVERY = 0.05


def memory(pid: int) -> float:
    """MB that a process and those below it keep for themselves and share, counted once each."""
    total = 0.0
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
            children = Path(f"/proc/{one}/task/{one}/children").read_text().split()
        except OSError:
            continue
        if b"portal.provider.files.worker" not in Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" "):
            total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024
        waiting += [int(child) for child in children]
    return total


async def clicks(portal: Portal, cookies: dict[str, str], stop: asyncio.Event) -> list[float]:
    """Milliseconds of one click after the other of another customer: a page's data, asked of the provider's API."""
    found: list[float] = []
    headers = {"Authorization": f"Bearer {cookies['session']}"}
    async with httpx.AsyncClient(base_url=portal.address, headers=headers, timeout=30) as client:
        while not stop.is_set():
            for path in ("/mijn-fw/v2/dashboard", "/mijn-fw/v2/orders", "/mijn-fw/v2/flows/repair-request"):
                started = time.perf_counter()
                (await client.get(path)).raise_for_status()
                found.append((time.perf_counter() - started) * 1000)
                await asyncio.sleep(CLICK_EVERY)
    return found


async def upload(client: httpx.AsyncClient, draft: str, name: str, content: bytes) -> float:
    """Seconds for one file."""
    started = time.perf_counter()
    place = await client.post(f"/files/drafts/{draft}", json={"field": "photos", "name": name, "size": len(content)})
    place.raise_for_status()
    path = f"/files/uploads/{place.json()['data']['upload_id']}"
    answer = await client.put(path, content=_pieces(content), headers={"Content-Length": str(len(content))})
    answer.raise_for_status()
    return time.perf_counter() - started


async def _pieces(content: bytes):
    for at in range(0, len(content), 65_536):
        yield content[at : at + 65_536]


async def _drafts(portal: Portal, cookies: dict[str, str]) -> list[str]:
    """Two drafts, one for each bike, with room for five files each."""
    headers = {"Authorization": f"Bearer {cookies['session']}"}
    async with httpx.AsyncClient(base_url=f"{portal.address}/mijn-fw/v2", headers=headers) as client:
        facts = (await client.get("/flows/repair-request")).json()["data"]["facts"]
        bikes = [entry["id"] for entry in facts["bikes"] if not entry["refusal"]]
        return [
            (await client.post("/drafts", json={"flow": "repair-request", "subject": bike})).json()["data"]["draft_id"]
            for bike in bikes[:2]
        ]


async def measure(portal: Portal) -> dict[str, object]:
    """Clicks alone, then clicks while ten files arrive."""
    uploader = log_in(portal, *UPLOADER).cookies
    others = [log_in(portal, *customer).cookies for customer in OTHERS]
    drafts = await _drafts(portal, uploader)
    content = grown(film(), SIZE)

    async def clicking(work: asyncio.Future | asyncio.Task) -> list[float]:
        stop = asyncio.Event()
        tasks = [asyncio.create_task(clicks(portal, cookies, stop)) for cookies in others]
        await work
        stop.set()
        return [value for values in await asyncio.gather(*tasks) for value in values]

    quiet = await clicking(asyncio.ensure_future(asyncio.sleep(5)))
    before, highest = memory(portal.pid), 0.0

    async def watching(work: asyncio.Future) -> None:
        nonlocal highest
        while not work.done():
            highest = max(highest, await asyncio.to_thread(memory, portal.pid))
            await asyncio.sleep(0.2)

    headers = {"Origin": portal.address}
    limits = httpx.Limits(max_connections=AT_ONCE)
    async with httpx.AsyncClient(
        base_url=portal.address, headers=headers, cookies=uploader, timeout=300, limits=limits
    ) as client:
        sending = asyncio.gather(
            *(upload(client, drafts[n % len(drafts)], f"film-{n}.mp4", content) for n in range(AT_ONCE))
        )
        watcher = asyncio.create_task(watching(sending))
        busy = await clicking(sending)
        seconds = await sending
        await watcher
    return {
        "quiet_ms": figures(quiet),
        "busy_ms": figures(busy),
        "memory_mb": {"before": round(before), "highest": round(highest), "more": round(highest - before)},
        "upload_seconds": {"first": round(min(seconds), 1), "last": round(max(seconds), 1)},
    }


def figures(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile and longest."""
    cuts = statistics.quantiles(values, n=20)
    return {"n": len(values), "p50": round(cuts[9], 1), "p95": round(cuts[18], 1), "max": round(max(values), 1)}


def main() -> None:
    """Start a portal, measure, print."""
    with running(PORTAL_CODE_WAIT_SECONDS="0") as portal:
        print(json.dumps(asyncio.run(measure(portal)), indent=1))


if __name__ == "__main__":
    main()
