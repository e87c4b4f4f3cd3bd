"""Starts the real portal for a measurement, with a demonstration shop of its own, and logs customers in."""

import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
START_LIMIT = 240
"""Seconds a first start may take; it compiles the pages."""


@dataclass(frozen=True, slots=True)
class Portal:
    """A running portal.

    Attributes:
        port: where it listens.
        data_dir: its database and mails.
        pid: of the process that watches the worker.
        start_seconds: from spawning it to the first answer 200.
    """

    port: int
    data_dir: Path
    pid: int
    start_seconds: float

    @property
    def address(self) -> str:
        """Where to reach it directly."""
        return f"http://localhost:{self.port}"


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(port: int | None = None, shop: Path | None = None, **environment: str) -> Iterator[Portal]:
    """A portal of its own, ended with the block.

    Args:
        port: where it listens; a free one by default.
        shop: folder of its data, which stays; by default a new one, which goes.
        environment: further settings, such as `PORTAL_PUBLIC_URL`.
    """
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as folder:
        data_dir = shop or Path(folder)
        started = time.monotonic()
        with (data_dir / "server.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "portal"],
                cwd=ROOT,
                env={
                    **os.environ,
                    "PORT": str(port),
                    "PORTAL_DATA_DIR": str(data_dir),
                    # Every visitor of a measurement comes from this machine.
                    "PORTAL_SOCKETS_PER_ADDRESS": "100000",
                    "PORTAL_SOCKETS_PER_SESSION": "100000",
                    # What is measured is the site of the customers.
                    "PORTAL_DESK": "false",
                    **environment,
                },
                stdout=log,
                stderr=log,
            )
        try:
            _wait_for_answer(port, process, data_dir)
            yield Portal(port, data_dir, process.pid, time.monotonic() - started)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for_answer(port: int, process: subprocess.Popen[bytes], data_dir: Path) -> None:
    limit = time.monotonic() + START_LIMIT
    while time.monotonic() < limit:
        if process.poll() is not None:
            raise RuntimeError("the portal did not start:\n" + (data_dir / "server.log").read_text()[-3000:])
        try:
            if httpx.get(f"http://localhost:{port}/", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.02)
    raise RuntimeError("the portal did not answer in time")


@dataclass(frozen=True, slots=True)
class Login:
    """A customer who is logged in. `mail_seconds`: from asking for the code until the mail was handed over."""

    cookies: dict[str, str]
    mail_seconds: float


def log_in(portal: Portal, order_number: str, email: str, origin: str | None = None) -> Login:
    """Log in as a customer would: ask for a code, read the mail, type the code. Pages are in Dutch.

    Args:
        portal: the running portal.
        order_number: number of an order of the demonstration shop.
        email: the address that goes with it.
        origin: address the browser uses, when it is not the portal's own.
    """
    mails = portal.data_dir / "mail"
    before = set(mails.glob("*.eml"))
    origin = origin or portal.address
    headers = {"Origin": origin, "Host": origin.partition("://")[2]}
    with httpx.Client(base_url=portal.address, headers=headers, timeout=30) as client:
        asked = time.monotonic()
        answer = client.post("/auth/code", json={"order_number": order_number, "email": email})
        answer.raise_for_status()
        code = ""
        while not code:  # other mails may come in between
            if time.monotonic() - asked > 15:
                raise RuntimeError("no mail came")
            time.sleep(0.005)
            code = next(filter(None, map(read_code, set(mails.glob("*.eml")) - before)), "")
        mail_seconds = time.monotonic() - asked
        client.post("/auth/session", json={"code": code}).raise_for_status()
        return Login({**client.cookies, "lang": "nl"}, mail_seconds)


@contextmanager
def logged_in_behind(order_number: str, email: str) -> Iterator[tuple[Portal, int, Login]]:
    """A portal with a customer of the demonstration shop, and the port of the slow line that the browser uses.

    Args:
        order_number: number of an order.
        email: the address that goes with it.
    """
    port = free_port()
    public = f"http://localhost:{port}"
    with running(PORTAL_PUBLIC_URL=public) as portal:
        yield portal, port, log_in(portal, order_number, email, origin=public)


def read_code(mail: Path) -> str:
    """The login code in a mail file; empty if there is none."""
    from email import message_from_bytes, policy

    message = message_from_bytes(mail.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    found = re.search(r"(?<!\d)(\d{3} ?\d{3})(?!\d)", body.get_content() if body else "")
    return found.group(1).replace(" ", "") if found else ""


def median(values: list[float]) -> float:
    """The middle value."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def machine() -> str:
    """What the figures were measured on."""
    model = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        model = next(
            (line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line), model
        )
    return f"{os.cpu_count()} x {model}, Python {platform.python_version()}, {platform.system()} {platform.release()}"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure, and the budget it has to stay within (none: for information)."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the figure is within its budget."""
        if self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget


def report(title: str, rows: list[Row]) -> int:
    """Print one table and one JSON line.

    Returns:
        0 when every budget is kept, else 1.
    """
    print(f"\n{title}\n{machine()}\n")
    width = max(len(row.name) for row in rows)
    for row in rows:
        sign = "≥" if row.at_least else "≤"
        budget = "" if row.budget is None else f"{sign} {row.budget:g} {row.unit}  {'kept' if row.kept else 'MISSED'}"
        print(f"{row.name:<{width}}  {row.value:10.2f} {row.unit:<10} {budget}")
    figures = {row.name: {"value": round(row.value, 2), "unit": row.unit, "budget": row.budget} for row in rows}
    print(json.dumps({"bench": title, "machine": machine(), "figures": figures}, ensure_ascii=False))
    return 0 if all(row.kept for row in rows) else 1
