"""The download of the copy, through the HTTP edge and both connections to the provider."""

import asyncio
import io
import re
from typing import Any
from zipfile import ZipFile

import pytest

from portal.contract.errors import Conflict, Refused, TooMany, Unavailable
from portal.contract.models import Content
from portal.frontend.load import READY
from portal.frontend.session import SessionState
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.privacy.api import DataExport, ErasureCodeSent, PersonalData, PrivacyApi
from portal.privacy.pages import CLOSED, CODE, ERASED_PATH, MyPrivacy
from portal.vocabulary.customers import ExportStatus
from tests.frontend.test_pages import tab_of
from tests.support.connections import Shop
from tests.support.doubles import answering
from tests.support.http_browser import Browser
from tests.support.people import EVA, JORIS, NOOR, ROOS, SANNE
from tests.support.pipeline import Pipeline, Tab

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
    with answering(export_content=export_content):
        answer = await http_browser.open("/files/my-data/B234567890.zip")
    assert (answer.status_code, answer.headers["location"]) == (303, "/my-data/privacy")


PATH = "/my-data/privacy"


async def page_of(tabs: Pipeline, shop: Shop, customer: tuple[str, str], name: str) -> Tab:
    tab = await tab_of(tabs, shop, customer, name)
    await tab.send(SessionState.load)
    await tab.send(MyPrivacy.load, path=PATH)
    assert tab.shown(MyPrivacy, "view_state") == READY
    return tab


async def test_a_copy_that_was_asked_for_is_shown_as_waiting(tabs: Pipeline, shop: Shop) -> None:
    tab = await page_of(tabs, shop, EVA, "ask")
    await tab.send(MyPrivacy.ask_for_export, path=PATH)
    shown = tab.shown(MyPrivacy, "export")
    assert (shown.status, bool(shown.export_id)) == (ExportStatus.WAITING.value, True)


async def test_a_ready_copy_is_shown_with_its_size(tabs: Pipeline, shop: Shop) -> None:
    export = DataExport(
        export_id="B234567890", status=ExportStatus.READY, asked_at=now(), size=12_345_678, expires_at=now()
    )

    async def personal_data(token: str) -> PersonalData:
        return PersonalData(export=export, running=[])

    tab = await tab_of(tabs, shop, SANNE, "ready")
    with answering(personal_data=personal_data):
        await tab.send(MyPrivacy.load, path=PATH)
    assert tab.shown(MyPrivacy, "export").megabytes == pytest.approx(12.3, abs=0.05)


async def test_too_many_copies_say_from_when_on_another_is_possible(tabs: Pipeline, shop: Shop) -> None:
    moment = now()

    async def ask_for_export(token: str) -> PersonalData:
        raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=moment)

    tab = await page_of(tabs, shop, SANNE, "many")
    with answering(ask_for_export=ask_for_export):
        await tab.send(MyPrivacy.ask_for_export, path=PATH)
    assert tab.shown(MyPrivacy, "export_problem") == "too_many_requests"
    assert tab.shown(MyPrivacy, "retry_at") == moment.isoformat()


async def test_what_still_runs_is_listed_and_prevents_the_erasure(tabs: Pipeline, shop: Shop) -> None:
    tab = await page_of(tabs, shop, JORIS, "running")
    names = {entry.kind: entry.name for entry in tab.shown(MyPrivacy, "running")}
    assert names["request"] == "S48621851", "a number of the retailer stays as it is"
    other = await page_of(tabs, shop, ROOS, "running-returns")
    references = [entry.name for entry in other.shown(MyPrivacy, "running") if entry.kind == "return"]
    assert all(re.fullmatch(r"\w{4} \w{4}", name) for name in references)
    assert references
    await tab.send(MyPrivacy.request_erasure, path=PATH)
    assert tab.shown(MyPrivacy, "problem") == "erasure_not_possible"
    assert tab.stored(MyPrivacy).step == CLOSED


async def test_the_erasure_goes_by_code_and_ends_on_a_page_for_everybody(tabs: Pipeline, shop: Shop) -> None:
    typed: list[str] = []

    async def request_erasure(token: str) -> ErasureCodeSent:
        return ErasureCodeSent(email="s…@…nl", expires_at=now(), resend_at=now())

    async def confirm_erasure(token: str, entry: Any) -> None:
        typed.append(entry.code)
        if len(typed) == 1:
            raise Refused(Code.INVALID_CODE)
        if len(typed) == 2:
            raise Conflict(Code.ERASURE_NOT_POSSIBLE)

    tab = await page_of(tabs, shop, SANNE, "erase")
    with answering(request_erasure=request_erasure, confirm_erasure=confirm_erasure):
        await tab.send(MyPrivacy.request_erasure, path=PATH)
        assert (tab.shown(MyPrivacy, "step"), tab.shown(MyPrivacy, "sent_to")) == (CODE, "s…@…nl")
        for problem in ("invalid_code", "erasure_not_possible"):
            await tab.send(MyPrivacy.confirm_erasure, path=PATH, form={"code": "123456"})
            assert tab.shown(MyPrivacy, "problem") == problem
        await tab.send(MyPrivacy.confirm_erasure, path=PATH, form={"code": "123456"})
    assert typed == ["123456"] * 3
    assert ERASED_PATH in str(tab.events)


async def test_the_customer_can_change_their_mind(tabs: Pipeline, shop: Shop) -> None:
    tab = await page_of(tabs, shop, SANNE, "stop")
    tab.stored(MyPrivacy).step = CODE
    await tab.send(MyPrivacy.stop, path=PATH)
    assert tab.stored(MyPrivacy).step == CLOSED
