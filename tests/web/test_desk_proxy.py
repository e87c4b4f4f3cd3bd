"""The way to the staff site: what passes it unchanged, and what each host gets."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from portal.settings import Settings
from portal.web.desk_proxy import DeskHostsOnly, DeskProxy
from tests.support.desk_backend import PIECE
from tests.support.ports import free_port

pytestmark = pytest.mark.asyncio
DESK = "balie.localhost:8000"
CUSTOMERS = PlainTextResponse("customers")


def options(**given: Any) -> Settings:
    """Settings of the customers' process."""
    return Settings.model_validate({"port": 8000, **given})


def proxy(port: int, **given: Any) -> DeskProxy:
    """The way to a staff process at this port."""
    return DeskProxy(CUSTOMERS, options(desk_port=port, **given))


async def request(app: ASGIApp, path: str = "/", host: str = DESK, method: str = "GET", **given: Any) -> httpx.Response:
    """Send a request to an application."""
    transport = httpx.ASGITransport(app, client=("192.0.2.7", 1234))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
        return await client.request(method, path, **given)


class Socket:
    """A browser's side of a socket.

    Attributes:
        answers: what came, in order; it holds as many as `room`.
    """

    def __init__(self, app: ASGIApp, path: str = "/_event", host: str = DESK, room: int = 0, **scope: Any) -> None:
        self.answers: asyncio.Queue[Any] = asyncio.Queue(room)
        self._typed: asyncio.Queue[Any] = asyncio.Queue()
        self._typed.put_nowait({"type": "websocket.connect"})
        headers = [(b"host", host.encode()), (b"cookie", b"staff=abc"), (b"origin", f"http://{host}".encode())]
        whole = {
            "type": "websocket",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"EIO=4&token=1",
            "headers": headers,
            "client": ("192.0.2.7", 1),
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            **scope,
        }
        self.done = asyncio.ensure_future(app(whole, self._typed.get, self.answers.put))

    def type(self, **message: Any) -> None:
        """Send a message."""
        self._typed.put_nowait({"type": "websocket.receive", **message})

    def leave(self, code: int) -> None:
        """Close the page."""
        self._typed.put_nowait({"type": "websocket.disconnect", "code": code})

    async def next(self) -> Any:
        """The next answer."""
        async with asyncio.timeout(60):
            return await self.answers.get()


async def sent_by(port: int) -> dict[str, int]:
    """What the staff process has sent, and how sockets ended."""
    async with httpx.AsyncClient() as client:
        return (await client.get(f"http://127.0.0.1:{port}/")).json()["sent"]


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "mijn.localhost:8000",
        "retouren.localhost",
        "xbalie.localhost",
        "",
        "balie.",
        "balie.elsewhere.example",
        "balie.localhost@elsewhere.example:80",
        "balie.\x00",
    ],
)
async def test_other_hosts_get_the_pages_of_customers(desk_backend: int, host: str) -> None:
    answer = await request(proxy(desk_backend), headers={"host": host}, host="localhost")
    assert answer.text == "customers"
    socket = Socket(proxy(desk_backend), host=host)
    assert (await socket.next())["type"] != "websocket.accept", "the application of customers answers the socket"
    socket.done.cancel()


@pytest.mark.parametrize("host", [DESK, "BALIE.localhost", "balie.shop.example", "counter.example"])
async def test_hosts_of_the_desk_never_get_the_pages_of_customers(desk_backend: int, host: str) -> None:
    app = proxy(desk_backend, desk_url="https://counter.example", allowed_hosts=["balie.shop.example"])
    answer = await request(app, "/orders", headers={"host": host})
    assert answer.json()["path"] == "/orders"


async def test_a_request_arrives_as_it_was_sent(desk_backend: int) -> None:
    body = b"0123456789" * 100_000
    answer = await request(
        proxy(desk_backend),
        "/auth/session%20x?next=%2Fcases&a=1",
        method="POST",
        content=body,
        headers={"cookie": "staff=abc; lang=en", "origin": f"http://{DESK}", "x-custom": "1"},
    )
    told = answer.json()
    headers = dict(told["headers"])
    assert (answer.status_code, told["method"], told["query"]) == (201, "POST", "next=%2Fcases&a=1")
    assert told["path"] == "/auth/session x"
    assert (told["size"], told["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    assert (headers["host"], headers["origin"]) == (DESK, f"http://{DESK}")
    assert (headers["cookie"], headers["x-custom"]) == ("staff=abc; lang=en", "1")


async def test_an_answer_arrives_as_it_was_given(desk_backend: int) -> None:
    answer = await request(proxy(desk_backend))
    assert answer.headers.get_list("set-cookie") == ["a=1; Path=/", "b=2; Path=/"]
    moved = await request(proxy(desk_backend), "/moved")
    assert (moved.status_code, moved.headers["location"]) == (303, "/login")


@pytest.mark.parametrize("raw", [b"*", b"/\xff", b"/a\x00b", b"/" + b"a" * 70_000])
async def test_an_address_that_no_browser_sends_is_refused(desk_backend: int, raw: bytes) -> None:
    answers: list[Any] = []
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "raw_path": raw,
        "query_string": b"",
        "headers": [(b"host", DESK.encode())],
    }

    async def keep(message: Any) -> None:
        answers.append(message)

    await proxy(desk_backend)(scope, asyncio.Queue[Any]().get, keep)
    assert answers[0]["status"] == 400


async def test_headers_of_one_connection_stay_with_it(desk_backend: int) -> None:
    sent = {"connection": "keep-alive, x-hop", "x-hop": "1", "te": "trailers", "upgrade": "h2c", "x-stays": "1"}
    names = {name for name, _ in (await request(proxy(desk_backend), headers=sent)).json()["headers"]}
    assert "x-stays" in names
    assert not {"x-hop", "te", "upgrade"} & names


@pytest.mark.parametrize("forged", ["", "203.0.113.9"])
async def test_without_a_proxy_in_front_the_address_is_that_of_the_connection(desk_backend: int, forged: str) -> None:
    sent = {"x-forwarded-for": forged, "x-forwarded-proto": "https"} if forged else {}
    headers = (await request(proxy(desk_backend), headers=sent)).json()["headers"]
    forwarded = [value for name, value in headers if name == "x-forwarded-for"]
    assert forwarded == ["192.0.2.7"]
    assert [value for name, value in headers if name == "x-forwarded-proto"] == ["http"]


async def test_behind_a_proxy_its_word_is_passed_on(desk_backend: int) -> None:
    sent = {"x-forwarded-for": "198.51.100.4, 203.0.113.9", "x-forwarded-proto": "https"}
    headers = dict((await request(proxy(desk_backend, trusted_proxy_hops=1), headers=sent)).json()["headers"])
    assert headers["x-forwarded-for"] == "198.51.100.4, 203.0.113.9"
    assert headers["x-forwarded-proto"] == "https"


async def test_a_slow_browser_slows_the_desk(desk_backend: int) -> None:
    room = asyncio.Queue[Any](4)
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/endless",
        "query_string": b"",
        "headers": [(b"host", DESK.encode())],
        "client": ("192.0.2.7", 1),
    }
    before = (await sent_by(desk_backend)).get("http", 0)

    async def receive() -> Any:
        await asyncio.Event().wait()

    reading = asyncio.create_task(proxy(desk_backend)(scope, receive, room.put))
    last, sent = -1, before
    while sent != last or sent == before:
        await asyncio.sleep(0.5)
        last, sent = sent, (await sent_by(desk_backend)).get("http", 0)
        assert (sent - before) * len(PIECE) < 64 * 1024 * 1024, "no more is read while the browser does not read"
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def test_a_socket_carries_both_ways_with_cookie_origin_and_query(desk_backend: int) -> None:
    socket = Socket(proxy(desk_backend), subprotocols=["token-1"])
    assert await socket.next() == {"type": "websocket.accept", "subprotocol": "token-1"}
    told = json.loads((await socket.next())["text"])
    assert told["path"] == "/_event"
    assert told["headers"]["host"] == DESK
    assert told["headers"]["cookie"] == "staff=abc"
    assert told["headers"]["origin"] == f"http://{DESK}"
    assert told["headers"]["x-forwarded-for"] == "192.0.2.7"
    for message in ({"text": "é" * 70_000}, {"bytes": b"\x00\xff" * 70_000}):
        socket.type(**message)
        assert await socket.next() == {"type": "websocket.send", **message}
    socket.leave(1000)
    await socket.done


async def test_the_close_code_of_the_desk_reaches_the_browser(desk_backend: int) -> None:
    socket = Socket(proxy(desk_backend))
    for _ in range(2):
        await socket.next()
    socket.type(text="close")
    assert await socket.next() == {"type": "websocket.close", "code": 4001, "reason": "enough"}
    await socket.done


@pytest.mark.parametrize(("left", "told"), [(4002, 4002), (1001, 1001), (1005, 1000), (1006, 1001)])
async def test_the_close_code_of_the_browser_reaches_the_desk(desk_backend: int, left: int, told: int) -> None:
    before = await sent_by(desk_backend)
    socket = Socket(proxy(desk_backend))
    for _ in range(2):
        await socket.next()
    socket.leave(left)
    await socket.done
    name = f"closed with {told}"
    async with asyncio.timeout(60):
        while (await sent_by(desk_backend)).get(name, 0) != before.get(name, 0) + 1:
            await asyncio.sleep(0.02)


async def test_a_socket_that_the_desk_refuses_is_refused(desk_backend: int) -> None:
    socket = Socket(proxy(desk_backend), path="/closed")
    assert (await socket.next())["type"] == "websocket.close"
    await socket.done


async def test_a_browser_that_reads_no_socket_slows_the_desk(desk_backend: int) -> None:
    socket = Socket(proxy(desk_backend), room=3)
    for _ in range(2):
        await socket.next()
    socket.type(text="flood")
    before, sent = -1, 0
    async with asyncio.timeout(60):
        while sent != before:
            await asyncio.sleep(0.5)
            before, sent = sent, (await sent_by(desk_backend))["socket"]
            assert sent * len(PIECE) < 64 * 1024 * 1024
    socket.done.cancel()
    await asyncio.gather(socket.done, return_exceptions=True)


@pytest.fixture
def dead() -> DeskProxy:
    """The way to a process that is not there."""
    return proxy(free_port())


async def test_a_desk_that_is_not_up_says_so_and_the_page_asks_again(dead: DeskProxy) -> None:
    for language, text in (("nl", "De balie start op"), ("en", "The staff site is starting")):
        answer = await request(dead, "/cases", headers={"accept": "text/html", "cookie": f"lang={language}"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert f'<html lang="{language}">' in answer.text
        assert text in answer.text
        assert '<meta http-equiv="refresh" content="2">' in answer.text


async def test_the_page_of_a_desk_that_is_not_up_runs_no_script_and_has_its_own_style(dead: DeskProxy) -> None:
    answer = await request(dead, headers={"accept": "text/html"})
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_script_and_a_socket_are_told_that_the_desk_is_not_up(dead: DeskProxy) -> None:
    answer = await request(dead, "/auth/code", method="POST", headers={"accept": "application/json"}, json={})
    assert (answer.status_code, answer.json()["success"]) == (503, False)
    socket = Socket(dead)
    assert (await socket.next())["type"] == "websocket.close"
    await socket.done


async def test_without_a_desk_its_hosts_hold_nothing(desk_backend: int) -> None:
    off = proxy(desk_backend, desk=False)
    answer = await request(off, "/orders")
    assert (answer.status_code, answer.text) == (404, "Not found")
    socket = Socket(off)
    assert (await socket.next())["type"] == "websocket.close"
    await socket.done
    assert (await request(off, host="localhost:8000")).text == "customers"


@pytest.mark.parametrize("host", ["localhost:8000", "mijn.localhost", "127.0.0.1:8000"])
async def test_the_process_of_the_desk_answers_on_no_other_host(host: str) -> None:
    app = DeskHostsOnly(PlainTextResponse("staff"), options())
    assert (await request(app, host=host)).status_code == 404
    socket = Socket(app, host=host)
    assert (await socket.next())["type"] == "websocket.close"
    await socket.done
    assert (await request(app)).text == "staff"
