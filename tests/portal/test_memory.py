"""A tab costs the memory of what it holds, and behaves as if everything was there."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from portal.states import memory
from portal.states.bikes import Bikes
from portal.states.memory import ROOM, HoldingMemory, Parts
from portal.states.orders import Orders
from portal.states.page import LOADING, READY, PageState
from portal.states.session import Session
from portal.states.toasts import Toasts
from tests.contract.people import JORIS, SANNE
from tests.portal.conftest import signed_in
from tests.support.pipeline import Pipeline, Tab
from tests.support.ways import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

HYDRATE = f"{State.get_full_name()}.hydrate_and_load"


def kept(tab: Tab) -> set[str]:
    """The names of the parts that the server keeps for a tab."""
    return set(tab._manager.states[tab.token].substates)


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget at once, not when there are more than a few parts."""
    monkeypatch.setattr(memory, "ROOM", 0)


@pytest.fixture
def no_search_for_circles() -> Iterator[None]:
    """Only what nobody holds is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def test_the_portal_keeps_its_tabs_this_way() -> None:
    from portal.portal import app

    assert isinstance(app.state_manager, HoldingMemory)


async def test_a_tab_keeps_only_what_holds_something(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("few"), await shop.token(*SANNE))
    await tab.send(HYDRATE, path="/orders")
    await tab.send(Orders.load, path="/orders")
    assert {Session.get_name(), Orders.get_name(), PageState.get_name()} <= kept(tab)
    assert len(kept(tab)) <= ROOM < len(State.get_substates()) / 4


async def test_a_few_parts_stay_as_they_are(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("stay"), await shop.token(*SANNE))
    await tab.send(HYDRATE, path="/orders")
    await tab.send(Toasts.dismiss, toast_id=1)
    assert Toasts.get_name() in kept(tab)
    part = tab.stored(Toasts)
    await tab.send(Toasts.dismiss, toast_id=1)
    assert tab.stored(Toasts) is part


async def test_what_holds_something_is_the_same_in_the_next_event(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("same"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    page = tab.stored(Orders)
    await tab.send(Toasts.dismiss, toast_id=1)
    assert tab.stored(Orders) is page
    assert page.face == READY


@pytest.mark.usefixtures("no_room")
async def test_a_page_that_was_left_is_forgotten_and_begins_anew(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("left"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    await tab.send(Bikes.load, path="/bikes")
    assert Bikes.get_name() in kept(tab)
    assert Orders.get_name() not in kept(tab)
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "face") == READY
    assert Bikes.get_name() not in kept(tab)


@pytest.mark.usefixtures("no_room")
async def test_what_was_not_sent_yet_is_kept_although_it_is_empty(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("unsent"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    tab.stored(Orders).reset()
    await tab.send(Orders.load, path="/orders", nothing_that_it_knows=1)  # refused, and nothing is sent
    assert tab.is_unchanged
    assert Orders.get_name() in kept(tab)
    await tab.send(Toasts.dismiss, toast_id=1)
    assert tab.shown(Orders, "face") == LOADING
    assert Orders.get_name() not in kept(tab)


async def test_a_page_that_connects_is_told_everything_again(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("again"), await shop.token(*SANNE))
    await tab.send(HYDRATE, path="/orders")
    assert len(kept(tab)) <= ROOM
    await tab.send(HYDRATE, path="/orders")
    told = {name for delta in tab.deltas for name in delta}
    assert {part.get_full_name() for part in State.get_substates() if part.base_vars} <= told
    assert len(kept(tab)) <= ROOM


@pytest.mark.usefixtures("no_room")
async def test_somebody_else_finds_nothing_of_what_a_tab_held(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("shared"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    signed_in(tab, await shop.token(*JORIS))
    await tab.send(Toasts.dismiss, toast_id=1)
    assert tab.shown(Orders, "face") == LOADING
    assert Orders.get_name() not in kept(tab)


async def test_a_name_that_no_part_has_is_not_made_one(tabs: Pipeline) -> None:
    tab = tabs.tab("unknown")
    await tab.send(HYDRATE)
    whole = tab._manager.states[tab.token]
    for name in ("nobody", whole.get_name(), f"{Session.get_name()}.{Session.get_name()}"):
        assert name not in whole.substates
        with pytest.raises(KeyError):
            whole.substates[name]
        with pytest.raises(ValueError, match="Invalid path"):
            whole.get_substate([name, name])


@pytest.mark.usefixtures("no_room")
async def test_a_part_with_parts_of_its_own_stays() -> None:
    whole = State(_reflex_internal_init=True)  # type: ignore[call-arg]
    parts = Parts(whole)
    parts[Toasts.get_name()].substates = {"of its own": parts[PageState.get_name()]}
    parts.forget_empty()
    assert set(parts) == {Toasts.get_name()}


async def test_a_tab_is_let_go_when_its_parts_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    manager, token = HoldingMemory(), BaseStateToken(ident="broken", cls=State)
    with monkeypatch.context() as broken:
        broken.setattr(Parts, "complete", lambda _parts: [][0])
        with pytest.raises(IndexError):
            async with manager.modify_state(token):
                pass
    async with asyncio.timeout(5), manager.modify_state(token) as state:
        assert isinstance(state.substates, Parts)
    await manager.close()


@pytest.mark.usefixtures("no_room", "no_search_for_circles")
async def test_a_tab_that_is_gone_is_freed_at_once() -> None:
    manager, token = HoldingMemory(), BaseStateToken(ident="gone", cls=State)
    async with manager.modify_state(token) as state:
        (await state.get_state(Toasts))._add("info", "Copied")
        state._clean()
    assert isinstance(state.substates, Parts)
    assert set(state.substates) == {Toasts.get_name()}
    watched = weakref.ref(state)
    del state
    manager._purge_token(token)
    await manager.close()
    assert watched() is None
