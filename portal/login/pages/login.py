"""The login page, and the page on which the customer enters the code (part-1 §2; flow-standard F17, F51)."""

from __future__ import annotations

import reflex as rx
from reflex.vars import NumberVar

from portal import ui
from portal.frontend.layout import privacy_note, title
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import field_message
from portal.i18n import Text, _, clock, setting
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.forms import (
    ANSWER,
    CodeNote,
    FormAnswer,
    alert,
    another_code,
    beside_panel,
    code_form,
    later,
    login_form,
    notification,
    refusals,
    refused,
    sent_to,
    try_again,
    way_out,
)
from portal.login.pages.passkeys import LOGIN_ANSWER, log_in_with_passkey, passkey_field

_EXPLAINED = (
    Code.LEASE_ORDER_NOT_ALLOWED,
    Code.NOT_LEASE_ORDER,
    Code.OTHER_COUNTRY,
    # To try again would not help before the time that the page names.
    Code.TOO_MANY_REQUESTS,
)
NOTIFICATIONS = {
    Code.INVALID_CREDENTIALS.value: notification(MESSAGES[Code.INVALID_CREDENTIALS]),
    # The page itself explains these answers.
    **dict.fromkeys(code.value for code in _EXPLAINED),
}
"""Notifications by error code; None shows nothing."""


def pair_errors(answer: FormAnswer) -> dict[str, rx.Var[str]]:
    return {
        "order_number": field_message(
            answer.field("order_number"), _("Order number"), invalid_order_id=_("Invalid order id format")
        ),
        "email": field_message(answer.field("email"), _("Email address"), invalid_email=_("Invalid email format")),
    }


def pair_fields(errors: dict[str, rx.Var[str]]) -> list[rx.Component]:
    return [
        ui.text_field(
            "order_number",
            _("Order number"),
            hint=setting("order_number_hint"),
            error=errors["order_number"],
            input_mode=setting("digits"),
            width="max-w-60",
            after=ui.popup(_("Where do I find my order number?"), _("Your order number"), *_order_number_help()),
        ),
        ui.text_field(
            "email",
            _("Email address"),
            hint=_("The address you ordered with"),
            error=errors["email"],
            kind="email",
            # Browsers list passkeys here where a form of the page asks for one.
            autocomplete="email webauthn",
        ),
    ]


def account_refusals(answer: FormAnswer) -> dict[Code, rx.Component]:
    fields_only, there = rx.fragment(), setting("shop_at." + answer.url)
    return {
        # The summary lists invalid fields.
        **dict.fromkeys((Code.INVALID_INPUT, Code.REQUIRED, Code.INVALID_EMAIL, Code.INVALID_ORDER_ID), fields_only),
        Code.INVALID_CREDENTIALS: alert(
            answer,
            _(MESSAGES[Code.INVALID_CREDENTIALS]),
            ui.text(_("Check the order number on your invoice, and use the email address you ordered with."), top=2),
        ),
        Code.LEASE_ORDER_NOT_ALLOWED: way_out(
            answer,
            _("You have a lease bike"),
            _("You arrange repairs, service and damage for lease bikes in the lease portal."),
            _("Go to the lease portal"),
            setting("lease_portal_url"),
        ),
        Code.OTHER_COUNTRY: way_out(
            answer,
            rx.cond(there != "", there, _("This order is with our shop in another country")).to(str),
            _("Log in there to arrange anything for it."),
            _("Go to the right shop"),
        ),
    }


def explained_picture(drawing: rx.Component, description: Text) -> rx.Component:
    return rx.el.div(drawing, class_name="rounded-card bg-paper py-6", role="img", aria_label=description)


def _order_number_help() -> list[rx.Component]:
    return [
        explained_picture(
            ui.illustrations.invoice("mx-auto h-auto w-56"), _("An invoice, with the order number at the top left")
        ),
        ui.text(setting("order_number_help")),
        ui.muted(_("We emailed you the invoice when your order was shipped.")),
    ]


_NAME = "login"
_ORDER_ONLY = "space-y-6 group-has-[input[value=lease]:checked]/login:hidden"
_LEASE_ONLY = "hidden space-y-6 group-has-[input[value=lease]:checked]/login:block"
_ANSWER = FormAnswer(_NAME)


def login() -> rx.Component:
    errors = _errors()
    return beside_panel(
        ui.error_summary(errors, _ANSWER.attempt),
        rx.el.h1(_("Log in to your account"), tab_index=-1),
        ui.muted(_("We’ll email you a login code. You don’t need a password."), look="text-lg", top=3),
        _form(errors),
        log_in_with_passkey(),
        _without_login(),
    )


def _without_login() -> rx.Component:
    return ui.muted(
        _("A question first?"),
        " ",
        ui.text_link(_("Customer service, opening hours and service points"), "/contact"),
        look="border-t border-line pt-6",
        top=10,
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
    return login_form(
        _refusal(),
        ui.choice_cards(
            "variant",
            _("Did you buy or lease your bike?"),
            [ui.Option("order", _("I bought it")), ui.Option("lease", _("I lease it"))],
            value="order",
        ),
        rx.el.div(*pair_fields(errors), class_name=_ORDER_ONLY),
        rx.el.div(
            ui.text_field(
                "lease",
                _("Lease reference or frame number"),
                hint=_("You’ll find the lease reference in the email from your lease company"),
                error=errors["lease"],
                width="max-w-md",
                after=ui.popup(_("Where do I find my frame number?"), _("Your frame number"), *_frame_number_help()),
            ),
            class_name=_LEASE_ONLY,
        ),
        ui.submit_button(_("Send login code")),
        privacy_note(),
        ui.text(
            ui.tall_link(_("Log in with a password"), to="/login/password"),
            look="group-has-[input[value=lease]:checked]/login:hidden",
            shown=SessionState.passwords,
        ),
        name=_NAME,
        action="/auth/code",
        remembers=True,
        notifications=NOTIFICATIONS,
        class_name="group/login mt-8 space-y-6",
    )


def _refusal() -> rx.Component:
    return refusals(
        _ANSWER,
        {
            **account_refusals(_ANSWER),
            Code.SESSION_ENDED: ui.notice(_(MESSAGES[Code.SESSION_ENDED]), tone="info", announced=True),
            Code.INVALID_FRAME_NUMBER: rx.fragment(),
            Code.NOT_LEASE_ORDER: alert(
                _ANSWER, _(MESSAGES[Code.NOT_LEASE_ORDER]), ui.text(_("Choose ‘I bought it’ below."), top=2)
            ),
            Code.TOO_MANY_REQUESTS: later(_ANSWER),
        },
        try_again(_ANSWER),
    )


def _frame_number_help() -> list[rx.Component]:
    return [
        explained_picture(
            ui.illustrations.frame_number("mx-auto h-auto w-64"), _("A bike, with the frame number between the pedals")
        ),
        ui.text(
            _(
                "The frame number is under the bike, between the pedals. You’ll also find it in the "
                "shipping confirmation."
            )
        ),
    ]


_failed = ((_ANSWER.error != "") & (_ANSWER.error != Code.SESSION_ENDED.value)) | (
    (LOGIN_ANSWER.error != "") & (LOGIN_ANSWER.error != Code.PASSKEY_CANCELLED.value)
)


def code() -> rx.Component:
    note = CodeNote()
    return beside_panel(
        rx.el.h1(_("Enter your login code"), tab_index=-1),
        ui.muted(
            sent_to(note),
            ui.when(
                (note.email != "") & ~note.expired,
                _(
                    "We emailed it at {sent}. It works until {until}.",
                    sent=clock(note.sent_at),
                    until=clock(note.expires_at),
                ),
                " ",
            ),
            rx.el.a(_("Change"), ui.hidden_text(" ", _("Email address")), to="/", class_name=ui.LINK),
            look="text-lg",
            top=3,
        ),
        ui.notice(
            _(MESSAGES[Code.CODE_EXPIRED]), tone="warn", announced=True, shown=note.expired & (ANSWER.error == "")
        ),
        refused(note, _start_again()),
        code_form(
            _start_again(),
            passkey_field(),
            width="h-14 max-w-60 text-h3",
            class_name="mt-8 space-y-6",
            on_invalid=notification(MESSAGES[Code.INVALID_CODE], N_("Please try again")),
        ),
        _help(note.wait),
    )


def _start_again() -> rx.Component:
    return ui.stack(ui.link_button(_("Ask for a new code"), "/", "secondary"), top=4)


def _help(wait: NumberVar[int]) -> rx.Component:
    phone, number = setting("phone"), setting("phone_number")
    return rx.el.section(
        ui.subheading(_("Haven’t received a code?")),
        ui.muted(_("It can take a minute. Check your spam folder too."), top=2),
        another_code(_start_again(), wait, "mt-4 space-y-4"),
        ui.muted(_("Still not working? Call us:"), " ", ui.text_link(phone, f"tel:{number}"), top=4),
        class_name="mt-12 border-t border-line pt-8",
    )


PAGES = [
    PageRoute("", login, title(_("Log in"), failed=_failed), protected=False),
    PageRoute("login/token", code, title(_("Login code"), failed=ANSWER.error != ""), protected=False),
]
