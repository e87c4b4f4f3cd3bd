"""Forms that make a passkey or log in with one. Browsers without passkeys and without scripts do not show them."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

from portal.i18n import Text, _, clock
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.forms import FormAnswer, alert, notification, refusals, try_again
from portal.ui import notice, submit_button
from portal.ui.blocks import Style
from portal.ui.browser import module


def _nothing() -> tuple[()]:
    return ()


class _PasskeyForm(rx.Component):
    library = module("passkeys")
    tag = "PasskeyForm"

    name: rx.Var[str]
    action: rx.Var[str]
    notifications: rx.Var[dict[str, Any]]
    makes: rx.Var[bool]
    listed: rx.Var[bool]
    missing: rx.Var[str]
    on_done: Annotated[rx.EventHandler, _nothing]


class _PasskeyField(rx.Component):
    library = module("passkeys")
    tag = "PasskeyField"


LOGIN_ANSWER, NEW_ANSWER = FormAnswer.to("passkey"), FormAnswer.to("newPasskey")
"""The answers to a login with a passkey, and to a new passkey."""

_EXPLAINED = (Code.INVALID_PASSKEY, Code.PASSKEY_EXPIRED, Code.PASSKEY_EXISTS, Code.TOO_MANY_PASSKEYS)


def passkey_field() -> rx.Component:
    """A hidden field of a login form: whether the device can keep a passkey, so that one may be offered afterwards."""
    return _PasskeyField.create()


def log_in_with_passkey() -> rx.Component:
    """The form to log in with a passkey. Fields with the autocomplete token `webauthn` list passkeys, too."""
    return _form(
        LOGIN_ANSWER,
        submit_button(_("Log in with a passkey"), style="secondary"),
        action="/auth/passkey",
        listed=True,
        class_name="scripted mt-8 space-y-6",
    )


def make_passkey(text: Text, *children: rx.Component, style: Style = "primary", **props: Any) -> rx.Component:
    return _form(
        NEW_ANSWER,
        *children,
        submit_button(text, style=style),
        action="/auth/passkeys",
        makes=True,
        class_name="scripted space-y-6",
        **props,
    )


def _form(answer: FormAnswer, *children: rx.Component, **props: Any) -> rx.Component:
    by_code = rx.el.p(_("You can always log in with a code by email."), class_name="mt-2")
    generic = notification(N_("Something went wrong"), N_("Please try again"))
    # The page itself explains these answers.
    told = dict.fromkeys((*_EXPLAINED, Code.PASSKEY_CANCELLED, Code.TOO_MANY_REQUESTS))
    return _PasskeyForm.create(
        refusals(
            answer,
            {
                **{code: alert(answer, _(MESSAGES[code]), by_code) for code in _EXPLAINED},
                # Who cancels did nothing wrong.
                Code.PASSKEY_CANCELLED: notice(_(MESSAGES[Code.PASSKEY_CANCELLED]), by_code, announced=True),
                Code.TOO_MANY_REQUESTS: alert(
                    answer,
                    _(MESSAGES[Code.TOO_MANY_REQUESTS]),
                    rx.cond(
                        answer.retry_at != "",
                        rx.el.p(
                            _("You can try again from {moment}.", moment=clock(answer.retry_at)), class_name="mt-2"
                        ),
                    ),
                    by_code,
                ),
            },
            try_again(answer),
        ),
        *children,
        name=answer.name,
        notifications={**{code.value: None for code in told}, "default": generic},
        **props,
    )
