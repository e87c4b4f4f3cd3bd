"""The link of a telephone over HTTP: it becomes a cookie, and opens no address of a customer."""

import pytest
from structlog.testing import capture_logs

from portal.flow.api import Draft, DraftStart, FlowApi, PhonePlace
from portal.routes import DOWNLOADS
from tests.support import files
from tests.support.connections import Shop
from tests.support.filling import FLOW, clear
from tests.support.http_browser import ORIGIN, Browser
from tests.support.people import SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
HEADERS = {"origin": ORIGIN}
PHONE = "/files/phone"


async def scanned(browser: Browser, shop: Shop) -> tuple[Draft, str]:
    """A draft, and a browser that has opened its link."""
    browser.client.cookies.clear()
    token = await shop.token(*SANNE)
    await clear(shop, token)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    link = await shop.ask(FlowApi).open_phone_link(token, draft.draft_id, PhonePlace(field="photos"))
    answer = await browser.client.get(f"/photos/{link.hash}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/photos")
    cookies = answer.headers.get_list("set-cookie")
    assert any(cookie.startswith(f"phone={link.hash}") and "HttpOnly" in cookie for cookie in cookies)
    assert any(cookie.startswith("lang=nl") for cookie in cookies), "the language of the customer"
    return draft, token


async def test_a_scanned_link_sends_previews_and_removes_a_photo(http_browser: Browser, shop: Shop) -> None:
    draft, token = await scanned(http_browser, shop)
    content, client = files.jpg(), http_browser.client
    start = {"field": "photos", "name": "foto.jpg", "size": len(content)}
    place = await client.post(f"{PHONE}/drafts/phone", json=start, headers=HEADERS)
    path = f"{PHONE}/uploads/{place.json()['data']['upload_id']}"
    sent = (await client.put(path, content=content, headers=HEADERS)).json()
    assert (sent["success"], sent["data"]["name"]) == (True, "foto.jpg")
    assert (await shop.ask(FlowApi).draft(token, draft.draft_id)).facts["files"][0]["id"] == sent["data"]["id"]
    assert (await http_browser.open(f"{path}/preview")).headers["content-type"] == "image/jpeg"
    assert (await client.request("GET", path)).status_code == 405, "a telephone shows previews, it saves nothing"
    assert (await client.delete(path, headers=HEADERS)).json()["success"]
    assert not (await shop.ask(FlowApi).draft(token, draft.draft_id)).facts["files"]


async def test_the_link_opens_no_address_of_a_customer(http_browser: Browser, shop: Shop) -> None:
    draft, _ = await scanned(http_browser, shop)
    for path in (f"/files/drafts/{draft.draft_id}", "/files/uploads/ABCDEFGH23", "/files/uploads/ABCDEFGH23/preview"):
        for method in ("POST", "PUT", "DELETE", "GET"):
            answer = await http_browser.client.request(method, path, headers=HEADERS)
            assert answer.status_code in {401, 405}, (method, path)
    for download in DOWNLOADS:
        answer = await http_browser.client.get(
            download.path.replace("{name:path}", "ABCDEFGH23"), headers={"accept": "application/json"}
        )
        assert answer.status_code == 401, download.path
    with capture_logs() as lines:
        answer = await http_browser.client.delete(f"{PHONE}/uploads/ABCDEFGH23", headers=HEADERS)
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    assert "phone link refused" in [line["event"] for line in lines]


async def test_other_sites_and_other_links_are_refused(http_browser: Browser, shop: Shop) -> None:
    await scanned(http_browser, shop)
    for headers in ({}, {"origin": "https://evil.example"}):
        answer = await http_browser.client.post(f"{PHONE}/drafts/phone", json={}, headers=headers)
        assert answer.status_code == 403
    for wrong in ("a" * 43, "x", "%2e%2e"):
        http_browser.client.cookies.clear()
        answer = await http_browser.client.get(f"/photos/{wrong}", follow_redirects=False)
        assert answer.headers["location"] == "/photos"
        answer = await http_browser.client.post(f"{PHONE}/drafts/phone", json={}, headers=HEADERS)
        assert (answer.status_code, answer.json()["error"]) in {(401, "session_ended"), (422, "file_params_missing")}
        start = {"field": "photos", "name": "x.jpg", "size": 9}
        answer = await http_browser.client.post(f"{PHONE}/drafts/phone", json=start, headers=HEADERS)
        assert (answer.status_code, answer.json()["error"]) == (401, "session_ended")
