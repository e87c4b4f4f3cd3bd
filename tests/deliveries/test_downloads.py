"""Downloads of delivery documents over HTTP: access, contents and failures."""

import re

import pytest

from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.deliveries.api import DeliveriesApi, OrderStatus
from tests.support.connections import Shop
from tests.support.http_browser import Browser
from tests.support.people import DAAN, SANNE
from tests.support.ports import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")
FREE, ACCEPTED, UNPLANNED = "900000071", "900000074", "900000079"


async def status_of(shop: Shop, number: str) -> OrderStatus:
    return await shop.ask(DeliveriesApi).order_status(await shop.token(*DAAN), number)


async def test_the_delivery_is_downloaded_as_a_whole_day_for_every_calendar(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, DAAN)
    planned = (await status_of(shop, FREE)).scheduled
    assert planned
    for language, name in (("nl", "Bezorging"), ("en", "Delivery")):
        answer = await http_browser.open(f"/files/deliveries/{FREE}.ics?lang={language}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
        assert f'filename="{name}-{FREE}.ics"' in answer.headers["content-disposition"]
        assert "no-store" in answer.headers["cache-control"]
        assert f"DTSTART;VALUE=DATE:{planned.day:%Y%m%d}" in answer.text
        assert "TZID" not in answer.text, "a day, not a moment"
        assert "17:30" in answer.text
    document = await http_browser.open(f"/files/delivery-dates/{ACCEPTED}.pdf?lang=en")
    assert (document.status_code, document.headers["content-type"]) == (200, "application/pdf")


async def test_what_is_not_there_or_not_the_customers_is_not_found(http_browser: Browser, shop: Shop) -> None:
    paths = (f"/files/deliveries/{FREE}.ics", f"/files/delivery-dates/{ACCEPTED}.pdf")
    for path in paths:
        assert (await http_browser.open(path)).headers["location"] == "/"
    await http_browser.log_in(shop, SANNE)
    for path in (*paths, "/files/deliveries/x.ics", "/files/delivery-dates/..%2f..%2fetc.pdf"):
        answer = await http_browser.open(path)
        assert answer.status_code == 404, path
        assert not re.search(rb"%PDF|VCALENDAR", answer.content)
    http_browser.client.cookies.clear()
    await http_browser.log_in(shop, DAAN)
    for path in (f"/files/deliveries/{UNPLANNED}.ics", f"/files/delivery-dates/{FREE}.pdf"):
        assert (await http_browser.open(path)).status_code == 404, "nothing planned, nothing asked for"


@pytest.mark.parametrize(
    ("path", "code"),
    [(f"/files/deliveries/{FREE}.ics", "calendar_failed"), (f"/files/delivery-dates/{ACCEPTED}.pdf", "pdf_failed")],
)
async def test_a_download_that_fails_leads_back_to_the_page(
    http_browser: Browser, shop: Shop, path: str, code: str
) -> None:
    await http_browser.log_in(shop, DAAN)
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    registry.connect(down)
    try:
        page = f"/order-status/{FREE}"
        answer = await http_browser.client.get(path, headers={"referer": f"http://localhost:8000{page}"})
        assert answer.headers["location"] == f"{page}?error={code}"
        scripted = await http_browser.client.get(path, headers={"accept": "application/json"})
        assert (scripted.status_code, scripted.json()["error"]) == (503, code)
    finally:
        registry.connect(shop.provider)
        await down.close()
