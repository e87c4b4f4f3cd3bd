"""Events of Reflex: their types, the table of all handlers, and which of them are the framework's own.

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

__all__ = ["FIRST_EVENT", "HYDRATE", "Event", "Handler", "all_handlers", "all_names", "as_plain_value", "handler_named"]
# Reaches: reflex_base.event.Event.
# Why: the public signature of `rx.Middleware.preprocess` names it, and Reflex exports it nowhere.
# Gain: as of the guard.
# Test: test_a_middleware_is_given_an_event_with_name_and_payload.

FIRST_EVENT = f"{State.get_full_name()}.hydrate_and_load"
"""What the browser sends when a document is new.

Reaches: the name of a handler of Reflex' own root state.
Why: nothing else tells a new document from a socket that came back.
Gain: a page never shows what the tab held for somebody else, or for another address.
Test: test_the_events_that_bring_a_page_up_to_date_exist.
"""
HYDRATE = frozenset({FIRST_EVENT, f"{State.get_full_name()}.hydrate"})
"""The events after which a page is told everything there is; reached, and tested, likewise."""


@dataclass(frozen=True, slots=True)
class Handler:
    """An event handler.

    Attributes:
        function: what is called.
        of_framework: whether it belongs to a state of Reflex itself.
    """

    function: Callable[..., Any]
    of_framework: bool


def handler_named(name: str) -> Handler | None:
    """The handler with this full name; none for an unknown one, and for `setvar`, which nobody may call.

    Reaches: the registry of Reflex (RegistrationContext), the four states of its own that every app has, and the
        handler behind `setvar`.
    Why: a browser names any handler it likes. What is not declared has to be refused, and Reflex has no list of its
        handlers that is public.
    Gain: deny by default: no public method of a state is an endpoint by accident.
    Test: test_handlers_are_found_by_name, test_states_of_the_framework_are_known.
    """
    registered = RegistrationContext.get().event_handlers.get(name)
    if registered is None or isinstance(registered.handler, EventHandlerSetVar):
        return None
    return Handler(registered.handler.fn, registered.states[0] in _framework_states())


def all_handlers() -> Mapping[str, Handler]:
    """All handlers by their full name, without `setvar`; as of `handler_named`."""
    return {name: found for name in all_names() if (found := handler_named(name)) is not None}


def all_names() -> list[str]:
    """The full names of everything that a browser may name, with `setvar`; as of `handler_named`."""
    return list(RegistrationContext.get().event_handlers)


@cache
def _framework_states() -> tuple[type[rx.State], ...]:
    return (State, OnLoadInternalState, UpdateVarsInternalState, FrontendEventExceptionState)


def as_plain_value(value: Any) -> Any:
    """A value of a payload as the handler is going to get it: the entries of a form as a dictionary.

    Reaches: reflex_base.utils.form.form_data_as_dict.
    Why: the guard has to check what the handler gets, not what was sent.
    Gain: payloads are checked against the type hints of their handler; Reflex does not do that.
    Test: test_a_form_is_checked_as_the_handler_gets_it.
    """
    return form_data_as_dict(value)
