"""The page on which the customer enters the login code (part-1 §2; flow-standard F51)."""

from __future__ import annotations

import phonenumbers
import reflex as rx
from reflex.vars import NumberVar

from portal.frontend.layout import title
from portal.frontend.registry import PageRoute
from portal.i18n import _, choice, clock, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.forms import (
    FormAnswer,
    alert,
    code_note,
    from_when,
    login_form,
    notification,
    panel,
    refusals,
    try_again,
)
from portal.settings import settings
from portal.ui import LINK, hidden_field, link_button, notice, page_frame, submit_button, text_field, text_link

_NAME = "code"
_ANSWER = FormAnswer.to(_NAME)
_RESENT = FormAnswer.to("resend")
_GENERIC = notification(N_("Something went wrong"), N_("Please try again"))
_WRONG = (Code.INVALID_CODE, Code.REQUIRED)


def code() -> rx.Component:
    """The page with the code form and the form that requests another code."""
    note = code_note()
    return page_frame(
        rx.el.div(
            rx.el.div(
                rx.el.h1(_("Enter your login code"), tab_index=-1),
                rx.el.p(
                    rx.cond(
                        note.email != "",
                        rx.fragment(_("We have sent a code to"), " ", rx.el.strong(note.email), ". "),
                        rx.fragment(_("We have sent you a code by email."), " "),
                    ),
                    rx.cond(
                        (note.email != "") & ~note.expired,
                        rx.fragment(
                            _(
                                "We mailed it at {sent}, and it works until {until}.",
                                sent=clock(note.sent_at),
                                until=clock(note.expires_at),
                            ),
                            " ",
                        ),
                    ),
                    rx.el.a(
                        _("Change"), rx.el.span(" ", _("Email address"), class_name="sr-only"), to="/", class_name=LINK
                    ),
                    class_name="mt-3 text-lg text-ink-600",
                ),
                rx.cond(
                    note.expired & (_ANSWER.error == ""),
                    notice(_(MESSAGES[Code.CODE_EXPIRED]), tone="warn", announced=True),
                ),
                _form(),
                _help(note.wait),
                class_name="max-w-form",
            ),
            panel(),
            class_name="grid gap-8 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:gap-16 md:items-start",
        ),
        class_name="md:pt-16",
    )


def _form() -> rx.Component:
    wrong = choice(
        _ANSWER.error,
        {
            Code.INVALID_CODE.value: _("Invalid code. Check the code in your email."),
            Code.REQUIRED.value: _("{label} is required.", label=_("Login code")),
        },
    )
    return login_form(
        _refusal(),
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
            width="h-14 max-w-60 text-h3 tracking-[0.3em] tabular-nums",
        ),
        submit_button(_("Log in")),
        name=_NAME,
        action="/auth/session",
        select="code",
        select_on=[found.value for found in _WRONG],
        notifications={
            Code.INVALID_CODE.value: notification(MESSAGES[Code.INVALID_CODE], N_("Please try again")),
            Code.REQUIRED.value: None,
            "default": _GENERIC,
        },
        class_name="mt-8 space-y-6",
    )


def _refusal() -> rx.Component:
    fresh = rx.el.p(_("Ask for a new code below."), class_name="mt-2")
    again = rx.el.div(link_button(_("Ask for a new code"), "/", "secondary"), class_name="mt-4")
    return refusals(
        _ANSWER,
        {
            **{found: rx.fragment() for found in _WRONG},
            Code.CODE_EXPIRED: alert(_ANSWER, _(MESSAGES[Code.CODE_EXPIRED]), fresh),
            Code.CODE_USED_UP: alert(_ANSWER, _(MESSAGES[Code.CODE_USED_UP]), fresh),
            Code.NO_CHALLENGE: alert(_ANSWER, _(MESSAGES[Code.NO_CHALLENGE]), again),
        },
        try_again(_ANSWER),
    )


def _help(wait: NumberVar[int]) -> rx.Component:
    brand = settings().brand
    phone = phonenumbers.format_number(phonenumbers.parse(brand.phone), phonenumbers.PhoneNumberFormat.NATIONAL)
    return rx.el.section(
        rx.el.h2(_("No code received?"), class_name="text-h3"),
        rx.el.p(
            _("It can take a minute. Look in the folder for spam or unwanted email as well."),
            class_name="mt-2 text-ink-600",
        ),
        login_form(
            refusals(
                _RESENT,
                {
                    # The code that was mailed still works: nothing went wrong.
                    Code.TOO_MANY_REQUESTS: notice(
                        rx.cond(_RESENT.retry_at != "", from_when(_RESENT), _(MESSAGES[Code.TOO_MANY_REQUESTS])),
                        announced=True,
                    ),
                    Code.NO_CHALLENGE: alert(
                        _RESENT,
                        _(MESSAGES[Code.NO_CHALLENGE]),
                        rx.el.div(link_button(_("Ask for a new code"), "/", "secondary"), class_name="mt-4"),
                    ),
                },
                try_again(_RESENT),
            ),
            hidden_field("resend", "1"),
            submit_button(_("Send a new code"), style="secondary"),
            name="resend",
            action="/auth/code",
            clears=_NAME,
            notifications={Code.TOO_MANY_REQUESTS.value: None, "default": _GENERIC},
            class_name="mt-4 space-y-4",
        ),
        rx.cond(
            wait > 0,
            rx.el.p(
                ngettext("A new code can be sent in {n} second.", "A new code can be sent in {n} seconds.", wait),
                class_name="mt-2 text-ink-600 tabular-nums",
            ),
        ),
        rx.el.p(
            rx.cond(_RESENT.done > 0, _("We have sent a new code. The earlier one no longer works."), ""),
            role="status",
            class_name="mt-2 font-semibold text-ok",
        ),
        rx.el.p(
            _("Does it still not work? Call us:"),
            " ",
            text_link(phone, f"tel:{brand.phone}"),
            class_name="mt-4 text-ink-600",
        ),
        class_name="mt-12 border-t border-line pt-8",
    )


PAGES = [PageRoute("login/token", code, title(_("Login code"), failed=_ANSWER.error != ""), protected=False)]
