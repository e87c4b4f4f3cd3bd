"""The page that offers a passkey after a login with a code or a password."""

from __future__ import annotations

import reflex as rx

from portal.frontend.layout import title
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.login.pages.forms import FormAnswer, beside_panel, login_form, notification, refusals, try_again
from portal.login.pages.passkey_forms import NEW_ANSWER, make_passkey
from portal.ui import hidden_field, submit_button
from portal.ui.blocks import Style


def passkey_offer() -> rx.Component:
    """What a passkey is, and the three answers: make one, later, never."""
    return beside_panel(
        rx.el.h1(_("Log in faster next time"), tab_index=-1),
        rx.el.p(
            _("With a passkey you don’t wait for a code: you log in the way you unlock your phone or computer."),
            class_name="mt-3 text-lg text-ink-600",
        ),
        rx.el.ul(
            *[
                rx.el.li(line)
                for line in (
                    _("Your fingerprint, face or pin stays on your device."),
                    _("There’s nothing to remember, and nothing to guess."),
                    _("A code by email keeps working too."),
                )
            ],
            class_name="mt-6 list-disc space-y-1 pl-6",
        ),
        rx.el.div(
            make_passkey(
                _("Add a passkey"), hidden_field("offer", "1"), missing=_("This browser doesn’t support passkeys.")
            ),
            rx.el.div(
                _answer(_("Not now"), "later", "secondary"),
                _answer(_("Don’t ask again"), "never", "text"),
                class_name="mt-4 flex flex-wrap items-start gap-x-6 gap-y-3 max-md:flex-col max-md:items-stretch",
            ),
            class_name="mt-8",
        ),
    )


def _answer(text: Text, name: str, style: Style) -> rx.Component:
    answer = FormAnswer.to(name)
    return login_form(
        refusals(answer, {}, try_again(answer)),
        submit_button(text, style=style),
        name=name,
        action=f"/auth/passkeys/{name}",
        notifications={"default": notification(N_("Something went wrong"), N_("Please try again"))},
    )


_failed = (NEW_ANSWER.error != "") & (NEW_ANSWER.error != Code.PASSKEY_CANCELLED.value)

PAGES = [PageRoute("login/passkey", passkey_offer, title(_("Log in faster next time"), failed=_failed))]
