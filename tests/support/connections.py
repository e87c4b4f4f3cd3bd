"""Connections to the provider: its services directly, the client over ASGI, or the client over a socket."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
from pydantic import HttpUrl

from portal.client.caller import Limits
from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.contract.registry import Provider
from portal.contract.session import CodeEntry, CodeRequest, Origin
from portal.login.api import LoginApi
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.settings import Settings
from portal.wiring import connect_provider
from tests.support.mailbox import Mailbox
from tests.support.ports import free_port
from tests.support.worker_pool import wait_for, worker_pool

T = TypeVar("T")
KEY = "key-that-the-portal-shares-with-the-provider"

UNHURRIED: Mapping[str, Any] = {
    "code_wait_seconds": 0,
    "codes_per_account_hour": 100_000,
    "codes_per_address_hour": 100_000,
}
"""Settings for tests that log in repeatedly. Other tests cover the login limits."""


@dataclass
class Shop:
    """The demonstration shop with one kind of connection.

    Attributes:
        mailbox: The sent mails.
    """

    way: str
    provider: Provider
    data_dir: Path
    tokens: dict[str, str] = field(default_factory=dict)
    mailbox: Mailbox = field(init=False)

    def __post_init__(self) -> None:
        self.mailbox = Mailbox(self.data_dir / "mail")

    def ask(self, api: type[T]) -> T:
        """The implementation of an API, over this connection."""
        return self.provider.ask(api)

    async def token(self, order_number: str, email: str) -> str:
        """A session token of a customer, shared by all tests that do not end the session."""
        if email not in self.tokens:
            self.tokens[email] = await self.log_in(order_number, email)
        return self.tokens[email]

    async def log_in(self, order_number: str, email: str, origin: Origin | None = None) -> str:
        """Open a new session."""
        origin = origin or Origin(address="198.51.100.1")
        seen = len(self.mailbox.mails_to(email))
        sent = await self.ask(LoginApi).request_code(CodeRequest(email=email, order_number=order_number), origin)
        entry = CodeEntry(token=await self.code(email, seen), challenge=sent.challenge)
        return (await self.ask(LoginApi).authenticate(entry, origin)).jwt

    async def code(self, email: str, seen: int) -> str:
        """The code in the first mail after `seen` mails."""
        return await asyncio.to_thread(self.mailbox.code_for, email, after=seen)

    def change(self, statement: str, *values: Any) -> int:
        """Change the database directly, not through the provider. Returns the number of changed rows."""
        with sqlite3.connect(self.data_dir / "portal.db", timeout=60) as connection:
            changed = connection.execute(statement, values).rowcount
        connection.close()
        return changed

    async def alter(self, statement: str, *values: Any) -> int:
        """Like `change`, without blocking the event loop: the provider in this process may hold the write lock."""
        return await asyncio.to_thread(self.change, statement, *values)


@asynccontextmanager
async def opened(way: str, template: Path, data_dir: Path, settings: Mapping[str, Any]) -> AsyncIterator[Shop]:
    """Open the shop with one kind of connection.

    Args:
        way: one of `tests.support.shops.WAYS`, or "socket".
        template: directory of a prepared shop, which is copied.
        data_dir: target directory of the copy.
        settings: settings that differ from the defaults.
    """
    shutil.copytree(template, data_dir, dirs_exist_ok=True)
    options = Settings.model_validate({"data_dir": data_dir, "api_key": KEY, "api_timeout_seconds": 60, **settings})
    if way == "services":
        async with connect_provider(options):
            yield Shop(way, registry.connected(), data_dir)
    elif way == "asgi":
        async with over_asgi(options) as provider:
            yield Shop(way, provider, data_dir)
    else:
        with serving(data_dir, {"api_key": KEY, **settings}) as address:
            async with connect_provider(options.model_copy(update={"api_root": HttpUrl(address)})):
                yield Shop(way, registry.connected(), data_dir)


@asynccontextmanager
async def over_asgi(options: Settings) -> AsyncIterator[HttpProvider]:
    """The client with the API in the same process."""
    application = Application(options)
    await application.open()
    transport = httpx.ASGITransport(create_api(lambda: application.services, options), client=("192.0.2.99", 4711))
    limits = Limits(total_seconds=options.api_timeout_seconds)
    key = options.api_key.get_secret_value()
    client = HttpProvider("http://provider.test", api_key=key, limits=limits, transport=transport)
    try:
        yield client
    finally:
        await client.close()
        await application.close()


@contextmanager
def serving(data_dir: Path, settings: Mapping[str, Any]) -> Iterator[str]:
    """Run `python -m portal.provider serve` in a separate process and yield its URL."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    environment |= {f"PORTAL_{name.upper()}": str(value) for name, value in settings.items()}
    environment["PORTAL_DATA_DIR"] = str(data_dir)
    log = data_dir / "server.log"
    process = worker_pool().fork("portal.provider.__main__", ["serve", "--port", str(port)], environment, log)
    try:
        try:
            wait_for(f"http://127.0.0.1:{port}", process)
        except AssertionError:
            raise RuntimeError(f"the provider did not start:\n{log.read_text()}") from None
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stop()
