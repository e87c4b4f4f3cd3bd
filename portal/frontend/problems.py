"""Error pages (not found, retired, crashed) and the loading page."""

from __future__ import annotations

import reflex as rx

from portal.frontend.messages import field_message, message, refusal
from portal.frontend.session import SessionState
from portal.i18n import Text, _
from portal.settings import settings
from portal.ui import LINK, anchor, illustrations, link_button, page_frame, reload_button, skeleton, skeleton_cards

__all__ = [
    "broken_page",
    "contact_line",
    "field_message",
    "gone",
    "loading_page",
    "message",
    "not_found",
    "problem_page",
    "refusal",
]


def problem_page(
    title: Text, *sentences: Text, picture: rx.Component, actions: tuple[rx.Component, ...] = ()
) -> rx.Component:
    page = page_frame(
        *[rx.el.p(sentence, class_name="mt-3 max-w-form text-lg") for sentence in sentences],
        rx.el.div(*actions, class_name="mt-8 flex flex-wrap gap-3"),
        contact_line(),
        above=rx.el.div(picture, class_name="mb-6 w-56 text-ink-500"),
        title=title,
    )
    # With a key it takes no elements over from a page that was loading: these would move.
    return rx.fragment(page, key="problem")


def contact_line() -> rx.Component:
    """The e-mail address of the customer service, for pages without a session."""
    brand = settings().brand
    return rx.el.p(
        _("Still stuck? Our customer service is happy to help:"),
        " ",
        anchor(brand.email, href=f"mailto:{brand.email}", class_name=f"{LINK} wrap-anywhere"),
        ".",
        class_name="mt-8 max-w-form text-ink-600",
    )


def not_found() -> rx.Component:
    """The page for an unknown address, or for data of another customer."""
    return problem_page(
        _("Page not found"),
        _("Typed the address yourself? Check that it’s right. Followed a link? The page may have moved."),
        picture=illustrations.empty_track(),
        actions=(_way_on(),),
    )


def _way_on() -> rx.Component:
    """The overview for a customer, the login for a stranger."""
    overview, login = link_button(_("To overview"), "/dashboard"), link_button(_("Log in"), "/")
    return rx.cond(SessionState.authenticated, overview, login)


def gone() -> rx.Component:
    """The page for the address of a retired page."""
    return problem_page(
        _("This page is no longer accessible."),
        _("You’ll now find what you could arrange here somewhere else in your account."),
        picture=illustrations.empty_track(),
        actions=(_way_on(),),
    )


def broken_page() -> rx.Component:
    """The page that replaces one whose rendering failed."""
    return problem_page(
        _("This page couldn’t be shown"),
        _("What you sent before is safe. Load the page again, or come back a little later."),
        picture=illustrations.broken_chain(),
        actions=(
            reload_button(_("Load the page again"), "primary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
        ),
    )


def loading_page() -> rx.Component:
    """A placeholder of a heading and three cards, prerendered once for all addresses."""
    return page_frame(skeleton("h-11 w-72 max-w-full appear"), skeleton_cards(3, "h-40"))
