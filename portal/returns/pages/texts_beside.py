"""What the flows of returns tell beside their questions: the phases, the right of withdrawal, what comes after."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _, choice, day, weekday_day
from portal.pages.flow.told import receipt_text
from portal.pages.parts.battery import unsafe_battery
from portal.pages.parts.return_amounts import pays_back
from portal.pages.parts.tracker import tracker
from portal.pages.returning.amounts import amounts_sent, amounts_to_check
from portal.pages.returning.kinds import said_of
from portal.states.returning import Returning
from portal.states.views.returning import WithdrawView
from portal.ui import LINK, Fact, fact_list, notice, section
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
def withdrawal_told() -> rx.Component:
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
