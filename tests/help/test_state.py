"""The customer service: what the customer came for, whether somebody is there, and the service points nearby."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from portal.contract import registry
from portal.contract.errors import TooMany
from portal.frontend.session import SessionState
from portal.frontend.toasts import Toasts
from portal.help import pages as contact
from portal.help.pages import Contact
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM
from portal.locations.pages.service_points import ServicePoints
from portal.settings import settings
from tests.frontend.test_live import begin
from tests.frontend.test_pages import provider_is_down
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("asked", "topic"),
    [("?topic=repair", "repair"), ("?topic=delivery_date", "delivery_date"), ("", ""), ("?topic=<script>", "")],
)
async def test_the_topic_is_one_that_we_know_or_none(tabs: Pipeline, shop: Shop, asked: str, topic: str) -> None:
    tab = signed_in(tabs.tab(f"contact{asked}"), await shop.token(*SANNE))
    await tab.send(Contact.load, path=f"/contact{asked}")
    assert tab.shown(Contact, "topic") == topic
    assert tab.shown(Contact, "known") is True
    assert tab.shown(Contact, "at")


@pytest.fixture
def on_holidays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The customer service keeps the public holidays."""
    monkeypatch.setenv("PORTAL_CLOSED_ON_HOLIDAYS", "true")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def _at(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    local = datetime.fromisoformat(moment).replace(tzinfo=AMSTERDAM)
    monkeypatch.setattr(contact, "now", lambda: local.astimezone(UTC))
    monkeypatch.setattr(contact, "today", local.date)


async def test_it_says_until_when_or_from_when_somebody_is_there(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = signed_in(tabs.tab("hours"), await shop.token(*SANNE))
    _at(monkeypatch, "2026-12-25T12:00")
    await tab.send(Contact.load, path="/contact")
    assert (tab.shown(Contact, "open"), tab.shown(Contact, "at")) == (True, "20:00")
    assert not tab.shown(Contact, "closed")
    _at(monkeypatch, "2026-12-25T21:00")
    await tab.send(Contact.load, path="/contact")
    assert (tab.shown(Contact, "open"), tab.shown(Contact, "at"), tab.shown(Contact, "day")) == (
        False, "09:00", "2026-12-26",
    )  # fmt: skip


@pytest.mark.usefixtures("on_holidays")
async def test_holidays_count_where_the_settings_say_so(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = signed_in(tabs.tab("holidays"), await shop.token(*SANNE))
    _at(monkeypatch, "2026-12-25T12:00")
    await tab.send(Contact.load, path="/contact")
    assert tab.shown(Contact, "day") == "2026-12-27"
    assert tab.shown(Contact, "closed") == ["2026-12-25", "2026-12-26"]


async def test_an_open_page_learns_that_it_closed(tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = signed_in(tabs.tab("closing"), await shop.token(*SANNE))
    _at(monkeypatch, "2026-06-01T19:59:59.500")
    await tab.send(Contact.load, path="/contact")
    assert tab.shown(Contact, "open") is True
    watching = await begin(tab, Contact.watch, "/contact")
    await asyncio.sleep(0.2)
    _at(monkeypatch, "2026-06-01T20:00:01")
    await until(lambda: tab.shown(Contact, "open") is False)
    assert tab.shown(Contact, "day") == "2026-06-02"
    watching.cancel()


async def test_service_points_are_found_by_postcode_and_by_city(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("points"), await shop.token(*SANNE))
    await tab.send(SessionState.load, path="/contact")
    for text, place in (("3512 ph", "3512 PH"), ("Antwerpen", "Antwerpen")):
        await tab.send(ServicePoints.search, path="/contact", form={"search_text": text, "search_distance": "50"})
        assert tab.shown(ServicePoints, "view_state") == "ready"
        assert place in tab.shown(ServicePoints, "place")
        points = tab.shown(ServicePoints, "items")
        assert points
        assert len(points) <= 6
        assert "pick_up" not in {point.location_type for point in points}
        distances = [point.distance_km for point in points]
        assert distances == sorted(distances)
        assert all(point.route.startswith("https://") for point in points)
        assert any(point.phone and point.hours for point in points)


async def test_a_customer_finds_the_nearest_service_points_at_once_and_on_the_map(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("at-once"), await shop.token(*SANNE))
    await tab.send(SessionState.load, path="/contact")
    await tab.send(ServicePoints.open, path="/contact")
    assert tab.shown(ServicePoints, "place").startswith("3512 PH")
    points, area = tab.shown(ServicePoints, "items"), tab.shown(ServicePoints, "area")
    assert [pin.location_id for pin in area.pins] == [point.location_id for point in points]
    await tab.send(ServicePoints.point_out, path="/contact", location_id=points[1].location_id)
    assert tab.shown(ServicePoints, "lit") == points[1].location_id
    assert tab.shown(ServicePoints, "area").whole is False
    await tab.send(ServicePoints.search, path="/contact", form={"search_text": "Antwerpen", "search_distance": "25"})
    await tab.send(ServicePoints.open, path="/contact")
    assert tab.is_unchanged, "what was searched for stays"


async def test_nothing_is_searched_for_a_visitor_before_they_ask(tabs: Pipeline) -> None:
    tab = tabs.tab("not-asked")
    await tab.send(ServicePoints.open, path="/contact")
    assert tab.stored(ServicePoints).view_state == ""


@pytest.mark.parametrize(("text", "code"), [("qqqqq", "postal_code_not_found"), ("", "required")])
async def test_a_place_that_is_unknown_is_reported(tabs: Pipeline, shop: Shop, text: str, code: str) -> None:
    tab = signed_in(tabs.tab(f"unknown-{code}"), await shop.token(*SANNE))
    await tab.send(ServicePoints.search, path="/contact", form={"search_text": text, "search_distance": "25"})
    assert (tab.shown(ServicePoints, "error"), tab.shown(ServicePoints, "attempt")) == (code, 1)
    toast = tab.shown(Toasts, "items")[-1]
    assert toast["title"]["nl"] == "Vul een geldige postcode of plaats in."
    assert toast["quiet"], "the error summary announces it"


async def test_a_search_stands_in_its_field_when_the_page_is_opened_again(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("again"), await shop.token(*SANNE))
    await tab.send(ServicePoints.load, path="/contact")
    assert not tab.shown(ServicePoints, "typed")
    for text in ("Antwerpen", "qqqqq"):
        await tab.send(ServicePoints.search, path="/contact", form={"search_text": text, "search_distance": "25"})
        await tab.send(ServicePoints.load, path="/contact")
        assert tab.shown(ServicePoints, "typed") == text


async def test_a_visitor_without_a_login_finds_hours_and_service_points(tabs: Pipeline) -> None:
    tab = tabs.tab("visitor")
    await tab.send(Contact.load, path="/contact?topic=repair")
    assert tab.shown(Contact, "known") is True
    assert tab.shown(SessionState, "signed_out") in (None, False), "the page would be loaded again for ever"
    await tab.send(ServicePoints.search, path="/contact", form={"search_text": "3512 PH", "search_distance": "25"})
    points = tab.shown(ServicePoints, "items")
    assert tab.shown(ServicePoints, "place").startswith("3512 PH")
    assert points
    assert not tab.shown(SessionState, "profile")


async def test_a_visitor_who_searches_on_and_on_is_told_from_when_on_it_goes_on(tabs: Pipeline, shop: Shop) -> None:
    later = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)

    async def refuse(*_: object) -> None:
        raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=later)

    tab = tabs.tab("searching")
    registry.connect(replaced(shop.provider, guest_service_locations=refuse))
    try:
        await tab.send(ServicePoints.search, path="/contact", form={"search_text": "Utrecht", "search_distance": "25"})
    finally:
        registry.connect(shop.provider)
    assert (tab.shown(ServicePoints, "view_state"), tab.shown(ServicePoints, "later")) == ("failed", later.isoformat())
    assert not tab.shown(Toasts, "items"), "the page says it already"


async def test_service_points_that_cannot_be_loaded_are_reported(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("down"), await shop.token(*SANNE))
    await tab.send(SessionState.load, path="/contact")
    async with provider_is_down(shop):
        await tab.send(ServicePoints.search, path="/contact", form={"search_text": "Utrecht", "search_distance": "9"})
    assert tab.shown(ServicePoints, "view_state") == "failed"
    await tab.send(ServicePoints.again, path="/contact")
    assert (tab.shown(ServicePoints, "view_state"), tab.shown(ServicePoints, "place")) == ("ready", "Utrecht")
