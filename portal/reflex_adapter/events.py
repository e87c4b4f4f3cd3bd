"""Events of Reflex: their types, and the registry of all event handlers.

The tests are in `tests/reflex_adapter/test_events.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import reflex as rx
from reflex.state import (
    EventHandlerSetVar,
    FrontendEventExceptionState,
    OnLoadInternalState,
    State,
    UpdateVarsInternalState,
)
from reflex_base.event import Event
from reflex_base.registry import RegistrationContext
from reflex_base.utils.form import form_data_as_dict

__all__ = [
    "FIRST_EVENT",
    "HYDRATE",
    "LOAD_AGAIN",
    "Event",
    "Handler",
    "all_handlers",
    "all_names",
    "as_plain_value",
    "handler_named",
]
# Reaches: reflex_base.event.Event.
# Why: the public signature of `rx.Middleware.preprocess` uses it, but Reflex does not export it.
# Gain: as of the guard.
# Test: tests/frontend/test_guard.py.

FIRST_EVENT = f"{State.get_full_name()}.hydrate_and_load"
"""The event that the browser sends first after loading a document.

Reaches: the name of a handler of Reflex' own root state.
Why: only this event distinguishes a new document from a reconnected socket.
Gain: a page never shows data that the tab held for another customer or another address.
Test: tests/reflex_adapter/test_socket.py.
"""
LOAD_AGAIN = OnLoadInternalState.on_load_internal
"""The event that loads the data of the open page again.

Reaches: reflex.state.OnLoadInternalState.
Why: Reflex runs the events of `on_load` for a new address only.
Gain: after a choice of language, the names of a shop are in that language, too.
Test: tests/reflex_adapter/test_socket.py.
"""
HYDRATE = frozenset({FIRST_EVENT, f"{State.get_full_name()}.hydrate"})
"""The events after which the server sends the whole state. Reaches, Why, Gain and Test: see `FIRST_EVENT`."""


@dataclass(frozen=True, slots=True)
class Handler:
    function: Callable[..., Any]
    of_framework: bool


def handler_named(name: str) -> Handler | None:
    """The handler with this full name. None for an unknown name, and for `setvar`, which must not be called.

    Reaches: the registry of Reflex (RegistrationContext), the four states of Reflex that every app has, and the
        handler of `setvar`.
    Why: a browser can send the name of any handler. Undeclared handlers must be refused, and Reflex has no public list
        of handlers.
    Gain: deny by default: no public method of a state becomes an endpoint by accident.
    Test: test_handlers_are_found_by_name, test_states_of_the_framework_are_known.
    """
    registered = RegistrationContext.get().event_handlers.get(name)
    if registered is None or isinstance(registered.handler, EventHandlerSetVar):
        return None
    return Handler(registered.handler.fn, registered.states[0] in _framework_states())


def all_handlers() -> Mapping[str, Handler]:
    """All handlers by full name, without `setvar`. Reaches, Why, Gain and Test: see `handler_named`."""
    return {name: found for name in all_names() if (found := handler_named(name)) is not None}


def all_names() -> list[str]:
    """The full names of all handlers, including `setvar`. Reaches, Why, Gain and Test: see `handler_named`."""
    return list(RegistrationContext.get().event_handlers)


@cache
def _framework_states() -> tuple[type[rx.State], ...]:
    return (State, OnLoadInternalState, UpdateVarsInternalState, FrontendEventExceptionState)


def as_plain_value(value: Any) -> Any:
    """Convert a payload value to what the handler receives: form entries become a dictionary.

    Reaches: reflex_base.utils.form.form_data_as_dict.
    Why: the guard must check what the handler receives, not what was sent.
    Gain: payloads are checked against the type hints of their handler, which Reflex does not do.
    Test: test_a_form_is_checked_as_the_handler_gets_it.
    """
    return form_data_as_dict(value)
