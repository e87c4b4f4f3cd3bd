"""States of the location step and of the job step."""

from typing import Any

import pytest

from portal.account.pages.address_step import AddressChoice
from portal.flow.api import FlowApi
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import FlowCosts
from portal.frontend.toasts import Toasts
from portal.kernel.texts import both
from portal.locations.pages.state import DATA_FAILURE, HandoverChoice, Locations
from portal.work_orders.flow.service import JOB_STEP, LOCATION_STEP, SERVICE
from portal.work_orders.pages.service import ServiceJobs
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.filling import SERVICE_FLOW, bikes_of, clear, own_shop, save, service_filled
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
JOB, PLACE, CHECK = (SERVICE.url(step) for step in (JOB_STEP, LOCATION_STEP, SERVICE.check_step))


async def _tab(tabs: Pipeline, shop: Shop, name: str, step: str = PLACE) -> tuple[Tab, str]:
    """Open a tab at a step of a completed service draft."""
    token = await shop.token(*SANNE)
    await clear(shop, token, SERVICE_FLOW)
    await service_filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    tab = signed_in(tabs.tab(name), token)
    await tab.send(FlowRun.enter, step)
    return tab, token


async def test_the_list_opens_around_the_address_with_the_choice_in_it(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "open")
    chosen = await own_shop(shop, token)
    assert tab.shown(Locations, "chosen").location_id == chosen
    await tab.send(Locations.open, PLACE)
    assert (tab.shown(Locations, "text"), tab.shown(Locations, "view_state")) == ("3512 PH", "ready")
    assert chosen in {item.location_id for item in tab.shown(Locations, "items")}
    assert tab.shown(Locations, "elsewhere") is not True
    # Opening the step again sends no new search.
    await tab.send(Locations.open, PLACE)
    assert tab.is_unchanged


async def test_the_first_recommended_location_is_proposed_until_the_customer_searches(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, _ = await _tab(tabs, shop, "proposed")
    await tab.send(Locations.open, PLACE)
    items = tab.shown(Locations, "items")
    assert tab.shown(Locations, "proposed") == next(item.location_id for item in items if not item.refusal)
    await tab.send(Locations.search, PLACE, form={"search_text": "Luik", "search_distance": "25"})
    assert tab.shown(Locations, "proposed") == ""


async def test_the_states_follow_the_answers(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "meaning", CHECK)
    assert tab.shown(AddressChoice, "home")[1] == "3512 PH Utrecht"
    assert tab.shown(AddressChoice, "called") == "+31 6 12345678"
    assert [(line.kind, f"{line.amount:.2f}") for line in tab.shown(FlowCosts, "lines")] == [
        ("service_job", "99.00"),
        ("package_discount", "-49.50"),
        ("pick_up", "60.00"),
    ]
    assert (tab.shown(FlowCosts, "total"), tab.shown(HandoverChoice, "method")) == ("109.50", "pick_up")


async def test_the_chosen_location_is_marked_as_elsewhere_after_another_search(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "elsewhere")
    await tab.send(Locations.open, PLACE)
    await tab.send(Locations.search, PLACE, form={"search_text": "Luik", "search_distance": "50"})
    assert tab.shown(Locations, "place") == "Luik (Liège)"
    assert tab.shown(Locations, "elsewhere") is True


@pytest.mark.parametrize(("text", "code"), [("qqqqq", "postal_code_not_found"), ("", "required"), ("\x00", "required")])
async def test_an_unknown_place_is_refused(tabs: Pipeline, shop: Shop, text: str, code: str) -> None:
    tab, _ = await _tab(tabs, shop, f"unknown-{code}")
    await tab.send(Locations.search, PLACE, form={"search_text": text, "search_distance": "25"})
    assert (tab.shown(Locations, "error"), tab.shown(Locations, "view_state")) == (code, "ready")
    toast = tab.shown(Toasts, "items")[-1]
    assert toast["title"]["nl"] == "Vul een geldige postcode of plaats in."
    assert not toast["quiet"], "the field alone would be announced only when it has the focus"


async def test_the_list_can_be_filtered_sorted_widened_and_extended(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "narrowed")
    await tab.send(Locations.search, PLACE, form={"search_text": "Vlieland", "search_distance": "5"})
    assert tab.shown(Locations, "total") == 0
    wider = tab.shown(Locations, "wider")
    await tab.send(Locations.widen, PLACE)
    assert tab.shown(Locations, "distance") == str(wider)
    assert tab.shown(Locations, "total") > 0
    await tab.send(Locations.search, PLACE, form={"search_text": "Utrecht", "search_distance": "100"})
    total = tab.shown(Locations, "total")
    assert len(tab.shown(Locations, "items")) == 8
    seen = 8
    while seen < total:
        await tab.send(Locations.more, PLACE)
        items = tab.shown(Locations, "items")
        assert tab.shown(Locations, "fresh") == items[seen].location_id
        assert len({item.location_id for item in items}) == len(items) == min(seen + 8, total)
        seen = len(items)
    assert total > 25, "the list is longer than one page"
    await tab.send(Locations.more, PLACE)
    assert tab.is_unchanged
    await tab.send(Locations.toggle, PLACE, kind="own_store")
    assert {item.location_type for item in tab.shown(Locations, "items")} == {"own_store"}
    await tab.send(Locations.sort, PLACE, order="rating")
    ratings = [float(item.rating) for item in tab.shown(Locations, "items") if "on_vacation" not in item.labels]
    assert ratings == sorted(ratings, reverse=True)
    await tab.send(Locations.start_over, PLACE)
    assert (tab.shown(Locations, "text"), tab.shown(Locations, "kinds")) == ("3512 PH", [])


async def test_the_map_shows_every_location_of_the_list_and_then_the_way_to_one(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "map")
    await tab.send(Locations.open, PLACE)
    items, area = tab.shown(Locations, "items"), tab.shown(Locations, "area")
    assert [(pin.location_id, pin.number) for pin in area.pins] == [
        (item.location_id, number) for number, item in enumerate(items, 1)
    ]
    assert (area.shown, area.whole) == (True, True)
    assert area.names
    one = items[2]
    await tab.send(Locations.point_out, PLACE, location_id=one.location_id)
    near = tab.shown(Locations, "area")
    assert tab.shown(Locations, "lit") == one.location_id
    assert near.across < area.across
    assert one.location_id in {pin.location_id for pin in near.pins}
    assert near.whole is False
    await tab.send(Locations.show_all, PLACE)
    assert tab.shown(Locations, "area").across == area.across


async def test_the_map_goes_closer_and_wider_and_no_further_than_there_is_something_to_see(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, _ = await _tab(tabs, shop, "zoom")
    await tab.send(Locations.open, PLACE)
    across = tab.shown(Locations, "area").across
    await tab.send(Locations.zoom, PLACE, closer=True)
    assert tab.shown(Locations, "area").across < across
    for _step in range(9):
        await tab.send(Locations.zoom, PLACE, closer=True)
    assert tab.is_unchanged
    assert tab.stored(Locations).area.closest is True


async def test_the_map_follows_the_list_to_another_place_and_is_not_there_for_one_off_it(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, _ = await _tab(tabs, shop, "follows")
    await tab.send(Locations.open, PLACE)
    before = tab.shown(Locations, "area")
    await tab.send(Locations.search, PLACE, form={"search_text": "Antwerpen", "search_distance": "25"})
    assert tab.shown(Locations, "area").y > before.y
    await tab.send(Locations.search, PLACE, form={"search_text": "Hamburg", "search_distance": "100"})
    assert tab.shown(Locations, "area").shown is False


async def test_map_and_filters_unfold_and_fold_again(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "fold")
    for handler, name in ((Locations.fold_map, "map_open"), (Locations.fold_filters, "filters_open")):
        for is_open in (True, False):
            await tab.send(handler, PLACE)
            assert tab.shown(Locations, name) is is_open


@pytest.mark.parametrize(
    ("handler", "payload"),
    [
        (Locations.sort, {"order": "evil"}),
        (Locations.toggle, {"kind": "unknown"}),
        (Locations.search, {"form": {"search_text": ["Utrecht"], "search_distance": "-1"}}),
        (Locations.search, {"form": {}}),
        (Locations.point_out, {"location_id": "' OR 1=1"}),
    ],
)
async def test_invalid_payloads_are_ignored(tabs: Pipeline, shop: Shop, handler: Any, payload: dict[str, Any]) -> None:
    tab, _ = await _tab(tabs, shop, "nonsense")
    await tab.send(Locations.open, PLACE)
    await tab.send(handler, PLACE, **payload)
    assert tab.shown(Locations, "view_state") in {None, "ready"}


async def test_a_failed_search_can_be_repeated(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "away")
    await tab.send(Locations.open, PLACE)
    async with nobody_answers(shop):
        await tab.send(Locations.search, PLACE, form={"search_text": "Amsterdam", "search_distance": "25"})
    assert tab.shown(Locations, "view_state") == "failed"
    toast = tab.shown(Toasts, "items")[-1]
    assert (toast["title"], toast["quiet"]) == (both(DATA_FAILURE), True)
    await tab.send(Locations.again, PLACE)
    assert (tab.shown(Locations, "view_state"), tab.shown(Locations, "place")) == ("ready", "Amsterdam")


async def test_jobs_are_loaded_for_the_chosen_bike_also_after_a_failure(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "jobs", JOB)
    async with nobody_answers(shop):
        await tab.send(ServiceJobs.load, JOB)
        assert tab.shown(ServiceJobs, "view_state") == "failed"
        assert tab.shown(Toasts, "items")[-1]["title"]["nl"] == "Service product kon niet worden opgehaald."
    await tab.send(ServiceJobs.load, JOB)
    offer = tab.shown(ServiceJobs, "offer")
    assert [product.job for product in offer.products] == ["1", "2", "3", "4"]
    assert (offer.due.job, offer.due.mileage) == ("1", 42)
    draft = (await shop.ask(FlowApi).flow_start(token, SERVICE_FLOW)).drafts[0]
    other = (await bikes_of(shop, token))[1]["id"]
    await save(shop, token, await shop.ask(FlowApi).draft(token, draft.draft_id), "bike", {"bike": other})
    await tab.send(FlowRun.load, JOB)
    await tab.send(ServiceJobs.load, JOB)
    offer = tab.shown(ServiceJobs, "offer")
    assert (offer.drive, offer.service_package) == ("bike", None)


async def test_a_shop_without_jobs_is_a_failure(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "nothing", JOB)
    await shop.alter("UPDATE service_products SET drive = drive || '-away'")
    try:
        await tab.send(ServiceJobs.load, JOB)
        assert tab.shown(ServiceJobs, "view_state") in {None, "failed"}
        assert tab.shown(Toasts, "items")[-1]["title"]["nl"] == "Service product kon niet worden opgehaald."
    finally:
        await shop.alter("UPDATE service_products SET drive = replace(drive, '-away', '')")
