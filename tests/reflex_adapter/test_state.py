"""States of Reflex from the inside."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from reflex.istate.proxy import StateProxy
from reflex_base.event.context import EventContext

from portal.frontend.session import SessionState
from portal.reflex_adapter.state import (
    FIELD_MARKER,
    BaseState,
    as_json,
    assign_changed,
    changes_below,
    differing,
    forget_changes,
    json_dumps,
    new_tree,
    root_of,
    take_changes,
    unwrap,
)


@pytest.fixture
def root() -> BaseState:
    """A tree of nobody's tab, everything of which was sent."""
    tree = new_tree("/orders/[order_number]", "/orders/900000001?page=2", "localhost:8000")
    tree._clean()
    return tree


def session_in(root: BaseState) -> SessionState:
    found = root.get_substate(SessionState.get_full_name().split("."))
    assert isinstance(found, SessionState)
    return found


def test_a_background_event_holds_a_proxy_that_can_be_unwrapped() -> None:
    state = session_in(new_tree("/", "/", ""))

    async def enqueue(*_event: object) -> Any: ...

    nothing: Any = None
    # pyrefly: ignore[bad-argument-type]  # nothing is enqueued
    context: Any = EventContext(token="tab", state_manager=nothing, enqueue_impl=enqueue)
    with context:
        proxy: Any = StateProxy(state)
    assert proxy is not state
    assert unwrap(proxy) is state
    assert unwrap(state) is state


async def test_a_tree_of_nobodys_tab_knows_its_cookies_and_never_tells_them() -> None:
    tree = new_tree("/", "/", "localhost", "session=secret")
    assert tree.router.headers.cookie == "session=secret"
    assert "secret" not in changes_below(tree)


def test_only_what_differs_is_sent(root: BaseState) -> None:
    session = session_in(root)
    assign_changed(session, {"authenticated": session.authenticated, "variant": "returns"})
    assert set(root.get_delta()[SessionState.get_full_name()]) == {f"variant{FIELD_MARKER}"}


def test_what_differs_is_found_without_a_change(root: BaseState) -> None:
    session = session_in(root)
    assert differing(session, {"authenticated": session.authenticated, "variant": "returns"}) == {"variant": "returns"}
    assert root.get_delta() == {}


def test_a_tree_of_nobodys_tab_knows_its_address(root: BaseState) -> None:
    session = session_in(root)
    assert root_of(session) is root
    assert session.router.url.path == "/orders/900000001"
    assert dict(session.router.url.query_parameters) == {"page": "2"}
    assert session.router.headers.host == "localhost:8000"


def test_first_data_are_written_as_a_message_is(root: BaseState) -> None:
    session = session_in(root)
    session.variant = "returns"
    assert json.loads(as_json(session)) == {SessionState.get_full_name(): {f"variant{FIELD_MARKER}": "returns"}}
    assert "2026-11-22" in json_dumps({"moment": datetime(2026, 11, 22, tzinfo=UTC)})


def test_first_data_never_hold_the_root(root: BaseState) -> None:
    root.rx_router_headers = root.rx_router_headers  # as if it had changed
    session_in(root).variant = "returns"
    assert set(root.get_delta()) == {root.get_full_name(), SessionState.get_full_name()}
    assert json.loads(changes_below(root)) == {SessionState.get_full_name(): {f"variant{FIELD_MARKER}": "returns"}}


async def test_changes_are_taken_once(root: BaseState) -> None:
    session_in(root).variant = "returns"
    assert (await take_changes(root))[SessionState.get_full_name()] == {f"variant{FIELD_MARKER}": "returns"}
    assert await take_changes(root) == {}


def test_what_is_forgotten_is_not_sent(root: BaseState) -> None:
    session = session_in(root)
    session.variant, session.unavailable = "returns", True
    forget_changes(session, ["variant"])
    assert set(root.get_delta()[SessionState.get_full_name()]) == {f"unavailable{FIELD_MARKER}"}
