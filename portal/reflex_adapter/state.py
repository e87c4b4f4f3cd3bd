"""States of Reflex from the inside: the object behind a proxy, a tree of nobody's tab, what has to be sent.

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
    "address_of",
    "as_json",
    "assign_changed",
    "forget_changes",
    "headers_of",
    "json_dumps",
    "new_tree",
    "root_of",
    "socket_of",
    "take_changes",
    "unwrap",
]
# Reaches: reflex.state.BaseState and StateUpdate, and FIELD_MARKER, the end of the name of each variable in a message.
# Why: the public signature of `rx.Middleware.preprocess` is made of the first two, but Reflex exports neither.
# Gain: the guard can refuse an event and answer in its place.
# Test: test_types_of_the_guard.

S = TypeVar("S", bound=rx.State)


def unwrap(state: S) -> S:
    """The state itself. A background event holds a proxy of it that watches every single access.

    Only inside `async with self`, where the state may be changed.

    Reaches: `__wrapped__` of the proxy (wrapt).
    Why: methods that begin with an underscore, and `vars`, do not work through the proxy.
    Gain: one helper serves events in the foreground and in the background.
    Test: test_a_background_event_holds_a_proxy_that_can_be_unwrapped.
    """
    return getattr(state, "__wrapped__", state)


def assign_changed(state: rx.State, values: Mapping[str, Any]) -> None:
    """Assign the values that differ, so that only these travel to the browser.

    Reaches: `vars` of a state, in which Reflex stores each value under the name of its variable.
    Why: Reflex sends every variable that is assigned, also when it stays equal, and reading one through the state makes
        a proxy of each list and dictionary.
    Gain: an event that changes nothing sends nothing.
    Test: test_only_what_differs_is_sent.

    Args:
        state: a state that may be changed now.
        values: new values by name of the variable.
    """
    itself = unwrap(state)
    stored = vars(itself)
    for name, value in values.items():
        if (stored[name] if name in stored else getattr(itself, name)) != value:
            setattr(itself, name, value)


def root_of(state: BaseState) -> BaseState:
    """The root of the tree that a state is part of."""
    while state.parent_state is not None:
        state = state.parent_state
    return state


def headers_of(state: BaseState) -> Any:
    """What the browser of a tab sent with the handshake of its socket: `cookie`, `host` and so on.

    Reaches: the variables `rx_router_headers`, `rx_router_url` and `rx_router_session` of the root state.
    Why: the public `router` assembles all that is known of a tab with every look, and the guard looks twice an event.
    Gain: less work with every event (not measured by itself).
    Test: test_a_tree_of_nobodys_tab_knows_its_address, test_what_is_known_of_a_tab_is_what_the_router_says.
    """
    return state.rx_router_headers


def address_of(state: BaseState) -> Any:
    """The address that a tab shows: `path`, `query`, `query_parameters`; reached, and tested, as of `headers_of`."""
    return state.rx_router_url.href


def socket_of(state: BaseState) -> str:
    """The id of the socket that a tab speaks through; reached, and tested, as of `headers_of`."""
    return state.rx_router_session.session_id


def new_tree(route: str, address: str, host: str) -> BaseState:
    """A tree of states that belongs to no tab: it is stored nowhere, and gone with its last reference.

    Reaches: the argument `_reflex_internal_init` of a state, and `State._update_router_vars`.
    Why: Reflex makes trees only for tabs that have a socket.
    Gain: the first data of a page are computed beside its scripts; rows of orders are painted 0.4 s earlier on a slow
        line (1.90 instead of 2.33 s).
    Test: test_a_tree_of_nobodys_tab_knows_its_address.

    Args:
        route: the route of the page, as the router names it.
        address: path and query.
        host: the host that the browser asked.
    """
    root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]
    root._update_router_vars({RouteVar.PATH: route, RouteVar.ORIGIN: address, RouteVar.HEADERS: {"host": host}}, {})
    return root


def as_json(*states: BaseState) -> str:
    """What differs from the compiled page in these states, written as Reflex writes it to the browser.

    Reaches: `reflex_base.utils.format.json_dumps`.
    Why: the browser reads it in the place of a message of the socket, so dates and data classes have to look the same.
    Gain: as of `new_tree`.
    Test: test_first_data_are_written_as_a_message_is.
    """
    return json_dumps({state.get_full_name(): state.get_delta()[state.get_full_name()] for state in states})


async def take_changes(root: BaseState) -> Mapping[str, Mapping[str, Any]]:
    """What has changed in a tree since it was last sent, by state. It counts as sent from here on.

    Reaches: `State._get_resolved_delta` and `State._clean`.
    Why: a middleware that answers in the place of a handler has to give the changes itself.
    Gain: the page of a customer whose session ended learns it with the refusal, and is emptied at once.
    Test: test_changes_are_taken_once.
    """
    delta = await root._get_resolved_delta()
    root._clean()
    return delta


def forget_changes(state: BaseState, names: Iterable[str]) -> None:
    """Let the browser keep what it shows of these variables, whatever they are here.

    Reaches: `dirty_vars` of a state.
    Why: Reflex sends every variable that changed.
    Gain: a page that was left keeps its heading on the screen until the next page is there.
    Test: test_what_is_forgotten_is_not_sent.
    """
    state.dirty_vars.difference_update(names)
