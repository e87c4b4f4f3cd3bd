"""The page of the mailed link: a new password, twice (part-1 §5, §8)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.marks import N_
from portal.i18n import Text, _, choice
from portal.pages.layout import title
from portal.pages.login_parts import Answer, alert, login_form, notification, refusals, try_again
from portal.pages.messages import field_message
from portal.pages.problems import not_found
from portal.pages.registry import Page
from portal.states.page import FAILED, LOADING, MISSING
from portal.states.password_link import PasswordLinkPage
from portal.ui import error_block, error_summary, illustrations, link_button, page_frame, skeleton, submit_button
from portal.ui.passwords import end_of_address, password_field, password_rules
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState

_ANSWER = Answer.to("new_password")
_FACE = PasswordLinkPage.face
_AGAIN = "/password/reset"


def new_password() -> rx.Component:
    """What the link is good for: a form, or why not and how to get another link."""
    shown = rx.match(
        _FACE,
        (LOADING, _waiting()),
        (FAILED, _failed()),
        (MISSING, not_found()),
        (LinkState.VALID.value, _form()),
        (
            LinkState.EXPIRED.value,
            _useless(_("This link has expired"), _("A link works for {link_hours} hours.")),
        ),
        (
            LinkState.USED.value,
            _useless(
                _("This link has been used"),
                _("A link sets a password once."),
                _("Log in with the password that was set, or request a new link."),
            ),
        ),
        _useless(
            _("This link does not work"),
            _(MESSAGES[Code.HASH_NOT_FOUND]),
            _("Did you copy the link from the email? Check that it is complete."),
        ),
    )
    return rx.fragment(shown)


def _errors() -> dict[str, rx.Var[str]]:
    return {
        "password": field_message(_ANSWER.field("password"), _("New password"), Code.INVALID_PASSWORD),
        "repeat": field_message(_ANSWER.field("repeat"), _("New password again"), Code.PASSWORDS_DIFFER),
    }


def _form() -> rx.Component:
    errors = _errors()
    email = PasswordLinkPage.email
    fresh = rx.el.div(link_button(_("Request a new link"), _AGAIN, "secondary"), class_name="mt-4")
    fields_only = rx.fragment()
    return page_frame(
        rx.cond(
            email != "",
            rx.el.p(_("For the account of {email}.", email=email), class_name="mt-3 text-lg text-ink-600"),
        ),
        login_form(
            refusals(
                _ANSWER,
                {
                    **dict.fromkeys(
                        (Code.INVALID_INPUT, Code.REQUIRED, Code.INVALID_PASSWORD, Code.PASSWORDS_DIFFER), fields_only
                    ),
                    Code.USER_HASH_EXPIRED: alert(_ANSWER, _(MESSAGES[Code.USER_HASH_EXPIRED]), fresh),
                    Code.HASH_NOT_FOUND: alert(_ANSWER, _(MESSAGES[Code.HASH_NOT_FOUND]), fresh),
                },
                try_again(_ANSWER),
            ),
            end_of_address("hash"),
            password_field(
                "password",
                _("New password"),
                autocomplete="new-password",
                error=errors["password"],
                after=password_rules("password"),
            ),
            password_field("repeat", _("New password again"), autocomplete="new-password", error=errors["repeat"]),
            rx.el.p(_("You are logged out everywhere, and can then log in with the new password.")),
            submit_button(_("Save password")),
            name="new_password",
            action="/auth/new-password",
            notifications={
                "default": notification(N_("Something went wrong"), N_("Please try again")),
                # Trying again would not help.
                Code.USER_HASH_EXPIRED.value: notification(N_("This link has expired")),
                Code.HASH_NOT_FOUND.value: notification(N_("This link does not work")),
            },
            class_name="mt-8 space-y-6",
        ),
        above=error_summary(errors, _ANSWER.attempt),
        title=_("Choose a password"),
        narrow=True,
    )


def _useless(heading: Text, *sentences: Text) -> rx.Component:
    """A link that sets nothing (any more), and the way to another one."""
    return page_frame(
        *[rx.el.p(sentence, class_name="mt-3 max-w-form text-lg") for sentence in sentences],
        rx.el.div(
            link_button(_("Request a new link"), _AGAIN),
            link_button(_("Log in"), "/", "secondary"),
            class_name="mt-8 flex flex-wrap gap-3",
        ),
        above=rx.el.div(illustrations.broken_chain(), class_name="mb-6 w-40 text-ink-500"),
        title=heading,
    )


def _failed() -> rx.Component:
    return page_frame(
        error_block(_("We could not check this link."), on_retry=PasswordLinkPage.load),
        title=_("Choose a password"),
        narrow=True,
    )


def _waiting() -> rx.Component:
    return page_frame(
        rx.el.div(
            rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
            skeleton("h-6 w-64"),
            *[skeleton("mt-8 h-12 w-full max-w-96") for _place in range(2)],
            class_name="mt-3 appear",
            custom_attrs={"aria-busy": "true"},
        ),
        title=_("Choose a password"),
        narrow=True,
    )


def _heading() -> rx.Var[str]:
    headings = {
        MISSING: _("Page not found"),
        LinkState.EXPIRED: _("This link has expired"),
        LinkState.USED: _("This link has been used"),
        LinkState.INVALID: _("This link does not work"),
    }
    return choice(_FACE, headings, _("Choose a password"))


PAGES = [
    Page(
        f"{PATHS[LinkPurpose.PASSWORD].strip('/')}/[hash]",
        new_password,
        title(_heading(), failed=_ANSWER.error != ""),
        on_load=[PasswordLinkPage.load],
        protected=False,
    )
]
