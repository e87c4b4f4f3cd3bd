"""Translated texts as Vars. Both languages are written into the page that uses them, and nothing else is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.vars.function import FunctionStringVar

from portal.texts import catalogue

Text = rx.Var[str] | str
"""What a component accepts as a text: a translated Var, or a name or number that needs no translation."""

LANGUAGE_MODULE = "$/utils/portal/language"

LANGUAGE: rx.Var[str] = rx.Var(
    _js_expr="lang",
    _var_data=VarData(
        imports={LANGUAGE_MODULE: ["useLanguage"]},
        hooks={"const lang = useLanguage()": None},
    ),
).to(str)
"""The language that the visitor sees, 'nl' or 'en'."""


def browser_function(name: str, module: str = LANGUAGE_MODULE) -> FunctionStringVar:
    """A function of one of our browser modules, to be called with Vars."""
    return FunctionStringVar.create(name, _var_data=VarData(imports={module: [name]}))


def _(text: str, **values: Any) -> rx.Var[str]:
    """Translate a text.

    Args:
        text: The English text, the id in the catalogue. `{name}` is replaced by the value of that name.
        values: Vars, texts or numbers for the placeholders.

    Returns:
        The text in the language of the visitor.
    """
    dutch = catalogue("portal", "nl").gettext(text)
    if dutch == text and not values:
        return rx.Var.create(text)
    return browser_function("t").call(LANGUAGE, dutch, text, *([values] if values else [])).to(str)


def ngettext(singular: str, plural: str, n: rx.Var[int] | int, **values: Any) -> rx.Var[str]:
    """Translate a counted text.

    Args:
        singular: The English text for one, the id in the catalogue.
        plural: The English text for any other number.
        n: The number, which also fills `{n}`.
        values: Values of further placeholders.
    """
    dutch = catalogue("portal", "nl").forms(singular, plural)
    return browser_function("tn").call(LANGUAGE, list(dutch), [singular, plural], n, {"n": n, **values}).to(str)


def choice(value: rx.Var[Any] | str, texts: Mapping[Any, Text], default: Text = "") -> rx.Var[str]:
    """Choose a text by a value that is only known in the browser, such as a status or an error code.

    Args:
        value: The value.
        texts: A text for each value: translated Vars, or English texts (marked with `N_`) to be translated here.
        default: What is shown for a value that is not listed.
    """
    options = {str(key): _(text) if isinstance(text, str) else text for key, text in texts.items()}
    fallback = (_(default) if default else "") if isinstance(default, str) else default
    return browser_function("choose").call(options, value, fallback).to(str)


def lowered(text: rx.Var[str]) -> rx.Var[str]:
    """A text in the midst of another one: it begins with a small letter."""
    # Only of the first letter: the expression behind the text may be long, so it is written once.
    small = f"({text!s}).replace(/^./, (letter) => letter.toLowerCase())"
    return rx.Var(_js_expr=small, _var_data=text._get_all_var_data()).to(str)
