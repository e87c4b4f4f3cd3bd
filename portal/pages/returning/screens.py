"""What the newer flows of returns have in common: the first page, the last questions, what is told beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import reflex as rx

from portal.domain.flow import Flow
from portal.flows.bike import PIN_STEP
from portal.i18n import Text, _
from portal.pages.flow import After, Screens
from portal.pages.flow.bike import pin_body, pin_rows
from portal.pages.flow.screens import Body
from portal.pages.flow.told import told
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.intro import FREE, below_intro, intro
from portal.pages.returning.items import chosen_aside, chosen_rows
from portal.pages.returning.method import method_body, method_rows
from portal.pages.returning.papers import papers
from portal.pages.returning.pickup import pickup_body, pickup_rows
from portal.pages.returning.refused import refused_items
from portal.pages.returning.told import checked, road, sent, steps_after, withdrawal_told
from portal.ui import Fact
from portal.vocabulary.returns import ReturnKind


def return_screens(
    flow: Flow,
    module: str,
    kind: ReturnKind,
    *,
    goes: Text,
    lead: Text,
    notes: Sequence[Text] = (),
    others: Sequence[str],
    reason: str,
    condition: str,
    method: str,
    pickup: str,
    bodies: Mapping[str, Body],
    rows: Mapping[str, Callable[[], Sequence[Fact]]] | None = None,
    last: Text,
) -> Screens:
    """The screens of a flow of which the items are brought to a store or picked up.

    Args:
        flow: the declaration; its first step asks what comes back.
        module: `__name__` of the module that lists the pages.
        kind: of return.
        goes: names the road for a screen reader.
        lead: what can be done here.
        notes: what is good to know of this flow, before what is of all of them.
        others: names of flows that may be what the customer looks for.
        reason: slug of the step that asks why.
        condition: slug of the step that asks how used it is.
        method: slug of the step that asks how it comes back.
        pickup: slug of the step that asks where and when it is picked up.
        bodies: fields of the other steps, by slug.
        rows: rows of the check page that differ from the usual ones, by slug.
        last: what the customer gets in the end.
    """
    steps = {step.slug: step for step in flow.steps}

    def phases() -> rx.Component:
        return road(kind, goes)

    return Screens(
        flow=flow,
        module=module,
        intro=lambda: intro(lead, phases(), (*notes, FREE)),
        below=lambda: below_intro(refused_items(), *others),
        road=phases,
        bodies={
            condition: lambda: condition_body(steps[condition]),
            method: lambda: method_body(steps[method], kind),
            pickup: lambda: pickup_body(steps[pickup]),
            PIN_STEP.slug: lambda: pin_body(_("This bike has an electronic lock. We need its pin code to open it.")),
            **bodies,
        },
        before={reason: withdrawal_told},
        rows={
            "step-1": chosen_rows,
            condition: condition_rows,
            method: lambda: method_rows(steps[method]),
            pickup: lambda: pickup_rows(with_day=True),
            PIN_STEP.slug: pin_rows,
            **(rows or {}),
        },
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=checked,
        after=After(
            next_steps=steps_after(last, kind),
            more=lambda: sent(kind),
            status="/returns",
            name=told("return_id"),
            papers=lambda: papers(kind),
        ),
    )
