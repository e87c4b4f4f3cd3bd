"""State of the page of a bike: contents, mileage, live changes."""

import asyncio
from datetime import date

import pytest

from portal.backend.backoffice import TransitionRequest
from portal.bikes.api import BikesApi
from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.contract.common_api import Changes, Watch
from portal.frontend.load import MISSING, READY
from portal.frontend.toasts import Toasts
from portal.overview.api import BikeHome, OverviewApi
from portal.overview.pages.state import BikeDetail
from portal.provider.application import Application
from tests.frontend.test_live import _quick, begin, next_move, requests_of
from tests.frontend.test_pages import tab_of
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import FLEUR, JORIS, SANNE
from tests.support.pipeline import Pipeline, Tab
from tests.support.ports import free_port
from tests.support.waiting import until

__all__ = ["_quick"]

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def path_of(shop: Shop, customer: tuple[str, str], order: str) -> str:
    """Return the address of the page of an order's bike."""
    bikes = (await shop.ask(BikesApi).bikes(await shop.token(*customer))).items
    return next(f"/bikes/{bike.bike_id}" for bike in bikes if bike.order_number == order)


async def opened(tabs: Pipeline, shop: Shop, customer: tuple[str, str], order: str, name: str) -> tuple[Tab, str]:
    """Open a tab with the page of an order's bike."""
    path = await path_of(shop, customer, order)
    tab = await tab_of(tabs, shop, customer, name)
    await tab.send(BikeDetail.load, path=path)
    assert tab.shown(BikeDetail, "view_state") == READY
    return tab, path


async def test_the_page_shows_everything_about_a_bike(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await opened(tabs, shop, FLEUR, "900000084", "whole")
    events = [*tab.shown(BikeDetail, "recent"), *(tab.shown(BikeDetail, "earlier") or [])]
    assert {entry.kind for entry in events} >= {
        "order", "delivery", "insurance", "service_package", "mileage", "warranty",
    }  # fmt: skip
    assert events[0].ahead
    assert [entry.ahead for entry in events] == sorted((entry.ahead for entry in events), reverse=True)
    due = tab.shown(BikeDetail, "clock")
    assert (due.job, due.urgency, due.due_at_km, due.km_left) == ("1", "now", 500, -12)
    assert tab.shown(BikeDetail, "km") == "512.4"
    bike = tab.shown(BikeDetail, "bike")
    assert bike.policy_number
    assert bike.insurance_start
    days = [document.day for document in tab.shown(BikeDetail, "documents")]
    assert days == sorted(days, reverse=True)


async def test_a_repair_has_a_timeline_event_with_a_link_and_a_document(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await opened(tabs, shop, JORIS, JORIS[0], "repair")
    repairs = [entry for entry in tab.shown(BikeDetail, "recent") if entry.kind == "repair"]
    assert [entry.status for entry in repairs] == ["in_repair", "new"]
    assert not any(entry.ahead for entry in repairs), "a bike in the workshop has no day ahead"
    assert all(entry.page == f"/maintenance/{entry.reference}" for entry in repairs)
    assert "request" in {document.kind for document in tab.shown(BikeDetail, "documents")}
    closed = {action.feature: action.reason for action in tab.shown(BikeDetail, "closed")}
    assert closed["repair"] == "request_open"
    assert "repair" not in {action.feature for action in tab.shown(BikeDetail, "actions")}


@pytest.mark.parametrize(("order", "returnable"), [("900000081", True), ("900000085", False)])
async def test_only_a_returnable_bike_offers_a_return(tabs: Pipeline, shop: Shop, order: str, returnable: bool) -> None:
    tab, _ = await opened(tabs, shop, FLEUR, order, f"returnable-{order}")
    assert (tab.shown(BikeDetail, "returnable") or False) is returnable
    assert ("return" in {action.feature for action in tab.shown(BikeDetail, "closed")}) is not returnable


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"mileage": "12,555"}, "invalid_number"),
        ({}, "required"),
        ({"mileage": ["1", "2"]}, "required"),
        ({"mileage": "9" * 3000}, "invalid_number"),
        ({"mileage": "\x00"}, "invalid_number"),
    ],
)
async def test_an_invalid_mileage_has_an_error_at_the_field(
    tabs: Pipeline, shop: Shop, form: dict[str, object], code: str
) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000081", f"wrong-{len(repr(form))}")
    await tab.send(BikeDetail.enter_mileage, path=path, form=form)
    assert tab.shown(BikeDetail, "mileage_error") == code
    assert (tab.shown(BikeDetail, "answered"), tab.shown(BikeDetail, "attempt")) == (1, 1)
    assert tab.shown(BikeDetail, "saves") is None


async def test_the_customer_fills_in_a_frame_number_that_is_not_known(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000081", "frame")
    await shop.alter("UPDATE bikes SET frame_number = NULL WHERE public_id = ?", path.rpartition("/")[2])
    await tab.send(BikeDetail.enter_frame_number, path=path, form={"frame_number": "?"})
    assert tab.shown(BikeDetail, "frame_number_error") == "invalid_frame_number"
    assert tab.shown(BikeDetail, "frame_number_typed") == "?"
    await tab.send(BikeDetail.enter_frame_number, path=path, form={"frame_number": "nvh 172081"})
    assert (tab.shown(BikeDetail, "frame_number_error"), tab.shown(BikeDetail, "bike").frame_number) == (
        "",
        "NVH172081",
    )


async def test_a_mileage_is_saved_and_a_lower_one_needs_a_confirmation(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000081", "saves")
    await tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "120,5"})
    assert (tab.shown(BikeDetail, "km"), tab.shown(BikeDetail, "saves")) == ("120.5", 1)
    assert tab.shown(BikeDetail, "recent")[1].detail == "120.5"
    assert tab.shown(BikeDetail, "clock").km_left == 380
    await tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "12,5"})
    assert tab.shown(BikeDetail, "mileage_error") == "mileage_lower"
    assert tab.shown(BikeDetail, "mileage_typed") == "12,5"
    await tab.send(BikeDetail.correct_mileage, path=path)
    assert (tab.shown(BikeDetail, "km"), tab.shown(BikeDetail, "saves")) == ("12.5", 2)
    assert tab.shown(BikeDetail, "mileage_error") == ""


async def test_a_mileage_is_saved_while_the_page_is_loaded_anew(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000085", "anew")
    for _ in range(3):
        await asyncio.gather(
            tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "60000"}),
            tab.send(BikeDetail.load, path=path),
        )
    assert (tab.shown(BikeDetail, "answered"), tab.shown(BikeDetail, "saves")) == (3, 3)


async def test_an_older_answer_does_not_replace_a_saved_mileage(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000082", "older")
    read, go_on, shown = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def bike_home(token: str, bike_id: str) -> BikeHome:
        answer = await shop.ask(OverviewApi).bike_home(token, bike_id)
        read.set()
        await go_on.wait()
        return answer

    async def changes(_token: str, watched: Watch) -> Changes:
        if watched.since == 1:
            shown.set()
            await asyncio.sleep(60)
        return Changes(mark=1, recent=True)

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, bike_home=bike_home, changes=changes)])
    watching = await begin(tab, BikeDetail.watch, path)
    await asyncio.wait_for(read.wait(), 60)
    await tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "77,7"})
    assert tab.stored(BikeDetail).km == "77.7"
    go_on.set()
    await asyncio.wait_for(shown.wait(), 60)
    assert tab.stored(BikeDetail).km == "77.7"
    watching.cancel()


async def test_an_unreachable_provider_is_an_error(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await opened(tabs, shop, FLEUR, "900000082", "away")
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    registry.connect(down)
    try:
        await tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "5"})
    finally:
        registry.connect(shop.provider)
        await down.close()
    assert tab.shown(BikeDetail, "mileage_refusal")
    assert tab.shown(BikeDetail, "mileage_error") in (None, "")
    toast = tab.shown(Toasts, "items")[-1]
    assert (toast["kind"], toast["quiet"]) == ("error", True)
    assert tab.shown(BikeDetail, "view_state") in (None, READY)


async def test_the_mileage_of_a_strangers_bike_cannot_be_entered(tabs: Pipeline, shop: Shop) -> None:
    path = await path_of(shop, FLEUR, "900000084")
    tab = await tab_of(tabs, shop, SANNE, "stranger")
    await tab.send(BikeDetail.load, path=path)
    assert tab.shown(BikeDetail, "view_state") == MISSING
    await tab.send(BikeDetail.enter_mileage, path=path, form={"mileage": "99999"})
    await tab.send(BikeDetail.correct_mileage, path=path)
    home = await shop.ask(OverviewApi).bike_home(await shop.token(*FLEUR), path.rpartition("/")[2])
    assert home.mileage_km == "512.4"


async def test_the_page_changes_by_itself(tabs: Pipeline, shop: Shop, office: Application) -> None:
    tab, path = await opened(tabs, shop, JORIS, JORIS[0], "live")
    watching = await begin(tab, BikeDetail.watch, path)
    await asyncio.sleep(0.5)
    repair = next(entry for entry in await requests_of(shop, JORIS) if not entry.closed)
    status = await next_move(office, repair.reference)
    await until(lambda: tab.shown(BikeDetail, "news") == 1)
    assert status in {entry.status for entry in tab.shown(BikeDetail, "recent")}
    watching.cancel()
    tab, path = await opened(tabs, shop, FLEUR, "900000083", "live-insurance")
    watching = await begin(tab, BikeDetail.watch, path)
    await asyncio.sleep(0.5)
    home = await shop.ask(OverviewApi).bike_home(await shop.token(*FLEUR), path.rpartition("/")[2])
    assert home.insurance
    transition = TransitionRequest(status="finished", policy_number="P-2026-1", planned_date=date(2026, 12, 1))
    await office.back_office.move("insurance", home.insurance.reference, transition)
    await until(lambda: tab.shown(BikeDetail, "news") == 1)
    assert tab.shown(BikeDetail, "bike").policy_number == "P-2026-1"
    watching.cancel()
