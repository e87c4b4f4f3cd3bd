"""The texts of an account, as the server sent them in every language."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text
from portal.i18n.messages import localized


def account_facts(account: Any, label: Text | None = None) -> rx.Component:
    """The facts of an account as rows (`dl`).

    Args:
        account: a Var of an `Account`.
        label: name of the list for screen readers; needed where no heading names it.
    """
    attributes = {"aria-label": label} if label is not None else {}
    return rx.el.dl(rx.foreach(account.facts, _fact), class_name="facts", custom_attrs=attributes)


def _fact(fact: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(localized(fact.label), class_name="text-ink-600"),
        rx.el.dd(
            rx.foreach(
                fact.lines,
                lambda line: rx.el.span(
                    localized(line), class_name="block whitespace-pre-line break-words tabular-nums"
                ),
            )
        ),
    )


def account_steps(account: Any) -> rx.Component:
    """What happens next, as a numbered list."""
    return rx.el.ol(
        rx.foreach(account.next_steps, lambda step: rx.el.li(localized(step))),
        class_name="max-w-form list-decimal space-y-2 pl-5",
    )
