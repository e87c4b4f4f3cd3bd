"""Providers as processes of their own, on any database, with a real mail server beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.client.caller import Limits
from portal.client.provider import HttpProvider
from portal.contract.http import PREFIX
from portal.provider.house import House
from portal.settings import Settings
from tests.provider.account.furnished import Furnished
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[3]
PATIENT = Limits(total_seconds=20, connect_seconds=5, failures=1000)


@contextmanager
def served(url: str, data_dir: Path, mail_port: int, moments: Sequence[str] = ()) -> Iterator[str]:
    """A provider in a process; gives its address.

    Args:
        url: of the database.
        data_dir: for its files and log.
        mail_port: where the mail server listens.
        moments: when it dies, once at each; see `tests.support.fragile`.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    environment |= {
        "PORTAL_DATABASE_URL": url,
        "PORTAL_DATA_DIR": str(data_dir),
        "PORTAL_SMTP__HOST": "127.0.0.1",
        "PORTAL_SMTP__PORT": str(mail_port),
        "PORTAL_SMTP__SECURITY": "none",
        "FRAGILE_MOMENTS": " ".join(moments),
    }
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fragile", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(address: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until it answers.

    Raises:
        AssertionError: it did not in time.
    """
    until = time.monotonic() + 30
    while time.monotonic() < until and (process is None or process.poll() is None):
        try:
            if httpx.get(f"{address}{PREFIX}/openapi.json", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the provider does not answer")


@asynccontextmanager
async def client_of(address: str) -> AsyncIterator[HttpProvider]:
    """A patient client."""
    client = HttpProvider(address, limits=PATIENT)
    try:
        yield client
    finally:
        await client.close()


async def sessions_of(url: str, data_dir: Path, customer: tuple[str, str], count: int = 1) -> list[str]:
    """So many sessions of one customer, as on so many devices."""
    house = House(Settings(database_url=url, data_dir=data_dir))
    try:
        return [await Furnished(house).log_in(customer) for _ in range(count)]
    finally:
        await house.context.database.close()


async def read(url: str, statement: str, **values: Any) -> Sequence[Any]:
    """Rows of a database that a server is working on."""
    house = House(Settings(database_url=url))
    try:
        async with house.context.database.session() as session:
            return await _rows(session, statement, values)
    finally:
        await house.context.database.close()


async def _rows(session: AsyncSession, statement: str, values: dict[str, Any]) -> Sequence[Any]:
    connection = await session.connection()
    return (await connection.execute(text(statement), values)).all()
