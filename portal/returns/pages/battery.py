"""How a battery is that is going to travel: the question, and what to do with one that must not (part-2 §2)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import Code
from portal.i18n import Text, _, choice
from portal.states.withdrawing import BATTERY
from portal.ui import Option, choice_cards, error_summary, event_form, notice, submit_button
from portal.vocabulary.returns import BATTERY_INSTRUCTIONS, BATTERY_NAMES, BATTERY_QUESTION, BatteryState

ASKED_FIRST = [state for state in BATTERY_NAMES if state is not BatteryState.FINE] + [BatteryState.FINE]
"""The question comes first what can be wrong."""


def unsafe_battery(title: Text | None = None) -> rx.Component:
    """What to do with a battery that must not travel.

    Args:
        title: what has been found out.
    """
    return notice(
        rx.el.ul(*[rx.el.li(_(text)) for text in BATTERY_INSTRUCTIONS], class_name="mt-2 list-disc space-y-1 pl-5"),
        title=_("This battery must not travel") if title is None else title,
        tone="err",
    )


def advice() -> rx.Component:
    """The same, as soon as the answer in the form around it says so."""
    return rx.el.div(
        rx.el.div(unsafe_battery(), class_name="unsafe"),
        # In the page from the start, so that what appears in it is spoken.
        role="status",
    )


def battery_choice(error: rx.Var[str], attempt: rx.Var[int]) -> rx.Component:
    """The question of a withdrawal, which is asked when it has been received.

    Args:
        error: code of what is wrong with the answer; empty while nothing is.
        attempt: counts the refusals.
    """
    wrong = choice(error, {Code.REQUIRED: _("Say how the battery is.")})
    return rx.fragment(
        error_summary({BATTERY: wrong}, attempt),
        choice_cards(
            BATTERY,
            _(BATTERY_QUESTION),
            [Option(state.value, _(BATTERY_NAMES[state])) for state in ASKED_FIRST],
            error=wrong,
            columns="",
        ),
        advice(),
    )


def battery_form(page: Any, *refused: rx.Component) -> rx.Component:
    """The question with its button.

    Args:
        page: a state with `answered`, `failures`, `battery_error` and a handler `answer_battery`.
        *refused: why the last answer was not taken.
    """
    return event_form(
        *refused,
        battery_choice(page.battery_error, page.failures),
        submit_button(_("Send answer"), _("Sending…")),
        on_send=page.answer_battery,
        answered=page.answered,
        class_name="mt-4 space-y-6",
    )
