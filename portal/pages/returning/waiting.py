"""The end of the older return: one more step, to be done by mail within 24 hours (flow-standard F32).

A battery that must not travel waits for nothing: its return counts at once.
"""

from __future__ import annotations

import reflex as rx

from portal.flows.order_return import ORDER_RETURN
from portal.i18n import Text, _, moment
from portal.pages.flow.ends import done, mailed, waits_for
from portal.pages.flow.told import receipt_text
from portal.pages.returning.papers import papers
from portal.pages.returning.told import steps_after
from portal.ui import link_button
from portal.vocabulary.returns import ReturnKind

_LAST = _("We refund within {refund_days} days after your return has been processed.")


def waits() -> rx.Var[bool]:
    """Whether its link has to be used first."""
    return receipt_text("confirm_until") != ""


def waiting_panel() -> rx.Component:
    """What is left to do."""
    amber = waits_for(
        _("One more step: confirm by email within {link_hours} hours"),
        rx.el.p(_("We have sent a link to {email}.", email=receipt_text("email")), class_name="mt-3 text-lg"),
        rx.el.p(
            _("Confirm your return before {moment}.", moment=moment(receipt_text("confirm_until"))), class_name="mt-1"
        ),
    )
    return rx.cond(waits(), amber, rx.fragment(done(_(ORDER_RETURN.sent)), mailed()))


def waiting_papers() -> rx.Component:
    """Where a new link can be asked for; label and summary come after it was confirmed."""
    page = f"/returns/{receipt_text('return_id')}"
    again = rx.el.div(
        rx.el.p(_("No email? Look in your spam folder, or have the link sent again."), class_name="max-w-form"),
        rx.el.div(link_button(_("Send the link again"), page, "secondary"), class_name="mt-3"),
        class_name="mt-6",
    )
    return rx.cond(waits(), again, papers(ReturnKind.ORDER_RETURN))


def waiting_steps() -> tuple[Text, ...]:
    """What happens next and when."""
    _first, second, last = steps_after(_LAST, ReturnKind.ORDER_RETURN)
    opened = _("Open the email and confirm your return. Without it, nothing is requested.")
    at_once = _("We contact you within {return_answer_days} working days.")
    return (rx.cond(waits(), opened, at_once).to(str), second, last)
