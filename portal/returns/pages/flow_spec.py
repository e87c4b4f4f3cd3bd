"""The pages of the four flows: introduction, steps, check page and confirmation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import reflex as rx

from portal.bikes.pages.bike_step import pin_body, pin_rows
from portal.flow import Flow, Step
from portal.flow.pages import Intro, Offers, SentPage, StepPage, SubjectPages, flow_pages
from portal.flow.pages.ends import receipt_text
from portal.flow.pages.spec import Draft, Part, StepFields
from portal.flow.pages.state import FlowRun
from portal.frontend.load import LOADING
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _, money, ngettext
from portal.pictures.pages import picture
from portal.returns.flow.accessories import ACCESSORIES, CONDITION, ITEMS_STEP, METHOD_STEP, PICKUP
from portal.returns.flow.exchange import CONDITION as EXCHANGE_CONDITION
from portal.returns.flow.exchange import EXCHANGE, ITEM_STEP, PRODUCT_STEP, REASON_STEP
from portal.returns.flow.exchange import METHOD_STEP as EXCHANGE_METHOD_STEP
from portal.returns.flow.exchange import PICKUP as EXCHANGE_PICKUP
from portal.returns.flow.order_return import CONDITION as ORDER_RETURN_CONDITION
from portal.returns.flow.order_return import DAY_STEP, ORDER_RETURN
from portal.returns.flow.order_return import ITEMS_STEP as ORDER_RETURN_ITEMS_STEP
from portal.returns.flow.order_return import PICKUP as ORDER_RETURN_PICKUP
from portal.returns.flow.order_return import REASON_STEP as ORDER_RETURN_REASON_STEP
from portal.returns.flow.returns import CONDITION as RETURNS_CONDITION
from portal.returns.flow.returns import ITEM_PIN_STEP, RETURN
from portal.returns.flow.returns import ITEM_STEP as RETURNS_ITEM_STEP
from portal.returns.flow.returns import METHOD_STEP as RETURNS_METHOD_STEP
from portal.returns.flow.returns import PICKUP as RETURNS_PICKUP
from portal.returns.flow.returns import REASON_STEP as RETURNS_REASON_STEP
from portal.returns.pages.condition_step import (
    condition_body,
    condition_page,
    condition_rows,
    fault_and_reason,
    reasons_body,
    reasons_rows,
    refused_items,
    refused_orders,
)
from portal.returns.pages.exchange_step import amounts_aside, exchange_body, exchange_rows
from portal.returns.pages.flow_panels import (
    below_check,
    below_confirmation,
    beside_confirmation,
    document_links,
    is_pending,
    pending_documents,
    pending_panel,
    pending_title,
    phases_sent,
    return_phases,
    withdrawal_notice,
)
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.items_step import chosen_aside, chosen_rows, item_body, items_body, orders_body
from portal.returns.pages.method_step import day_rows, days_body, method_body, method_rows, pickup_body, pickup_rows
from portal.ui import LINK, link_button
from portal.vocabulary.returns import ReturnKind

FREE = _("Bringing it to one of our stores is free")
"""A note of the flows in which the customer chooses between store and pick-up."""


def intro(lead: Text, phases: Part, notes: Sequence[Text], below: Part) -> Intro:
    fee = _("Pick-up from your home costs {amount}, once per request", amount=money(Returning.fee))
    return Intro(
        lead,
        _("Good to know"),
        (
            *notes,
            rx.cond(Returning.fee != "", rx.el.li(fee)),
            _("If it shows signs of use, we take {depreciation_percent}% off the price"),
            rx.cond(
                Returning.free_if_faulty,
                rx.el.li(_("Is it wrong, incomplete, damaged or defective? Then you pay neither")),
            ),
            _("You’ll see what you get back before you send your request"),
        ),
        minutes=5,
        phases=phases,
        beside=lambda: rx.cond(FlowRun.view_state != LOADING, withdrawal_notice()),
        below=below,
    )


def below_intro(refused: rx.Component, *others: Flow) -> rx.Component:
    """Below the introduction: what cannot be returned, and links to other flows."""
    links = [
        rx.el.li(rx.el.a(_(flow.title), to=flow.path, class_name=f"{LINK} inline-flex min-h-11 items-center"))
        for flow in others
    ]
    return rx.el.div(
        rx.cond(FlowRun.view_state != LOADING, refused),
        rx.el.section(
            rx.el.h2(_("Looking for something else?"), class_name="text-h3"),
            rx.el.ul(*links, class_name="mt-1 flex flex-wrap gap-x-8"),
        ),
        class_name="mt-12 max-w-form space-y-10",
    )


def _items() -> Offers:
    return Offers(
        _("Which item is it about?"),
        Returning.offered,
        id=lambda item: item.id,
        name=lambda item: item.name,
        picture=lambda item: picture(item.picture, "6rem", "w-16 sm:w-24"),
        another=_("Another item"),
        others=Returning.others,
    )


def _subject(closed_page: Callable[[rx.Component], rx.Component] | None = None) -> SubjectPages:
    """What the introduction lists, and names on small screens."""
    plain = SubjectPages(offers=_items, chosen=_chosen_name)
    return plain if closed_page is None else replace(plain, closed_page=closed_page)


def _chosen_name() -> rx.Var[str]:
    """The chosen item; several are named by their number."""
    chosen = Returning.chosen
    several = ngettext("{n} item", "{n} items", chosen.length())
    return rx.cond(chosen.length() == 0, "", rx.cond(chosen.length() == 1, chosen[0].name, several)).to(str)


_PLAIN = _subject()


def return_pages(
    flow: Flow,
    kind: ReturnKind,
    *,
    phases_label: Text,
    lead: Text,
    notes: Sequence[Text] = (),
    others: Sequence[Flow],
    steps: Sequence[StepPage],
    method: Step,
    pickup: Step,
    subject: SubjectPages = _PLAIN,
) -> list[PageRoute]:
    """The pages of a flow in which the customer chooses between store and pick-up."""
    return flow_pages(
        flow,
        intro=lambda: intro(
            lead,
            lambda: return_phases(kind, phases_label),
            (*notes, FREE),
            lambda: below_intro(refused_items(), *others),
        ),
        subject=subject,
        phases=lambda: phases_sent(phases_label),
        steps=(
            *steps,
            StepPage(method, body=lambda fields: method_body(fields, kind), rows=method_rows),
            StepPage(pickup, body=pickup_body, rows=pickup_rows),
        ),
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=below_check,
        sent=SentPage(
            more=below_confirmation,
            beside=lambda: beside_confirmation(kind),
            status="/returns",
            name=receipt_text("return_id"),
            documents=lambda: document_links(kind),
        ),
    )


def _pin_body(fields: StepFields) -> rx.Component:
    return pin_body(fields, _("This bike has an electronic lock. We need its pin code to open it."))


PIN_PAGE = StepPage(ITEM_PIN_STEP, body=_pin_body, rows=pin_rows)
"""The page of the pin code."""


_PHASES = _("How returns work")


def _intro() -> Intro:
    return intro(
        _("Choose which products of an order you want to return. We’ll pick them up from your home."),
        lambda: return_phases(ReturnKind.ORDER_RETURN, _PHASES),
        (_("We’ll email you a link. Use it to confirm your return within {link_hours} hours"),),
        _below,
    )


def _below() -> rx.Component:
    return below_intro(refused_orders(), RETURN, ACCESSORIES, EXCHANGE)


def _closed_exchange(reason: rx.Component) -> rx.Component:
    """Why nothing can be exchanged; accessories can be returned instead."""
    fits = Returning.fits == ACCESSORIES.name
    instead = rx.el.div(link_button(_(ACCESSORIES.title), ACCESSORIES.path), class_name="mt-6")
    return rx.fragment(reason, rx.cond(fits, instead))


def _draft_title(flow: Flow, draft: Draft) -> rx.Var[str]:
    return rx.cond(draft.subject == "", _(flow.title), _("Order {number}", number=draft.subject)).to(str)


PAGES = [
    *return_pages(
        ACCESSORIES,
        ReturnKind.ACCESSORIES,
        phases_label=_("How returns work"),
        lead=_("Send back accessories, even several at once, up to {return_days} days after they were shipped."),
        others=(RETURN, EXCHANGE),
        steps=(
            StepPage(ITEMS_STEP, body=items_body, rows=chosen_rows),
            StepPage(CONDITION, body=condition_body, rows=condition_rows, before=withdrawal_notice),
        ),
        method=METHOD_STEP,
        pickup=PICKUP,
    ),
    *return_pages(
        EXCHANGE,
        ReturnKind.EXCHANGE,
        phases_label=_("How exchanges work"),
        lead=_("Swap a bike or a part for the same one, or choose something else from our shop."),
        subject=_subject(_closed_exchange),
        notes=(_("Choosing something else? You’ll see straight away what you pay or get back"),),
        others=(RETURN, ACCESSORIES),
        steps=(
            StepPage(ITEM_STEP, body=item_body, rows=lambda fields: chosen_rows(fields, _("You send back"))),
            StepPage(PRODUCT_STEP, body=exchange_body, rows=exchange_rows),
            StepPage(REASON_STEP, body=fault_and_reason, before=withdrawal_notice),
            condition_page(EXCHANGE_CONDITION),
            PIN_PAGE,
        ),
        method=EXCHANGE_METHOD_STEP,
        pickup=EXCHANGE_PICKUP,
    ),
    *return_pages(
        RETURN,
        ReturnKind.RETURN,
        phases_label=_("How returns work"),
        lead=_("Send back a bike, a battery or part of a set, up to {return_days} days after it was shipped."),
        others=(ACCESSORIES, EXCHANGE),
        steps=(
            StepPage(RETURNS_ITEM_STEP, body=item_body, rows=chosen_rows),
            StepPage(RETURNS_REASON_STEP, body=fault_and_reason, before=withdrawal_notice),
            condition_page(RETURNS_CONDITION),
            PIN_PAGE,
        ),
        method=RETURNS_METHOD_STEP,
        pickup=RETURNS_PICKUP,
    ),
    *flow_pages(
        ORDER_RETURN,
        intro=_intro,
        subject=SubjectPages(unnamed=_draft_title),
        phases=lambda: phases_sent(_PHASES),
        steps=(
            StepPage(ORDER_RETURN_ITEMS_STEP, body=orders_body, rows=chosen_rows),
            StepPage(ORDER_RETURN_CONDITION, body=condition_body, rows=condition_rows),
            StepPage(ORDER_RETURN_REASON_STEP, body=reasons_body, rows=reasons_rows, before=withdrawal_notice),
            StepPage(DAY_STEP, body=days_body, rows=day_rows),
            StepPage(ORDER_RETURN_PICKUP, body=pickup_body, rows=pickup_rows),
        ),
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=below_check,
        sent=SentPage(
            title=pending_title(),
            more=below_confirmation,
            beside=lambda: beside_confirmation(ReturnKind.ORDER_RETURN),
            status="/returns",
            name=receipt_text("return_id"),
            documents=pending_documents,
            waits=pending_panel,
            followed=~is_pending(),
        ),
    ),
]
