"""The state of a flow, event by event: what is shown, where the tab goes, and what happens after failures."""

import asyncio
from typing import Any

import pytest
import reflex as rx

from portal.bikes.pages.bike_step import BikeChoice
from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.flow.api import Draft, DraftStart, FlowApi, FlowStart, StepEntry, UploadStart
from portal.flow.pages import form as flow_saving
from portal.flow.pages.state import FlowRun
from portal.frontend.session import Language
from portal.reflex_adapter.state import FIELD_MARKER
from portal.work_orders.flow import repair
from portal.work_orders.flow.repair import REPAIR
from tests.contract.operations import flowing
from tests.support.connections import Shop
from tests.support.doubles import Altered, replaced
from tests.support.entries import step_entry
from tests.support.files import jpg
from tests.support.filling import FLOW, MAINTENANCE, PARTS, TEXT, bikes_of, clear, filled
from tests.support.form_versions import form_version
from tests.support.people import NOOR, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
HYDRATE = f"{rx.State.get_full_name()}.hydrate_and_load"
ERRORS = f"errors{FIELD_MARKER}"

BIKE, PARTS_PAGE, MONTH, PHOTO, CHECK = (
    REPAIR.url(step) for step in (repair.BIKE_STEP, repair.DAMAGE, repair.MAINTENANCE, repair.PHOTOS, REPAIR.check_step)
)


async def _tab(tabs: Pipeline, shop: Shop, name: str, customer: tuple[str, str] = SANNE) -> tuple[Tab, str]:
    token = await shop.token(*customer)
    await clear(shop, token)
    return signed_in(tabs.tab(name), token), token


def _went(tab: Tab) -> tuple[str, bool] | None:
    """Where the last event sent the browser, and whether that replaces the page in the history."""
    found = [event.payload for event in tab.events if event.name == "_redirect"]
    return (str(found[-1]["path"]), bool(found[-1]["replace"])) if found else None


async def _arrive(tab: Tab, path: str) -> Tab:
    await tab.send(FlowRun.enter, path)
    return tab


async def test_a_locked_step_redirects_to_the_first_open_one(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "early")
    await _arrive(tab, MONTH)
    assert _went(tab) == (REPAIR.path, True)
    await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    await _arrive(tab, CHECK)
    assert _went(tab) == (BIKE, True)
    assert tab.shown(FlowRun, "open") == ["intro", "bike"]


async def test_next_saves_and_continues_without_another_lookup(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "next")
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    await _arrive(tab, BIKE)
    assert _went(tab) is None
    bike = (await bikes_of(shop, token))[0]["id"]
    await tab.send(FlowRun.next, BIKE, form={**form_version(draft), "bike": bike})
    assert _went(tab) == (PARTS_PAGE, False)
    assert tab.shown(FlowRun, "open") == ["intro", "bike", "damage"]
    await _arrive(tab, PARTS_PAGE)
    assert tab.shown(FlowRun, "version") is None
    assert (await shop.ask(FlowApi).draft(token, draft.draft_id)).answers == {"bike": bike}


async def test_a_page_that_is_loaded_anew_right_after_next_is_looked_up(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "reload")
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    await _arrive(tab, BIKE)
    bike = (await bikes_of(shop, token))[0]["id"]
    await tab.send(FlowRun.next, BIKE, form={**form_version(draft), "bike": bike})
    await shop.ask(FlowApi).discard_draft(token, draft.draft_id)
    tab.document += 1
    await _arrive(tab, PARTS_PAGE)
    assert _went(tab) == (REPAIR.path, True)


async def test_errors_are_shown_until_the_next_page_or_document(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "errors")
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    leaving: list[tuple[Any, str, dict[str, Any]]] = [
        (FlowRun.enter, REPAIR.path, {}),
        (HYDRATE, BIKE, {"hashes": ["as compiled"]}),
    ]
    for attempt, (event, path, payload) in enumerate(leaving, 1):
        await _arrive(tab, BIKE)
        await tab.send(FlowRun.next, BIKE, form=form_version(draft))
        assert (tab.shown(FlowRun, "errors"), tab.shown(FlowRun, "attempt")) == ({"bike": "required"}, attempt)
        assert _went(tab) is None
        await tab.send(event, path, **payload)
        assert not any("bike" in str(delta.get(FlowRun.get_full_name(), {}).get(ERRORS)) for delta in tab.deltas)


async def test_a_form_finds_its_draft_after_the_server_lost_the_state(tabs: Pipeline, shop: Shop) -> None:
    _, token = await _tab(tabs, shop, "before")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    fresh = signed_in(tabs.tab("after"), token)
    await fresh.send(FlowRun.next, PARTS_PAGE, form={**form_version(draft), "parts": "frame", "details_frame": TEXT})
    assert _went(fresh) == (MONTH, False)
    assert (await shop.ask(FlowApi).draft(token, draft.draft_id)).answers["parts"] == ["frame"]


@pytest.mark.parametrize("handler", [FlowRun.files_changed, FlowRun.load], ids=["list", "page"])
async def test_a_file_stays_when_an_older_list_arrives_after_it(tabs: Pipeline, shop: Shop, handler: Any) -> None:
    tab, token = await _tab(tabs, shop, f"older-{handler}")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, PHOTO)
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token: str, draft_id: str) -> Draft:
        older = await shop.ask(FlowApi).draft(token, draft_id)
        asked.set()
        await go_on.wait()
        return older

    registry.connect(replaced(shop.provider, draft=slow))
    waiting = asyncio.create_task(tab.send(handler, path=PHOTO))
    await asked.wait()
    registry.connect(shop.provider)
    content = jpg()
    start = UploadStart(field="photos", name="later.jpg", size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))
    await tab.send(FlowRun.files_changed, path=PHOTO)
    go_on.set()
    await waiting
    assert [file.name for file in tab.stored(FlowRun).files["photos"]][-1:] == ["later.jpg"]


async def test_a_change_from_the_check_page_goes_back_there(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "change")
    first, second = [entry["id"] for entry in await bikes_of(shop, token)][:2]
    draft = await filled(shop, token, first)
    await tab.send(
        FlowRun.next, f"{PARTS_PAGE}?change=1", form={**form_version(draft), "parts": "frame", "details_frame": TEXT}
    )
    assert _went(tab) == (CHECK, False)
    draft = await shop.ask(FlowApi).draft(token, draft.draft_id)
    await tab.send(FlowRun.next, f"{BIKE}?change=1", form={**form_version(draft), "bike": second})
    assert _went(tab) == (f"{PARTS_PAGE}?change=1", False)


async def test_a_change_in_another_tab_is_shown_and_the_later_save_wins(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "two-tabs")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, PARTS_PAGE)
    other: dict[str, Any] = {"parts": "frame", "details_frame": TEXT}
    newer = await shop.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, "damage", other))
    await tab.send(FlowRun.next, PARTS_PAGE, form={**form_version(draft), "parts": "saddle", "details_saddle": TEXT})
    assert (tab.shown(FlowRun, "changed"), _went(tab)) == (True, None)
    assert tab.shown(FlowRun, "version") == newer.version
    await tab.send(FlowRun.next, PARTS_PAGE, form={**form_version(newer), "parts": "saddle", "details_saddle": TEXT})
    assert _went(tab) == (MONTH, False)


async def test_sending_shows_the_receipt_and_locks_the_steps(tabs: Pipeline, shop: Shop) -> None:
    tab, token = await _tab(tabs, shop, "sending", NOOR)
    bikes = [entry for entry in await bikes_of(shop, token) if not entry["refusal"]]
    draft = await filled(shop, token, bikes[0]["id"])
    await _arrive(tab, CHECK)
    await tab.send(FlowRun.send, CHECK, form=form_version(draft))
    assert _went(tab) == (REPAIR.confirmation, True)
    assert tab.shown(FlowRun, "receipt").draft_id == draft.draft_id
    assert tab.shown(FlowRun, "open") == []
    await tab.send(FlowRun.send, CHECK, form=form_version(draft))
    assert _went(tab) == (REPAIR.confirmation, True)
    await _arrive(tab, CHECK)
    assert tab.shown(FlowRun, "view_state") in {None, "sent"}
    elsewhere = signed_in(tabs.tab("elsewhere"), token)
    await _arrive(elsewhere, PARTS_PAGE)
    assert elsewhere.shown(FlowRun, "view_state") == "sent"
    await _arrive(elsewhere, REPAIR.confirmation)
    await elsewhere.send(FlowRun.next, PARTS_PAGE, form={**form_version(draft), **PARTS})
    assert elsewhere.shown(FlowRun, "view_state") == "sent"


async def test_a_slow_save_leaves_the_tab_free(tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab, token = await _tab(tabs, shop, "slow")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, MONTH)
    monkeypatch.setattr(flow_saving, "SOON_SECONDS", 0.01)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token: str, draft_id: str, entry: StepEntry) -> Draft:
        begun.set()
        await go_on.wait()
        return await shop.ask(FlowApi).save_step(token, draft_id, entry)

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, save_step=slow)])
    pressed = asyncio.create_task(tab.send(FlowRun.next, MONTH, form={**form_version(draft), "maintenance": "never"}))
    await begun.wait()
    await asyncio.sleep(0.05)
    monkeypatch.undo()
    await asyncio.wait_for(tabs.tab("other-tab").send(FlowRun.enter, MONTH), 2)
    go_on.set()
    await pressed
    assert _went(tab) == (PHOTO, False)


async def test_a_language_chosen_during_a_slow_save_is_that_of_the_next_step(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, token = await _tab(tabs, shop, "language")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, MONTH)
    monkeypatch.setattr(flow_saving, "SOON_SECONDS", 0.01)
    saved, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token: str, draft_id: str, entry: StepEntry) -> Draft:
        found = await shop.ask(FlowApi).save_step(token, draft_id, entry)
        saved.set()
        await go_on.wait()
        return found

    names = str(tab.stored(BikeChoice).bikes)
    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, save_step=slow)])
    pressed = asyncio.create_task(tab.send(FlowRun.next, MONTH, form={**form_version(draft), "maintenance": "never"}))
    await saved.wait()
    try:
        await tab.send(Language.choose, MONTH, language="en")
        go_on.set()
        await pressed
        await _arrive(tab, PHOTO)
        assert str(tab.stored(BikeChoice).bikes) != names
    finally:
        await tab.send(Language.choose, MONTH, language="nl")


async def test_a_press_before_the_page_has_loaded_is_not_undone_by_its_late_data(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, _ = await _tab(tabs, shop, "hasty")
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def late(token: str, flow: str) -> FlowStart:
        begun.set()
        await go_on.wait()
        return await shop.ask(FlowApi).flow_start(token, flow)

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, flow_start=late)])
    loading = asyncio.create_task(tab.send(FlowRun.enter, REPAIR.path))
    await begun.wait()
    await tab.send(FlowRun.begin, REPAIR.path)
    assert _went(tab) == (BIKE, False)
    go_on.set()
    await loading
    await _arrive(tab, BIKE)
    assert "bike" in tab.stored(FlowRun).open


async def test_a_discarded_draft_is_not_shown_again_by_a_lookup_from_before(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, token = await _tab(tabs, shop, "tidy")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, REPAIR.path)
    found, go_on = asyncio.Event(), asyncio.Event()

    async def late(token: str, flow: str) -> FlowStart:
        start = await shop.ask(FlowApi).flow_start(token, flow)
        if not found.is_set():
            found.set()
            await go_on.wait()
        return start

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, flow_start=late)])
    loading = asyncio.create_task(tab.send(FlowRun.load, REPAIR.path))
    await found.wait()
    await tab.send(FlowRun.discard, REPAIR.path, draft_id=draft.draft_id)
    go_on.set()
    await loading
    assert draft.draft_id not in {card.draft_id for card in tab.stored(FlowRun).drafts}


async def test_a_page_that_is_being_left_is_not_loaded(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await _tab(tabs, shop, "leaving")
    await _arrive(tab, REPAIR.path)
    await tab.send(FlowRun.begin, REPAIR.path)
    # What the intro asked for when it was opened runs only now.
    await tab.send(FlowRun.load, REPAIR.path)
    await _arrive(tab, BIKE)
    assert "bike" in tab.stored(FlowRun).open


async def test_an_unavailable_provider_keeps_the_input(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, token = await _tab(tabs, shop, "away")
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    await _arrive(tab, MONTH)

    async def fail(*_: Any) -> None:
        raise Unavailable

    away = Altered(shop.provider, lambda name, method: method if name == "check_session" else fail)
    monkeypatch.setattr(registry, "_connected", [away])
    await tab.send(FlowRun.next, MONTH, form={**form_version(draft), **MAINTENANCE})
    assert (tab.shown(FlowRun, "refusal"), _went(tab)) == ("general_error", None)
    await _arrive(tab, PARTS_PAGE)
    assert tab.shown(FlowRun, "view_state") == "failed"
    monkeypatch.undo()
    await tab.send(FlowRun.load, PARTS_PAGE)
    assert tab.shown(FlowRun, "view_state") == "ready"


@pytest.mark.parametrize(
    "form", [{}, {"draft-id": ["x"]}, {"draft-id": "x", "draft-version": "-1"}, {"draft-id": "x" * 3000}]
)
async def test_a_form_without_a_valid_draft_changes_nothing(tabs: Pipeline, shop: Shop, form: dict[str, Any]) -> None:
    tab, _ = await _tab(tabs, shop, "ticket")
    await tab.send(FlowRun.next, BIKE, form=form)
    await tab.send(FlowRun.send, CHECK, form=form)
    assert _went(tab) is None
