"""The running server, spoken to over the socket as an attacker would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx
import pytest
import socketio
from socketio.exceptions import ConnectionError as Refusal

import portal.portal
from portal.frontend.policies import Policy, policy_of
from portal.reflex_adapter.border import TRANSPORTS
from portal.reflex_adapter.events import all_names
from tests.support.people import JORIS, SANNE
from tests.support.server import PortalServer

STATE = "reflex___state____state"
HYDRATE = f"{STATE}.hydrate"

_STRANGERS = 8
"""So many of them ask side by side: most of it is waiting for an answer that does not come."""

LOAD = f"{STATE}.portal___frontend___session____session_state.load"


class Socket:
    """A raw client of the event socket."""

    def __init__(self, client: socketio.AsyncClient) -> None:
        self.client = client
        self.answers: list[Any] = []
        self.heard: list[Any] = []
        self.new_tokens: list[str] = []
        client.on("event", self._keep, namespace="/_event")
        client.on("new_token", self._keep_token, namespace="/_event")

    async def send(self, name: str, payload: dict[str, Any] | None = None, wait: float = 0.4) -> str:
        """Send an event; what came back, as text."""
        self.answers.clear()
        router = {"pathname": "/dashboard", "asPath": "/dashboard"}
        event = {"name": name, "payload": payload or {}, "router_data": router}
        await self.client.emit("event", event, namespace="/_event")
        await asyncio.sleep(wait)
        return repr(self.answers)

    async def _keep(self, data: Any) -> None:
        self.answers.append(data)
        self.heard.append(data)

    async def _keep_token(self, data: str) -> None:
        self.new_tokens.append(data)


Connect = Callable[..., Any]


@pytest.fixture
def connect(portal_server: PortalServer) -> Connect:
    """Open a socket with a tab's token, a cookie and an origin."""

    @asynccontextmanager
    async def opened(
        token: str, cookie: str = "", origin: str | None = portal_server.base_url, transport: str = "websocket"
    ) -> AsyncIterator[Socket]:
        # The headers are those of every request, as in a browser.
        headers = ({"Cookie": cookie} if cookie else {}) | ({"Origin": origin} if origin else {})
        requests = aiohttp.ClientSession(headers=headers)
        client = socketio.AsyncClient(reconnection=False, http_session=requests)
        socket = Socket(client)
        address = f"http://127.0.0.1:{portal_server.port}/?token={token}"
        try:
            await client.connect(
                address, headers=headers, socketio_path="/_event", namespaces=["/_event"], transports=[transport]
            )
            yield socket
        finally:
            await client.eio.disconnect(abort=True)  # without waiting for a poll that is under way
            await requests.close()

    return opened


def session_of(server: PortalServer, customer: tuple[str, str]) -> str:
    """Log in over HTTP and give the cookie."""
    seen = len(server.mailbox.mails_to(customer[1]))
    with httpx.Client(base_url=server.base_url, headers={"origin": server.base_url}) as client:
        client.post("/auth/code", json={"order_number": customer[0], "email": customer[1]}).raise_for_status()
        code = server.mailbox.code_for(customer[1], after=seen)
        client.post("/auth/session", json={"code": code}).raise_for_status()
        return f"session={client.cookies['session']}"


@pytest.fixture
async def sanne(portal_server: PortalServer) -> str:
    return await asyncio.to_thread(session_of, portal_server, SANNE)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_customer_gets_their_data_over_the_socket(connect: Connect, sanne: str, transport: str) -> None:
    async with connect("tab-own", sanne, transport=transport) as socket:
        assert "'authenticated_rx_state_': True" in await socket.send(HYDRATE)
        assert "Sanne" in await socket.send(LOAD)


async def test_no_handler_answers_a_stranger(connect: Connect) -> None:
    assert portal.portal.app
    names = [name for name in all_names() if policy_of(name) in {Policy.CUSTOMER, None}]

    async def ask(tab: int) -> None:
        async with connect(f"tab-stranger-{tab}") as socket:
            for name in names[tab::_STRANGERS]:
                for payload in ({}, {"order_number": "900000001", "page": 1}, {"values": {"x": ["y"]}, "extra": None}):
                    await socket.send(name, payload, wait=0.06)
            await asyncio.sleep(0.5)
        heard = repr(socket.heard)
        assert "Sanne" not in heard
        assert "900000001" not in heard
        assert "'authenticated_rx_state_': True" not in heard

    await asyncio.gather(*map(ask, range(_STRANGERS)))


async def test_a_stolen_tab_token_alone_opens_nothing(
    connect: Connect, sanne: str, portal_server: PortalServer
) -> None:
    joris = await asyncio.to_thread(session_of, portal_server, JORIS)
    async with connect("tab-stolen", sanne) as owner:
        await owner.send(HYDRATE)
        assert "Sanne" in await owner.send(LOAD)
        for cookie in ("", joris):
            async with connect("tab-stolen", cookie) as thief:
                assert thief.new_tokens, "the thief is not given the tab"
                assert "Sanne" not in await thief.send(HYDRATE)
                assert "Sanne" not in await thief.send(LOAD)
        assert "Sanne" in await owner.send(HYDRATE), "the owner is not disturbed"
    for cookie in ("", joris):
        async with connect("tab-stolen", cookie) as thief:
            assert "Sanne" not in await thief.send(HYDRATE)


async def test_a_polled_socket_belongs_to_its_session(
    connect: Connect, sanne: str, portal_server: PortalServer
) -> None:
    joris = await asyncio.to_thread(session_of, portal_server, JORIS)
    async with connect("tab-polled", sanne, transport="polling") as owner:
        query = {"EIO": "4", "transport": "polling", "sid": owner.client.eio.sid}
        own = {"origin": portal_server.base_url}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{portal_server.port}") as thief:
            for cookie in ("", joris):
                for method in ("GET", "POST"):
                    headers = {**own, "cookie": cookie}
                    answer = await thief.request(method, "/_event/", params=query, headers=headers)
                    assert (answer.status_code, answer.content) == (403, b"")
            flood = {**own, "cookie": sanne, "content-length": "1000001"}
            request = thief.build_request("POST", "/_event/", params=query, headers=flood)
        # Only announced: a server that refuses a body need not read it, and a client that sends it may miss the answer.
        reader, writer = await asyncio.open_connection("127.0.0.1", portal_server.port)
        writer.write(b"POST %s HTTP/1.1\r\n" % request.url.raw_path)
        writer.write(b"".join(b"%s: %s\r\n" % header for header in request.headers.raw) + b"\r\n")
        assert (await reader.readline()).split()[1] == b"413"
        writer.close()
        assert "Sanne" in await owner.send(LOAD), "the owner is not disturbed"


async def test_a_reconnecting_tab_keeps_its_state(connect: Connect, sanne: str) -> None:
    async with connect("tab-moving", sanne) as before:
        await before.send(HYDRATE)
        await before.send(LOAD)
        async with connect("tab-moving", sanne) as after:
            assert after.new_tokens == []
            assert "Sanne" in await after.send(HYDRATE)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://localhost"]
)
async def test_another_origin_cannot_open_the_socket(connect: Connect, sanne: str, origin: str, transport: str) -> None:
    with pytest.raises(Refusal):
        async with connect("tab-evil", sanne, origin, transport):
            pass


async def test_the_log_holds_no_secret(connect: Connect, portal_server: PortalServer) -> None:
    session = await asyncio.to_thread(session_of, portal_server, JORIS)
    async with connect("5b0c1a52-93fd-4a58-8bf0-3a6b8c0b1f11", f"{session}; other=value-of-a-cookie") as socket:
        await socket.send("no.such.handler", {"iban": "NL91ABNA0417164300", "words": "written-by-a-customer"})
        await socket.send(LOAD, {"email": "written-by-a-customer"})
        await socket.client.emit("event", "no dictionary written-by-a-customer", namespace="/_event")
        await asyncio.sleep(0.5)
    log = portal_server.log.read_text()
    assert "event refused" in log
    for secret in (
        session.removeprefix("session="), "value-of-a-cookie", "written-by-a-customer", "NL91ABNA0417164300",
        JORIS[1], "5b0c1a52-93fd-4a58-8bf0-3a6b8c0b1f11",
    ):  # fmt: skip
        assert secret not in log
