"""Texts and forms that several pages of returns share."""

from __future__ import annotations

import reflex as rx

from portal.frontend.session import SessionState
from portal.i18n import Text, _, choice, moment
from portal.kernel.codes import MESSAGES, Code
from portal.returns.flow.order_return import ORDER_RETURN
from portal.returns.flow.returns import RETURN
from portal.returns.pages.state import ReturnActions, ReturnPage, Returns
from portal.settings import Variant
from portal.ui import event_form, hidden_field, link_button, notice, notice_on_failure, submit_button
from portal.ui.blocks import Style
from portal.vocabulary.returns import (
    RETURN_KIND_NAMES,
    ReturnKind,
)

_REFUSALS = (
    Code.MAIL_SENT_RECENTLY,
    Code.LINK_USED,
    Code.RETURN_REQUEST_ALREADY_EXISTS,
    Code.INVALID_TIME,
    Code.RETURN_NOT_CANCELLABLE,
    Code.REFUND_EXPORTED,
    Code.ITEM_RETURN_DOES_NOT_EXIST,
    Code.STATUS_CHANGED,
    Code.SESSION_ENDED,
)


def return_kind(kind: rx.Var[str]) -> rx.Var[str]:
    return choice(kind, RETURN_KIND_NAMES, RETURN_KIND_NAMES[ReturnKind.UNKNOWN])


def kind_text_var(kind: rx.Var[str], exchange: Text, other: Text) -> rx.Var[str]:
    """A text of an exchange or of any other return, when the kind is known in the browser only; see `kind_text`."""
    return rx.cond(kind == ReturnKind.EXCHANGE.value, exchange, other).to(str)


def refused(page: type[ReturnActions]) -> rx.Component:
    """Why the last action was refused; nothing while no action was refused."""
    return notice_on_failure(
        page.refusal != "",
        choice(page.refusal, {code: MESSAGES[code] for code in _REFUSALS}, MESSAGES[Code.GENERAL_ERROR]),
        page.failures,
        rx.cond(
            page.retry_at != "",
            rx.el.p(_("Try again from {moment}.", moment=moment(page.retry_at)), class_name="mt-2"),
        ),
    )


def resend_form(
    page: type[Returns] | type[ReturnPage], return_id: rx.Var[str], *, style: Style = "primary"
) -> rx.Component:
    """The button that mails a link again, and the result."""
    is_last = page.asked == return_id
    return rx.el.div(
        rx.cond(is_last, refused(page)),
        rx.cond(
            is_last & (page.sent_to != ""),
            notice(_("We’ve sent a new email to {email}.", email=page.sent_to), tone="ok", announced=True),
        ),
        event_form(
            hidden_field("return", return_id),
            submit_button(_("Send the email again"), _("Sending…"), style=style),
            on_send=page.resend,
            answered=page.answered,
            class_name="",
        ),
        class_name="space-y-4",
    )


def request_again(order: rx.Var[str]) -> rx.Component:
    """Asks for a new request, because the pick-up day is no longer available and a new link would not help."""
    return rx.fragment(
        rx.el.p(
            _("The pick-up day you chose is no longer possible. Request your return again and choose another day."),
            class_name="mt-1 max-w-form",
        ),
        rx.el.div(link_button(_("Request a return"), f"{ORDER_RETURN.path}?order={order}"), class_name="mt-6"),
    )


def start_return(style: Style = "primary", text: Text | None = None, order: rx.Var[str] | None = None) -> rx.Component:
    """The button that starts a return: in the variant 'retouren' the older flow, else the newer one."""
    query = "" if order is None else f"?order={order}"
    label = _("Return something") if text is None else text
    # The portal leads from the newer flow to the return of accessories if that fits what the customer has.
    older, newer = (link_button(label, f"{flow.path}{query}", style) for flow in (ORDER_RETURN, RETURN))
    return rx.cond(SessionState.variant == Variant.RETOUREN.value, older, newer)


def kind_text(kind: ReturnKind, exchange: Text, other: Text) -> Text:
    """A text of an exchange or of any other return, when the kind is known at compile time; see `kind_text_var`."""
    return exchange if kind is ReturnKind.EXCHANGE else other
