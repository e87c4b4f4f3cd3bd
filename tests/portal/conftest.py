"""A demonstration shop behind the portal, its events and its HTTP edge, all in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from portal.states.session_checks import checks
from portal.web.edge import Edge
from tests.support.pipeline import Pipeline, Tab, running_pipeline
from tests.support.ways import UNHURRIED, Shop, opened

ORIGIN = "http://localhost:8000"


@pytest.fixture(autouse=True)
def _sessions_stay_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of a session counts for a whole test, however long that takes on a busy machine."""
    checks._answers.clear()
    monkeypatch.setattr(checks, "_fresh_seconds", 3600.0)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    """The demonstration shop, connected to the portal."""
    async with opened("services", demonstration, tmp_path_factory.mktemp("shop"), UNHURRIED) as shop:
        yield shop


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(shop: Shop) -> AsyncIterator[Pipeline]:
    """Browser tabs, as the server sees them."""
    assert shop
    async with running_pipeline() as pipeline:
        yield pipeline


def signed_in(tab: Tab, token: str) -> Tab:
    """Give the browser of a tab a session."""
    tab.cookie = f"session={token}"
    return tab


@dataclass
class Browser:
    """A browser without a screen: keeps cookies, sends what a page of ours would send."""

    client: httpx.AsyncClient

    async def post(self, path: str, values: dict[str, str], **headers: str) -> httpx.Response:
        """Post JSON, as our forms do."""
        return await self.client.post(path, json=values, headers={"origin": ORIGIN, **headers})

    async def submit(self, path: str, values: dict[str, str], **headers: str) -> httpx.Response:
        """Post a form without scripts."""
        return await self.client.post(path, data=values, headers={"origin": ORIGIN, **headers})

    async def open(self, path: str, method: str = "GET") -> httpx.Response:
        """Open an address; redirects are not followed."""
        return await self.client.request(method, path)

    async def log_in(self, shop: Shop, customer: tuple[str, str]) -> httpx.Response:
        """Ask for a code, read it in the mail, and enter it."""
        seen = len(shop.mailbox.mails_to(customer[1]))
        asked = await self.post("/auth/code", {"order_number": customer[0], "email": customer[1]})
        assert asked.status_code == 200, asked.text
        return await self.post("/auth/session", {"code": await shop.code(customer[1], seen)})


async def _pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands where the compiled pages are, which these tests do not need."""
    known = scope["path"].rstrip("/") != "/not-found"
    await PlainTextResponse("the page", 200 if known else 404)(scope, receive, send)


@pytest.fixture(scope="session")
def edge() -> Edge:
    """The HTTP edge with the routes of the real pages."""
    from portal.portal import _first, _protected, app

    return Edge(_pages, _protected, app.router, _first)


@pytest_asyncio.fixture(loop_scope="module")
async def browser(edge: Edge, shop: Shop) -> AsyncIterator[Browser]:
    """A browser with an empty cookie jar."""
    assert shop
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url=ORIGIN) as client:
        yield Browser(client)


def cookies_of(response: httpx.Response) -> SimpleCookie:
    """The cookies that an answer sets."""
    jar = SimpleCookie()
    for header in response.headers.get_list("set-cookie"):
        jar.load(header)
    return jar
