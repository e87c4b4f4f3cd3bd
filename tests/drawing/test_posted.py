"""Forms that a browser without scripts posts: saved and led on, or the page again with everything that was typed."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import pytest_asyncio

from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.drawing.documents import LARGEST_FORM
from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.model import CONFIRMATION
from portal.flow.pages.form import DRAFT, PLACE, VERSION
from portal.flow.registry import FLOWS
from portal.kernel.days import today
from portal.login.api import LoginApi
from portal.portal import _posts
from portal.work_orders.flow import repair
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import JOB_STEP, SERVICE
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.filling import FLOW, PARTS, SERVICE_FLOW, TEXT, bikes_of, clear, filled, save
from tests.support.http_browser import ORIGIN, Browser
from tests.support.people import JORIS, NOOR, SANNE

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

BIKE, DAMAGE, MONTH, ADDRESS, LOCATION, CHECK = (
    REPAIR.url(step)
    for step in (
        repair.BIKE_STEP,
        repair.DAMAGE,
        repair.MAINTENANCE,
        repair.ADDRESS_STEP,
        repair.LOCATION_STEP,
        REPAIR.check_step,
    )
)
OWN = {"origin": ORIGIN, "sec-fetch-site": "same-origin"}
MARKED = "Fiets <b>&amp;</b> \"tik\" 'tak' </textarea><script>alert(1)</script>"


@pytest_asyncio.fixture(loop_scope="module")
async def begun(shop: Shop) -> AsyncIterator[tuple[str, Draft]]:
    """A customer with one repair, whose bike is chosen."""
    token = await shop.token(*SANNE)
    await clear(shop, token)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    draft = await save(shop, token, draft, "bike", {"bike": (await bikes_of(shop, token))[0]["id"]})
    yield token, draft
    await clear(shop, token)


async def post(
    browser: Browser, address: str, token: str, values: Mapping[str, Any], headers: Mapping[str, str] = OWN, **more: str
) -> httpx.Response:
    body, kind = urlencode(values, doseq=True), {"content-type": "application/x-www-form-urlencoded"}
    return await browser.client.post(
        address, content=body, headers={"cookie": f"session={token}", **kind, **headers, **more}
    )


def form_of(draft: Draft, values: Mapping[str, Any]) -> dict[str, Any]:
    return {DRAFT: draft.draft_id, VERSION: str(draft.version), **values}


def typed(answer: httpx.Response, name: str) -> str:
    """What stands in a text area of a page."""
    found = re.search(rf'<textarea[^>]*name="{name}"[^>]*>(.*?)</textarea>', answer.text, re.DOTALL)
    assert found, name
    return html.unescape(found[1])


def hidden(answer: httpx.Response) -> dict[str, str]:
    """The hidden fields of the form of a page."""
    return dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"', answer.text))


async def current(shop: Shop, token: str, draft: Draft) -> Draft:
    return await shop.ask(FlowApi).draft(token, draft.draft_id)


async def test_an_accepted_step_is_saved_and_leads_on(browser: Browser, shop: Shop, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    answer = await post(browser, DAMAGE, token, form_of(draft, PARTS))
    assert (answer.status_code, answer.headers["location"]) == (303, MONTH)
    assert answer.headers["cache-control"] == "no-store"
    saved = await current(shop, token, draft)
    # The line end of a posted form is that of a form which a script reads.
    assert saved.answers["details_chain"] == TEXT
    assert saved.version == draft.version + 1


async def test_posting_again_changes_nothing(browser: Browser, shop: Shop, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    for _ in range(3):
        answer = await post(browser, DAMAGE, token, form_of(draft, PARTS))
        assert (answer.status_code, answer.headers["location"]) == (303, MONTH)
    assert (await current(shop, token, draft)).version == draft.version + 1


async def test_a_script_hears_where_an_accepted_step_leads(
    browser: Browser, shop: Shop, begun: tuple[str, Draft]
) -> None:
    token, draft = begun
    for _ in range(2):
        answer = await post(browser, DAMAGE, token, form_of(draft, PARTS), accept="application/json")
        assert answer.status_code == 200
        assert answer.json() == {"success": True, "data": {"next": MONTH}, "error": None, "details": None}
        assert answer.headers["cache-control"] == "no-store"
    assert (await current(shop, token, draft)).version == draft.version + 1


async def test_a_script_hears_only_that_a_step_is_refused(
    browser: Browser, shop: Shop, begun: tuple[str, Draft]
) -> None:
    token, draft = begun
    wrong = form_of(draft, {"parts": ["saddle"], "details_saddle": "kort"})
    for form in (wrong, {**wrong, DRAFT: ""}):
        answer = await post(browser, DAMAGE, token, form, accept="application/json")
        assert answer.status_code == 200
        assert (answer.json()["success"], answer.json()["data"]) == (False, None)
    assert await current(shop, token, draft) == draft


async def test_a_script_is_not_led_away_when_the_session_has_ended(browser: Browser, begun: tuple[str, Draft]) -> None:
    _, draft = begun
    answer = await post(browser, DAMAGE, "gone", form_of(draft, PARTS), accept="application/json")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?error=session_ended")  # no JSON


@pytest.mark.parametrize(("language", "title"), [("nl", "Fout: "), ("en", "Error: ")])
async def test_a_refused_step_comes_back_with_everything_that_was_typed(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], language: str, title: str
) -> None:
    token, draft = begun
    wrong = {"parts": ["saddle", "frame"], "details_saddle": "kort", "details_frame": MARKED}
    answer = await post(browser, DAMAGE, token, form_of(draft, wrong), cookie=f"session={token}; lang={language}")
    assert answer.status_code == 422
    assert f'<html lang="{language}"' in answer.text
    assert f"<title>{title}" in answer.text
    assert 'href="#details_saddle-error"' in answer.text
    assert 'id="details_saddle-error"' in answer.text
    assert "autofocus" in answer.text
    assert typed(answer, "details_saddle") == "kort"
    assert typed(answer, "details_frame") == MARKED
    ticked = re.findall(r'<input[^>]*name="parts"[^>]*checked=""[^>]*value="(\w+)"', answer.text)
    assert ticked == ["frame", "saddle"]
    assert hidden(answer) == {PLACE: DAMAGE, DRAFT: draft.draft_id, VERSION: str(draft.version)}
    assert await current(shop, token, draft) == draft


async def test_a_page_without_scripts_has_none_and_may_run_none(browser: Browser, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    wrong = {"parts": ["saddle", "frame"], "details_saddle": MARKED}
    answer = await post(browser, DAMAGE, token, form_of(draft, wrong))
    assert "<script" not in answer.text
    assert "modulepreload" not in answer.text
    assert "script-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store, private"


async def test_texts_of_other_states_come_back_as_they_were_typed(
    browser: Browser, shop: Shop, begun: tuple[str, Draft]
) -> None:
    token, draft = begun
    await clear(shop, token)
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    answer = await post(browser, ADDRESS, token, form_of(draft, {"address": "known", "phone": "06 12 niet"}))
    assert answer.status_code == 422
    assert 'value="06 12 niet"' in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost:8000.evil.example"},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": ORIGIN, "host": "evil.example"},
    ],
    ids=str,
)
async def test_a_form_of_another_site_is_not_taken(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], headers: dict[str, str]
) -> None:
    token, draft = begun
    answer = await post(browser, DAMAGE, token, form_of(draft, PARTS), headers)
    assert answer.status_code == 403
    assert "niet opgeslagen" in answer.text
    assert draft.draft_id not in answer.text
    assert await current(shop, token, draft) == draft


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
async def test_without_a_session_a_form_leads_to_the_login_and_back_to_its_step(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], token: str
) -> None:
    answer = await post(browser, DAMAGE, token, form_of(begun[1], PARTS))
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/")
    assert DAMAGE in httpx.Response(200, headers={"x": answer.headers["set-cookie"]}).headers["x"].replace("%2F", "/")
    assert await current(shop, *begun) == begun[1]


async def test_a_session_that_has_just_ended_leads_to_the_login(browser: Browser, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    assert (await browser.client.get(REPAIR.path, headers={"cookie": f"session={token}"})).status_code == 200
    await shop.ask(LoginApi).logout(token)  # the edge still remembers the session
    answer = await post(browser, DAMAGE, token, {DRAFT: "x", VERSION: "1"})
    assert (answer.status_code, answer.headers["location"]) == (303, DAMAGE)
    again = await browser.client.get(DAMAGE, headers={"cookie": f"session={token}"})
    assert again.headers["location"].startswith("/?error=")


async def test_the_draft_of_somebody_else_is_not_found(browser: Browser, shop: Shop, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    stranger = await shop.token(*JORIS)
    answer = await post(browser, DAMAGE, stranger, form_of(draft, PARTS))
    assert draft.draft_id not in answer.text + answer.headers.get("location", "")
    assert (answer.status_code, answer.headers["location"]) == (303, REPAIR.path)
    assert await current(shop, token, draft) == draft
    named = await browser.client.get(f"{DAMAGE}?draft={draft.draft_id}", headers={"cookie": f"session={stranger}"})
    assert draft.draft_id not in named.text + named.headers.get("location", "")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"a=" + b"x" * LARGEST_FORM, "application/x-www-form-urlencoded", 413),
        (b"&".join(b"parts=frame" for _ in range(201)), "application/x-www-form-urlencoded", 400),
        (b'{"parts": "frame"}', "application/json", 415),
        (b"parts=frame", "text/plain", 415),
        (b"parts=frame", "", 415),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 415),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_what_is_no_form_of_a_step_is_told_so(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], body: bytes, kind: str, status: int
) -> None:
    token, draft = begun
    headers = {"cookie": f"session={token}; lang=en", **OWN, "content-type": kind}
    answer = await browser.client.post(DAMAGE, content=body, headers=headers)
    assert answer.status_code == status
    assert "Your answers weren’t saved" in answer.text
    assert f'href="{DAMAGE}"' in answer.text
    assert await current(shop, token, draft) == draft


async def test_a_large_body_without_its_length_is_not_read_to_the_end(
    browser: Browser, begun: tuple[str, Draft]
) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b"x" * 50_000

    headers = {"cookie": f"session={begun[0]}", **OWN, "content-type": "application/x-www-form-urlencoded"}
    answer = await browser.client.post(DAMAGE, content=endless(), headers=headers)
    assert answer.status_code == 413
    assert sent * 50_000 <= LARGEST_FORM + 50_000


@pytest.mark.parametrize("values", [{}, {"parts": "frame"}, {DRAFT: ""}], ids=str)
async def test_a_form_without_a_draft_saves_nothing(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], values: dict[str, str]
) -> None:
    answer = await post(browser, f"{DAMAGE}?change=1", begun[0], values)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{DAMAGE}?change=1")
    assert await current(shop, *begun) == begun[1]


@pytest.mark.parametrize("draft_id", ["nothing", "../drafts", "x" * 500, "'; DROP TABLE drafts; --"])
async def test_an_unknown_draft_leads_to_the_own_one(browser: Browser, begun: tuple[str, Draft], draft_id: str) -> None:
    token, draft = begun
    answer = await post(browser, DAMAGE, token, {DRAFT: draft_id, VERSION: "1", **PARTS})
    assert answer.status_code == 404
    assert hidden(answer)[DRAFT] == draft.draft_id
    assert typed(answer, "details_gears") == TEXT


async def test_a_change_of_another_tab_is_told_and_the_later_form_wins(
    browser: Browser, shop: Shop, begun: tuple[str, Draft]
) -> None:
    token, draft = begun
    newer = await save(shop, token, draft, "damage", {"parts": "frame", "details_frame": TEXT})
    mine = {"parts": "saddle", "details_saddle": f"{TEXT} Het zadel zakt weg."}
    answer = await post(browser, DAMAGE, token, form_of(draft, mine), cookie=f"session={token}; lang=en")
    assert answer.status_code == 409
    assert "This request was changed in another tab" in answer.text
    assert typed(answer, "details_saddle") == mine["details_saddle"]
    assert hidden(answer)[VERSION] == str(newer.version)
    again = await post(browser, DAMAGE, token, {**hidden(answer), **mine})
    assert (again.status_code, again.headers["location"]) == (303, MONTH)
    assert (await current(shop, token, draft)).answers["parts"] == ["saddle"]


async def test_a_warning_is_shown_once(browser: Browser, shop: Shop, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    draft = await save(shop, token, draft, "damage", PARTS)
    year = str(today().year + 1)
    month = {"maintenance": "known", "maintenance_month": "12", "maintenance_year": year}
    answer = await post(browser, MONTH, token, form_of(draft, month), cookie=f"session={token}; lang=en")
    assert answer.status_code == 200
    assert "Please check this again" in answer.text
    assert f'value="{year}"' in answer.text
    again = await post(browser, MONTH, token, {**hidden(answer), **month})
    assert (again.status_code, again.headers["location"]) == (303, REPAIR.url(repair.PHOTOS))


async def test_a_change_from_the_check_page_leads_back_there(
    browser: Browser, shop: Shop, begun: tuple[str, Draft]
) -> None:
    token, _ = begun
    await clear(shop, token)
    first, second = [entry["id"] for entry in await bikes_of(shop, token)][:2]
    draft = await filled(shop, token, first)
    changed = {"parts": "frame", "details_frame": TEXT}
    answer = await post(browser, f"{DAMAGE}?change=1", token, form_of(draft, changed))
    assert answer.headers["location"] == CHECK
    draft = await current(shop, token, draft)
    answer = await post(browser, f"{BIKE}?change=1", token, form_of(draft, {"bike": second}))
    assert answer.headers["location"] == f"{DAMAGE}?change=1"


async def test_a_step_that_is_not_open_yet_leads_to_the_one_that_is(browser: Browser, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    answer = await post(browser, MONTH, token, form_of(draft, {"maintenance": "never"}))
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, DAMAGE)


async def test_the_intro_begins_a_request_with_its_subject(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    await clear(shop, token)
    bike = (await bikes_of(shop, token))[0]["id"]
    answer = await post(browser, f"{REPAIR.path}?bike={bike}", token, {})
    # The bike is answered, so the next question follows.
    assert (answer.status_code, answer.headers["location"]) == (303, DAMAGE)
    (card,) = (await shop.ask(FlowApi).flow_start(token, FLOW)).drafts
    assert card.subject == bike
    await clear(shop, token)


async def test_a_closed_flow_is_not_begun(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*JORIS)
    answer = await post(browser, REPAIR.path, token, {}, cookie=f"session={token}; lang=en")
    assert answer.status_code == 403
    assert "Not available" in answer.text
    assert not (await shop.ask(FlowApi).flow_start(token, FLOW)).drafts


async def test_sending_twice_makes_one_request(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*NOOR)
    await clear(shop, token)
    bikes = [entry for entry in await bikes_of(shop, token) if not entry["refusal"]]
    draft = await filled(shop, token, bikes[0]["id"])
    answers = [await post(browser, CHECK, token, form_of(draft, {})) for _ in range(2)]
    assert [(answer.status_code, answer.headers["location"]) for answer in answers] == [(303, REPAIR.confirmation)] * 2
    receipt = (await current(shop, token, draft)).receipt
    assert receipt
    page = await browser.client.get(REPAIR.confirmation, headers={"cookie": f"session={token}"})
    assert receipt.reference in re.sub(r"[\s\u00a0]|&nbsp;", "", page.text)
    late = await post(browser, DAMAGE, token, form_of(draft, PARTS), cookie=f"session={token}; lang=en")
    assert late.status_code == 409
    assert "already" in late.text


async def test_an_unfinished_request_is_not_sent(browser: Browser, shop: Shop, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    answer = await post(browser, CHECK, token, form_of(draft, {}))
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, DAMAGE)
    assert (await current(shop, token, draft)).receipt is None


async def test_of_several_drafts_the_last_or_the_named_one_is_shown_without_scripts(
    browser: Browser, shop: Shop
) -> None:
    token = await shop.token(*SANNE)
    await clear(shop, token)
    bikes = [entry["id"] for entry in await bikes_of(shop, token)][:2]
    older, newer = [await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=bike)) for bike in bikes]
    cookie = {"cookie": f"session={token}"}
    step = await browser.client.get(BIKE, headers=cookie)
    leads = '<noscript><meta http-equiv="refresh" content="0;url={}?draft={}"></noscript>'
    assert leads.format(BIKE, newer.draft_id) in step.text
    intro = await browser.client.get(f"{REPAIR.path}?draft={older.draft_id}", headers=cookie)
    assert leads.format(DAMAGE, older.draft_id) in intro.text
    named = await browser.client.get(f"{DAMAGE}?draft={older.draft_id}", headers=cookie)
    assert "<script" not in named.text
    assert hidden(named)[DRAFT] == older.draft_id
    damage = {**hidden(named), "parts": "frame", "details_frame": TEXT}
    answer = await post(browser, f"{DAMAGE}?draft={older.draft_id}", token, damage)
    assert answer.headers["location"] == MONTH
    next_step = await browser.client.get(MONTH, headers=cookie)
    assert f"{MONTH}?draft={older.draft_id}" in next_step.text
    await clear(shop, token)


async def test_what_a_step_asks_for_when_it_appears_is_there_without_scripts(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    cookie = {"cookie": f"session={token}; lang=en"}
    bike = (await bikes_of(shop, token))[0]["id"]
    await clear(shop, token)
    await clear(shop, token, SERVICE_FLOW)
    await filled(shop, token, bike)
    service = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=SERVICE_FLOW))
    await save(shop, token, service, "bike", {"bike": bike})
    for address, control in ((LOCATION, "location"), (SERVICE.url(JOB_STEP), "job")):
        built = await browser.client.get(address, headers=cookie)
        (elsewhere,) = re.findall(r'content="0;url=([^"]+)"', built.text)
        page = await browser.client.get(html.unescape(elsewhere), headers=cookie)
        assert len(re.findall(rf'<input[^>]*type="radio"[^>]*name="{control}"', page.text)) > 1, address
        assert "skeleton" not in page.text
    await clear(shop, token)
    await clear(shop, token, SERVICE_FLOW)


async def test_a_step_elsewhere_is_a_redirect_without_scripts(browser: Browser, begun: tuple[str, Draft]) -> None:
    token, draft = begun
    answer = await browser.client.get(f"{CHECK}?draft={draft.draft_id}", headers={"cookie": f"session={token}"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{DAMAGE}?draft={draft.draft_id}")


async def test_every_page_of_a_flow_but_its_last_takes_forms() -> None:
    assert set(_posts) == {flow.url(step).strip("/") for flow in FLOWS.values() for step in flow.all_steps}
    assert not any(route.endswith(CONFIRMATION) for route in _posts)


@pytest.mark.parametrize("address", ["/orders", "/my-data", REPAIR.confirmation])
async def test_other_pages_say_that_their_forms_need_scripts(browser: Browser, shop: Shop, address: str) -> None:
    token = await shop.token(*SANNE)
    answer = await post(browser, address, token, {"name": "x"}, cookie=f"session={token}; lang=en")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert "This form needs JavaScript." in answer.text


@pytest.mark.parametrize(
    ("failing", "told", "kept"),
    [(["save_step"], "Everything you filled in is still here.", True), (["save_step", "draft"], "can’t reach", False)],
)
async def test_a_provider_that_fails_is_told(
    browser: Browser, shop: Shop, begun: tuple[str, Draft], failing: list[str], told: str, kept: bool
) -> None:
    async def fails(*_: Any) -> None:
        raise Unavailable

    token, draft = begun
    registry.connect(replaced(shop.provider, **dict.fromkeys(failing, fails)))
    try:
        answer = await post(browser, DAMAGE, token, form_of(draft, PARTS), cookie=f"session={token}; lang=en")
    finally:
        registry.connect(shop.provider)
    assert answer.status_code == 503
    assert told in answer.text
    assert (TEXT in answer.text) == kept


async def test_where_nothing_can_be_drawn_an_accepted_step_is_saved_and_a_refused_one_told(
    undrawn: Browser, begun: tuple[str, Draft]
) -> None:
    token, draft = begun
    assert (await post(undrawn, DAMAGE, token, form_of(draft, {"parts": "frame"}))).status_code == 503
    assert (await post(undrawn, DAMAGE, token, form_of(draft, PARTS))).headers["location"] == MONTH
