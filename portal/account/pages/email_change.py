"""The form that changes the e-mail address, in two steps: the new address, then the code sent to the old one."""

from __future__ import annotations

import reflex as rx

from portal.account.pages.state import ADDRESS, CODE, EmailChangePage, MyData
from portal.i18n import _, choice, moment
from portal.kernel.codes import MESSAGES, Code
from portal.ui import action_button, event_form, notice, notice_on_failure, submit_button, text_field
from portal.ui.forms import unsaved_guard, wait_note

_FIELD_CODES = (Code.INVALID_EMAIL, Code.SAME_EMAIL, Code.REQUIRED, Code.INVALID_CODE)


def _address_error() -> rx.Var[str]:
    return choice(
        EmailChangePage.problem,
        {
            Code.REQUIRED: _("{label} is required.", label=_("Email address")),
            Code.INVALID_EMAIL: MESSAGES[Code.INVALID_EMAIL],
            Code.SAME_EMAIL: MESSAGES[Code.SAME_EMAIL],
        },
    )


def _code_error() -> rx.Var[str]:
    return choice(
        EmailChangePage.problem,
        {
            Code.INVALID_CODE: _("That code isn’t right. Check the code in your email."),
            Code.REQUIRED: _("{label} is required.", label=_("Code")),
        },
    )


def email_errors() -> dict[str, rx.Var[str]]:
    """Error messages of the field of the current step, as shown beside the field."""
    return {
        "email": rx.cond(EmailChangePage.step == ADDRESS, _address_error(), "").to(str),
        "code": rx.cond(EmailChangePage.step == CODE, _code_error(), "").to(str),
    }


def email_row() -> rx.Component:
    """The current e-mail address, and the form of the current step during a change."""
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.h3(_("Email address"), class_name="text-base font-normal text-ink-600"),
                rx.el.p(MyData.data.email, class_name="break-words"),
                class_name="min-w-0",
            ),
            rx.cond(
                EmailChangePage.step == "",
                rx.el.button(
                    _("Change"),
                    rx.el.span(" ", _("Email address"), class_name="sr-only"),
                    type="button",
                    on_click=EmailChangePage.begin,
                    class_name="btn-text",
                ),
            ),
            class_name="flex items-center justify-between gap-4",
        ),
        rx.match(
            EmailChangePage.step,
            (ADDRESS, _address()),
            (CODE, _code()),
            rx.el.p(
                _("You log in with this address, so we send it a code before anything changes."),
                class_name="mt-1 text-sm text-ink-600",
            ),
        ),
        class_name="mt-2 border-t border-line pt-4",
    )


def _failure(*further: rx.Component) -> rx.Component:
    """Errors that do not concern a field: limits, a code that no longer works, a network error."""
    about_field = rx.Var.create([code.value for code in _FIELD_CODES]).contains(EmailChangePage.problem)
    texts = {
        code: MESSAGES[code]
        for code in (Code.TOO_MANY_REQUESTS, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.SESSION_ENDED)
    }
    own = {Code.NO_CHALLENGE: _("Ask for a new code first.")}
    text = choice(EmailChangePage.problem, {**texts, **own}, MESSAGES[Code.GENERAL_ERROR])
    return notice_on_failure(
        (EmailChangePage.problem != "") & ~about_field,
        text,
        EmailChangePage.attempt,
        rx.cond(
            EmailChangePage.retry_at != "",
            rx.el.p(
                _("You can ask for a new code from {moment}.", moment=moment(EmailChangePage.retry_at)),
                class_name="mt-2",
            ),
        ),
        *further,
    )


def _address() -> rx.Component:
    return event_form(
        _failure(),
        text_field(
            "email",
            _("New email address"),
            hint=_("We’ll send a code to your current address first, to make sure it’s you"),
            error=_address_error(),
            value=EmailChangePage.wanted,
            kind="email",
            autocomplete="email",
            auto_focus=True,
        ),
        _buttons(_("Send code")),
        unsaved_guard(),
        on_send=EmailChangePage.request,
        answered=EmailChangePage.answered,
        class_name="mt-5 space-y-5",
    )


def _code() -> rx.Component:
    return rx.el.div(
        notice(
            _(
                "We’ve sent a code to {email}. Enter it to change your address to {wanted}.",
                email=EmailChangePage.sent.email,
                wanted=EmailChangePage.wanted,
            ),
            announced=True,
        ),
        event_form(
            _failure(),
            text_field(
                "code",
                _("Code"),
                hint=_("{code_digits} digits; works until {moment}", moment=moment(EmailChangePage.sent.expires_at)),
                error=_code_error(),
                autocomplete="one-time-code",
                input_mode="numeric",
                width="h-14 max-w-60 text-h3 tracking-[0.3em] tabular-nums",
                auto_focus=True,
            ),
            _buttons(_("Change email address")),
            on_send=EmailChangePage.confirm,
            answered=EmailChangePage.answered,
            class_name="mt-5 space-y-5",
        ),
        rx.el.div(
            rx.el.h4(_("Haven’t received a code?"), class_name="font-semibold"),
            rx.el.p(
                _("It can take a minute. Check your spam folder too."),
                class_name="text-ink-600",
            ),
            rx.el.div(
                action_button(_("Send a new code"), EmailChangePage.resend, "text"),
                action_button(_("Enter another address"), EmailChangePage.back, "text"),
                class_name="flex flex-wrap gap-x-6",
            ),
            wait_note(EmailChangePage.sent.resend_at.to(str)),
            rx.el.p(
                rx.cond(EmailChangePage.resent, _("We’ve sent a new code. The earlier one no longer works."), ""),
                role="status",
                class_name="mt-2 font-semibold text-ok",
            ),
            class_name="mt-8 border-t border-line pt-6",
        ),
        class_name="mt-5",
    )


def _buttons(text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        submit_button(text),
        action_button(_("Cancel"), EmailChangePage.close),
        class_name="flex flex-wrap gap-3 max-md:flex-col",
    )
