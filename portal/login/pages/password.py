"""Logging in with a password instead of a code, and asking for the link that sets one (part-1 §5, §10)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.marks import N_
from portal.i18n import _, moment
from portal.pages.layout import title
from portal.pages.login_parts import Answer, FocusBox, alert, login_form, notification, panel, refusals, try_again
from portal.pages.messages import field_message
from portal.pages.parts.account_login import NOTIFICATIONS, account_refusals, pair_errors, pair_fields
from portal.pages.problems import not_found
from portal.pages.registry import Page
from portal.states.session import Session
from portal.ui import LINK, anchor, error_summary, notice, page_frame, submit_button, text_link
from portal.ui.passwords import password_field

_LOGIN, _RESET = Answer.to("password"), Answer.to("reset")
_GENERIC = notification(N_("Something went wrong"), N_("Please try again"))
_ABSENT = rx.State.is_hydrated & ~Session.passwords
_ROW = f"{LINK} inline-flex min-h-11 items-center"


def by_password() -> rx.Component:
    """Log in with order number, e-mail address and password."""
    errors = {
        **pair_errors(_LOGIN),
        "password": field_message(_LOGIN.field("password"), _("Password")),
    }
    return _where_offered(
        error_summary(errors, _LOGIN.attempt),
        rx.el.h1(_("Log in with your password"), tab_index=-1),
        rx.cond(
            (_LOGIN.done > 0) & (_LOGIN.error == ""),
            rx.el.div(
                notice(_("Log in with it now."), title=_("Your password has been set."), tone="ok", announced=True),
                class_name="mt-6",
            ),
        ),
        login_form(
            refusals(
                _LOGIN,
                {
                    **account_refusals(_LOGIN),
                    Code.WRONG_PASSWORD: alert(
                        _LOGIN,
                        _(MESSAGES[Code.WRONG_PASSWORD]),
                        rx.el.p(_("You can also log in with a code by email."), class_name="mt-2"),
                    ),
                    Code.TOO_MANY_REQUESTS: _later(_LOGIN),
                },
                try_again(_LOGIN),
            ),
            *pair_fields(errors),
            password_field("password", _("Password"), autocomplete="current-password", error=errors["password"]),
            submit_button(_("Log in")),
            name="password",
            action="/auth/password",
            remembers=True,
            notifications={
                Code.WRONG_PASSWORD.value: notification(N_("Error logging in"), N_("Please try again")),
                **NOTIFICATIONS,
                "default": _GENERIC,
            },
            class_name="mt-8 space-y-6",
        ),
        rx.el.ul(
            rx.el.li(text_link(_("Log in with a code by email"), "/", _ROW)),
            rx.el.li(text_link(_("No password yet, or forgotten?"), "/password/reset", _ROW)),
            class_name="mt-6",
        ),
    )


def ask_link() -> rx.Component:
    """Have a link mailed with which a password can be set."""
    errors = pair_errors(_RESET)
    done = _RESET.done > 0
    return _where_offered(
        error_summary(errors, _RESET.attempt),
        rx.el.h1(rx.cond(done, _("Check your email"), _("Set a password")), tab_index=-1),
        rx.cond(done, _sent(), _explained()),
        # The form stays, out of sight: its answer is what the page shows.
        rx.el.div(
            login_form(
                refusals(
                    _RESET,
                    {**account_refusals(_RESET), Code.TOO_MANY_REQUESTS: _later(_RESET)},
                    try_again(_RESET),
                ),
                *pair_fields(errors),
                submit_button(_("Email me a link")),
                name="reset",
                action="/auth/password-reset",
                remembers=True,
                notifications={**NOTIFICATIONS, "default": _GENERIC},
                class_name="mt-8 space-y-6",
            ),
            class_name=rx.cond(done, "hidden", ""),
        ),
        rx.el.p(text_link(_("Log in with a code by email"), "/", _ROW), class_name="mt-6"),
    )


def _explained() -> rx.Component:
    return rx.el.p(
        _("With a password you can log in without waiting for a code. We email you a link to set one."),
        class_name="mt-3 text-lg text-ink-600",
    )


def _sent() -> rx.Component:
    email = _RESET.data("email")
    told, plain = _("We have emailed a link to {email}.", email=email), _("We have emailed you a link.")
    return FocusBox.create(
        rx.el.div(rx.el.p(rx.cond(email != "", told, plain), class_name="text-lg"), role="status"),
        rx.el.ul(
            rx.el.li(_("The link works for {link_hours} hours, and once.")),
            rx.el.li(_("It can take a minute. Look in the folder for spam or unwanted email as well.")),
            rx.cond(
                _RESET.data("resend_at") != "",
                rx.el.li(
                    _("No email? You can ask again from {moment}:", moment=moment(_RESET.data("resend_at"))),
                    " ",
                    anchor(_("Ask for another link"), href="/password/reset", class_name=LINK),
                ),
            ),
            class_name="mt-4 list-disc space-y-1 pl-5",
        ),
        attempt=_RESET.done,
        class_name="mt-6 rounded-card border-2 border-ok-line bg-ok-bg p-6",
    )


def _later(answer: Answer) -> rx.Component:
    return alert(
        answer,
        _("You have tried this many times. Wait a moment before you try again."),
        rx.cond(
            answer.retry_at != "",
            rx.el.p(_("Try again from {moment}.", moment=moment(answer.retry_at)), class_name="mt-2"),
        ),
    )


def _where_offered(*content: rx.Component) -> rx.Component:
    """The page beside its panel; where passwords are not offered there is no such page."""
    return rx.cond(_ABSENT, not_found(), _beside_panel(*content))


def _titled(heading: rx.Var[str], answer: Answer) -> rx.Var[str]:
    return rx.cond(_ABSENT, title(_("Page not found")), title(heading, failed=answer.error != "")).to(str)


def _beside_panel(*content: rx.Component) -> rx.Component:
    return page_frame(
        rx.el.div(
            rx.el.div(*content, class_name="max-w-form min-w-0"),
            panel(),
            class_name="grid gap-8 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:gap-16 md:items-start",
        ),
        class_name="md:pt-16",
    )


PAGES = [
    Page(
        "login/password",
        by_password,
        _titled(_("Log in with your password"), _LOGIN),
        protected=False,
    ),
    Page(
        "password/reset",
        ask_link,
        _titled(rx.cond(_RESET.done > 0, _("Check your email"), _("Set a password")).to(str), _RESET),
        protected=False,
    ),
]
