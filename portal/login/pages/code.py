"""The page on which the customer enters the login code (part-1 §2; flow-standard F51)."""

from __future__ import annotations

import reflex as rx
from reflex.vars import NumberVar

from portal.frontend.layout import title
from portal.frontend.registry import PageRoute
from portal.i18n import _, clock
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.pages.code_form import ANSWER, another_code, code_form, refused, sent_to
from portal.login.pages.forms import beside_panel, code_note, notification
from portal.login.pages.passkey_forms import passkey_field
from portal.settings import settings
from portal.ui import LINK, link_button, notice, text_link


def code() -> rx.Component:
    """The page with the code form and the form that requests another code."""
    note = code_note()
    return beside_panel(
        rx.el.h1(_("Enter your login code"), tab_index=-1),
        rx.el.p(
            sent_to(note),
            rx.cond(
                (note.email != "") & ~note.expired,
                rx.fragment(
                    _(
                        "We emailed it at {sent}. It works until {until}.",
                        sent=clock(note.sent_at),
                        until=clock(note.expires_at),
                    ),
                    " ",
                ),
            ),
            rx.el.a(_("Change"), rx.el.span(" ", _("Email address"), class_name="sr-only"), to="/", class_name=LINK),
            class_name="mt-3 text-lg text-ink-600",
        ),
        rx.cond(
            note.expired & (ANSWER.error == ""),
            notice(_(MESSAGES[Code.CODE_EXPIRED]), tone="warn", announced=True),
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
    return rx.el.div(link_button(_("Ask for a new code"), "/", "secondary"), class_name="mt-4")


def _help(wait: NumberVar[int]) -> rx.Component:
    brand = settings().brand
    return rx.el.section(
        rx.el.h2(_("Haven’t received a code?"), class_name="text-h3"),
        rx.el.p(
            _("It can take a minute. Check your spam folder too."),
            class_name="mt-2 text-ink-600",
        ),
        another_code(_start_again(), wait, "mt-4 space-y-4"),
        rx.el.p(
            _("Still not working? Call us:"),
            " ",
            text_link(brand.dialled, f"tel:{brand.phone}"),
            class_name="mt-4 text-ink-600",
        ),
        class_name="mt-12 border-t border-line pt-8",
    )


PAGES = [PageRoute("login/token", code, title(_("Login code"), failed=ANSWER.error != ""), protected=False)]
