"""JavaScript expressions as Vars: what Reflex has no component or operator for.

The tests are in `tests/reflex_adapter/test_var.py`.
"""

from __future__ import annotations

from typing import Any

import reflex as rx
from reflex.vars import FunctionStringVar, VarData
from reflex_components_core.core.banner import has_connection_errors

CONNECTION_LOST: rx.Var[bool] = has_connection_errors
"""Whether the socket is away; only the browser knows.

Reaches: reflex_components_core.core.banner.has_connection_errors.
Why: the public components that know it (`rx.connection_banner`) speak technical English.
Gain: customers read in their own language that their answers are kept.
Test: test_the_connection_is_known_in_the_browser.
"""


def expression(code: str, like: rx.Var[Any] | None = None) -> rx.Var[Any]:
    """A JavaScript expression.

    Reaches: the arguments `_js_expr` and `_var_data` of a Var, and its method `_get_all_var_data`.
    Why: Reflex has no public way to write an expression of one's own around a Var, together with its imports.
    Gain: `encodeURIComponent` in an address, a small letter inside a sentence, one part of an answer to a form: without
        them each would be a component of its own, in a browser module.
    Test: test_an_expression_brings_the_imports_of_what_it_is_made_of.

    Args:
        code: the expression.
        like: a Var that the expression is made of; what the page needs for it is needed for the expression.
    """
    return rx.Var(_js_expr=code, _var_data=None if like is None else needs(like))


def hook_value(name: str, call: str, module: str) -> rx.Var[Any]:
    """A value that a hook of a browser module keeps.

    Reaches: as of `expression`; `VarData` itself is public.
    Why: a hook has to be called at the top of the component that uses its value, which only Reflex can place.
    Gain: language, answers to forms and the end of the session are told without a message of the socket.
    Test: test_a_hook_is_imported_and_called_once.

    Args:
        name: of the constant that holds the value; the same name and call stand in a page once.
        call: the call of the hook, as `useAnswer("code")`.
        module: the browser module that exports the hook.
    """
    function = call.partition("(")[0]
    data = VarData(imports={module: [function]}, hooks={f"const {name} = {call}": None})
    return rx.Var(_js_expr=name, _var_data=data)


def browser_function(name: str, module: str) -> FunctionStringVar:
    """A function of a browser module, to be called with Vars.

    Reaches: the argument `_var_data` of `FunctionStringVar.create`.
    Why: Reflex offers functions only without imports.
    Gain: texts change their language without the server; both languages are written into the page.
    Test: test_a_function_is_imported.
    """
    return FunctionStringVar.create(name, _var_data=VarData(imports={module: [name]}))


def needs(value: rx.Var[Any]) -> VarData | None:
    """The imports and hooks that a page needs for a Var; reached, and tested, as of `expression`."""
    return value._get_all_var_data()
