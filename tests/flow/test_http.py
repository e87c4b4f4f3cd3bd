"""The HTTP endpoints of files: what is refused before the body is read, and how files are served (security C1, C2)."""

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO

import httpx
import pytest
from PIL import Image
from starlette.types import Message

from portal.backend.files.images import PREVIEW
from portal.flow.api import Draft, DraftStart, FlowApi
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import gettext_for
from portal.routes import Edge
from tests.support import files
from tests.support.connections import Shop
from tests.support.filling import FLOW, clear
from tests.support.http_browser import ORIGIN, Browser
from tests.support.people import NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ORIGIN_HEADER = {"origin": ORIGIN}


async def begun(browser: Browser, shop: Shop, customer: tuple[str, str] = SANNE) -> Draft:
    token = await shop.token(*customer)
    browser.client.cookies.set("session", token)
    await clear(shop, token)
    return await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))


async def announce(browser: Browser, draft: Draft, **values: object) -> httpx.Response:
    entry = {"field": "photos", "name": "foto.jpg", "size": 10, **values}
    return await browser.client.post(f"/files/drafts/{draft.draft_id}", json=entry, headers=ORIGIN_HEADER)


async def send(browser: Browser, draft: Draft, name: str, content: bytes) -> httpx.Response:
    place = await announce(browser, draft, name=name, size=len(content))
    path = f"/files/uploads/{place.json()['data']['upload_id']}"
    return await browser.client.put(path, content=content, headers=ORIGIN_HEADER)


async def test_a_file_is_uploaded_previewed_downloaded_and_removed(http_browser: Browser, shop: Shop) -> None:
    draft = await begun(http_browser, shop)
    content = files.jpg()
    answer = (await send(http_browser, draft, "schade – voor.JPG", content)).json()
    assert answer["success"]
    data = answer["data"]
    assert (data["name"], data["size"], data["kind"], data["photo"]) == ("schade – voor.JPG", len(content), "JPG", True)
    path = f"/files/uploads/{data['id']}"
    preview = await http_browser.open(f"{path}/preview")
    assert preview.headers["content-type"] == "image/jpeg"
    assert preview.headers["cache-control"] == "private, no-store"
    assert max(Image.open(BytesIO(preview.content)).size) <= PREVIEW
    saved = await http_browser.open(path)
    assert saved.headers["content-disposition"].startswith('attachment; filename="schade---voor.JPG"; filename*=UTF-8')
    assert saved.headers["x-content-type-options"] == "nosniff"
    assert saved.headers["content-security-policy"].endswith("sandbox")
    assert saved.headers["cache-control"] == "private, no-store"
    assert b"GEHEIM" not in saved.content
    removed = await http_browser.client.delete(path, headers=ORIGIN_HEADER)
    assert removed.json()["success"]
    assert (await http_browser.open(path)).status_code == 404


async def test_refusals_carry_the_codes_of_the_catalogue(http_browser: Browser, shop: Shop) -> None:
    draft = await begun(http_browser, shop)
    for values, code in (
        ({"size": 0}, "file_empty"),
        ({"size": 100 * 1024 * 1024 + 1}, "max_upload_size_reached"),
        ({"field": "parts"}, "file_params_missing"),
        ({"name": 7}, "file_params_missing"),
        ({"size": "many"}, "file_params_missing"),
    ):
        answer = await announce(http_browser, draft, **values)
        assert (answer.json()["error"], answer.status_code) == (code, 422)
    for _ in range(5):
        assert (await announce(http_browser, draft)).status_code == 200
    assert (await announce(http_browser, draft)).json()["error"] == "max_upload_file_count_reached"
    await shop.alter("DELETE FROM uploads")
    assert (await send(http_browser, draft, "foto.jpg", files.PROGRAM)).json()["error"] == "file_not_allowed"
    say = gettext_for("nl")
    assert say(MESSAGES[Code.UPLOAD_FAILED]) == "Er ging iets fout bij het uploaden."


async def test_other_customers_and_other_sites_are_refused(http_browser: Browser, shop: Shop) -> None:
    draft = await begun(http_browser, shop)
    upload = (await send(http_browser, draft, "foto.jpg", files.jpg())).json()["data"]["id"]
    path = f"/files/uploads/{upload}"
    for headers in ({}, {"origin": "https://evil.example"}, {**ORIGIN_HEADER, "sec-fetch-site": "cross-site"}):
        for method, where in (("DELETE", path), ("PUT", path), ("POST", f"/files/drafts/{draft.draft_id}")):
            assert (await http_browser.client.request(method, where, content=b"x", headers=headers)).status_code == 403
    http_browser.client.cookies.set("session", await shop.token(*NOOR))
    for method, where in (("GET", path), ("GET", f"{path}/preview"), ("DELETE", path), ("PUT", path)):
        answer = await http_browser.client.request(
            method, where, content=b"x" if method == "PUT" else None, headers=ORIGIN_HEADER
        )
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    assert (await announce(http_browser, draft)).status_code == 404
    http_browser.client.cookies.clear()
    assert (await http_browser.open(path)).status_code == 401
    assert (await announce(http_browser, draft)).status_code == 401


async def _put(
    edge: Edge, token: str, upload_id: str, length: str | None, body: AsyncIterator[bytes]
) -> tuple[int, int]:
    """Send a body by hand; the status, and how many pieces were read."""
    headers = [(b"origin", ORIGIN.encode()), (b"host", b"localhost:8000"), (b"cookie", f"session={token}".encode())]
    if length is not None:
        headers.append((b"content-length", length.encode()))
    read, status = 0, 0

    async def receive() -> Message:
        nonlocal read
        read += 1
        chunk = await anext(body, None)
        return (
            {"type": "http.disconnect"} if chunk is None else {"type": "http.request", "body": chunk, "more_body": True}
        )

    async def answer(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)

    path = f"/files/uploads/{upload_id}"
    scope = {
        "type": "http", "method": "PUT", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": headers, "scheme": "http", "server": ("localhost", 8000), "client": ("127.0.0.1", 1),
        "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0"},
    }  # fmt: skip
    await edge(scope, receive, answer)
    return status, read


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 1000):
        yield content[start : start + 1000]
        await asyncio.sleep(0)


async def test_a_body_that_is_too_large_or_has_no_length_is_not_read(
    http_browser: Browser, shop: Shop, edge: Edge
) -> None:
    draft = await begun(http_browser, shop)
    token = await shop.token(*SANNE)
    place = (await announce(http_browser, draft, size=5000)).json()["data"]["upload_id"]
    for session, length, status in (
        (token, str(101 * 1024 * 1024), 413),
        (token, "9" * 30, 422),
        (token, None, 422),
        (token, "-5", 422),
        (token, "0", 422),
        ("nobody", "5000", 401),
        ("", "5000", 401),
    ):
        assert await _put(edge, session, place, length, _pieces(b"x" * 5000)) == (status, 0)


async def test_a_truncated_body_creates_no_file(http_browser: Browser, shop: Shop, edge: Edge) -> None:
    draft = await begun(http_browser, shop)
    token, content = await shop.token(*SANNE), files.jpg()
    place = (await announce(http_browser, draft, size=len(content))).json()["data"]["upload_id"]
    status, read = await _put(edge, token, place, str(len(content)), _pieces(content[: len(content) // 2]))
    assert status == 422
    assert read > 2
    assert not (await shop.ask(FlowApi).draft(token, draft.draft_id)).facts["files"]
    assert (await http_browser.open(f"/files/uploads/{place}")).status_code == 404
