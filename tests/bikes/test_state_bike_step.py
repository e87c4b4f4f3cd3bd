"""State of the bike step: search and pages of a customer with many bikes, the chosen bike and its parts."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from portal.bikes.api import BikesApi
from portal.bikes.flow import PAGE_OF_BIKES
from portal.bikes.pages.bike_step import BIKE_TEXT, BikeChoice
from portal.bikes.pages.bikes import Bikes
from portal.bikes.rules import MOTOR_PARTS
from portal.flow import Flow
from portal.flow.api import DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.vocabulary.orders import ItemKind
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import BIKE_STEP, REPAIR
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.entries import step_entry
from tests.support.people import AMBER, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = [pytest.mark.asyncio(loop_scope="module")]
STEP = REPAIR.url(BIKE_STEP)
MORE = 23
_COPY = """
INSERT INTO bikes (public_id, customer_id, order_id, name, name_en, brand, kind, color, color_en, color_code, size,
    frame_number, engine_brand, engine_system, battery_number, battery_passport, imei_number, key_number_1,
    key_number_2, key_number_3, service_card, insurance, policy_number)
WITH RECURSIVE places(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < ?)
SELECT 'FLEET' || place, bikes.customer_id, bikes.order_id, 'Zilt ' || place, '', 'Noordveld', 'city_bike', '', '',
    '#475c54', '', 'FLT000' || place, '', '', '', '', '', '', '', '', '', '', ''
FROM bikes JOIN customers ON customers.id = bikes.customer_id, places
WHERE customers.email = ? GROUP BY place
"""


@pytest_asyncio.fixture(loop_scope="module")
async def tab(tabs: Pipeline, shop: Shop) -> AsyncIterator[Tab]:
    """A tab of a customer with many bikes."""
    await shop.alter(_COPY, MORE, AMBER[1])
    yield signed_in(tabs.tab("fleet"), await shop.token(*AMBER))
    await shop.alter("DELETE FROM drafts")
    await shop.alter("DELETE FROM bikes WHERE public_id LIKE 'FLEET%'")


def _names(tab: Tab) -> list[str]:
    return [bike.name for bike in tab.shown(BikeChoice, "bikes")]


async def test_the_step_shows_one_page_and_turns_to_the_others(tab: Tab, shop: Shop) -> None:
    token = await shop.token(*AMBER)
    total = (await shop.ask(BikesApi).bikes(token)).total
    await shop.ask(FlowApi).open_draft(token, DraftStart(flow=REPAIR.name))
    await tab.send(FlowRun.enter, STEP)
    assert (len(_names(tab)), tab.shown(BikeChoice, "many"), tab.shown(BikeChoice, "total")) == (
        PAGE_OF_BIKES, True, total)  # fmt: skip
    seen = _names(tab)
    for page in range(2, tab.shown(BikeChoice, "pages") + 1):
        await tab.send(BikeChoice.turn, STEP, page=page)
        seen += _names(tab)
    assert len(set(seen)) == total
    last = _names(tab)
    await tab.send(BikeChoice.turn, STEP, page=10**9)
    assert tab.stored(BikeChoice).page == tab.stored(BikeChoice).pages
    assert [bike.name for bike in tab.stored(BikeChoice).bikes] == last, "beyond the last page is the last page"


async def test_a_search_shows_what_it_finds_and_the_chosen_bike(tab: Tab, shop: Shop) -> None:
    token = await shop.token(*AMBER)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=REPAIR.name))
    await tab.send(FlowRun.enter, STEP)
    await tab.send(BikeChoice.search, STEP, form={BIKE_TEXT: " flt00023 "})
    assert (_names(tab), tab.shown(BikeChoice, "total")) == (["Zilt 23"], 1)
    entry = step_entry(draft, "bike", {"bike": "FLEET23"})
    await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)
    await tab.send(FlowRun.load, STEP)
    assert tab.shown(BikeChoice, "chosen").name == "Zilt 23"
    assert (_names(tab)[0], len(_names(tab))) == ("Zilt 23", PAGE_OF_BIKES + 1), "the chosen one comes first"
    await tab.send(BikeChoice.search, STEP, form={BIKE_TEXT: "nothing like it"})
    assert ([bike.name for bike in tab.stored(BikeChoice).bikes], tab.stored(BikeChoice).total) == (["Zilt 23"], 0)
    await tab.send(BikeChoice.start_over, STEP)
    assert (tab.stored(BikeChoice).text, tab.stored(BikeChoice).begun) == ("", 1)
    assert len(tab.stored(BikeChoice).bikes) == PAGE_OF_BIKES + 1


async def test_a_search_that_fails_says_so_and_keeps_the_bikes(tab: Tab, shop: Shop) -> None:
    await shop.ask(FlowApi).open_draft(await shop.token(*AMBER), DraftStart(flow=REPAIR.name))
    await tab.send(FlowRun.enter, STEP)
    before = _names(tab)
    async with nobody_answers(shop):
        await tab.send(BikeChoice.search, STEP, form={BIKE_TEXT: "zilt"})
    state = tab.stored(BikeChoice)
    assert (state.failed, state.answered, [bike.name for bike in state.bikes]) == (True, 1, before)


async def test_a_customer_whose_bikes_fit_on_one_page_gets_no_search(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    await shop.ask(FlowApi).open_draft(token, DraftStart(flow=REPAIR.name))
    other = signed_in(tabs.tab("few"), token)
    await other.send(FlowRun.enter, STEP)
    assert not other.stored(BikeChoice).many
    assert len(other.stored(BikeChoice).bikes) == (await shop.ask(BikesApi).bikes(token)).total


@pytest.mark.parametrize("flow", [REPAIR, CLAIM], ids=lambda flow: flow.name)
async def test_only_a_bike_with_a_motor_has_parts_of_one_to_press(tabs: Pipeline, shop: Shop, flow: Flow) -> None:
    token = await shop.token(*SANNE)
    kinds = {bike.bike_id: bike.kind for bike in (await shop.ask(BikesApi).bikes(token)).items}
    assert set(kinds.values()) == {ItemKind.E_BIKE, ItemKind.CITY_BIKE}
    for bike, kind in kinds.items():
        await shop.alter("DELETE FROM drafts")
        await shop.ask(FlowApi).open_draft(token, DraftStart(flow=flow.name, subject=bike))
        other = signed_in(tabs.tab(f"{flow.name}-{bike}"), token)
        await other.send(FlowRun.enter, flow.url(flow.steps[0]))
        chosen, drawn = other.stored(BikeChoice), other.stored(BikeChoice).parts
        pressed = {spot.part for spot in drawn.spots}
        assert {"wheels", "brakes"} <= pressed <= set(drawn.parts)
        assert chosen.motor == (kind is ItemKind.E_BIKE)
        assert pressed & MOTOR_PARTS == set(drawn.parts) & MOTOR_PARTS == (MOTOR_PARTS if chosen.motor else set())


async def test_the_list_of_bikes_has_pages(tab: Tab) -> None:
    await tab.send(Bikes.load, "/bikes?page=2")
    assert (tab.shown(Bikes, "page"), len(tab.shown(Bikes, "bikes"))) == (2, PAGE_OF_BIKES)


async def test_a_draft_that_is_shown_again_ends_a_search(tab: Tab, shop: Shop) -> None:
    await shop.ask(FlowApi).open_draft(await shop.token(*AMBER), DraftStart(flow=REPAIR.name))
    await tab.send(FlowRun.enter, STEP)
    before = _names(tab)
    await tab.send(BikeChoice.search, STEP, form={BIKE_TEXT: "flt00023"})
    assert _names(tab) == ["Zilt 23"]
    await tab.send(FlowRun.load, STEP)
    assert (_names(tab), tab.shown(BikeChoice, "text")) == (before, "")
