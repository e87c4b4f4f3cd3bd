"""What the pages of cases say about a step: its name, and what the customer is told."""

from __future__ import annotations

import reflex as rx

from portal.cases.desk.views import StepView
from portal.i18n import Text, _, localized
from portal.vocabulary.cases import STEP_ACTIONS

STEP_NAMES: dict[str, Text] = {status: _(action) for status, action in STEP_ACTIONS.items()}
"""What staff do, by the status that follows."""


def message_of(step: rx.vars.ObjectVar[StepView]) -> rx.Component:
    """What the customer is told by a step."""
    return rx.fragment(
        rx.cond(step.mailed, _("The customer is emailed this:"), _("What the customer reads in the portal:")),
        " ",
        rx.el.q(rx.cond(localized(step.sentence) != "", localized(step.sentence), localized(step.label))),
    )
