"""The portal beside the same slice in Django + htmx and FastAPI + React: `python -m bench.peers [--write]`.

All three hold the same orders and show them with the same style sheet. Everything is measured in turn, so other work on
the machine slows all three down; what counts are the medians of the ratios. `--write` puts the table into
`docs/measurements.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

from playwright.async_api import Browser, async_playwright

from bench.harness import ROOT, Login, Portal, free_port, log_in, machine, running
from bench.link import DIRECT, SLOW_4G, Line, opened
from bench.next import LINES, TEXT, furnish, unchanged
from bench.pages import CHROMIUM, FLAGS, ROWS, SLOWDOWN, TILES, cold, transferred, visitor
from bench.peers.building import DJANGO, REACT, Running, install, served
from bench.peers.shop import BUYER, DRAFTING, shop_of
from bench.start import first_answer, processes_of, proportional_memory
from bench.steps import StepTab, begin, closed_loop
from bench.steps import furnish as furnish_customers
from portal.flow.pages.state import FlowRun
from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE, REPAIR

_STEP, _NEXT_STEP = REPAIR.url(DAMAGE), REPAIR.url(MAINTENANCE)
_NEXT = "main form button[type=submit]"
_NEXT_QUESTION = "laatste servicebeurt"
_SHORT_NAMES = ("portal", "Django", "React")
_CONNECTIONS = 8
_SECONDS = 3.0
_SAVES = 40
_PRESSES = 6
_REST_SECONDS = 2.5
"""Between two rounds of saves: the portal takes 60 events of a socket at once and 20 a second after that."""
_PAGE = re.compile(r"(<!-- peers -->\n).*?(<!-- /peers -->)", re.DOTALL)
_DOCUMENT = ROOT / "docs" / "measurements.md"


@dataclass(frozen=True, slots=True)
class Contender:
    """One of the three.

    Attributes:
        name: how it is called in the table.
        port: where its server listens.
        public: where a browser goes, through the line.
        pid: of its first process.
        buyers: sessions of a customer with 25 orders, one for each connection.
        drafting: a customer who has begun a repair.
        documents: what a browser asks for when it opens the orders and has everything else in its cache.
        mark: stands in the head of an answer that holds the customer's data.
        save: saves the step `_SAVES` times for each of several customers, and returns how often.
        start: seconds of one more start, to the first answer 200, when its server has ended.
        finish: closes what `save` has opened.
    """

    name: str
    port: int
    public: int
    pid: int
    buyers: list[Login]
    drafting: Login
    documents: tuple[str, ...]
    mark: bytes
    save: Callable[[], Awaitable[int]]
    start: Callable[[], float]
    finish: Callable[[], Awaitable[None]]

    @property
    def buyer(self) -> Login:
        """The session of the customer in the browser."""
        return self.buyers[0]

    @property
    def address(self) -> str:
        """What the browser is told."""
        return f"http://localhost:{self.public}"


@dataclass(slots=True)
class Figure:
    """One row of the table: a value of each contender, taken in the same round.

    Attributes:
        name: what was measured.
        unit: in what.
        budgets: how many times the value of a peer the portal may need, by the place of the peer.
        more: whether more is better.
        rounds: the values of each round, in the order of the contenders.
    """

    name: str
    unit: str
    budgets: dict[int, float] = field(default_factory=dict)
    more: bool = False
    rounds: list[list[float]] = field(default_factory=list)

    def value(self, place: int) -> float:
        """Median of a contender."""
        return statistics.median(values[place] for values in self.rounds)

    def ratio(self, place: int) -> float:
        """The portal beside a peer: the median of the ratios."""
        return statistics.median(values[0] / values[place] for values in self.rounds)

    def kept(self) -> bool | None:
        """Whether all its budgets are kept; None when it has none."""
        if not self.budgets:
            return None
        return all((self.ratio(place) >= limit) is self.more for place, limit in self.budgets.items())

    def cells(self) -> list[str]:
        """The row as it stands in the table."""
        sign = "≥" if self.more else "≤"
        budgets = ", ".join(f"{sign} {limit:g} x {_SHORT_NAMES[place]}" for place, limit in self.budgets.items())
        verdict = {None: "", True: "kept", False: "**missed**"}[self.kept()]
        places = range(len(self.rounds[0]))
        return [
            f"{self.name}, {self.unit}",
            *(_short(self.value(place)) for place in places),
            *(f"{self.ratio(place):.2f}" for place in places[1:]),
            f"{budgets}: {verdict}" if budgets else "",
        ]


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def processor_seconds(pid: int) -> float:
    """Processor time of a server with everything it has started."""
    total = 0
    for process in processes_of(pid):
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def interaction(browser: Browser, address: str, login: Login, slowdown: int) -> float:
    """Milliseconds from opening a step to the next one, when Next is pressed as soon as it stands there."""
    async with visitor(browser, address, login, slowdown) as (_, page):
        started = time.perf_counter()
        await page.goto(address + _STEP, wait_until="commit")
        await page.locator(_NEXT).click(no_wait_after=True)
        await page.locator("main h1", has_text=_NEXT_QUESTION).wait_for()
        return (time.perf_counter() - started) * 1000


class Connection:
    """A connection that is kept alive, for more requests a second than a browser makes."""

    def __init__(self, port: int, login: Login) -> None:
        self._port = port
        self._head = (
            f"Host: localhost:{port}\r\nAccept-Encoding: gzip, br\r\nAccept: text/html,*/*\r\n"
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in login.cookies.items())}\r\n"
        )

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, method: str, path: str, body: bytes = b"", headers: str = "") -> bytes:
        """Send a request, read the answer, and return its head in small letters.

        Raises:
            RuntimeError: the answer is not 200.
        """
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{headers}Content-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        if b" 200 " not in answer.partition(b"\r\n")[0]:
            raise RuntimeError(f"{path}: {answer[:80]!r}")
        if length := re.search(rb"content-length: (\d+)", answer):
            await self._reader.readexactly(int(length[1]))
            return answer
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            await self._reader.readexactly(size + 2)
        await self._reader.readexactly(2)
        return answer

    def close(self) -> None:
        """Close it."""
        self._writer.close()


async def documents_a_second(contender: Contender) -> float:
    """How often a second the orders are loaded with their data over HTTP, by some sessions at once."""
    connections = [Connection(contender.port, login) for login in contender.buyers]
    loaded = 0
    until = time.perf_counter() + _SECONDS

    async def load(connection: Connection) -> None:
        nonlocal loaded
        await connection.open()
        while time.perf_counter() < until:
            heads = [await connection.ask("GET", path) for path in contender.documents]
            loaded += contender.mark in heads[-1]
        connection.close()

    started = time.perf_counter()
    await asyncio.gather(*(load(connection) for connection in connections))
    return loaded / (time.perf_counter() - started)


async def saves_a_second(contender: Contender) -> float:
    """How often a second the step is saved."""
    started = time.perf_counter()
    saved = await contender.save()
    return saved / (time.perf_counter() - started)


def saving(
    port: int, logins: list[Login], method: str, path: str, body: bytes, headers: str
) -> Callable[[], Awaitable[int]]:
    """Saves through HTTP, one connection for each customer."""

    async def save(login: Login) -> None:
        connection = Connection(port, login)
        await connection.open()
        for _ in range(_SAVES):
            await connection.ask(method, path, body, headers)
        connection.close()

    async def run() -> int:
        await asyncio.gather(*(save(login) for login in logins))
        return _SAVES * len(logins)

    return run


class Tabs:
    """Saves as the pages of the portal do, one tab for each customer."""

    def __init__(self, portal: Portal, logins: list[Login]) -> None:
        self._portal = portal
        self._logins = logins
        self._tabs: list[StepTab] = []

    async def save(self) -> int:
        """Save, after the first call, which brings the tabs to the step."""
        handler = f"{FlowRun.get_full_name()}.next"
        if not self._tabs:
            self._tabs = await begin(self._portal, self._logins, handler)
            return 0
        return len((await closed_loop(self._tabs, handler, _SAVES))[1])

    async def close(self) -> None:
        """Close the tabs."""
        for tab in self._tabs:
            await tab.close()


async def _nothing() -> None:
    """Connections over HTTP are closed after each round."""


Take = Callable[[Contender], Awaitable[Sequence[float]]]


class Measuring:
    """Takes figures of each contender in turn, every second round the other way round."""

    def __init__(self, contenders: list[Contender], rounds: int) -> None:
        self._contenders = contenders
        self.rounds = rounds
        self.figures: list[Figure] = []

    async def rows(self, take: Take, *figures: Figure, rounds: int = 0) -> None:
        """Take figures that are measured together."""
        for turn in range(rounds or self.rounds):
            taken: dict[str, Sequence[float]] = {}
            for contender in self._contenders if turn % 2 == 0 else reversed(self._contenders):
                taken[contender.name] = await take(contender)
            for place, figure in enumerate(figures):
                figure.rounds.append([float(taken[contender.name][place]) for contender in self._contenders])
        self.figures.extend(figures)
        for figure in figures:
            print(" | ".join(figure.cells()), flush=True)


class InBrowser(Measuring):
    """Takes the figures that need a browser, too."""

    def __init__(self, browser: Browser, contenders: list[Contender], rounds: int) -> None:
        super().__init__(contenders, rounds)
        self._browser = browser

    def loading(self, path: str, selector: str, line: Line, slowdown: int) -> Take:
        """Milliseconds until a page is painted and until the first paint, and those of the server's processor."""

        async def take(contender: Contender) -> Sequence[float]:
            before = processor_seconds(contender.pid)
            async with opened(line, contender.public, contender.port):
                painted, first = await cold(self._browser, contender.address, path, selector, contender.buyer, slowdown)
            return painted, first, (processor_seconds(contender.pid) - before) * 1000

        return take

    def weighing(self, path: str, selector: str, *, inside: bool) -> Take:
        """Kilobytes of everything and of the scripts, for a customer who is logged in or not."""

        async def take(contender: Contender) -> Sequence[float]:
            login = contender.buyer if inside else None
            async with opened(DIRECT, contender.public, contender.port):
                return await transferred(self._browser, contender.address, path, selector, login)

        return take

    def acting(self, line: Line, slowdown: int) -> Take:
        """Milliseconds until the next step stands there when Next is pressed as early as can be."""

        async def take(contender: Contender) -> Sequence[float]:
            async with opened(line, contender.public, contender.port):
                return (await interaction(self._browser, contender.address, contender.drafting, slowdown),)

        return take

    def pressing(self, line: Line) -> Take:
        """Milliseconds from Next to the next step, for the first press of a page and for the ones after it."""

        async def take(contender: Contender) -> Sequence[float]:
            async with (
                opened(line, contender.public, contender.port),
                visitor(self._browser, contender.address, contender.drafting) as (_, page),
            ):
                first, *others = await unchanged(page, contender.address, _PRESSES)
            return first, statistics.median(others)

        return take


async def in_a_browser(measuring: InBrowser) -> None:
    """What a customer sees."""
    slow = f"{SLOW_4G.name}, {SLOWDOWN}x"
    rows = measuring.rows
    await rows(
        measuring.loading("/orders", ROWS, SLOW_4G, SLOWDOWN),
        Figure(f"orders: rows painted, {slow}", "ms", {1: 1.0, 2: 0.55}),
        Figure(f"orders: first paint, {slow}", "ms", {1: 0.9}),
        Figure("orders: processor time of the server for a first visit", "ms"),
    )
    await rows(
        measuring.loading("/dashboard", TILES, SLOW_4G, SLOWDOWN),
        Figure(f"dashboard: tiles painted, {slow}", "ms", {1: 1.0, 2: 0.55}),
        Figure(f"dashboard: first paint, {slow}", "ms", {1: 0.9}),
    )
    await rows(
        measuring.loading("/orders", ROWS, DIRECT, 1),
        Figure("orders: rows painted, no throttling", "ms", {2: 1.3}),
        Figure("orders: first paint, no throttling", "ms"),
    )
    await rows(
        measuring.acting(SLOW_4G, SLOWDOWN),
        Figure(f"step opened, Next pressed when it is there, next step painted, {slow}", "ms"),
    )
    await rows(measuring.acting(DIRECT, 1), Figure("the same, no throttling", "ms"))
    for line in LINES:
        await rows(
            measuring.pressing(line),
            Figure(f"Next painted, {line.name}: first press", "ms"),
            Figure(f"Next painted, {line.name}: further presses", "ms"),
            rounds=max(2, measuring.rounds // 3),
        )
    for name, path, selector in (("login", "/", "input[name=email]"), ("orders", "/orders", ROWS)):
        await rows(
            measuring.weighing(path, selector, inside=path != "/"),
            Figure(f"{name}: bytes of a first visit", "kB"),
            Figure(f"{name}: JavaScript of a first visit", "kB", {2: 1.38}),
            rounds=1,
        )


async def in_the_server(measuring: Measuring) -> None:
    """What a shop pays for."""

    async def loads(contender: Contender) -> Sequence[float]:
        return (await documents_a_second(contender),)

    async def saves(contender: Contender) -> Sequence[float]:
        await asyncio.sleep(_REST_SECONDS)
        return (await saves_a_second(contender),)

    async def memory(contender: Contender) -> Sequence[float]:
        return (proportional_memory(processes_of(contender.pid)),)

    few = max(3, measuring.rounds // 2)
    await measuring.rows(
        loads, Figure(f"orders loaded over HTTP, {_CONNECTIONS} at once", "a second", more=True), rounds=few
    )
    await measuring.rows(saves, Figure("step saved and answered, all at once", "a second", more=True), rounds=few)
    await measuring.rows(memory, Figure("memory of all processes after that", "MiB"), rounds=1)


async def measure(contenders: list[Contender], rounds: int) -> list[Figure]:
    """All figures of servers that run."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        measuring = InBrowser(browser, contenders, rounds)
        # The first round fills the caches of the machine.
        for contender in contenders:
            await measuring.loading("/orders", ROWS, DIRECT, 1)(contender)
            await contender.save()
        await in_a_browser(measuring)
        await browser.close()
    await in_the_server(measuring)
    for contender in contenders:
        await contender.finish()
    return measuring.figures


async def measure_starts(contenders: list[Contender], rounds: int) -> list[Figure]:
    """How long starts take, after the servers have ended."""

    async def take(contender: Contender) -> Sequence[float]:
        return (await asyncio.to_thread(contender.start),)

    measuring = Measuring(contenders, max(3, rounds // 2))
    await measuring.rows(take, Figure("start to the first answer 200", "s"))
    return measuring.figures


def table(figures: list[Figure], names: list[str], taken: datetime) -> str:
    """The table, as it stands in the document."""
    heads = ["what", *names, *(f"/ {name}" for name in _SHORT_NAMES[1:]), "budget"]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [heads, ["---"] * len(heads), *(figure.cells() for figure in figures)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    rounds = max(len(figure.rounds) for figure in figures)
    return (
        f"{taken:%Y-%m-%d}, {machine()}, load {load}.\n"
        f"Up to {rounds} rounds in turn; a ratio is the median of the ratios of the rounds.\n\n{body}\n"
    )


def write(text: str) -> None:
    """Put the table between its marks in `docs/measurements.md`."""
    document = _DOCUMENT.read_text(encoding="utf-8")
    if not _PAGE.search(document):
        raise LookupError(f"{_DOCUMENT} has no marks for the table")
    _DOCUMENT.write_text(_PAGE.sub(lambda marks: f"{marks[1]}{text}{marks[2]}", document), encoding="utf-8")


def _peer(running_peer: Running, public: int, people: list[tuple[str, str]]) -> Contender:
    logins = [running_peer.log_in(who) for who in people]
    if running_peer.peer is DJANGO:
        documents: tuple[str, ...] = ("/orders",)
        token = logins[0].cookies["csrftoken"]
        logins = [Login({**login.cookies, "csrftoken": token}, 0) for login in logins]
        body = urlencode({"parts": "chain", "details_chain": TEXT, "csrfmiddlewaretoken": token}).encode()
        headers = "HX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        save = saving(running_peer.port, logins, "POST", _STEP, body, headers)
    else:
        documents = ("/orders", "/api/orders")
        body = b'{"parts":["chain"],"details":{"chain":"%s"}}' % TEXT.encode()
        save = saving(running_peer.port, logins, "PUT", "/api/draft/damage", body, "Content-Type: application/json\r\n")

    def start() -> float:
        port = free_port()
        return first_answer(running_peer.command(port), port, running_peer.peer.source, running_peer.environment)

    return Contender(
        running_peer.peer.name,
        running_peer.port,
        public,
        running_peer.pid,
        [running_peer.log_in(BUYER) for _ in range(_CONNECTIONS)],
        running_peer.log_in(DRAFTING),
        documents,
        b"",
        save,
        start,
        _nothing,
    )


def _portal(portal: Portal, public: int, people: list[tuple[str, str]]) -> Contender:
    origin = f"http://localhost:{public}"
    drafting = log_in(portal, *DRAFTING, origin=origin)
    asyncio.run(furnish(portal, drafting))
    tabs = Tabs(portal, [log_in(portal, *who) for who in people])

    def start() -> float:
        port = free_port()
        environment = {**os.environ, "PORT": str(port), "PORTAL_DATA_DIR": str(portal.data_dir), "PORTAL_DESK": "false"}
        return first_answer([sys.executable, "-m", "portal"], port, ROOT, environment)

    return Contender(
        "portal",
        portal.port,
        public,
        portal.pid,
        [log_in(portal, *BUYER, origin=origin) for _ in range(_CONNECTIONS)],
        drafting,
        ("/orders",),
        b"no-store",  # a document without data may be kept
        tabs.save,
        start,
        tabs.close,
    )


def _contenders(stack: ExitStack, shop_dir: Path, customers: int) -> list[Contender]:
    ports = [free_port() for _ in range(5)]
    portal = stack.enter_context(
        running(
            shop=shop_dir,
            PORTAL_PUBLIC_URL=f"http://localhost:{ports[0]}",
            PORTAL_CODE_WAIT_SECONDS="0",
            PORTAL_CODES_PER_ADDRESS_HOUR="100000",
            PORTAL_CODES_PER_ACCOUNT_HOUR="100000",
        )
    )
    people = furnish_customers(portal, customers)
    shop = shop_of(portal, log_in(portal, *BUYER), customers)
    contenders = [_portal(portal, ports[0], people)]
    for peer, public, port in ((DJANGO, ports[1], ports[2]), (REACT, ports[3], ports[4])):
        folder = shop_dir.with_name(peer.source.name)
        contenders.append(_peer(stack.enter_context(served(peer, shop, folder, port)), public, people))
    return contenders


def main() -> int:
    """Measure and report.

    Returns:
        0 when every budget is kept.
    """
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--customers", type=int, default=10, help="who save at once")
    options.add_argument("--write", action="store_true", help="put the table into docs/measurements.md")
    chosen = options.parse_args()
    with running():
        pass  # compiles the pages when they are not there yet
    install()
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as name:
        shop_dir = Path(name) / "portal"
        shop_dir.mkdir()
        with ExitStack() as stack:
            contenders = _contenders(stack, shop_dir, chosen.customers)
            figures = asyncio.run(measure(contenders, chosen.rounds))
        figures += asyncio.run(measure_starts(contenders, chosen.rounds))
    text = table(figures, [contender.name for contender in contenders], datetime.now(UTC))
    print(f"\n{text}")
    if chosen.write:
        write(text)
    return int(any(figure.kept() is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
