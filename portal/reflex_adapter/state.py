"""Internals of Reflex states: unwrapping proxies, state trees without a tab, and changes to send.

The tests are in `tests/reflex_adapter/test_state.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import reflex as rx
from reflex.constants import RouteVar
from reflex.state import BaseState, StateUpdate
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.utils.format import json_dumps

__all__ = [
    "FIELD_MARKER",
    "BaseState",
    "StateUpdate",
    "as_json",
    "assign_changed",
    "changes_below",
    "differing",
    "forget_changes",
    "json_dumps",
    "new_tree",
    "root_of",
    "take_changes",
    "unwrap",
]
# Reaches: reflex.state.BaseState and StateUpdate, and FIELD_MARKER, the suffix of variable names in messages.
# Why: the public signature of `rx.Middleware.preprocess` uses the first two, but Reflex exports neither.
# Gain: the guard can refuse an event and answer in place of the handler.
# Test: tests/frontend/test_guard.py.

S = TypeVar("S", bound=rx.State)


def unwrap(state: S) -> S:
    """The state behind the proxy that a background event has; any other state is returned unchanged.

    Call it only inside `async with self`, where the state may be changed.

    Reaches: `__wrapped__` of the proxy (wrapt).
    Why: private methods and `vars` do not work through the proxy.
    Gain: the same helpers work in foreground and background events.
    Test: test_a_background_event_holds_a_proxy_that_can_be_unwrapped.
    """
    return getattr(state, "__wrapped__", state)


def assign_changed(state: rx.State, values: Mapping[str, Any]) -> None:
    """Assign only the values that differ, so that only these are sent to the browser.

    Reaches: `vars` of a state, where Reflex stores each value under the name of its variable.
    Why: Reflex sends every assigned variable, even if the value is equal, and reading one through the state wraps each
        list and dictionary in a proxy.
    Gain: an event that changes nothing sends nothing.
    Test: test_only_what_differs_is_sent.
    """
    itself = unwrap(state)
    for name, value in differing(itself, values).items():
        setattr(itself, name, value)


def differing(state: rx.State, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that differ from what the state has. Reaches, Why, Gain and Test: see `assign_changed`."""
    itself = unwrap(state)
    stored = vars(itself)
    return {
        name: value
        for name, value in values.items()
        if (stored[name] if name in stored else getattr(itself, name)) != value
    }


def root_of(state: BaseState) -> BaseState:
    while state.parent_state is not None:
        state = state.parent_state
    return state


def peer_of(state: BaseState) -> tuple[str, str]:
    """The network address at the other end of the tab's socket, and the header X-Forwarded-For of its handshake."""
    router = state.router
    return router.session.client_ip, router.headers.raw_headers.get("x-forwarded-for", "")


def new_tree(route: str, address: str, host: str, cookies: str = "") -> BaseState:
    """Create a state tree that belongs to no tab. It is not stored and ends with its last reference.

    Reaches: the argument `_reflex_internal_init` of a state, and `State._update_router_vars`.
    Why: Reflex creates trees only for tabs that have a socket.
    Gain: a page's first data stand in its document (measurements M33).
    Test: test_a_tree_of_nobodys_tab_knows_its_address.
    """
    # pyrefly: ignore[unexpected-keyword]  # an argument of Reflex, not a variable of the state
    root = rx.State(_reflex_internal_init=True)
    headers = {"host": host, "cookie": cookies}
    root._update_router_vars({RouteVar.PATH: route, RouteVar.ORIGIN: address, RouteVar.HEADERS: headers}, {})
    return root


def as_json(*states: BaseState) -> str:
    """The changes of these states since their initial values, serialized as Reflex does for the browser.

    Reaches: `reflex_base.utils.format.json_dumps`.
    Why: the browser reads the text like a socket message, so dates and data classes must have the same format.
    Gain: see `new_tree`.
    Test: test_first_data_are_written_as_a_message_is.
    """
    return json_dumps({state.get_full_name(): state.get_delta()[state.get_full_name()] for state in states})


def changes_below(root: BaseState) -> str:
    """The changes of a tree since it was made, as `as_json`, without those of the root: it knows the request's headers.

    Reaches, Why and Gain: see `as_json`.
    Test: test_first_data_never_hold_the_root.
    """
    delta = root.get_delta()
    return json_dumps({name: values for name, values in delta.items() if name != root.get_full_name()})


async def take_changes(root: BaseState) -> Mapping[str, Mapping[str, Any]]:
    """Take the changes in a tree since they were last sent, by state. They then count as sent.

    Reaches: `State._get_resolved_delta` and `State._clean`.
    Why: a middleware that answers in place of a handler must return the changes itself.
    Gain: if a session has ended, the refusal already updates the page and clears it at once.
    Test: test_changes_are_taken_once.
    """
    delta = await root._get_resolved_delta()
    root._clean()
    return delta


def forget_changes(state: BaseState, names: Iterable[str]) -> None:
    """Do not send changes of these variables: the browser continues to show the old values.

    Reaches: `dirty_vars` of a state.
    Why: Reflex sends every changed variable.
    Gain: the heading of the previous page remains visible until the next page has loaded.
    Test: test_what_is_forgotten_is_not_sent.
    """
    state.dirty_vars.difference_update(names)
