"""The table of all handlers, and which of them are the framework's own."""

from __future__ import annotations

from reflex_base.utils.form import FormData

import portal.portal
from portal.frontend.toasts import Toasts
from portal.reflex_adapter.events import (
    HYDRATE,
    all_handlers,
    all_names,
    as_plain_value,
    handler_named,
)


def test_handlers_are_found_by_name() -> None:
    dismiss = handler_named(f"{Toasts.get_full_name()}.dismiss")
    assert dismiss
    assert dismiss.function.__qualname__ == "Toasts.dismiss"
    assert not dismiss.of_framework
    assert handler_named(f"{Toasts.get_full_name()}.setvar") is None
    assert f"{Toasts.get_full_name()}.setvar" in all_names()
    assert handler_named("nobody.nothing") is None


def test_states_of_the_framework_are_known() -> None:
    assert portal.portal.app
    handlers = all_handlers()
    theirs = {name for name, handler in handlers.items() if handler.function.__module__.startswith("reflex")}
    assert theirs == {name for name, handler in handlers.items() if handler.of_framework}
    assert HYDRATE <= theirs


def test_a_form_is_checked_as_the_handler_gets_it() -> None:
    assert as_plain_value(FormData([("parts", "chain"), ("text", "a")])) == {"parts": "chain", "text": "a"}
    assert as_plain_value("a") == "a"
