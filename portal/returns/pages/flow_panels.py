"""Panels of the return flows: phases, right of withdrawal, check page and confirmation page."""

from __future__ import annotations

import reflex as rx

from portal.contract.account import Account
from portal.flow.pages.ends import DOCUMENT, done, keeping, mailed, receipt_text, waits_for
from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import phases as account_phases
from portal.frontend.load_views import return_label_link, return_summary_link
from portal.i18n import Text, _, day, moment
from portal.returns.flow.order_return import ORDER_RETURN
from portal.returns.pages.battery import unsafe_battery
from portal.returns.pages.exchange_step import amounts_to_check
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.flow_views import WithdrawView
from portal.returns.pages.return_components import account_amounts, handover
from portal.returns.pages.texts import kind_text
from portal.ui import LINK, link_button, notice, section
from portal.ui.lists import tracker
from portal.vocabulary.returns import PHASE_NAMES, ReturnKind, ReturnMethod, phases


def return_phases(kind: ReturnKind, label: Text) -> rx.Component:
    """The four phases of a kind of return before it is sent; the first one is current."""
    return tracker([_(PHASE_NAMES[phase]) for phase in phases(kind)], rx.Var.create(0), label)


def phases_sent(label: Text) -> rx.Component:
    return account_phases(FlowRun.receipt.account, label)


@rx.memo
def withdrawal_notice() -> rx.Component:
    """Points to the right of withdrawal while it lasts: it needs no reason and nothing is deducted (EU 2023/2673)."""
    last = Returning.withdraw[0].until
    return rx.cond(
        Returning.withdraw.length() > 0,
        rx.el.div(
            notice(
                rx.el.p(_("You don’t have to give a reason.")),
                rx.el.ul(rx.foreach(Returning.withdraw, _withdraw)),
                title=rx.cond(
                    (Returning.withdraw.length() == 1) & (last != ""),
                    _("Changed your mind? You can cancel this purchase until {day}", day=day(last)),
                    _("Changed your mind? You can still cancel your purchase"),
                ),
            ),
            class_name="mt-8 max-w-form",
        ),
    )


def _withdraw(entry: rx.vars.ObjectVar[WithdrawView]) -> rx.Component:
    return rx.el.li(
        rx.el.a(
            _("Withdraw from order {number}", number=entry.order),
            to=f"/withdrawal/{entry.order}",
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
        # An order that has not arrived has no last day yet; that of a single one stands in the title.
        rx.cond(
            (entry.until != "") & (Returning.withdraw.length() > 1),
            # An inline block drops a leading space, so the space is outside.
            rx.fragment(
                " ", rx.el.span(_("(until {day})", day=day(entry.until)), class_name="inline-block tabular-nums")
            ),
        ),
    )


def below_check() -> rx.Component:
    """Below the answers on the check page: instructions for an unsafe battery, and the amounts."""
    unsafe = rx.cond(Returning.safe, rx.fragment(), rx.el.div(unsafe_battery(), class_name="mt-8 max-w-form"))
    return rx.fragment(unsafe, amounts_to_check())


def beside_confirmation(kind: ReturnKind) -> rx.Component:
    """Beside the next steps on the confirmation page: how the items come back."""
    account = FlowRun.receipt.account.to(Account)
    return handover(account, heading=kind_text(kind, _("How you hand it in"), _("How you’re returning it")))


def below_confirmation() -> rx.Component:
    """Below the next steps on the confirmation page: the amounts."""
    account = FlowRun.receipt.account.to(Account)
    return rx.cond(account.money.lines, section(_("Amounts"), account_amounts(account)))


def _unsafe_battery_sent() -> rx.Component:
    return rx.cond(Returning.unsafe, rx.el.div(unsafe_battery(), class_name="mt-6 max-w-form"))


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
            rx.cond(Returning.unsafe, rx.fragment(), label),
            rx.el.li(return_summary_link(return_id, _("Summary (PDF)"), class_name=DOCUMENT)),
        ),
    )


def is_pending() -> rx.Var[bool]:
    """Whether the return that was sent still has to be confirmed by its mailed link."""
    return FlowRun.receipt.account.to(Account).phase.to(int) == 0


def pending_title() -> rx.Var[str]:
    """The heading of the confirmation page of the older flow, and its title."""
    waiting = _("One more step: confirm by email within {link_hours} hours")
    return rx.cond(is_pending(), waiting, _(ORDER_RETURN.sent)).to(str)


def pending_panel() -> rx.Component:
    """The panel of the older flow: confirm by the mailed link, or done when no link is needed."""
    confirm = waits_for(
        pending_title(),
        rx.el.p(_("We’ve sent a link to {email}.", email=receipt_text("email")), class_name="mt-3 text-lg"),
        rx.el.p(
            _("Confirm your return before {moment}.", moment=moment(receipt_text("confirm_until"))), class_name="mt-1"
        ),
    )
    return rx.cond(is_pending(), confirm, rx.fragment(done(pending_title()), mailed()))


def pending_documents() -> rx.Component:
    """Where a new link can be requested; once the return is confirmed, links to label and summary."""
    page = f"/returns/{receipt_text('return_id')}"
    again = rx.el.div(
        rx.el.p(_("No email? Check your spam folder, or ask us to send the link again."), class_name="max-w-form"),
        rx.el.div(link_button(_("Send the link again"), page, "secondary"), class_name="mt-3"),
        class_name="mt-4",
    )
    return rx.cond(is_pending(), rx.fragment(keeping(), again), document_links(ReturnKind.ORDER_RETURN))
