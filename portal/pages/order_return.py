"""The older return of an order, confirmed by a mailed link within 24 hours (part-2 §2 Older order-return flow)."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import Flow
from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE
from portal.flows.order_return import CONDITION, DAY_STEP, ITEMS_STEP, ORDER_RETURN, PICKUP, REASON_STEP
from portal.flows.returns import RETURN
from portal.i18n import _
from portal.pages.flow import SentPage, StepPage, SubjectPages, flow_pages
from portal.pages.flow.screens import Draft
from portal.pages.flow.told import told
from portal.pages.returning.amounts import amounts_aside
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.intro import below_intro, intro
from portal.pages.returning.items import chosen_aside, chosen_rows
from portal.pages.returning.orders import orders_body
from portal.pages.returning.pickup import day_rows, days_body, pickup_body, pickup_rows
from portal.pages.returning.reasons import reasons_body, reasons_rows
from portal.pages.returning.refused import refused_orders
from portal.pages.returning.told import checked, return_phases, sent, withdrawal_told
from portal.pages.returning.waiting import waiting_panel, waiting_papers, waiting_steps, waits
from portal.vocabulary.returns import ReturnKind


def _phases() -> rx.Component:
    return return_phases(ReturnKind.ORDER_RETURN, _("How a return goes"))


def _intro() -> rx.Component:
    return intro(
        _("Choose the products of an order that you return. We pick them up at your home."),
        _phases(),
        (_("We email you a link. You confirm your return with it within {link_hours} hours"),),
    )


def _below() -> rx.Component:
    return below_intro(refused_orders(), RETURN, ACCESSORIES, EXCHANGE)


def _unnamed(flow: Flow, draft: Draft) -> rx.Var[str]:
    return rx.cond(draft.subject == "", _(flow.title), _("Order {number}", number=draft.subject)).to(str)


PAGES = flow_pages(
    ORDER_RETURN,
    intro=_intro,
    below=_below,
    subject=SubjectPages(unnamed=_unnamed),
    phases=_phases,
    steps=(
        StepPage(ITEMS_STEP, body=orders_body, rows=chosen_rows),
        StepPage(CONDITION, body=condition_body, rows=condition_rows),
        StepPage(REASON_STEP, body=reasons_body, rows=reasons_rows, before=withdrawal_told),
        StepPage(DAY_STEP, body=days_body, rows=day_rows),
        StepPage(PICKUP, body=pickup_body, rows=pickup_rows),
    ),
    aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
    before_sending=checked,
    sent=SentPage(
        next_steps=waiting_steps(),
        more=lambda: sent(ReturnKind.ORDER_RETURN),
        status="/returns",
        name=told("return_id"),
        documents=waiting_papers,
        waits=waiting_panel,
        followed=~waits(),
    ),
)
