"""JavaScript expressions as Vars."""

from __future__ import annotations

import reflex as rx

from portal.reflex_adapter.var import CONNECTION_LOST, browser_function, expression, hook_value, needs

MODULE = "$/utils/portal/login"


def imported(value: rx.Var[object]) -> set[tuple[str, str | None]]:
    """Module and name of everything that a Var needs."""
    data = needs(value)
    return {(module, entry.tag) for module, entries in data.imports for entry in entries} if data else set()


def test_an_expression_brings_the_imports_of_what_it_is_made_of() -> None:
    whole = hook_value("note", "useNote()", MODULE)
    part = expression(f"encodeURIComponent({whole!s}.email)", whole).to(str)
    assert str(part) == "encodeURIComponent(note.email)"
    assert imported(part) == imported(whole) == {(MODULE, "useNote")}
    assert needs(expression("1 + 1")) is None


def test_a_hook_is_imported_and_called_once() -> None:
    first, second = (hook_value("answer", 'useAnswer("code")', MODULE).to(str) for _ in range(2))
    data = needs(first + second)
    assert data
    assert list(data.hooks) == ['const answer = useAnswer("code")']


def test_a_function_is_imported() -> None:
    called = browser_function("money", MODULE).call("12.00")
    assert str(called) == '(money("12.00"))'
    assert imported(called) == {(MODULE, "money")}


def test_the_connection_is_known_in_the_browser() -> None:
    data = needs(CONNECTION_LOST)
    assert data
    assert any("connectErrors" in hook for hook in data.hooks)
