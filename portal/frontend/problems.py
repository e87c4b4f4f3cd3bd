"""Pages for what went wrong: an address without a page, a page that was retired, a page that broke."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _
from portal.settings import settings
from portal.ui import LINK, anchor, illustrations, link_button, page_frame, reload_button


def problem_page(
    title: Text, *sentences: Text, picture: rx.Component, actions: tuple[rx.Component, ...] = ()
) -> rx.Component:
    """A page that explains a problem and says how to go on.

    Args:
        title: What happened.
        *sentences: What it means, and what to do.
        picture: An illustration.
        actions: Links or buttons.
    """
    return page_frame(
        *[rx.el.p(sentence, class_name="mt-3 max-w-form text-lg") for sentence in sentences],
        rx.el.div(*actions, class_name="mt-8 flex flex-wrap gap-3"),
        contact_line(),
        above=rx.el.div(picture, class_name="mb-6 w-56 text-ink-500"),
        title=title,
    )


def contact_line() -> rx.Component:
    """How to reach the customer service, for pages that need no session."""
    brand = settings().brand
    return rx.el.p(
        _("Still stuck? Our customer service likes to help:"),
        " ",
        anchor(brand.email, href=f"mailto:{brand.email}", class_name=LINK),
        ".",
        class_name="mt-8 max-w-form text-ink-600",
    )


def not_found() -> rx.Component:
    """An address without a page; also what is not this customer's."""
    return problem_page(
        _("Page not found"),
        _("If you typed the address, check that it is right. If you followed a link, the page may have moved."),
        picture=illustrations.empty_road(),
        actions=(link_button(_("To overview"), "/dashboard"),),
    )


def gone() -> rx.Component:
    """A retired page."""
    return problem_page(
        _("This page is no longer accessible."),
        _("What you could arrange here now has another place in your account."),
        picture=illustrations.empty_road(),
        actions=(link_button(_("To overview"), "/dashboard"),),
    )


def broken_page() -> rx.Component:
    """A page that failed while it was drawn."""
    return problem_page(
        _("This page could not be shown"),
        _("What you sent before has been kept. Load the page again, or come back a little later."),
        picture=illustrations.broken_chain(),
        actions=(
            reload_button(_("Load the page again"), "primary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
        ),
    )
