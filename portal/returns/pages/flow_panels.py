"""Panels of the return flows: phases, right of withdrawal, check page and confirmation page."""

from __future__ import annotations

import reflex as rx

from portal.flow.pages.ends import done, mailed, receipt_text, waits_for
from portal.frontend.load_views import return_label_link, return_summary_link
from portal.i18n import Text, _, choice, day, moment, weekday_day
from portal.returns.flow.order_return import ORDER_RETURN
from portal.returns.pages.battery import unsafe_battery
from portal.returns.pages.exchange_step import amounts_sent, amounts_to_check
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.flow_views import WithdrawView
from portal.returns.pages.return_parts import has_refund
from portal.returns.pages.texts import kind_text
from portal.ui import LINK, Fact, fact_list, link_button, notice, section
from portal.ui.lists import tracker
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import METHOD_NAMES, PHASE_NAMES, ReturnKind, ReturnMethod, phases

_METHODS = {method.value: name for method, name in METHOD_NAMES.items()}
_WINDOWS = {window.value: name for window, name in WINDOW_NAMES.items()}


def return_phases(kind: ReturnKind, label: Text) -> rx.Component:
    """The four phases of a kind of return; the first one is current.

    Args:
        kind: of return.
        label: name of the phases for screen readers.
    """
    return tracker([_(PHASE_NAMES[phase]) for phase in phases(kind)], rx.Var.create(0), label)


@rx.memo
def withdrawal_notice() -> rx.Component:
    """Points to the right of withdrawal while it lasts: it needs no reason and nothing is deducted (EU 2023/2673)."""
    return rx.cond(
        Returning.withdraw.length() > 0,
        rx.el.div(
            notice(
                rx.el.p(_("Within {withdrawal_days} days after delivery you can withdraw without giving a reason.")),
                rx.el.ul(rx.foreach(Returning.withdraw, _withdraw)),
                title=_("You can still withdraw from your purchase"),
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
        # An order that has not arrived has no last day yet.
        rx.cond(
            entry.until != "",
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


def below_confirmation(kind: ReturnKind) -> rx.Component:
    """Below the next steps on the confirmation page: how and when the items come back, and the amounts.

    Args:
        kind: of return.
    """
    window = choice(receipt_text("pickup_window"), _WINDOWS)
    return rx.fragment(
        section(
            kind_text(kind, _("Your exchange"), _("Your return")),
            rx.el.div(
                fact_list(
                    [
                        Fact(_("Order"), receipt_text("order")),
                        Fact(
                            kind_text(kind, _("How you hand it in"), _("Return method")),
                            choice(receipt_text("method"), _METHODS),
                        ),
                        Fact(
                            _("Store"),
                            rx.el.span(
                                rx.el.span(receipt_text("store"), class_name="block"),
                                rx.el.span(receipt_text("store_place"), class_name="block text-ink-600"),
                            ),
                            shown=receipt_text("store") != "",
                        ),
                        Fact(
                            _("Day of the pick-up"),
                            rx.el.span(
                                rx.el.span(weekday_day(receipt_text("pickup_day")), class_name="block"),
                                rx.el.span(window, class_name="block text-ink-600"),
                            ),
                            shown=receipt_text("pickup_day") != "",
                        ),
                    ]
                ),
                class_name="max-w-form",
            ),
        ),
        amounts_sent(),
    )


def _unsafe_battery_sent() -> rx.Component:
    return rx.cond(Returning.unsafe, rx.el.div(unsafe_battery(), class_name="mt-6 max-w-form"))


def refund_step() -> Text:
    """The last of the next steps of a return: the refund, if there is one."""
    paid_back = _("We refund within {refund_days} days after your return has been processed.")
    return rx.cond(has_refund(Returning.settled), paid_back, _("We let you know when we have checked it.")).to(str)


def next_steps(last: Text, kind: ReturnKind) -> tuple[Text, ...]:
    """The next steps on the confirmation page (part-2 §9).

    Args:
        last: text of the last step.
        kind: of return.
    """
    method = receipt_text("method")
    comes = _(
        "We pick it up on {day}. The day before, you get a text message.", day=weekday_day(receipt_text("pickup_day"))
    )
    brings = kind_text(
        kind,
        _("Bring it to the store with your exchange label."),
        _("Bring it to the store with your return label."),
    )
    safely = _("We agree with you how it can travel safely.")
    handover = rx.cond(
        method == ReturnMethod.PICK_UP.value, comes, rx.cond(method == ReturnMethod.STORE.value, brings, safely)
    )
    return (_("We contact you within {return_answer_days} working days."), handover.to(str), last)


_DOCUMENT = f"{LINK} inline-flex min-h-11 items-center"


def document_links(kind: ReturnKind) -> rx.Component:
    """Links to label and summary. With an unsafe battery there are instructions instead of the label.

    Args:
        kind: of return.
    """
    return_id, label_text = (
        receipt_text("return_id"),
        kind_text(kind, _("Exchange label (PDF)"), _("Return label (PDF)")),
    )
    label = rx.el.li(return_label_link(return_id, label_text, class_name=_DOCUMENT))
    return rx.fragment(
        _unsafe_battery_sent(),
        rx.el.ul(
            rx.cond(Returning.unsafe, rx.fragment(), label),
            rx.el.li(return_summary_link(return_id, _("Summary (PDF)"), class_name=_DOCUMENT)),
            class_name="mt-4 flex flex-wrap gap-x-8 gap-y-1",
        ),
    )


_LAST = _("We refund within {refund_days} days after your return has been processed.")


def is_pending() -> rx.Var[bool]:
    """Whether the return that was sent has to be confirmed by its mailed link."""
    return receipt_text("confirm_until") != ""


def pending_panel() -> rx.Component:
    """The panel of the older flow: confirm by the mailed link, or done when no link is needed."""
    confirm = waits_for(
        _("One more step: confirm by email within {link_hours} hours"),
        rx.el.p(_("We have sent a link to {email}.", email=receipt_text("email")), class_name="mt-3 text-lg"),
        rx.el.p(
            _("Confirm your return before {moment}.", moment=moment(receipt_text("confirm_until"))), class_name="mt-1"
        ),
    )
    return rx.cond(is_pending(), confirm, rx.fragment(done(_(ORDER_RETURN.sent)), mailed()))


def pending_documents() -> rx.Component:
    """Where a new link can be requested; once the return is confirmed, links to label and summary."""
    page = f"/returns/{receipt_text('return_id')}"
    again = rx.el.div(
        rx.el.p(_("No email? Look in your spam folder, or have the link sent again."), class_name="max-w-form"),
        rx.el.div(link_button(_("Send the link again"), page, "secondary"), class_name="mt-3"),
        class_name="mt-6",
    )
    return rx.cond(is_pending(), again, document_links(ReturnKind.ORDER_RETURN))


def pending_next_steps() -> tuple[Text, ...]:
    """The next steps of the older flow."""
    _first, second, last = next_steps(_LAST, ReturnKind.ORDER_RETURN)
    open_email = _("Open the email and confirm your return. Without it, nothing is requested.")
    at_once = _("We contact you within {return_answer_days} working days.")
    return (rx.cond(is_pending(), open_email, at_once).to(str), second, last)
