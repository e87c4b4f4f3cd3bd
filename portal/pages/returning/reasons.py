"""Why it comes back, from a list; another reason is written out (part-2 §3)."""

from __future__ import annotations

import reflex as rx

from portal.flows.order_return import REASON, REASON_TEXT
from portal.i18n import _, choice
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.pages.flow.screens import StepFields
from portal.states.flow import FlowRun
from portal.ui import Fact
from portal.vocabulary.returns import REASON_NAMES, ReturnReason

_NAMES = {reason.value: name for reason, name in REASON_NAMES.items()}


def reasons_body(fields: StepFields) -> rx.Component:
    """The list; 'another reason' opens a text.

    Args:
        fields: those that ask for the reason and its words.
    """
    reason, words = fields[REASON], fields[REASON_TEXT]
    *listed, other = _NAMES
    cards = rx.fragment(
        *[option_of(reason, value, _(_NAMES[value])) for value in listed],
        rx.el.div(
            option_of(reason, other, _(REASON_NAMES[ReturnReason.OTHER])),
            rx.el.div(asked(words), class_name="reveal"),
            class_name="reveals",
        ),
    )
    return group(reason, cards, legend=None, columns="")


def reasons_rows(fields: StepFields) -> list[Fact]:
    """The reason on the check page."""
    reason, words = fields[REASON], fields[REASON_TEXT]
    return [
        Fact(_(reason.label), choice(answer(REASON), _NAMES)),
        Fact(
            _(words.label),
            rx.el.span(answer(REASON_TEXT), class_name="whitespace-pre-line"),
            shown=FlowRun.asked.contains(REASON_TEXT),
        ),
    ]
