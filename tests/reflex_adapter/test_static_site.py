"""Serving the compiled pages, with a small site instead of the real one."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from portal.reflex_adapter.static import StaticSite, best_encoding
from portal.web.headers import SecurityHeaders, page_policy, script_hashes

_PAGE = "<html><script>go()</script><script src='/assets/app-1.js'></script></html>"
_SCRIPT = "go();" * 100


@pytest.fixture
def client(tmp_path: Path) -> httpx.AsyncClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "orders").mkdir()
    (tmp_path / "index.html").write_text(_PAGE)
    (tmp_path / "__spa-fallback.html").write_text("<html>shell</html>")
    (tmp_path / "orders/index.html").write_text("<html>orders</html>")
    (tmp_path / "orders.html").write_text("<html>orders</html>")
    (tmp_path / "assets/app-1.js").write_text(_SCRIPT)
    (tmp_path / "assets/app-1.js.br").write_bytes(b"brotli")
    (tmp_path / "assets/app-1.js.gz").write_bytes(gzip.compress(_SCRIPT.encode()))

    async def backend(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-from", b"backend")]})
        await send({"type": "http.response.body", "body": b"pong"})

    site = StaticSite(tmp_path, lambda path: "orders/[id]" if path.startswith("/orders/") else None, backend)
    return httpx.AsyncClient(transport=httpx.ASGITransport(SecurityHeaders(site)), base_url="http://portal")


@pytest.mark.parametrize("path", ["/orders", "/orders/"])
async def test_a_page_answers_with_and_without_a_slash(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert answer.text == "<html>orders</html>"


async def test_a_page_of_one_thing_gets_the_shell(client: httpx.AsyncClient) -> None:
    answer = await client.get("/orders/12")
    assert (answer.status_code, answer.text) == (200, "<html>shell</html>")


@pytest.mark.parametrize("path", ["/nothing", "/assets/app-0.js", "/index.html", "/__spa-fallback.html", "/../secret"])
async def test_what_is_not_there_answers_404(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


async def test_a_browser_that_has_the_page_already_gets_no_body(client: httpx.AsyncClient) -> None:
    first = await client.get("/orders")
    again = await client.get("/orders", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert "content-security-policy" not in again.headers, "it would replace that of the page"


async def test_a_script_is_packed_once_and_kept_for_ever(client: httpx.AsyncClient) -> None:
    plain = await client.get("/assets/app-1.js", headers={"accept-encoding": "identity"})
    packed = await client.get("/assets/app-1.js", headers={"accept-encoding": "gzip"})
    async with client.stream("GET", "/assets/app-1.js", headers={"accept-encoding": "gzip, br"}) as smallest:
        assert smallest.headers["content-encoding"] == "br"
    assert (packed.headers["content-encoding"], plain.text, packed.text) == ("gzip", _SCRIPT, _SCRIPT)
    assert packed.headers["vary"] == "Accept-Encoding"
    assert packed.headers["cache-control"].endswith(", public, immutable")


async def test_a_page_that_is_not_there_is_always_sent(client: httpx.AsyncClient) -> None:
    first = await client.get("/nothing")
    again = await client.get("/nothing", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.text) == (404, "<html>shell</html>")


async def test_a_page_cannot_be_posted_to(client: httpx.AsyncClient) -> None:
    assert (await client.post("/orders")).status_code == 405


async def test_the_frameworks_own_addresses_go_on_to_it(client: httpx.AsyncClient) -> None:
    assert (await client.get("/ping")).text == "pong"


async def test_the_policy_names_exactly_the_inline_scripts_of_the_page(client: httpx.AsyncClient) -> None:
    policy = (await client.get("/")).headers["content-security-policy"]
    assert policy.count("'sha256-") == 1
    assert script_hashes("<script>go()</script>")[0] in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1]
    assert page_policy(_PAGE) == policy


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("*", "br"),
        ("identity", ""),
        ("", ""),
        ("br;q=nonsense", ""),
    ],
)
def test_the_smallest_accepted_encoding_is_chosen(accepted: str, chosen: str) -> None:
    assert best_encoding(accepted, ("br", "gzip")) == chosen
