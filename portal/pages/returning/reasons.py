"""Why it comes back, from a list; another reason is written out (part-2 §3)."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import Step
from portal.flows.order_return import REASON, REASON_TEXT
from portal.i18n import _, choice
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.states.flow import FlowRun
from portal.ui import Fact
from portal.vocabulary.returns import REASON_NAMES, ReturnReason

_NAMES = {reason.value: name for reason, name in REASON_NAMES.items()}


def reasons_body(step: Step) -> rx.Component:
    """The list; 'another reason' opens a text.

    Args:
        step: its fields ask for the reason and its words.
    """
    reason, words = step.fields
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


def reasons_rows() -> list[Fact]:
    """The reason on the check page."""
    return [
        Fact(_("Reason"), choice(answer(REASON), _NAMES)),
        Fact(
            _("Your reason"),
            rx.el.span(answer(REASON_TEXT), class_name="whitespace-pre-line"),
            shown=FlowRun.asked.contains(REASON_TEXT),
        ),
    ]
