"""Return accessories (part-2 §2 Accessory return)."""

from __future__ import annotations

import reflex as rx

from portal.domain.returns.statuses import ReturnKind
from portal.flows.accessories import ACCESSORIES
from portal.i18n import _
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.check import row_of
from portal.pages.flow.told import told
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.intro import FREE, below_intro, intro
from portal.pages.returning.items import chosen_aside, chosen_rows, items_body
from portal.pages.returning.method import method_body, method_rows
from portal.pages.returning.papers import papers
from portal.pages.returning.pickup import pickup_body, pickup_rows
from portal.pages.returning.refused import refused_items
from portal.pages.returning.told import checked, road, sent, steps_after, withdrawal_told

_STEPS = {step.slug: step for step in ACCESSORIES.steps}
_FIELDS = {entry.name: entry for entry in ACCESSORIES.fields}


def _road() -> rx.Component:
    return road(ReturnKind.ACCESSORIES, _("How a return goes"))


def _intro() -> rx.Component:
    return intro(
        _("Send back accessories, several at once, up to 100 days after they were shipped."),
        _road(),
        (FREE,),
    )


def _below() -> rx.Component:
    return below_intro(refused_items(), "return-request", "exchange-request")


SCREENS = Screens(
    flow=ACCESSORIES,
    module=__name__,
    intro=_intro,
    below=_below,
    road=_road,
    bodies={
        "step-1": lambda: items_body(*_STEPS["step-1"].fields),
        "step-2": lambda: condition_body(_STEPS["step-2"]),
        "step-3": lambda: method_body(_STEPS["step-3"]),
        "step-4": lambda: pickup_body(_STEPS["step-4"]),
    },
    before={"step-2": withdrawal_told},
    rows={
        "step-1": chosen_rows,
        "step-2": lambda: [row_of(_FIELDS["reason"]), *condition_rows()],
        "step-3": method_rows,
        "step-4": lambda: pickup_rows(with_day=True),
    },
    aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
    before_sending=checked,
    after=After(
        next_steps=steps_after(_("We refund within 14 days after your return has been processed.")),
        more=sent,
        status="/returns",
        name=told("return_id"),
        papers=papers,
    ),
)
PAGES = flow_pages(SCREENS)
