"""The next step is shown before its save is answered: what the server foresees, and how it corrects a browser."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.contract import registry
from portal.contract.errors import NotAuthenticated, Unavailable
from portal.flow import Answer
from portal.flow.api import Draft, DraftStart, FlowApi, StepEntry, Submission
from portal.flow.pages import form as flow_saving
from portal.flow.pages.foresight import Foresight
from portal.flow.pages.state import FlowRun
from portal.kernel.codes import Code
from portal.reflex_adapter.state import FIELD_MARKER
from portal.work_orders.flow import repair
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from tests.support.connections import Shop
from tests.support.doubles import Altered, replaced
from tests.support.entries import step_entry
from tests.support.filling import ADDRESS, FLOW, PARTS, TEXT, bikes_of, clear, filled, save
from tests.support.form_versions import form_version_of
from tests.support.people import AMBER, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAMAGE, MONTH, PHOTO, PLACE, LOCATION = (
    REPAIR.url(step)
    for step in (repair.DAMAGE, repair.MAINTENANCE, repair.PHOTOS, repair.ADDRESS_STEP, repair.LOCATION_STEP)
)
SHOWN = [name for name in FlowRun.get_fields() if not name.startswith("_") and name in FlowRun.base_vars]
FINDINGS = ("errors", "alerted", "refusal", "changed", "attempt")
Form = dict[str, Answer]


def _without_marker(values: dict[str, Any]) -> dict[str, Any]:
    return {name.removesuffix(FIELD_MARKER): value for name, value in values.items()}


@dataclass
class Browser:
    """A tab with what it shows and its history, as `flow.js` and the router treat them.

    Attributes:
        tab: the tab, as the server sees it.
        shown: the variables of the flow that the browser has.
        history: paths; `place` is the one that is shown.
    """

    tab: Tab
    history: list[str]
    place: int = 0
    shown: dict[str, Any] = field(default_factory=dict)
    foresight: dict[str, Any] = field(default_factory=dict)
    questions: count[int] = field(default_factory=count)

    @property
    def path(self) -> str:
        return self.history[self.place]

    @property
    def findings(self) -> list[Any]:
        return [self.shown.get(name) for name in FINDINGS]

    @property
    def server(self) -> dict[str, Any]:
        """What the server believes that the browser shows."""
        stored = self.tab.stored(FlowRun)
        return {name: getattr(stored, name) for name in SHOWN}

    def go(self, path: str, *, replace: bool = False) -> None:
        self.history[self.place + (0 if replace else 1) :] = [path]
        self.place = len(self.history) - 1

    def _hear(self) -> None:
        for delta in self.tab.deltas:
            self.shown |= _without_marker(delta.get(FlowRun.get_full_name(), {}))
            self.foresight |= _without_marker(delta.get(Foresight.get_full_name(), {}))

    async def enter(self) -> None:
        """Load what the page needs, and follow where that leads."""
        await self.tab.send(FlowRun.enter, self.path)
        await self._follow()

    async def _follow(self) -> None:
        self._hear()
        if moves := [event.payload for event in self.tab.events if event.name == "_redirect"]:
            self.go(moves[-1]["path"], replace=moves[-1]["replace"])
            await self.enter()

    def form(self, answers: Form) -> Form:
        version = form_version_of(self.shown["draft"], self.shown["version"])
        return {"draft-place": self.path.partition("?")[0], **version, **answers}

    async def ask(self, form: Form) -> str:
        """Pause, and hear which step would follow."""
        question = str(next(self.questions))
        await self.tab.send(Foresight.ask, self.path, form=form, question=question)
        self._hear()
        return str(self.foresight["following"]) if self.foresight.get("question") == question else ""

    async def press(self, form: Form, ahead: str, *, slow: bool = False, back: bool = False) -> None:
        """Press Next, show the step that is known to follow, and hear the answer.

        Args:
            form: the values.
            ahead: address of the step that follows; empty if it is not known.
            slow: whether the save takes so long that the page is entered before its end.
            back: whether the customer is back at the step before the answer comes.
        """
        if not ahead:
            await self.tab.send(FlowRun.next, self.path, form=form)
            await self._follow()
            return
        step = self.path
        self.shown |= _without_marker(self.foresight["view"].get(FlowRun.get_full_name(), {}))
        events = [self.tab.send(FlowRun.next, step, form={**form, "draft-ahead": ahead})]
        self.go(f"{REPAIR.path}/{ahead}")
        events.append(self.tab.send(FlowRun.enter, self.path))
        if back:
            self.place -= 1
            events.append(self.tab.send(FlowRun.enter, self.path))
        with pytest.MonkeyPatch.context() as patch:
            if slow:
                patch.setattr(flow_saving, "SOON_SECONDS", 0)
                await asyncio.gather(*events)
                await self._follow()
            else:
                for event in events:
                    await event
                    await self._follow()
        assert not self.tab.events, "a browser that went ahead is never sent elsewhere by the server"
        if (instead := self.shown.get("instead")) and not back:
            if instead == step:
                self.place -= 1
            else:
                self.go(instead, replace=True)
            told = self.findings
            await self.enter()
            assert self.findings == told, "what is wrong stays told on the way back"


async def _repairing(tabs: Pipeline, shop: Shop, path: str, name: str = "ahead") -> tuple[Browser, Draft, str]:
    """A tab at a step of a repair that is filled in."""
    token = await shop.token(*SANNE)
    await clear(shop, token)
    bike = next(entry["id"] for entry in await bikes_of(shop, token) if not entry["refusal"] and not entry["pin"])
    draft = await filled(shop, token, bike)
    browser = Browser(signed_in(tabs.tab(f"{name}-{draft.draft_id}"), token), [path])
    await browser.enter()
    return browser, draft, token


async def _now(shop: Shop, token: str, draft: Draft) -> Draft:
    return await shop.ask(FlowApi).draft(token, draft.draft_id)


async def test_the_known_step_follows_and_nothing_is_saved_by_asking(tabs: Pipeline, shop: Shop) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    assert await browser.ask(form) == REPAIR.address(repair.PHOTOS)
    assert await _now(shop, token, draft) == draft
    await browser.press(form, browser.foresight["following"])
    assert browser.history == [MONTH, PHOTO]
    assert (await _now(shop, token, draft)).answers["maintenance"] == "never"
    assert browser.shown == browser.server


async def test_a_change_leads_back_to_checking_whatever_the_tab_shows(tabs: Pipeline, shop: Shop) -> None:
    browser, _, _ = await _repairing(tabs, shop, f"{MONTH}?change=1", "change")
    form = {**browser.form({"maintenance": "never"}), "draft-change": "1"}
    browser.go(PHOTO)
    assert await browser.ask(form) == ""
    await browser.press(form, "")
    assert browser.path == REPAIR.url(REPAIR.check_step)


@pytest.mark.parametrize(
    ("path", "answers"),
    [
        (MONTH, {"maintenance": ""}),
        (MONTH, {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2090"}),
        (DAMAGE, {"parts": "frame", "details_frame": TEXT}),
        (PLACE, ADDRESS),
        (f"{MONTH}?change=1", {"maintenance": "never"}),
    ],
    ids=["error", "warning", "looked up", "the next step searches", "from the check page"],
)
async def test_a_step_is_unknown_when_only_saving_shows_it(
    tabs: Pipeline, shop: Shop, path: str, answers: Form
) -> None:
    browser, _draft, _token = await _repairing(tabs, shop, path)
    assert await browser.ask(browser.form(answers)) == ""


async def test_a_step_is_unknown_while_a_notice_is_on_the_page(tabs: Pipeline, shop: Shop) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    await save(shop, token, draft, "damage", {**PARTS, "details_chain": f"{TEXT} Ook bij regen."})
    await browser.press(browser.form({"maintenance": "never"}), "")
    assert browser.shown["changed"] is True
    assert await browser.ask(browser.form({"maintenance": "never"})) == ""


async def test_a_pin_code_is_never_tried_by_asking(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*AMBER)
    await clear(shop, token)
    locked = next(entry for entry in await bikes_of(shop, token) if entry["pin"] and not entry["refusal"])
    await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=locked["id"]))
    browser = Browser(signed_in(tabs.tab("pin"), token), [REPAIR.url(REPAIR.first_step)])
    await browser.enter()
    await browser.press(browser.form({"bike": locked["id"]}), "")
    assert browser.path == REPAIR.url("pincode")
    for code in ("1234", "000000"):
        assert await browser.ask(browser.form({"pin_known": "known", "pin_code": code})) == ""


@pytest.mark.parametrize("slow", [False, True])
async def test_a_conflict_leads_back_with_its_notice(tabs: Pipeline, shop: Shop, slow: bool) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    ahead = await browser.ask(form)
    newer = await save(shop, token, draft, "damage", {**PARTS, "details_chain": f"{TEXT} Ook bij regen."})
    await browser.press(form, ahead, slow=slow)
    assert (browser.path, browser.shown["changed"], browser.shown["instead"]) == (MONTH, True, "")
    assert browser.shown["marks"]["maintenance"] == browser.server["marks"]["maintenance"]
    assert browser.shown == browser.server
    assert (await _now(shop, token, draft)).version == newer.version
    await browser.press(browser.form({"maintenance": "never"}), "")
    assert browser.path == PHOTO


@pytest.mark.parametrize("slow", [False, True])
async def test_an_answer_that_the_server_refuses_leads_back(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    browser, _draft, _token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    ahead = await browser.ask(form)

    async def fail(*_: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, save_step=fail)])
    await browser.press(form, ahead, slow=slow)
    assert (browser.path, browser.shown["refusal"]) == (MONTH, "general_error")
    assert browser.shown == browser.server
    monkeypatch.undo()
    await browser.press(form, "")
    assert browser.path == PHOTO


async def test_a_request_that_was_sent_elsewhere_is_told_where_the_customer_is(tabs: Pipeline, shop: Shop) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    ahead = await browser.ask(form)
    await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    await browser.press(form, ahead)
    assert (browser.path, browser.shown["view_state"], browser.shown["instead"]) == (PHOTO, "sent", "")


async def test_an_ended_session_saves_nothing_and_leads_back(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    ahead = await browser.ask(form)

    async def ended(*_: Any) -> None:
        raise NotAuthenticated(Code.SESSION_ENDED)

    away = Altered(shop.provider, lambda name, method: method if name == "check_session" else ended)
    monkeypatch.setattr(registry, "_connected", [away])
    assert await browser.ask(browser.form({"maintenance": "unsure"})) == ""
    await browser.tab.send(FlowRun.next, MONTH, form={**form, "draft-ahead": ahead})
    assert browser.tab.shown(FlowRun, "instead") == MONTH
    monkeypatch.undo()
    assert (await _now(shop, token, draft)).version == draft.version


async def test_a_form_is_saved_for_its_own_step_whatever_the_tab_shows(tabs: Pipeline, shop: Shop) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    for path in (PHOTO, "/orders", SERVICE.url(SERVICE.first_step)):
        await browser.tab.send(FlowRun.next, path, form=form)
        assert (await _now(shop, token, draft)).answers["maintenance"] == "never"
        draft = await save(shop, token, await _now(shop, token, draft), "maintenance", {"maintenance": "unsure"})
        form |= {"draft-version": str(draft.version)}


async def test_another_step_than_foreseen_replaces_it(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, _draft, _token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    ahead = await browser.ask(form)

    async def saved(token: str, draft_id: str, entry: StepEntry) -> Draft:
        draft = await shop.ask(FlowApi).save_step(token, draft_id, entry)
        damage = REPAIR.address(repair.DAMAGE)
        return draft.model_copy(update={"completed": [step for step in draft.completed if step != damage]})

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, save_step=saved)])
    await browser.press(form, ahead)
    assert browser.history == [MONTH, DAMAGE]
    assert browser.shown == browser.server


@pytest.mark.parametrize("ahead", ["step-99", "confirmation", "../orders", "", "step-8"])
async def test_a_made_up_step_ahead_only_leads_back(tabs: Pipeline, shop: Shop, ahead: str) -> None:
    browser, draft, token = await _repairing(tabs, shop, MONTH)
    form = browser.form({"maintenance": "never"})
    await browser.tab.send(FlowRun.next, MONTH, form={**form, "draft-ahead": ahead})
    assert (await _now(shop, token, draft)).answers["maintenance"] == "never"
    assert browser.tab.shown(FlowRun, "instead") in {None, PHOTO}


async def test_nobody_learns_from_asking_about_the_draft_of_another(tabs: Pipeline, shop: Shop) -> None:
    browser, _draft, _token = await _repairing(tabs, shop, MONTH)
    stranger = Browser(signed_in(tabs.tab("stranger"), await shop.token(*AMBER)), [MONTH])
    await stranger.tab.send(Foresight.ask, MONTH, form=browser.form({"maintenance": "never"}), question="1")
    stranger._hear()
    assert not stranger.foresight.get("following")
    assert not stranger.foresight.get("view")


ANSWERS: dict[str, list[Form]] = {
    DAMAGE: [
        dict(PARTS), {**PARTS, "details_chain": f"{TEXT} Ook bij regen."}, {**PARTS, "details_chain": "kort"},
        {"parts": "frame", "details_frame": TEXT},
    ],
    MONTH: [
        {"maintenance": "never"}, {"maintenance": "unsure"}, {"maintenance": ""},
        {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2024"},
        {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2090"},
    ],
    PHOTO: [{}],
    PLACE: [dict(ADDRESS), {"address": "known", "phone": "112"}],
}  # fmt: skip

presses = st.fixed_dictionaries(
    {
        "answers": st.integers(0, 9),
        "asked": st.booleans(),
        "slow": st.booleans(),
        "back": st.booleans(),
        "twice": st.booleans(),
        "meanwhile": st.sampled_from(["", "", "", "changed elsewhere", "answer lost"]),
        "then": st.sampled_from(["", "", "back", "forward"]),
    }
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(acts=st.lists(presses, min_size=2, max_size=5))
async def test_in_any_order_the_browser_ends_up_with_what_is_so(
    tabs: Pipeline, shop: Shop, acts: list[dict[str, Any]]
) -> None:
    browser, draft, token = await _repairing(tabs, shop, DAMAGE)
    for number, act in enumerate(acts):
        if browser.path not in ANSWERS:
            break
        given_answers = ANSWERS[browser.path]
        answers = given_answers[act["answers"] % len(given_answers)]
        if browser.path == PHOTO:
            answers = {"photos": browser.shown["lists"]["photos"]}
        step, form = browser.path, browser.form(answers)
        ahead = await browser.ask(form) if act["asked"] else ""
        before = await _now(shop, token, draft)
        if act["meanwhile"] == "changed elsewhere":
            entry = step_entry(before, "damage", {**PARTS, "details_gears": f"{TEXT} {number}"})
            before = await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)
        if act["meanwhile"] == "answer lost":
            kept = dict(browser.shown)
            await browser.tab.send(FlowRun.next, step, form={**form, "draft-ahead": ahead} if ahead else form)
            browser.shown = kept  # the browser gives up, is back at the step, and finds its page again by a reload
            browser.tab.deltas.clear()
            browser.shown |= browser.server
            await browser.enter()
            continue
        await browser.press(form, ahead, slow=act["slow"], back=act["back"] and bool(ahead))
        after = await _now(shop, token, draft)
        conflict = act["meanwhile"] == "changed elsewhere" and before.version == after.version and ahead
        if ahead and not conflict and not act["back"]:
            assert (browser.path, browser.shown["instead"]) == (f"{REPAIR.path}/{ahead}", "")
        if ahead and conflict and after.answers != {**after.answers, **answers}:
            assert browser.path == step
            # Who has gone back meanwhile has the newest answers before them, and nothing more to be told.
            assert browser.shown["changed"] is True or act["back"]
        assert browser.shown == browser.server
        if act["twice"]:
            await browser.tab.send(FlowRun.next, browser.path, form=form)
            await browser._follow()
            assert (await _now(shop, token, draft)).answers == after.answers
        for turn in [act["then"]] if act["then"] else []:
            browser.place = max(0, min(len(browser.history) - 1, browser.place + (1 if turn == "forward" else -1)))
            await browser.enter()
        assert browser.shown == browser.server
        step_shown = REPAIR.step_at(browser.path.rpartition("/")[2])
        assert step_shown is None or step_shown.name in browser.shown["open"]
