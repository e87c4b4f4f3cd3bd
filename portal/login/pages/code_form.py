"""The forms of a mailed login code, on the pages of customers and of staff: enter it, and ask for another one."""

from __future__ import annotations

from typing import Any

import reflex as rx
from reflex.vars import NumberVar

from portal.i18n import _, choice, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.forms import (
    CodeNote,
    FormAnswer,
    alert,
    from_when,
    login_form,
    notification,
    refusals,
    try_again,
)
from portal.settings import settings
from portal.ui import hidden_field, notice, submit_button, text_field

_NAME = "code"
ANSWER = FormAnswer.to(_NAME)
"""The answer to the entered code."""

_RESENT = FormAnswer.to("resend")
_GENERIC = notification(N_("Something went wrong"), N_("Please try again"))
_WRONG = (Code.INVALID_CODE, Code.REQUIRED)


def sent_to(note: CodeNote) -> rx.Component:
    return rx.cond(
        note.email != "",
        rx.fragment(_("We’ve sent a code to"), " ", rx.el.strong(note.email), ". "),
        rx.fragment(_("We’ve emailed you a code."), " "),
    )


def refused(note: CodeNote, start: rx.Component) -> rx.Component:
    """What to do when the mail with the code could not be delivered."""
    text = _("Your mail provider refused our email. Check your email address and ask for a new code.")
    return rx.cond(note.refused, notice(text, start, tone="warn", announced=True))


def code_form(
    start: rx.Component, *further: rx.Component, width: str, class_name: str, on_invalid: dict[str, Any] | None = None
) -> rx.Component:
    wrong = choice(
        ANSWER.error,
        {
            Code.INVALID_CODE.value: _("Invalid code. Check the code in your email."),
            Code.REQUIRED.value: _("{label} is required.", label=_("Login code")),
        },
    )
    fresh = rx.el.p(_("Ask for a new code below."), class_name="mt-2")
    return login_form(
        refusals(
            ANSWER,
            {
                **{found: rx.fragment() for found in _WRONG},
                Code.CODE_EXPIRED: alert(ANSWER, _(MESSAGES[Code.CODE_EXPIRED]), fresh),
                Code.CODE_USED_UP: alert(ANSWER, _(MESSAGES[Code.CODE_USED_UP]), fresh),
                Code.NO_CHALLENGE: alert(ANSWER, _(MESSAGES[Code.NO_CHALLENGE]), start),
            },
            try_again(ANSWER),
        ),
        text_field(
            "code",
            _("Login code"),
            hint=ngettext(
                "{code_digits} digits; works for {n} minute",
                "{code_digits} digits; works for {n} minutes",
                settings().code_minutes,
            ),
            error=wrong,
            autocomplete="one-time-code",
            input_mode="numeric",
            width=f"{width} tracking-[0.3em] tabular-nums",
        ),
        *further,
        submit_button(_("Log in")),
        name=_NAME,
        action="/auth/session",
        select="code",
        select_on=[found.value for found in _WRONG],
        notifications={Code.INVALID_CODE.value: on_invalid, Code.REQUIRED.value: None, "default": _GENERIC},
        class_name=class_name,
    )


def another_code(start: rx.Component, wait: NumberVar[int], class_name: str) -> rx.Component:
    """The form that asks for another code, with what it answers."""
    return rx.fragment(
        login_form(
            refusals(
                _RESENT,
                {
                    # The code that was mailed still works: nothing went wrong.
                    Code.TOO_MANY_REQUESTS: notice(
                        rx.cond(_RESENT.retry_at != "", from_when(_RESENT), _(MESSAGES[Code.TOO_MANY_REQUESTS])),
                        announced=True,
                    ),
                    Code.NO_CHALLENGE: alert(_RESENT, _(MESSAGES[Code.NO_CHALLENGE]), start),
                },
                try_again(_RESENT),
            ),
            hidden_field("resend", "1"),
            submit_button(_("Send a new code"), style="secondary"),
            name="resend",
            action="/auth/code",
            clears=_NAME,
            notifications={Code.TOO_MANY_REQUESTS.value: None, "default": _GENERIC},
            class_name=class_name,
        ),
        rx.cond(
            wait > 0,
            rx.el.p(
                ngettext("A new code can be sent in {n} second.", "A new code can be sent in {n} seconds.", wait),
                class_name="mt-2 text-ink-600 tabular-nums",
            ),
        ),
        rx.el.p(
            rx.cond(_RESENT.done > 0, _("We’ve sent a new code. The earlier one no longer works."), ""),
            role="status",
            class_name="mt-2 font-semibold text-ok",
        ),
    )
