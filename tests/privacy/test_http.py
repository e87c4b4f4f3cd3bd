"""The download of the copy, through the HTTP edge and both connections to the provider."""

from __future__ import annotations

import asyncio
import io
from zipfile import ZipFile

import pytest

from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.contract.models import Content
from portal.privacy.api import PrivacyApi
from portal.vocabulary.customers import ExportStatus
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.http_browser import Browser
from tests.support.people import JORIS, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ready(shop: Shop, token: str) -> str:
    """Ask for a copy and wait until the worker has made it; return its id."""
    await shop.ask(PrivacyApi).ask_for_export(token)
    async with asyncio.timeout(60):
        while True:
            export = (await shop.ask(PrivacyApi).personal_data(token)).export
            if export and export.status is ExportStatus.READY:
                return export.export_id
            await asyncio.sleep(0.1)


async def test_a_copy_is_made_by_the_worker_and_streamed(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    content = await shop_each_way.ask(PrivacyApi).export_content(token, await ready(shop_each_way, token))
    whole = b"".join([chunk async for chunk in content.chunks])
    assert "data.json" in ZipFile(io.BytesIO(whole)).namelist(), "this customer reads English"


async def test_the_owner_downloads_the_copy_as_an_attachment(http_browser: Browser, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    http_browser.client.cookies.set("session", token)
    answer = await http_browser.open(f"/files/my-data/{await ready(shop, token)}.zip")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"].startswith('attachment; filename="mijn-gegevens-')
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "gegevens.json" in ZipFile(io.BytesIO(answer.content)).namelist()


async def test_nobody_else_gets_it(http_browser: Browser, shop: Shop) -> None:
    path = f"/files/my-data/{await ready(shop, await shop.token(*SANNE))}.zip"
    stranger = await http_browser.open(path)
    assert (stranger.status_code, stranger.headers["location"]) == (303, "/")
    http_browser.client.cookies.set("session", await shop.token(*JORIS))
    other = await http_browser.open(path)
    assert (other.status_code, other.headers["location"]) == (303, "/my-data/privacy")
    http_browser.client.headers["accept"] = "application/json"
    assert (await http_browser.open(path)).status_code == 404


@pytest.mark.parametrize("name", ["..%2f..%2fetc", "A" * 17, "%00", "a'b"])
async def test_a_name_that_is_none_of_ours_leads_back_to_the_page(http_browser: Browser, shop: Shop, name: str) -> None:
    http_browser.client.cookies.set("session", await shop.token(*SANNE))
    answer = await http_browser.open(f"/files/my-data/{name}.zip")
    assert answer.status_code in {303, 200, 404}
    assert answer.headers.get("content-type") != "application/zip"


async def test_a_provider_that_does_not_answer_leads_back_to_the_page(http_browser: Browser, shop: Shop) -> None:
    async def export_content(token: str, export_id: str) -> Content:
        raise Unavailable

    http_browser.client.cookies.set("session", await shop.token(*SANNE))
    registry.connect(replaced(shop.provider, export_content=export_content))
    try:
        answer = await http_browser.open("/files/my-data/B234567890.zip")
    finally:
        registry.connect(shop.provider)
    assert (answer.status_code, answer.headers["location"]) == (303, "/my-data/privacy")
