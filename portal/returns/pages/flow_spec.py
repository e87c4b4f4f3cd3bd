"""What the newer flows of returns have in common: the first page, the last questions, what is told beside them."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.domain.flow import Flow, Step
from portal.flows.returns import ITEM_PIN_STEP
from portal.i18n import Text, _
from portal.pages.flow import SentPage, StepPage, flow_pages
from portal.pages.flow.bike import pin_body, pin_rows
from portal.pages.flow.screens import StepFields
from portal.pages.flow.told import receipt_text
from portal.pages.registry import Page
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.intro import FREE, below_intro, intro
from portal.pages.returning.items import chosen_aside
from portal.pages.returning.method import method_body, method_rows
from portal.pages.returning.papers import papers
from portal.pages.returning.pickup import pickup_body, pickup_rows
from portal.pages.returning.refused import refused_items
from portal.pages.returning.told import checked, return_phases, sent, steps_after
from portal.vocabulary.returns import ReturnKind


def return_pages(
    flow: Flow,
    kind: ReturnKind,
    *,
    goes: Text,
    lead: Text,
    notes: Sequence[Text] = (),
    others: Sequence[Flow],
    steps: Sequence[StepPage],
    method: Step,
    pickup: Step,
    last: Text,
) -> list[Page]:
    """The pages of a flow of which the items are brought to a store or picked up.

    Args:
        flow: the declaration.
        kind: of return.
        goes: names the phases for a screen reader.
        lead: what can be done here.
        notes: what is good to know of this flow, before what is of all of them.
        others: flows that may be what the customer looks for.
        steps: pages of the steps before those that all of these flows have.
        method: the step that asks how it comes back.
        pickup: the step that asks where and when it is picked up.
        last: what the customer gets in the end.
    """

    def phases() -> rx.Component:
        return return_phases(kind, goes)

    return flow_pages(
        flow,
        intro=lambda: intro(lead, phases(), (*notes, FREE)),
        below=lambda: below_intro(refused_items(), *others),
        phases=phases,
        steps=(
            *steps,
            StepPage(method, body=lambda fields: method_body(fields, kind), rows=method_rows),
            StepPage(pickup, body=pickup_body, rows=pickup_rows),
        ),
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=checked,
        sent=SentPage(
            next_steps=steps_after(last, kind),
            more=lambda: sent(kind),
            status="/returns",
            name=receipt_text("return_id"),
            documents=lambda: papers(kind),
        ),
    )


def _pin_body(fields: StepFields) -> rx.Component:
    return pin_body(fields, _("This bike has an electronic lock. We need its pin code to open it."))


PIN_PAGE = StepPage(ITEM_PIN_STEP, body=_pin_body, rows=pin_rows)
"""The pin code of what comes back."""
