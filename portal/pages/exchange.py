"""Exchange a bike or a part, for the same one or another (part-2 §2 Exchange request)."""

from __future__ import annotations

import reflex as rx

from portal.domain.returns.statuses import ReturnKind
from portal.flows.exchange import EXCHANGE
from portal.i18n import _
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.bike import pin_body, pin_rows
from portal.pages.flow.told import told
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.exchanged import exchange_body, exchange_rows
from portal.pages.returning.intro import FREE, below_intro, intro
from portal.pages.returning.items import chosen_aside, chosen_rows, item_body
from portal.pages.returning.method import method_body, method_rows
from portal.pages.returning.papers import papers
from portal.pages.returning.pickup import pickup_body, pickup_rows
from portal.pages.returning.refused import refused_items
from portal.pages.returning.told import checked, road, sent, steps_after, withdrawal_told

_STEPS = {step.slug: step for step in EXCHANGE.steps}


def _road() -> rx.Component:
    return road(ReturnKind.EXCHANGE, _("How an exchange goes"))


def _intro() -> rx.Component:
    return intro(
        _("Exchange a bike or a part for the same one, or choose another one from our shop."),
        _road(),
        (_("Choosing something else? You see at once what you pay or get back"), FREE),
    )


def _below() -> rx.Component:
    return below_intro(refused_items(), "return-request", "return-accessories-request")


SCREENS = Screens(
    flow=EXCHANGE,
    module=__name__,
    intro=_intro,
    below=_below,
    road=_road,
    bodies={
        "step-1": lambda: item_body(*_STEPS["step-1"].fields),
        "step-2": lambda: exchange_body(_STEPS["step-2"]),
        "step-4": lambda: condition_body(_STEPS["step-4"]),
        "step-5": lambda: method_body(_STEPS["step-5"]),
        "step-6": lambda: pickup_body(_STEPS["step-6"]),
        "pincode-step": lambda: pin_body(_("This bike has an electronic lock. We need its pin code to open it.")),
    },
    before={"step-3": withdrawal_told},
    rows={
        "step-1": lambda: chosen_rows(_("You send back")),
        "step-2": exchange_rows,
        "step-4": condition_rows,
        "step-5": method_rows,
        "step-6": lambda: pickup_rows(with_day=True),
        "pincode-step": pin_rows,
    },
    aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
    before_sending=checked,
    after=After(
        next_steps=steps_after(_("As soon as we have checked it, we deliver your new item.")),
        more=sent,
        status="/returns",
        name=told("return_id"),
        papers=papers,
    ),
)
PAGES = flow_pages(SCREENS)
