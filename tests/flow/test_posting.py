"""A step that a browser without scripts posts gives the same draft as Next in a browser with scripts."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from portal.contract.session import SessionCheck
from portal.flow.api import Answer, Draft, DraftStart, FlowApi
from portal.flow.model import Step
from portal.flow.pages.posting import post_step
from portal.flow.pages.state import FlowRun
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.portal import app
from portal.reflex_adapter.state import FIELD_MARKER
from portal.web.session import CheckedSession, checks
from portal.work_orders.flow import repair
from portal.work_orders.flow.repair import LAST_MAINTENANCE, PARTS, REPAIR, details_of
from tests.support.connections import Shop
from tests.support.filling import ADDRESS, FLOW, TEXT, bikes_of, clear, photographed, save
from tests.support.form_versions import form_version
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

STEPS = (repair.BIKE_STEP, repair.DAMAGE, repair.MAINTENANCE, repair.PHOTOS, repair.ADDRESS_STEP, repair.LOCATION_STEP)
LONG = f"{TEXT}\r\nOok bij regen."
TEXTS = (TEXT, LONG, "", " ", "kort", "x" * 900, "x" * 5000, "\u2066\u2066", "é 🚲" * 9, "<b>&amp;" * 5)


@dataclass(frozen=True)
class Outcome:
    """What came of a form."""

    answers: Mapping[str, Any]
    completed: list[str]
    went: str
    errors: Mapping[str, str]
    alerted: list[str]
    refusal: str


def form_for(step: Step, bikes: list[str], chance: random.Random) -> dict[str, Answer]:
    """A form as a browser could send it, whole or with holes, right or wrong."""
    if step is repair.DAMAGE:
        parts = chance.sample([*PARTS, "wings"], chance.choice([0, 1, 1, 2, 3]))
        texts = {details_of(part): chance.choice([TEXT, LONG, chance.choice(TEXTS)]) for part in parts}
        return {"parts": parts[0] if len(parts) == 1 else parts, **texts}
    values: dict[str, list[Answer]] = {
        "bike": [*bikes, "", "unknown"],
        "maintenance": [*LAST_MAINTENANCE, "sometimes"],
        "maintenance_month": ["mrt", "13", "12", "", "maart"],
        "maintenance_year": ["2024", "2027", "24", "", "x"],
        "photos": ["", [], ["nothing"], "photo.jpg"],
        "address": ["known", "other", ""],
        "phone": ["06 12345678", "12", "", "0031 30 231 12 34"],
        "post_code": ["3511 LX", "12", ""],
        "house_number": ["12", "twaalf", ""],
        "country_code": ["NL", "BE", "FR"],
        "location": ["", "nowhere", "x" * 100],
    }
    asked = {entry.name: values.get(entry.name, ["Oudegracht", ""]) for entry in step.fields}
    return {name: chance.choice(choices) for name, choices in asked.items() if chance.random() < 0.9}


def as_read(form: Mapping[str, Answer]) -> dict[str, Any]:
    """The form as both ways hand it on: a line ends with one character, and what is empty is not there."""
    lines = {name: value.replace("\r\n", "\n") if isinstance(value, str) else value for name, value in form.items()}
    return {name: value for name, value in lines.items() if value != []}


def cut(form: Mapping[str, Any]) -> dict[str, Any]:
    """Texts as long as scripts send them; the posted form is cut by the server."""
    return {name: value[:4000] if isinstance(value, str) else value for name, value in form.items()}


def shown_of(data: DocumentData) -> Mapping[str, Any]:
    values = json.loads(data.data or "{}").get(FlowRun.get_full_name(), {})
    return {name.removesuffix(FIELD_MARKER): value for name, value in values.items()}


async def posted(token: str, address: str, form: Mapping[str, Any]) -> DocumentData:
    session: CheckedSession[SessionCheck] = await checks.check(token)
    request = DocumentRequest(app.router(address.partition("?")[0]) or "", address, "localhost", f"session={token}")
    return await post_step(request, token, session, dict(form))


@pytest.mark.parametrize("seed", range(30))
async def test_a_posted_step_gives_the_same_draft_as_next(tabs: Pipeline, shop: Shop, seed: int) -> None:
    chance = random.Random(seed)
    token = await shop.token(*SANNE)
    bikes = [entry["id"] for entry in await bikes_of(shop, token)]
    step = STEPS[seed % len(STEPS)]
    form = form_for(step, bikes, chance)
    changing = "?change=1" if chance.random() < 0.3 else ""
    outcomes = []
    for way in ("socket", "post"):
        await clear(shop, token)
        draft = await until(shop, token, step, bikes[0])
        address = REPAIR.url(step) + changing
        if way == "socket":
            tab = signed_in(tabs.tab(f"same-{seed}"), token)
            await tab.send(FlowRun.load, address)
            await tab.send(FlowRun.next, address, form={**form_version(draft), **cut(as_read(form))})
            outcome = {name: tab.shown(FlowRun, name) for name in ("errors", "alerted", "refusal")}
            went = went_of(tab)
        else:
            found = await posted(token, address, {**form_version(draft), **as_read(form)})
            outcome, went = dict(shown_of(found)), found.elsewhere.partition("?draft=")[0]
        saved = await shop.ask(FlowApi).draft(token, draft.draft_id)
        outcomes.append(
            Outcome(
                {name: value for name, value in saved.answers.items() if name != "photos"},  # ids of files
                sorted(saved.completed),
                went,
                outcome.get("errors") or {},
                outcome.get("alerted") or [],
                outcome.get("refusal") or "",
            )
        )
    assert outcomes[0] == outcomes[1], (step.name, form)
    await clear(shop, token)


async def until(shop: Shop, token: str, step: Step, bike: str) -> Draft:
    """A draft in which this step is open."""
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    before: Mapping[str, Mapping[str, Answer]] = {
        "bike": {"bike": bike},
        "damage": {"parts": "frame", "details_frame": TEXT},
        "maintenance": {"maintenance": "never"},
        "photos": {},
        "address": ADDRESS,
    }
    for name, answers in before.items():
        if name == step.name:
            break
        if name == "photos":
            draft = await photographed(shop.provider, token, draft)
        else:
            draft = await save(shop, token, draft, name, answers)
    return draft


def went_of(tab: Tab) -> str:
    found = [event.payload for event in tab.events if event.name == "_redirect"]
    return str(found[-1]["path"]) if found else ""
