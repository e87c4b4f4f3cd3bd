"""The guard of the staff site: no event reaches a handler without a session of staff, and the right of the handler."""

import hashlib
import inspect
import sqlite3
from datetime import datetime, timedelta
from typing import Any, get_type_hints

import pytest
import reflex as rx
import structlog
from reflex import State

import portal.portal
import portal.staff.desk.login
from portal.cases.api import CasesApi, Presence, QueuePage
from portal.contract.errors import Unavailable
from portal.desk.session import StaffSession, checks
from portal.desk.shell import DeskSearch
from portal.frontend.policies import Policy, policy_of, staff
from portal.frontend.session import Language
from portal.frontend.toasts import Toasts
from portal.kernel.days import now
from portal.reflex_adapter.events import all_names, handler_named
from portal.staff.api.people import StaffApi
from portal.staff.desk.login import StaffLanguage
from portal.vocabulary.cases import kind_path
from portal.vocabulary.staff import RIGHTS, Right, Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, on_duty, running_pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
HYDRATE = f"{State.get_full_name()}.hydrate"
SESSION = StaffSession.get_full_name()


class DeskGuarded(rx.State):
    """A state with two handlers that need different rights."""

    managed: bool = False
    seen: bool = False

    @rx.event
    @staff(Right.MANAGE_STAFF)
    def do_manage(self) -> None:
        """Note that it ran."""
        self.managed = True

    @rx.event
    @staff(Right.SEE_CASES)
    def do_see(self) -> None:
        """Note that it ran."""
        self.seen = True


TOLD_A_STRANGER = {"authenticated", "signed_out", "unavailable"}


def staff_handlers() -> list[str]:
    """Full names of the handlers that need a right."""
    assert portal.portal.app
    found = [name for name in all_names() if isinstance(policy_of(name), Right)]
    assert len(found) >= 3
    return found


def payload_of(name: str) -> dict[str, Any]:
    """Something typical for a handler."""
    handler = handler_named(name)
    assert handler
    samples: dict[Any, Any] = {int: 1, str: "en", bool: True}
    hints = get_type_hints(handler.function)
    return {key: samples.get(hints[key], {}) for key in list(inspect.signature(handler.function).parameters)[1:]}


@pytest.mark.parametrize("cookie", ["", "staff=made-up", "staff=" + "x" * 3000])
async def test_without_a_session_no_handler_of_staff_runs(desk_tabs: Pipeline, cookie: str) -> None:
    for number, name in enumerate(staff_handlers()):
        tab = desk_tabs.tab(f"stranger-{len(cookie)}-{number}")
        tab.cookie = cookie
        await tab.send(name, path="/cases", **payload_of(name))
        changed = {
            state: {key.partition("_rx_state_")[0] for key in delta[state]} for delta in tab.deltas for state in delta
        }
        assert set(changed) <= {SESSION}, name
        assert changed.get(SESSION, set()) <= TOLD_A_STRANGER, name
        assert tab.events == [], name


async def test_a_customer_is_nobody_on_the_staff_site(desk_tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    tab = desk_tabs.tab("customer")
    tab.cookie = f"session={token}; staff={token}"
    await tab.send(DeskSearch.find, form={"text": "Jansen"})
    assert not tab.stored(DeskSearch).text
    assert tab.shown(StaffSession, "signed_out") is True


async def test_handlers_of_customers_do_not_exist_on_the_staff_site(desk_tabs: Pipeline, shop: Shop) -> None:
    both = f"session={await shop.token(*SANNE)}; staff={await hire(shop, Role.ADMINISTRATOR)}"
    customers = [name for name in all_names() if policy_of(name) is Policy.CUSTOMER]
    assert len(customers) > 20
    for number, name in enumerate(customers):
        tab = desk_tabs.tab(f"wrong-site-{number}")
        tab.cookie = both
        assert (await tab.send(name)).is_unchanged, name


async def test_handlers_of_staff_do_not_exist_on_the_customers_site(shop: Shop, desk_tabs: Pipeline) -> None:
    assert desk_tabs
    both = f"session={await shop.token(*SANNE)}; staff={await hire(shop, Role.ADMINISTRATOR)}"
    async with running_pipeline() as customers:
        for number, name in enumerate(staff_handlers()):
            tab = customers.tab(f"wrong-site-{number}")
            tab.cookie = both
            assert (await tab.send(name, **payload_of(name))).is_unchanged, name


async def test_a_person_is_told_name_role_and_rights(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = on_duty(desk_tabs.tab("mechanic"), await hire(shop, Role.MECHANIC, "Mila de Boer", stores=[1]))
    await tab.send(HYDRATE)
    told = tab.stored(StaffSession)
    assert (told.name, told.role, told.authenticated) == ("Mila de Boer", "mechanic", True)
    assert set(told.rights) == {right.value for right in RIGHTS[Role.MECHANIC]}
    assert len(told.stores) == 1


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.UNKNOWN])
async def test_a_handler_runs_only_for_roles_with_its_right(desk_tabs: Pipeline, shop: Shop, role: Role) -> None:
    tab = on_duty(desk_tabs.tab(f"role-{role}"), await hire(shop, role))
    await tab.send(DeskGuarded.do_manage)
    await tab.send(DeskGuarded.do_see)
    stored = tab.stored(DeskGuarded)
    assert stored.managed == (Right.MANAGE_STAFF in RIGHTS[role])
    assert stored.seen == (Right.SEE_CASES in RIGHTS[role])


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.ADMINISTRATOR, Role.UNKNOWN}))
async def test_no_handler_runs_for_a_role_that_lacks_its_right(desk_tabs: Pipeline, shop: Shop, role: Role) -> None:
    cookie = on_duty(desk_tabs.tab(f"lacks-{role}"), await hire(shop, role)).cookie
    closed = [name for name in staff_handlers() if policy_of(name) not in RIGHTS[role]]
    assert closed
    for number, name in enumerate(closed):
        tab = desk_tabs.tab(f"lacks-{role}-{number}")
        tab.cookie = cookie
        with structlog.testing.capture_logs() as logs:
            await tab.send(name, path="/cases", **payload_of(name))
        refused = [entry for entry in logs if entry["event"] == "event refused"]
        assert [(entry["why"], entry["handler"]) for entry in refused] == [("no right", name[-100:])], name
        assert {state for delta in tab.deltas for state in delta} <= {SESSION}, name
        assert tab.events == [], name


async def test_a_refused_event_is_written_to_the_security_log(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = on_duty(desk_tabs.tab("noted"), await hire(shop, Role.WAREHOUSE))
    with structlog.testing.capture_logs() as logs:
        await tab.send(DeskGuarded.do_manage)
        await tab.send(StaffLanguage.choose, language=7)
        await tab.send(Language.choose, language="en")
    refused = [entry for entry in logs if entry["event"] == "event refused"]
    assert [entry["why"] for entry in refused] == ["no right", "payload not accepted", "not declared"]
    assert refused[0]["handler"].endswith("do_manage")


async def test_a_tab_is_emptied_when_somebody_else_logs_in(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = on_duty(desk_tabs.tab("shared"), await hire(shop, Role.SERVICE_DESK))
    await tab.send(DeskSearch.find, form={"text": "Jansen"})
    assert tab.stored(DeskSearch).text == "Jansen"
    on_duty(tab, await hire(shop, Role.MECHANIC))
    await tab.send(Toasts.dismiss, toast_id=1)
    assert tab.stored(DeskSearch).text == ""
    assert tab.shown(StaffSession, "signed_out") is True


async def test_an_ended_session_ends_the_tab(desk_tabs: Pipeline, shop: Shop) -> None:
    token = await hire(shop, Role.SERVICE_DESK)
    tab = on_duty(desk_tabs.tab("ended"), token)
    await tab.send(DeskSearch.find, form={"text": "Jansen"})
    await shop.ask(StaffApi).end_staff_session(token)
    checks.outdated(token)
    await tab.send(DeskSearch.find, form={"text": "Visser"})
    assert tab.stored(DeskSearch).text == ""
    assert tab.shown(StaffSession, "signed_out") is True


async def test_a_provider_that_fails_logs_nobody_out(
    desk_tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await hire(shop, Role.SERVICE_DESK)
    tab = on_duty(desk_tabs.tab("unlucky"), token)
    await tab.send(DeskSearch.find, form={"text": "Jansen"})
    checks.outdated(token)
    with monkeypatch.context() as patch:

        async def fails(_token: str) -> None:
            raise Unavailable

        patch.setattr(checks, "_question", fails)
        await tab.send(DeskSearch.find, form={"text": "Visser"})
    assert tab.stored(DeskSearch).text == "Visser"
    assert tab.stored(StaffSession).name


async def test_staying_moves_the_end_that_the_page_warns_of(desk_tabs: Pipeline, shop: Shop) -> None:
    token = await hire(shop, Role.MECHANIC, "Tom Blijft")
    tab = on_duty(desk_tabs.tab("stays"), token)
    earlier = (now() - timedelta(hours=1, minutes=59)).replace(tzinfo=None).isoformat(" ")
    query = "UPDATE staff_sessions SET last_used_at = ? WHERE token_hash = ?"
    await shop.alter(query, earlier, hashlib.sha256(token.encode()).hexdigest())
    await tab.send(StaffSession.stay)
    told = tab.stored(StaffSession)
    left = datetime.fromisoformat(told.idle_until) - now()
    assert timedelta(hours=1, minutes=59) < left <= timedelta(hours=2)
    assert timedelta(hours=11) < datetime.fromisoformat(told.expires_at) - now() <= timedelta(hours=12)


async def test_an_open_case_does_not_keep_a_session_alive(desk_tabs: Pipeline, shop: Shop) -> None:
    assert desk_tabs
    token = await hire(shop, Role.ADMINISTRATOR, "Carla Weg")
    earlier = (now() - timedelta(hours=1)).replace(tzinfo=None).isoformat(" ")
    key = hashlib.sha256(token.encode()).hexdigest()
    await shop.alter("UPDATE staff_sessions SET last_used_at = ? WHERE token_hash = ?", earlier, key)
    cases = shop.ask(CasesApi)
    shown = (await cases.queue(token, QueuePage())).items[0]
    name = (kind_path(shown.kind), shown.reference)
    await cases.presence(token, *name, Presence())
    await cases.case(token, *name)
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        query = "SELECT last_used_at FROM staff_sessions WHERE token_hash = ?"
        (used,) = connection.execute(query, (key,)).fetchone()
    assert used.startswith(earlier[:19])
