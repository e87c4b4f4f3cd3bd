"""JavaScript expressions as Vars, where Reflex has no component or operator.

The tests are in `tests/reflex_adapter/test_var.py`.
"""

from __future__ import annotations

from typing import Any

import reflex as rx
from reflex.vars import FunctionStringVar, VarData
from reflex_components_core.core.banner import has_connection_errors

CONNECTION_LOST: rx.Var[bool] = has_connection_errors
"""Whether the socket is disconnected. Only the browser knows.

Reaches: reflex_components_core.core.banner.has_connection_errors.
Why: the public component for this (`rx.connection_banner`) shows technical English.
Gain: customers read in their own language that their input is not lost.
Test: test_the_connection_is_known_in_the_browser.
"""


def expression(code: str, like: rx.Var[Any] | None = None) -> rx.Var[Any]:
    """A JavaScript expression.

    Reaches: the arguments `_js_expr` and `_var_data` of a Var, and its method `_get_all_var_data`.
    Why: Reflex has no public way to write a custom expression around a Var that keeps its imports.
    Gain: `encodeURIComponent` in a URL, a lower-case initial inside a sentence, or one part of a form value need no
        component in a browser module.
    Test: test_an_expression_brings_the_imports_of_what_it_is_made_of.
    """
    return rx.Var(_js_expr=code, _var_data=None if like is None else needs(like))


def hook_value(name: str, call: str, module: str) -> rx.Var[Any]:
    """The value of a hook from a browser module.

    Reaches: see `expression`; `VarData` itself is public.
    Why: a hook must be called at the top of the component that uses its value, and only Reflex can place it there.
    Gain: the language, form values and the end of the session update the page without a socket message.
    Test: test_a_hook_is_imported_and_called_once.
    """
    function = call.partition("(")[0]
    data = VarData(imports={module: [function]}, hooks={f"const {name} = {call}": None})
    return rx.Var(_js_expr=name, _var_data=data)


def browser_function(name: str, module: str) -> FunctionStringVar:
    """A function of a browser module that can be called with Vars.

    Reaches: the argument `_var_data` of `FunctionStringVar.create`.
    Why: the public API creates functions only without imports.
    Gain: texts switch language without the server, because the page contains both languages.
    Test: test_a_function_is_imported.
    """
    return FunctionStringVar.create(name, _var_data=VarData(imports={module: [name]}))


def needs(value: rx.Var[Any]) -> VarData | None:
    """The imports and hooks that a Var needs. Reaches, Why, Gain and Test: see `expression`."""
    return value._get_all_var_data()
