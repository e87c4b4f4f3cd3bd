"""One message with what an event changed and what the browser does next."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
import reflex as rx
from reflex.app import EventNamespace
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.event.context import EventContext

from portal.frontend.session import SessionState
from portal.reflex_adapter.state import FIELD_MARKER, StateUpdate, new_tree
from portal.reflex_adapter.updates import send_updates_by, send_with

REDIRECT = rx.redirect("/orders")


@pytest.fixture
def sent() -> Iterator[list[tuple[str, StateUpdate]]]:
    """What is sent, with the client token of the tab."""
    messages: list[tuple[str, StateUpdate]] = []

    async def send(update: StateUpdate, token: str) -> None:
        messages.append((token, update))

    before = send_updates_by(send)
    yield messages
    send_updates_by(before)


async def _changed() -> SessionState:
    """A state with one change that was not sent."""

    async def enqueue(_token: str, *_events: object) -> None:
        raise AssertionError

    EventContext.set(EventContext(token="a-tab", state_manager=StateManagerMemory(), enqueue_impl=enqueue))
    root = new_tree("/", "/", "localhost")
    root._clean()
    state = await root.get_state(SessionState)
    assert isinstance(state, SessionState)
    state.unavailable = True
    return state


async def test_changes_and_the_way_on_are_one_message(sent: list[tuple[str, StateUpdate]]) -> None:
    state = await _changed()
    assert await send_with(state, REDIRECT) is None
    [(token, update)] = sent
    assert token == "a-tab"
    assert update.delta == {SessionState.get_full_name(): {f"unavailable{FIELD_MARKER}": True}}
    assert [(event.name, event.payload["path"]) for event in update.events] == [("_redirect", "/orders")]


async def test_changes_are_sent_once(sent: list[tuple[str, StateUpdate]]) -> None:
    state = await _changed()
    await send_with(state, REDIRECT)
    await send_with(state, REDIRECT)
    assert not sent[1][1].delta


async def test_without_a_socket_the_handler_returns_the_event(sent: list[tuple[str, StateUpdate]]) -> None:
    send_updates_by(None)
    assert await send_with(await _changed(), REDIRECT) is REDIRECT
    assert not sent


def test_the_namespace_of_an_app_sends_updates() -> None:
    assert list(inspect.signature(EventNamespace.emit_update).parameters) == ["self", "update", "token"]
