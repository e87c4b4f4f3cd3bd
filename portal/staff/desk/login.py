"""The login of staff: at the retailer's OpenID provider, or with a mailed code; in the demonstration from a list."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.gate import DESK_LOGIN
from portal.desk.registry import DeskRoute
from portal.desk.views import desk_page, title
from portal.frontend.load import FAILED, READY
from portal.frontend.messages import field_message
from portal.i18n import _, choice, clock, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.forms import (
    FormAnswer,
    alert,
    code_note,
    from_when,
    later,
    login_form,
    notification,
    refusals,
    try_again,
)
from portal.settings import settings
from portal.staff.desk.login_state import StaffLogin
from portal.ui import (
    LINK,
    Option,
    choice_cards,
    error_block,
    error_summary,
    hidden_field,
    notice,
    option_card,
    skeleton,
    submit_button,
    text_field,
    text_link,
)
from portal.vocabulary.staff import ROLE_LABELS

_NAME, _CODE, _AGAIN = "staff", "code", "resend"
_GENERIC = notification(N_("Something went wrong"), N_("Please try again"))
_WRONG = (Code.INVALID_CODE, Code.REQUIRED)


def login() -> rx.Component:
    """The login page."""
    answer = FormAnswer.to(_NAME)
    form = rx.match(
        StaffLogin.view_state,
        (READY, rx.cond(StaffLogin.sign_on, _sign_on(answer), _codes(answer))),
        (FAILED, error_block(_("The login could not be loaded."), on_retry=StaffLogin.load)),
        rx.el.div(
            rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
            skeleton("h-9 w-full"),
            skeleton("mt-3 h-9 w-40"),
            class_name="appear",
            custom_attrs={"aria-busy": "true"},
        ),
    )
    return desk_page(
        rx.el.div(form, class_name="card md:p-6"),
        rx.cond(
            StaffLogin.customers != "",
            rx.el.p(
                _("Are you a customer?"),
                " ",
                text_link(_("Go to your own account"), StaffLogin.customers),
                class_name="mt-4 text-sm text-ink-600",
            ),
        ),
        heading=_("Log in to the staff site"),
        centred=True,
    )


def _messages(answer: FormAnswer) -> rx.Component:
    ended = notice(_(MESSAGES[Code.SESSION_ENDED]), announced=True)
    refused = alert(answer, _(MESSAGES[Code.SIGN_ON_REFUSED]))
    return refusals(
        answer,
        {
            Code.SESSION_ENDED: ended,
            Code.SIGN_ON_REFUSED: refused,
            Code.SIGN_ON_FAILED: alert(answer, _(MESSAGES[Code.SIGN_ON_FAILED])),
            Code.TOO_MANY_REQUESTS: later(answer),
            Code.INVALID_INPUT: rx.fragment(),
            Code.REQUIRED: rx.fragment(),
            Code.INVALID_EMAIL: rx.fragment(),
        },
        try_again(answer),
    )


def _sign_on(answer: FormAnswer) -> rx.Component:
    return login_form(
        _messages(answer),
        rx.el.p(_("You log in with the account that you also use at work.")),
        submit_button(_("Log in with your work account"), pending_text=_("One moment…")),
        name=_NAME,
        action="/auth/begin-sign-on",
        notifications={"default": None},
        remembers=True,
        class_name="space-y-4",
    )


def _codes(answer: FormAnswer) -> rx.Component:
    email = field_message(answer.field("email"), _("Email address"), Code.INVALID_EMAIL)
    listed = rx.foreach(
        StaffLogin.people,
        lambda person: option_card(
            "person",
            Option(
                person.person_id,
                person.name,
                choice(person.role, {role.value: label for role, label in ROLE_LABELS.items()}).to(str)
                + rx.cond(person.stores != "", " · ", "").to(str)
                + person.stores,
            ),
        ),
    )
    chosen = rx.cond(answer.field("email") != "", _("Choose who you are."), "").to(str)
    people = rx.fragment(
        error_summary({"person": chosen}, answer.attempt),
        choice_cards("person", _("Who are you?"), listed, error=chosen, columns="sm:grid-cols-2 lg:grid-cols-3"),
        rx.el.p(
            _("This is the demonstration. The code is mailed to"),
            " ",
            text_link(_("the mailbox of the demonstration"), StaffLogin.customers + "/mailbox"),
            ".",
            class_name="text-ink-600",
        ),
    )
    address = rx.fragment(
        error_summary({"email": email}, answer.attempt),
        text_field(
            "email",
            _("Email address"),
            hint=_("The address that you use at work"),
            error=email,
            kind="email",
            autocomplete="email",
        ),
    )
    return login_form(
        _messages(answer),
        rx.cond(StaffLogin.people.length() > 0, people, address),
        submit_button(_("Send login code")),
        name=_NAME,
        action="/auth/code",
        notifications={"default": None},
        remembers=True,
        class_name="space-y-5",
    )


def code() -> rx.Component:
    """The page on which the mailed code is entered."""
    note, answer = code_note(), FormAnswer.to(_CODE)
    wrong = choice(
        answer.error,
        {
            Code.INVALID_CODE.value: _("Invalid code. Check the code in your email."),
            Code.REQUIRED.value: _("{label} is required.", label=_("Login code")),
        },
    )
    fresh = rx.el.p(_("Ask for a new code below."), class_name="mt-2")
    form = login_form(
        refusals(
            answer,
            {
                **{found: rx.fragment() for found in _WRONG},
                Code.CODE_EXPIRED: alert(answer, _(MESSAGES[Code.CODE_EXPIRED]), fresh),
                Code.CODE_USED_UP: alert(answer, _(MESSAGES[Code.CODE_USED_UP]), fresh),
                Code.NO_CHALLENGE: alert(answer, _(MESSAGES[Code.NO_CHALLENGE]), _start_again()),
            },
            try_again(answer),
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
            width="max-w-48 text-h2 tracking-[0.3em] tabular-nums",
        ),
        submit_button(_("Log in")),
        name=_CODE,
        action="/auth/session",
        select="code",
        select_on=[found.value for found in _WRONG],
        notifications={Code.REQUIRED.value: None, Code.INVALID_CODE.value: None, "default": _GENERIC},
        class_name="space-y-5",
    )
    return desk_page(
        rx.el.p(
            rx.cond(
                note.email != "",
                rx.fragment(_("We have sent a code to"), " ", rx.el.strong(note.email), ". "),
                rx.fragment(_("We have sent you a code by email."), " "),
            ),
            rx.cond(
                (note.email != "") & ~note.expired,
                _("It works until {until}.", until=clock(note.expires_at)),
                rx.cond(note.expired, _(MESSAGES[Code.CODE_EXPIRED]), ""),
            ),
            " ",
            text_link(_("Somebody else?"), DESK_LOGIN),
            class_name="mb-4 text-ink-600",
        ),
        rx.el.div(form, class_name="card md:p-6"),
        _another_code(note.wait),
        heading=_("Enter your login code"),
        centred=True,
    )


def _start_again() -> rx.Component:
    return rx.el.p(rx.el.a(_("Ask for a new code"), to=DESK_LOGIN, class_name=LINK), class_name="mt-2")


def _another_code(wait: Any) -> rx.Component:
    answer = FormAnswer.to(_AGAIN)
    return rx.el.section(
        rx.el.h2(_("No code received?")),
        rx.el.p(_("It can take a minute. Look in the folder for spam or unwanted email as well.")),
        login_form(
            refusals(
                answer,
                {
                    # The code that was mailed still works: nothing went wrong.
                    Code.TOO_MANY_REQUESTS: notice(
                        rx.cond(answer.retry_at != "", from_when(answer), _(MESSAGES[Code.TOO_MANY_REQUESTS])),
                        announced=True,
                    ),
                    Code.NO_CHALLENGE: alert(answer, _(MESSAGES[Code.NO_CHALLENGE]), _start_again()),
                },
                try_again(answer),
            ),
            hidden_field("resend", "1"),
            submit_button(_("Send a new code"), style="secondary"),
            name=_AGAIN,
            action="/auth/code",
            clears=_CODE,
            notifications={Code.TOO_MANY_REQUESTS.value: None, "default": _GENERIC},
            class_name="mt-3 space-y-3",
        ),
        rx.cond(
            wait > 0,
            rx.el.p(
                ngettext("A new code can be sent in {n} second.", "A new code can be sent in {n} seconds.", wait),
                class_name="mt-2 text-ink-600 tabular-nums",
            ),
        ),
        rx.el.p(
            rx.cond(answer.done > 0, _("We have sent a new code. The earlier one no longer works."), ""),
            role="status",
            class_name="mt-2 font-semibold text-ok",
        ),
        class_name="mt-6",
    )


PAGES = [
    DeskRoute("login", login, title(_("Log in")), on_load=[StaffLogin.load], protected=False),
    DeskRoute("login/code", code, title(_("Login code"), failed=FormAnswer.to(_CODE).error != ""), protected=False),
]
