"""The code beside the field for files, and the page that it opens on the telephone."""

import asyncio

import pytest

from portal.flow.api import FlowApi, UploadStart
from portal.flow.pages.phone import PhonePage
from portal.flow.pages.phone_code import PhoneCode
from portal.flow.pages.state import FlowRun
from portal.work_orders.flow.repair import PHOTOS, REPAIR
from tests.contract.operations import flowing
from tests.frontend.test_live import begin
from tests.support import files
from tests.support.connections import Shop
from tests.support.filling import FLOW, clear
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
STEP = REPAIR.url(PHOTOS)


async def at_the_computer(tabs: Pipeline, shop: Shop, name: str) -> tuple[Tab, str]:
    """A tab with a draft and a code, and the last part of the link."""
    token = await shop.token(*SANNE)
    await clear(shop, token)
    tab = signed_in(tabs.tab(name), token)
    await tab.send(FlowRun.load, path=f"/{FLOW}")
    await tab.send(FlowRun.begin, path=f"/{FLOW}")
    await tab.send(PhoneCode.show, path=STEP, field="photos")
    assert tab.shown(PhoneCode, "picture").startswith("data:image/svg+xml")
    address = tab.shown(PhoneCode, "address")
    assert address.startswith("http://localhost:8000/photos/")
    return tab, address.rpartition("/")[2]


async def test_a_code_that_is_asked_for_before_the_page_has_loaded_is_shown(tabs: Pipeline, shop: Shop) -> None:
    await at_the_computer(tabs, shop, "loaded")
    tab = signed_in(tabs.tab("at once"), await shop.token(*SANNE))
    asked = asyncio.create_task(tab.send(PhoneCode.show, path=STEP, field="photos"))
    await asyncio.sleep(0.2)
    await tab.send(FlowRun.load, path=STEP)
    await asked
    assert tab.stored(PhoneCode).picture.startswith("data:image/svg+xml")


async def on_the_phone(tabs: Pipeline, name: str, link: str) -> Tab:
    """The page on the telephone."""
    tab = tabs.tab(f"phone-{name}")
    tab.cookie = f"phone={link}"
    return await tab.send(PhonePage.load, path="/photos")


async def test_a_photo_of_the_telephone_appears_on_the_computer(tabs: Pipeline, shop: Shop) -> None:
    tab, link = await at_the_computer(tabs, shop, "live")
    watching = await begin(tab, PhoneCode.watch, STEP)
    phone = await on_the_phone(tabs, "live", link)
    seen = phone.stored(PhonePage)
    assert (seen.view_state, seen.flow, seen.files) == ("ready", FLOW, [])
    await until(lambda: tab.stored(PhoneCode).opened)
    content = files.jpg()
    place = await shop.ask(FlowApi).begin_phone_upload(
        link, UploadStart(field="photos", name="schade.jpg", size=len(content))
    )
    await shop.ask(FlowApi).receive_phone_upload(link, place.upload_id, flowing(content))
    await until(lambda: [file.name for file in tab.stored(FlowRun).files.get("photos", [])] == ["schade.jpg"])
    await phone.send(PhonePage.load, path="/photos")
    assert [file.name for file in phone.stored(PhonePage).files] == ["schade.jpg"]
    watching.cancel()


async def test_an_ended_code_disappears_and_the_telephone_says_so(tabs: Pipeline, shop: Shop) -> None:
    tab, link = await at_the_computer(tabs, shop, "ends")
    await tab.send(PhoneCode.end, path=STEP)
    assert not tab.stored(PhoneCode).address
    for name, ended in (("ends", link), ("never", "")):
        phone = await on_the_phone(tabs, name, ended)
        assert phone.stored(PhonePage).view_state == "missing"


async def test_a_code_whose_draft_is_removed_ends_on_both_sides(tabs: Pipeline, shop: Shop) -> None:
    tab, link = await at_the_computer(tabs, shop, "removed")
    watching = await begin(tab, PhoneCode.watch, STEP)
    phone = await on_the_phone(tabs, "removed", link)
    seen = asyncio.ensure_future(begin(phone, PhonePage.watch, "/photos"))
    await shop.ask(FlowApi).discard_draft(await shop.token(*SANNE), tab.stored(FlowRun).draft)
    await until(lambda: phone.stored(PhonePage).view_state == "missing")
    watching.cancel()
    (await seen).cancel()


async def test_a_refused_code_is_explained(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await at_the_computer(tabs, shop, "refused")
    await tab.send(PhoneCode.show, path=STEP, field="parts")
    assert tab.shown(PhoneCode, "problem") == "file_params_missing"
    assert not tab.stored(PhoneCode).address
