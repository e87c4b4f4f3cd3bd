"""The pages of the four flows: introduction, steps, check page and confirmation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import reflex as rx

from portal import ui
from portal.bikes.pages.bike_step import pin_body, pin_rows
from portal.contract.account import Account
from portal.flow import Flow, Step
from portal.flow.pages import Intro, Offers, SentPage, StepPage, SubjectPages, flow_pages
from portal.flow.pages.ends import DOCUMENT, done, keeping, mailed, receipt_text, waits_for
from portal.flow.pages.fields import answer
from portal.flow.pages.spec import Draft, Part, StepFields
from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import phases as account_phases
from portal.frontend.load import LOADING
from portal.frontend.load_views import return_label_link, return_summary_link
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _, day, moment, money, ngettext
from portal.returns.flow.items import METHOD
from portal.returns.flow.kinds import (
    ACCESSORIES,
    ACCESSORY_CONDITION,
    ACCESSORY_ITEMS,
    ACCESSORY_METHOD,
    CONDITION,
    EXCHANGE,
    EXCHANGE_ITEM,
    EXCHANGE_METHOD,
    EXCHANGE_PRODUCT,
    EXCHANGE_REASON,
    ITEM_PIN_STEP,
    ORDER_CONDITION,
    ORDER_DAY,
    ORDER_ITEMS,
    ORDER_PICKUP,
    ORDER_REASON,
    ORDER_RETURN,
    PICKUP,
    RETURN,
    RETURN_ITEM,
    RETURN_METHOD,
    RETURN_REASON,
)
from portal.returns.pages.battery import unsafe_battery
from portal.returns.pages.flow_state import ReturnableOrder, ReturnFlowState
from portal.returns.pages.items_step import (
    chosen_aside,
    chosen_rows,
    condition_body,
    condition_page,
    condition_rows,
    fault_and_reason,
    item_body,
    items_body,
    of_order,
    orders_body,
    reasons_body,
    reasons_rows,
    refused_items,
    refused_orders,
)
from portal.returns.pages.method_step import (
    amounts_aside,
    amounts_to_check,
    day_rows,
    days_body,
    exchange_body,
    exchange_rows,
    method_body,
    method_rows,
    pickup_body,
    pickup_rows,
)
from portal.returns.pages.return_components import account_amounts, handover, kind_text
from portal.vocabulary.returns import PHASE_NAMES, ReturnKind, ReturnMethod, phases


def return_phases(kind: ReturnKind, label: Text) -> rx.Component:
    """The four phases of a kind of return before it is sent; the first one is current."""

    def shown(brought: bool) -> rx.Component:
        names = [_(PHASE_NAMES[phase]) for phase in phases(kind, brought=brought)]
        return ui.tracker(names, rx.Var.create(0), label)

    return rx.cond(answer(METHOD) == ReturnMethod.STORE.value, shown(True), shown(False))


def phases_sent(label: Text) -> rx.Component:
    return account_phases(FlowRun.receipt.account, label)


@rx.memo
def withdrawal_notice() -> rx.Component:
    """Points to the right of withdrawal while it lasts: it needs no reason and nothing is deducted (EU 2023/2673)."""
    last = ReturnFlowState.withdraw[0].withdraw_until
    return rx.cond(
        ReturnFlowState.withdraw.length() > 0,
        rx.el.div(
            ui.notice(
                ui.text(_("You don’t have to give a reason.")),
                ui.item_list(ReturnFlowState.withdraw, _withdraw),
                title=rx.cond(
                    (ReturnFlowState.withdraw.length() == 1) & (last != ""),
                    _("Changed your mind? You can cancel this purchase until {day}", day=day(last)),
                    _("Changed your mind? You can still cancel your purchase"),
                ),
            ),
            class_name="mt-8 max-w-form",
        ),
    )


def _withdraw(entry: rx.vars.ObjectVar[ReturnableOrder]) -> rx.Component:
    return rx.el.li(
        ui.tall_link(_("Withdraw from order {number}", number=entry.id), to=f"/withdrawal/{entry.id}"),
        # An order that has not arrived has no last day yet; that of a single one stands in the title.
        rx.cond(
            (entry.withdraw_until != "") & (ReturnFlowState.withdraw.length() > 1),
            # An inline block drops a leading space, so the space is outside.
            rx.fragment(
                " ",
                rx.el.span(_("(until {day})", day=day(entry.withdraw_until)), class_name="inline-block tabular-nums"),
            ),
        ),
    )


def below_check() -> rx.Component:
    unsafe = rx.cond(ReturnFlowState.safe, rx.fragment(), rx.el.div(unsafe_battery(), class_name="mt-8 max-w-form"))
    return rx.fragment(unsafe, amounts_to_check())


def beside_confirmation(kind: ReturnKind) -> rx.Component:
    account = FlowRun.receipt.account.to(Account)
    return handover(account, heading=kind_text(kind, _("How you hand it in"), _("How you’re returning it")))


def below_confirmation() -> rx.Component:
    account = FlowRun.receipt.account.to(Account)
    return rx.cond(account.money.lines, ui.section(_("Amounts"), account_amounts(account)))


def _unsafe_battery_sent() -> rx.Component:
    return rx.cond(ReturnFlowState.unsafe, rx.el.div(unsafe_battery(), class_name="mt-6 max-w-form"))


_RETURN_PAGE = f"/returns/{receipt_text('return_id')}"


def document_links(kind: ReturnKind) -> rx.Component:
    """Links to label or slip, and summary. With an unsafe battery there are instructions instead of the label."""
    return_id = receipt_text("return_id")
    label_text = rx.cond(
        receipt_text("method") == ReturnMethod.STORE.value,
        _("Drop-off slip (PDF)"),
        kind_text(kind, _("Exchange label (PDF)"), _("Return label (PDF)")),
    ).to(str)
    label = rx.el.li(return_label_link(return_id, label_text, class_name=DOCUMENT))
    return rx.fragment(
        _unsafe_battery_sent(),
        keeping(
            rx.cond(ReturnFlowState.unsafe, rx.fragment(), label),
            rx.el.li(return_summary_link(return_id, _("Summary (PDF)"), class_name=DOCUMENT)),
        ),
    )


def is_pending() -> rx.Var[bool]:
    return FlowRun.receipt.account.to(Account).phase.to(int) == 0


def pending_title() -> rx.Var[str]:
    waiting = _("One more step: confirm by email within {link_hours} hours")
    return rx.cond(is_pending(), waiting, _(ORDER_RETURN.sent)).to(str)


def pending_panel() -> rx.Component:
    """The panel of the older flow: confirm by the mailed link, or done when no link is needed."""
    confirm = waits_for(
        pending_title(),
        ui.lead(_("We’ve sent a link to {email}.", email=receipt_text("email")), top=3),
        ui.text(_("Confirm your return before {moment}.", moment=moment(receipt_text("confirm_until"))), top=1),
    )
    return rx.cond(is_pending(), confirm, rx.fragment(done(pending_title()), mailed()))


def pending_documents() -> rx.Component:
    """Where a new link can be requested; once the return is confirmed, links to label and summary."""
    again = ui.stack(
        ui.text(_("No email? Check your spam folder, or ask us to send the link again."), look="max-w-form"),
        ui.stack(ui.link_button(_("Send the link again"), _RETURN_PAGE, "secondary"), top=3),
        top=4,
    )
    return rx.cond(is_pending(), rx.fragment(keeping(), again), document_links(ReturnKind.ORDER_RETURN))


FREE = _("Bringing it to one of our stores is free")
"""A note of the flows in which the customer chooses between store and pick-up."""


def intro(lead: Text, phases: Part, notes: Sequence[Text], below: Part) -> Intro:
    fee = _("Pick-up from your home costs {amount}, once per request", amount=money(ReturnFlowState.fee))
    return Intro(
        lead,
        _("Good to know"),
        (
            *notes,
            rx.cond(ReturnFlowState.fee, rx.el.li(fee)),
            _("If it shows signs of use, we take {depreciation_percent}% off the price"),
            rx.cond(
                ReturnFlowState.free_if_faulty,
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
    """Below the introduction: what cannot be returned, and links to other flows that have something to return."""
    bikes = ReturnFlowState.fits != ACCESSORIES.name
    links = [
        ui.when(None if flow is ACCESSORIES else bikes, rx.el.li(ui.tall_link(_(flow.title), to=flow.path)))
        for flow in others
    ]
    return rx.el.div(
        rx.cond(FlowRun.view_state != LOADING, refused),
        ui.when(
            None if ACCESSORIES in others else bikes,
            rx.el.section(
                ui.subheading(_("Looking for something else?")),
                rx.el.ul(*links, class_name="mt-1 flex flex-wrap gap-x-8"),
            ),
        ),
        class_name="mt-12 max-w-form space-y-10",
    )


def _items() -> Offers:
    return Offers(
        _("Which item is it about?"),
        ReturnFlowState.offered,
        another=_("Another item"),
        others=ReturnFlowState.others,
        mark=lambda item: rx.fragment(", ", of_order(item)),
        details=lambda item: ui.line(of_order(item), look="text-sm text-ink-600 tabular-nums"),
    )


def _subject(closed_page: Callable[[rx.Component], rx.Component] | None = None) -> SubjectPages:
    """What the introduction lists, and names on small screens."""
    plain = SubjectPages(offers=_items, chosen=_chosen_name)
    return plain if closed_page is None else replace(plain, closed_page=closed_page)


def _chosen_name() -> rx.Var[str]:
    """The chosen item; several are named by their number."""
    chosen = ReturnFlowState.chosen
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
            StepPage(PICKUP, body=pickup_body, rows=pickup_rows),
        ),
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=below_check,
        sent=SentPage(
            more=below_confirmation,
            beside=lambda: beside_confirmation(kind),
            follow=_RETURN_PAGE,
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
    instead = ui.notice(
        ui.text(_("Accessories can’t be exchanged, but they can be returned.")),
        ui.stack(ui.link_button(_(ACCESSORIES.title), ACCESSORIES.path), top=4),
        title=_("Not available"),
        tone="warn",
    )
    return rx.cond(ReturnFlowState.fits == ACCESSORIES.name, instead, reason)


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
            StepPage(ACCESSORY_ITEMS, body=items_body, rows=chosen_rows),
            StepPage(ACCESSORY_CONDITION, body=condition_body, rows=condition_rows, before=withdrawal_notice),
        ),
        method=ACCESSORY_METHOD,
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
            StepPage(EXCHANGE_ITEM, body=item_body, rows=lambda fields: chosen_rows(fields, _("You send back"))),
            StepPage(EXCHANGE_PRODUCT, body=exchange_body, rows=exchange_rows),
            StepPage(EXCHANGE_REASON, body=fault_and_reason, before=withdrawal_notice),
            condition_page(CONDITION),
            PIN_PAGE,
        ),
        method=EXCHANGE_METHOD,
    ),
    *return_pages(
        RETURN,
        ReturnKind.RETURN,
        phases_label=_("How returns work"),
        lead=_("Send back a bike, a battery or part of a set, up to {return_days} days after it was shipped."),
        others=(ACCESSORIES, EXCHANGE),
        steps=(
            StepPage(RETURN_ITEM, body=item_body, rows=chosen_rows),
            StepPage(RETURN_REASON, body=fault_and_reason, before=withdrawal_notice),
            condition_page(CONDITION),
            PIN_PAGE,
        ),
        method=RETURN_METHOD,
    ),
    *flow_pages(
        ORDER_RETURN,
        intro=_intro,
        subject=SubjectPages(unnamed=_draft_title),
        phases=lambda: phases_sent(_PHASES),
        steps=(
            StepPage(ORDER_ITEMS, body=orders_body, rows=chosen_rows),
            StepPage(ORDER_CONDITION, body=condition_body, rows=condition_rows),
            StepPage(ORDER_REASON, body=reasons_body, rows=reasons_rows, before=withdrawal_notice),
            StepPage(ORDER_DAY, body=days_body, rows=day_rows),
            StepPage(ORDER_PICKUP, body=pickup_body, rows=pickup_rows),
        ),
        aside=lambda: rx.fragment(chosen_aside(), amounts_aside()),
        before_sending=below_check,
        sent=SentPage(
            title=pending_title(),
            more=below_confirmation,
            beside=lambda: beside_confirmation(ReturnKind.ORDER_RETURN),
            follow=_RETURN_PAGE,
            documents=pending_documents,
            waits=pending_panel,
            followed=~is_pending(),
        ),
    ),
]
