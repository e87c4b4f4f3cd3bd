"""The login page: order number and e-mail address, or a lease reference (part-1 §2 Login screen)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.marks import N_
from portal.i18n import _
from portal.pages.layout import title
from portal.pages.login_parts import (
    Answer,
    alert,
    later,
    login_form,
    notification,
    panel,
    refusals,
    try_again,
)
from portal.pages.messages import field_message
from portal.pages.parts.account_login import (
    NOTIFICATIONS,
    account_refusals,
    explained_picture,
    pair_errors,
    pair_fields,
)
from portal.pages.registry import Page
from portal.states.session import Session
from portal.ui import (
    LINK,
    Option,
    choice_cards,
    error_summary,
    illustrations,
    notice,
    page_frame,
    popup,
    submit_button,
    text_field,
    text_link,
)

_NAME = "login"
_ORDER_ONLY = "space-y-6 group-has-[input[value=lease]:checked]/login:hidden"
_LEASE_ONLY = "hidden space-y-6 group-has-[input[value=lease]:checked]/login:block"
_ANSWER = Answer.to(_NAME)


def login() -> rx.Component:
    """Ask who the customer is, and send a code."""
    errors = _errors()
    return page_frame(
        rx.el.div(
            rx.el.div(
                error_summary(errors, _ANSWER.attempt),
                rx.el.h1(_("Log in to your account"), tab_index=-1),
                rx.el.p(
                    _("We send you a login code by email. You do not need a password."),
                    class_name="mt-3 text-lg text-ink-600",
                ),
                _form(errors),
                class_name="max-w-form",
            ),
            panel(),
            class_name="grid gap-8 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:gap-16 md:items-start",
        ),
        class_name="md:pt-16",
    )


def _errors() -> dict[str, rx.Var[str]]:
    return {
        **pair_errors(_ANSWER),
        "lease": field_message(
            _ANSWER.field("lease"),
            _("Lease reference or frame number"),
            invalid_frame_number=_("Invalid frame number format"),
        ),
    }


def _form(errors: dict[str, rx.Var[str]]) -> rx.Component:
    generic = notification(N_("Something went wrong"), N_("Please try again"))
    return login_form(
        _refusal(),
        choice_cards(
            "variant",
            _("How did you get your bike?"),
            [Option("order", _("I bought it")), Option("lease", _("I lease it"))],
            value="order",
        ),
        rx.el.div(
            *pair_fields(errors),
            class_name=_ORDER_ONLY,
        ),
        rx.el.div(
            text_field(
                "lease",
                _("Lease reference or frame number"),
                hint=_("You find the lease reference in the email from your lease company"),
                error=errors["lease"],
                width="max-w-md",
                after=popup(_("Where do I find my frame number?"), _("Your frame number"), *_frame_number_help()),
            ),
            class_name=_LEASE_ONLY,
        ),
        submit_button(_("Send login code")),
        rx.cond(
            Session.passwords,
            rx.el.p(
                text_link(_("Log in with a password"), "/login/password", f"{LINK} inline-flex min-h-11 items-center"),
                class_name="group-has-[input[value=lease]:checked]/login:hidden",
            ),
        ),
        name=_NAME,
        action="/auth/code",
        remembers=True,
        notifications={
            **NOTIFICATIONS,
            "default": generic,
        },
        class_name="group/login mt-8 space-y-6",
    )


def _refusal() -> rx.Component:
    return refusals(
        _ANSWER,
        {
            **account_refusals(_ANSWER),
            Code.SESSION_ENDED: notice(_(MESSAGES[Code.SESSION_ENDED]), tone="info", announced=True),
            Code.INVALID_FRAME_NUMBER: rx.fragment(),
            Code.NOT_LEASE_ORDER: alert(
                _ANSWER,
                _(MESSAGES[Code.NOT_LEASE_ORDER]),
                rx.el.p(_("Choose 'I bought it' below."), class_name="mt-2"),
            ),
            Code.TOO_MANY_REQUESTS: later(_ANSWER),
        },
        try_again(_ANSWER),
    )


def _frame_number_help() -> list[rx.Component]:
    return [
        explained_picture(
            illustrations.frame_number("mx-auto h-auto w-64"), _("A bike, with the frame number between the pedals")
        ),
        rx.el.p(_("The frame number is under the bike, between the pedals. It is also in the shipping confirmation.")),
    ]


_failed = (_ANSWER.error != "") & (_ANSWER.error != Code.SESSION_ENDED.value)

PAGES = [Page("", login, title(_("Log in"), failed=_failed), protected=False)]
