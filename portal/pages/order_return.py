"""The older return of an order, confirmed by a mailed link within 24 hours (part-2 §2 Older order-return flow)."""

from __future__ import annotations

import reflex as rx

from portal.flows.order_return import ORDER_RETURN
from portal.i18n import _
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.told import told
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.intro import below_intro, intro
from portal.pages.returning.items import chosen_aside, chosen_rows
from portal.pages.returning.orders import orders_body
from portal.pages.returning.pickup import day_rows, days_body, pickup_body, pickup_rows
from portal.pages.returning.reasons import reasons_body, reasons_rows
from portal.pages.returning.refused import refused_orders
from portal.pages.returning.told import checked, road, sent, withdrawal_told
from portal.pages.returning.waiting import waiting_panel, waiting_papers, waiting_steps, waits
from portal.vocabulary.returns import ReturnKind

_STEPS = {step.slug: step for step in ORDER_RETURN.steps}


def _road() -> rx.Component:
    return road(ReturnKind.ORDER_RETURN, _("How a return goes"))


def _intro() -> rx.Component:
    return intro(
        _("Choose the products of an order that you return. We pick them up at your home."),
        _road(),
        (_("We email you a link. You confirm your return with it within {link_hours} hours"),),
    )


def _below() -> rx.Component:
    return below_intro(refused_orders(), "return-request", "return-accessories-request", "exchange-request")


SCREENS = Screens(
    flow=ORDER_RETURN,
    module=__name__,
    intro=_intro,
    below=_below,
    road=_road,
    bodies={
        "step-1": lambda: orders_body(_STEPS["step-1"]),
        "step-2": lambda: condition_body(_STEPS["step-2"]),
        "step-3": lambda: reasons_body(_STEPS["step-3"]),
        "step-4": lambda: days_body(_STEPS["step-4"]),
        "step-5": lambda: pickup_body(_STEPS["step-5"]),
    },
    before={"step-3": withdrawal_told},
    rows={
        "step-1": chosen_rows,
        "step-2": condition_rows,
        "step-3": reasons_rows,
        "step-4": day_rows,
        "step-5": lambda: pickup_rows(with_day=False),
    },
    aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
    before_sending=checked,
    after=After(
        next_steps=waiting_steps(),
        more=lambda: sent(ReturnKind.ORDER_RETURN),
        status="/returns",
        name=told("return_id"),
        papers=waiting_papers,
        waits=waiting_panel,
        followed=~waits(),
    ),
)
PAGES = flow_pages(SCREENS)
