"""What the flows tell beside their questions: progress, the right of withdrawal, what comes after."""

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
from portal.returns.pages.return_parts import pays_back
from portal.returns.pages.texts import said_of
from portal.ui import LINK, Fact, fact_list, link_button, notice, section
from portal.ui.lists import tracker
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import METHOD_NAMES, PHASE_NAMES, ReturnKind, ReturnMethod, phases

_METHODS = {way.value: name for way, name in METHOD_NAMES.items()}

_WINDOWS = {window.value: name for window, name in WINDOW_NAMES.items()}


def return_phases(kind: ReturnKind, label: Text) -> rx.Component:
    """The four phases of a kind of return, from the first one.

    Args:
        kind: of return.
        label: names them for a screen reader.
    """
    return tracker([_(PHASE_NAMES[phase]) for phase in phases(kind)], rx.Var.create(0), label)


@rx.memo
def withdrawal_notice() -> rx.Component:
    """Tells of the right of withdrawal while it lasts (EU 2023/2673): no reason, no deduction for trying it."""
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
        # What is still to come has no last day yet.
        rx.cond(
            entry.until != "",
            # A box of its own would swallow a space within.
            rx.fragment(
                " ", rx.el.span(_("(until {day})", day=day(entry.until)), class_name="inline-block tabular-nums")
            ),
        ),
    )


def checked() -> rx.Component:
    """Below the answers on the check page: advice for a battery that must not travel, and the amounts."""
    unsafe = rx.cond(Returning.safe, rx.fragment(), rx.el.div(unsafe_battery(), class_name="mt-8 max-w-form"))
    return rx.fragment(unsafe, amounts_to_check())


def sent(kind: ReturnKind) -> rx.Component:
    """Below the confirmation: advice, how and when it comes back, the amounts.

    Args:
        kind: of return.
    """
    window = choice(receipt_text("pickup_window"), _WINDOWS)
    return rx.fragment(
        section(
            said_of(kind, _("Your exchange"), _("Your return")),
            rx.el.div(
                fact_list(
                    [
                        Fact(_("Order"), receipt_text("order")),
                        Fact(
                            said_of(kind, _("How you hand it in"), _("Return method")),
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


def unsafe_sent() -> rx.Component:
    """At once below what has happened: what to do with a battery that must not travel."""
    return rx.cond(Returning.unsafe, rx.el.div(unsafe_battery(), class_name="mt-6 max-w-form"))


def refunded() -> Text:
    """What the customer gets in the end of a return: money, where there is some to give."""
    paid_back = _("We refund within {refund_days} days after your return has been processed.")
    return rx.cond(pays_back(Returning.settled), paid_back, _("We let you know when we have checked it.")).to(str)


def steps_after(last: Text, kind: ReturnKind) -> tuple[Text, ...]:
    """What happens next and when (part-2 §9).

    Args:
        last: what the customer gets in the end.
        kind: of return.
    """
    method = receipt_text("method")
    comes = _(
        "We pick it up on {day}. The day before, you get a text message.", day=weekday_day(receipt_text("pickup_day"))
    )
    brings = said_of(
        kind,
        _("Bring it to the store with your exchange label."),
        _("Bring it to the store with your return label."),
    )
    safely = _("We agree with you how it can travel safely.")
    way = rx.cond(
        method == ReturnMethod.PICK_UP.value, comes, rx.cond(method == ReturnMethod.STORE.value, brings, safely)
    )
    return (_("We contact you within {return_answer_days} working days."), way.to(str), last)


_DOCUMENT = f"{LINK} inline-flex min-h-11 items-center"


def documents(kind: ReturnKind) -> rx.Component:
    """Links to label and summary. What must not travel has no label, but advice in its place.

    Args:
        kind: of return.
    """
    name, called = receipt_text("return_id"), said_of(kind, _("Exchange label (PDF)"), _("Return label (PDF)"))
    label = rx.el.li(return_label_link(name, called, class_name=_DOCUMENT))
    return rx.fragment(
        unsafe_sent(),
        rx.el.ul(
            rx.cond(Returning.unsafe, rx.fragment(), label),
            rx.el.li(return_summary_link(name, _("Summary (PDF)"), class_name=_DOCUMENT)),
            class_name="mt-4 flex flex-wrap gap-x-8 gap-y-1",
        ),
    )


_LAST = _("We refund within {refund_days} days after your return has been processed.")


def waits() -> rx.Var[bool]:
    """Whether its link has to be used first."""
    return receipt_text("confirm_until") != ""


def pending_panel() -> rx.Component:
    """What is left to do."""
    amber = waits_for(
        _("One more step: confirm by email within {link_hours} hours"),
        rx.el.p(_("We have sent a link to {email}.", email=receipt_text("email")), class_name="mt-3 text-lg"),
        rx.el.p(
            _("Confirm your return before {moment}.", moment=moment(receipt_text("confirm_until"))), class_name="mt-1"
        ),
    )
    return rx.cond(waits(), amber, rx.fragment(done(_(ORDER_RETURN.sent)), mailed()))


def pending_documents() -> rx.Component:
    """Where a new link can be asked for; label and summary come after it was confirmed."""
    page = f"/returns/{receipt_text('return_id')}"
    again = rx.el.div(
        rx.el.p(_("No email? Look in your spam folder, or have the link sent again."), class_name="max-w-form"),
        rx.el.div(link_button(_("Send the link again"), page, "secondary"), class_name="mt-3"),
        class_name="mt-6",
    )
    return rx.cond(waits(), again, documents(ReturnKind.ORDER_RETURN))


def pending_steps() -> tuple[Text, ...]:
    """What happens next and when."""
    _first, second, last = steps_after(_LAST, ReturnKind.ORDER_RETURN)
    opened = _("Open the email and confirm your return. Without it, nothing is requested.")
    at_once = _("We contact you within {return_answer_days} working days.")
    return (rx.cond(waits(), opened, at_once).to(str), second, last)
