"""The login forms of customers and staff: posted over HTTP, their answers, and the messages for refusals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import reflex as rx
from reflex.vars import NumberVar

from portal import ui
from portal.contract.models import Picture
from portal.i18n import Text, _, choice, clock, ngettext, setting
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_, both
from portal.pictures.pages import picture
from portal.reflex_adapter.var import expression, hook_value
from portal.ui.browser import module


class FormAnswer:
    """The latest answer of the server to a form of the page, kept in the browser. Each text may be empty.

    `url` is the https address of the site to use instead, `retry_at` when another try is allowed (ISO 8601).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.error = _of(name, "error").to(str)
        self.attempt: NumberVar[int] = _of(name, "attempt").to(int)
        self.url = _of(name, "url").to(str)
        self.retry_at = _of(name, "retryAt").to(str)
        self.done: NumberVar[int] = _of(name, "done").to(int)

    def data(self, name: str) -> rx.Var[str]:
        return _of(self.name, f"data.{name} ?? ''", grouped=True).to(str)

    def field(self, field: str) -> rx.Var[str]:
        return _of(self.name, f"fields?.{field} ?? ''", grouped=True).to(str)


def _of(form: str, part: str, *, grouped: bool = False) -> rx.Var[Any]:
    name = f"answer_{form}"
    whole = hook_value(name, f'useAnswer("{form}")', module("login"))
    return expression(f"({name}.{part})" if grouped else f"{name}.{part}", whole)


class CodeNote:
    """The login code that this browser requested, from a cookie. Moments are ISO 8601; what is unknown is empty."""

    def __init__(self) -> None:
        note = hook_value("codeNote", "useCodeNote()", module("login"))

        def part(name: str) -> rx.Var[Any]:
            return expression(f"codeNote.{name}", note)

        self.email = part("email").to(str)
        self.sent_at = part("sentAt").to(str)
        self.expires_at = part("expiresAt").to(str)
        self.wait: NumberVar[int] = part("wait").to(int)
        self.expired = part("expired").to(bool)
        self.refused = part("refused").to(bool)


class _LoginForm(rx.Component):
    library = module("login")
    tag = "LoginForm"

    name: rx.Var[str]
    action: rx.Var[str]
    notifications: rx.Var[dict[str, Any]]
    select: rx.Var[str]
    select_on: rx.Var[list[str]]
    remembers: rx.Var[bool]
    clears: rx.Var[str]


def notification(title: str, text: str = "") -> dict[str, Any]:
    return {"title": both(title), "text": both(text) if text else None}


WENT_WRONG = {
    "default": notification(N_("Something went wrong"), N_("Please try again")),
    Code.NO_COOKIES.value: None,  # the form says it
}


def login_form(
    *children: Any, name: str, action: str, notifications: Mapping[str, Any] = MappingProxyType({}), **props: Any
) -> rx.Component:
    shown = {**WENT_WRONG, **notifications}
    return _LoginForm.create(*children, name=name, action=action, notifications=shown, **props)


def refusals(answer: FormAnswer, cases: Mapping[Code, rx.Component], other: rx.Component) -> rx.Component:
    cases = {Code.NO_COOKIES: alert(answer, _(MESSAGES[Code.NO_COOKIES])), **cases}
    listed = [(code.value, case) for code, case in cases.items()]
    return rx.fragment(rx.match(answer.error, ("", rx.fragment()), *listed, other))


def alert(answer: FormAnswer, text: Text, *further: rx.Component) -> rx.Component:
    return ui.failure_box(text, answer.attempt, *further)


def way_out(answer: FormAnswer, title: Text, text: Text, go: Text, fallback: Text | None = None) -> rx.Component:
    """A referral to another site, not shown as an error (flow-standard F17)."""
    target = rx.cond(answer.url != "", answer.url, fallback).to(str) if fallback is not None else answer.url
    link = ui.link_button(go, target, wide=True)
    return ui.focus_box(
        rx.el.div(
            rx.el.div(ui.illustrations.city_bike("w-28 shrink-0"), class_name="hidden sm:block text-ink"),
            rx.el.div(
                rx.el.div(ui.subheading(title), ui.text(text, top=2), role="status"),
                ui.stack(link if fallback is not None else rx.cond(answer.url != "", link), top=5),
            ),
            class_name="flex items-start gap-6",
        ),
        attempt=answer.attempt,
        class_name="mt-6 max-w-form rounded-card border-2 border-info-line bg-white p-6",
    )


def later(answer: FormAnswer) -> rx.Component:
    return alert(
        answer, _(MESSAGES[Code.TOO_MANY_REQUESTS]), ui.text(from_when(answer), top=2, shown=answer.retry_at != "")
    )


def from_when(answer: FormAnswer) -> rx.Var[str]:
    """From when on a code can be requested again; that is always within an hour."""
    return _("You can ask for a new code from {moment}.", moment=clock(answer.retry_at))


def try_again(answer: FormAnswer) -> rx.Component:
    text = choice(answer.error, {Code.NETWORK_ERROR.value: MESSAGES[Code.NETWORK_ERROR]}, MESSAGES[Code.GENERAL_ERROR])
    return alert(
        answer,
        text,
        ui.text(_("Everything you filled in is still here."), top=2),
        ui.stack(ui.submit_button(_("Please try again"), style="secondary"), top=4),
    )


def beside_panel(*content: rx.Component) -> rx.Component:
    """A page with the illustration beside its content; on small screens it is small and above.

    It comes first in the document: a browser that draws a page as it arrives would push the content down afterwards.
    """
    return ui.page_frame(
        rx.el.div(
            _panel(),
            rx.el.div(*content, class_name="min-w-0 max-w-form md:col-start-1 md:row-start-1"),
            class_name="grid gap-8 md:grid-cols-[minmax(20rem,1fr)_minmax(0,24rem)] md:gap-16 md:items-start",
        ),
        class_name="md:pt-16",
    )


_BIKE = Picture(drawing="step-through-electric", color="#27457a")


def _panel() -> rx.Component:
    return rx.el.aside(
        rx.el.div(
            picture(_BIKE, "(min-width: 48rem) 24rem, 8rem", "w-full rounded-none", eager=True),
            class_name="w-32 shrink-0 bg-plate p-3 max-md:rounded-l-card md:w-full md:rounded-t-panel md:p-8",
        ),
        ui.lead(
            _("Everything about your bike in one place."),
            # Each part rounds its own corners: a background behind both would show as a line along them.
            look="flex grow items-center bg-panel px-4 py-3 text-on-panel "
            "max-md:rounded-r-card md:rounded-b-panel md:p-8",
        ),
        class_name="flex md:col-start-2 md:block",
        aria_label=setting("brand"),
    )


_NAME = "code"
ANSWER = FormAnswer(_NAME)
_RESENT = FormAnswer("resend")
_WRONG = (Code.INVALID_CODE, Code.REQUIRED)


def sent_to(note: CodeNote) -> rx.Component:
    return ui.when(
        note.email != "",
        _("We’ve sent a code to"),
        " ",
        rx.el.strong(note.email),
        ". ",
        otherwise=rx.fragment(_("We’ve emailed you a code."), " "),
    )


def refused(note: CodeNote, start: rx.Component) -> rx.Component:
    text = _("Your mail provider refused our email. Check your email address and ask for a new code.")
    return ui.notice(text, start, tone="warn", announced=True, shown=note.refused)


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
    fresh = ui.text(_("Ask for a new code below."), top=2)
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
        ui.code_field(
            _("Login code"),
            hint=setting("code_hint"),
            error=wrong,
            look=width,
        ),
        *further,
        ui.submit_button(_("Log in")),
        name=_NAME,
        action="/auth/session",
        select="code",
        select_on=[found.value for found in _WRONG],
        notifications={Code.INVALID_CODE.value: on_invalid, Code.REQUIRED.value: None},
        class_name=class_name,
    )


def another_code(start: rx.Component, wait: NumberVar[int], class_name: str) -> rx.Component:
    return rx.fragment(
        login_form(
            refusals(
                _RESENT,
                {
                    # The code that was mailed still works: nothing went wrong.
                    Code.TOO_MANY_REQUESTS: ui.notice(
                        rx.cond(_RESENT.retry_at != "", from_when(_RESENT), _(MESSAGES[Code.TOO_MANY_REQUESTS])),
                        announced=True,
                    ),
                    Code.NO_CHALLENGE: alert(_RESENT, _(MESSAGES[Code.NO_CHALLENGE]), start),
                },
                try_again(_RESENT),
            ),
            ui.hidden_field("resend", "1"),
            ui.submit_button(_("Send a new code"), style="secondary"),
            name="resend",
            action="/auth/code",
            clears=_NAME,
            notifications={Code.TOO_MANY_REQUESTS.value: None},
            class_name=class_name,
        ),
        ui.muted(
            ngettext("A new code can be sent in {n} second.", "A new code can be sent in {n} seconds.", wait),
            look="tabular-nums",
            top=2,
            shown=wait > 0,
        ),
        ui.strong(
            rx.cond(_RESENT.done > 0, _("We’ve sent a new code. The earlier one no longer works."), ""),
            role="status",
            look="text-ok",
            top=2,
        ),
    )
