"""The guard: no event over the socket reaches the data of another customer."""

import inspect
import time
from datetime import UTC, datetime, timedelta
from typing import Any, get_type_hints

import pytest
import time_machine
from reflex import State

import portal.portal
from portal.frontend.guard import Guard
from portal.frontend.policies import Policy, check_payload, policy_of
from portal.frontend.session import SessionState
from portal.frontend.toasts import Toasts
from portal.login.api import LoginApi
from portal.reflex_adapter.events import all_names, handler_named
from portal.reflex_adapter.state import FIELD_MARKER
from portal.web.session import checks
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.people import JORIS, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
HYDRATE = f"{State.get_full_name()}.hydrate"
PUBLIC = {"authenticated", "signed_out", "unavailable", "variant"}
"""What a refused visitor is told: that nobody is logged in."""


def handlers(*policies: Policy | None) -> list[str]:
    """Full names of the registered handlers with one of these policies."""
    assert portal.portal.app
    names = all_names()
    assert len(names) > 20
    return [name for name in names if policy_of(name) in policies]


def of_framework(handler: str) -> str:
    """The full name of a handler of the framework."""
    return next(name for name in handlers(Policy.FRAMEWORK) if name.endswith(f".{handler}"))


def payloads(name: str) -> list[dict[str, Any]]:
    """Nothing, something typical and something hostile for a handler."""
    handler = handler_named(name)
    hints = get_type_hints(handler.function) if handler else {}
    parameters = list(inspect.signature(handler.function).parameters)[1:] if handler else ["var_name", "value"]
    samples = {int: 1, str: "900000001", bool: True, float: 1.0}
    typical = {key: samples.get(hints.get(key, Any), {"email": "sanne@example.com"}) for key in parameters}
    hostile = {key: {"__class__": ["x" * 5000, None, float("inf")]} for key in parameters}
    return [{}, typical, hostile | {"self": 1, "extra": "x"}]


def changed(tab: Tab) -> dict[str, set[str]]:
    """Which variables the last event sent to the browser, by state."""
    found: dict[str, set[str]] = {}
    for delta in tab.deltas:
        for state, values in delta.items():
            found.setdefault(state, set()).update(name.removesuffix(FIELD_MARKER) for name in values)
    return found


async def shows_private_data(tab: Tab) -> bool:
    """Whether a full picture of the tab's state holds anything of a customer."""
    await tab.send(HYDRATE)
    text = repr(tab.deltas).lower()
    return any(word in text for word in ("sanne", "900000001", "'authenticated" + FIELD_MARKER + "': true"))


@pytest.mark.parametrize("cookie", ["", "session=eyJhbGciOiJub25lIn0.e30.", "session=" + "x" * 3000])
async def test_without_a_session_every_handler_does_nothing_and_sends_no_data(tabs: Pipeline, cookie: str) -> None:
    for number, name in enumerate(handlers(Policy.CUSTOMER, None)):
        _nothing, typical, _hostile = every = payloads(name)
        # What does not fit is refused before a cookie is looked at, so one that is none of ours comes with what fits.
        for kind, payload in enumerate([typical] if cookie else every):
            tab = tabs.tab(f"stranger-{len(cookie)}-{number}-{kind}")
            tab.cookie = cookie
            await tab.send(name, path="/dashboard", **{key: value for key, value in payload.items() if key != "self"})
            changes = changed(tab)
            assert set(changes) <= {SessionState.get_full_name()}, (name, changes)
            assert changes.get(SessionState.get_full_name(), set()) <= PUBLIC, (name, changes)
            assert tab.events == [], name
            assert not await shows_private_data(tab), name


async def test_setvar_is_refused_even_for_the_customer(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("setvar"), await shop.token(*SANNE))
    await tab.send(HYDRATE)
    setters = [name for name in all_names() if name.endswith(".setvar")]
    assert setters
    for number, name in enumerate(setters):
        fresh = signed_in(tabs.tab(f"setvar-{number}"), await shop.token(*SANNE))
        await fresh.send(name, var_name="authenticated", value=True)
        assert fresh.is_unchanged, name


async def test_the_customer_gets_their_own_data(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("own"), await shop.token(*SANNE))
    await tab.send(HYDRATE)
    assert tab.shown(SessionState, "authenticated") is True
    await tab.send(SessionState.load)
    assert tab.shown(SessionState, "person").first_name == "Sanne"
    assert tab.shown(SessionState, "order_number")


async def test_a_stolen_tab_token_opens_nothing(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("stolen"), await shop.token(*SANNE))
    await tab.send(SessionState.load)
    for cookie in ("", f"session={await shop.token(*JORIS)}"):
        signed_in(tab, await shop.token(*SANNE))
        await tab.send(SessionState.load)
        tab.cookie = cookie
        await tab.send(HYDRATE)
        assert "sanne" not in repr(tab.deltas).lower()


async def test_a_page_of_another_customer_is_reset_before_any_handler_runs(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("handed-over"), await shop.token(*SANNE))
    await tab.send(SessionState.load)
    signed_in(tab, await shop.token(*JORIS))
    await tab.send(SessionState.load)
    assert tab.shown(SessionState, "signed_out") is True
    assert tab.shown(SessionState, "person") is None
    await tab.send(HYDRATE)
    await tab.send(SessionState.load)
    assert tab.shown(SessionState, "person").first_name == "Joris"


async def test_logging_out_in_one_tab_empties_the_others(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    first, second = signed_in(tabs.tab("first"), token), signed_in(tabs.tab("second"), token)
    await first.send(SessionState.load)
    await second.send(SessionState.load)
    await shop.ask(LoginApi).logout(token)
    checks.ended(token)
    await second.send(SessionState.load)
    assert second.shown(SessionState, "signed_out") is True
    assert second.shown(SessionState, "person") is None
    assert not await shows_private_data(first)


async def test_a_provider_that_is_down_logs_nobody_out(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    tab, fresh = signed_in(tabs.tab("patient"), token), signed_in(tabs.tab("newcomer"), token)
    await tab.send(SessionState.load)
    checks._answers.clear()
    async with nobody_answers(shop):
        await tab.send(HYDRATE)
        assert tab.shown(SessionState, "authenticated") is True
        assert tab.shown(SessionState, "signed_out") is False
        assert tab.shown(SessionState, "person").first_name == "Sanne"
        await fresh.send(SessionState.load)
        assert fresh.shown(SessionState, "unavailable") is True
        assert not fresh.shown(SessionState, "signed_out")
        assert "Sanne" not in repr(fresh.deltas)
    checks._answers.clear()
    await fresh.send(SessionState.load)
    assert fresh.shown(SessionState, "unavailable") is False
    assert fresh.shown(SessionState, "person").first_name == "Sanne"


@pytest.mark.parametrize(
    "payload",
    [{}, {"toast_id": "1"}, {"toast_id": None}, {"toast_id": [1]}, {"toast_id": {}}, {"toast_id": 1, "more": 2}],
)
async def test_an_invalid_payload_never_reaches_its_handler(tabs: Pipeline, payload: dict[str, Any]) -> None:
    tab = tabs.tab(f"wrong-payload-{payload}")
    await tab.send(Toasts.dismiss, **payload)
    assert tab.is_unchanged


@pytest.mark.parametrize(
    ("handler", "payload"),
    [
        ("hydrate", {"vars": {}}),
        ("hydrate_and_load", {"hashes": 5}),
        ("hydrate_and_load", {"vars": [], "hashes": []}),
        ("update_vars_internal", {}),
        ("update_vars_internal", {"vars": None}),
    ],
)
async def test_an_invalid_payload_never_reaches_a_handler_of_the_framework(
    tabs: Pipeline, handler: str, payload: dict[str, Any]
) -> None:
    tab = tabs.tab(f"wrong-framework-payload-{handler}-{payload}")
    await tab.send(of_framework(handler), **payload)
    assert tab.is_unchanged


async def test_a_long_error_of_a_page_is_accepted() -> None:
    check_payload(of_framework("handle_frontend_exception"), {"info": "x" * 100_000, "component_stack": ""})


async def test_a_flood_of_events_is_dropped(tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    # However long the machine takes for a hundred events, they come within a moment.
    moment = time.monotonic()
    (guard,) = (found for found in portal.portal.app._middlewares if isinstance(found, Guard))
    monkeypatch.setattr(guard._limiter, "_clock", lambda: moment)
    tab = signed_in(tabs.tab("flood"), await shop.token(*SANNE))
    for _ in range(100):
        await tab.send(SessionState.stay)
    await tab.send(SessionState.load)
    assert tab.is_unchanged
    moment += 0.3
    await tab.send(HYDRATE)
    assert tab.shown(SessionState, "authenticated") is True


async def test_the_host_name_decides_the_variant(tabs: Pipeline) -> None:
    tab = tabs.tab("variant")
    await tab.send(HYDRATE)
    assert tab.shown(SessionState, "variant") == "mijn"


async def test_events_extend_the_session_and_an_idle_session_ends(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    tab = signed_in(tabs.tab("patience"), token)
    begin = datetime.now(UTC)

    async def after(minutes: float) -> Tab:
        with time_machine.travel(begin + timedelta(minutes=minutes), tick=True):
            checks._answers.clear()
            return await tab.send(SessionState.stay)

    await after(0)
    assert tab.shown(SessionState, "authenticated") is True
    first = datetime.fromisoformat(tab.shown(SessionState, "idle_until"))
    await after(28)
    extended = datetime.fromisoformat(tab.shown(SessionState, "idle_until"))
    assert timedelta(minutes=27) < extended - first < timedelta(minutes=29)
    await after(57)
    assert tab.shown(SessionState, "signed_out") is None
    await after(88)
    assert tab.shown(SessionState, "signed_out") is True
    assert tab.shown(SessionState, "authenticated") is False
