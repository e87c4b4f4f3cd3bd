"""Pages for what went wrong: an address without a page, a page that was retired, a page that broke."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _, choice
from portal.kernel.codes import MESSAGES, Code
from portal.settings import settings
from portal.ui import LINK, anchor, illustrations, link_button, page_frame, reload_button, skeleton, skeleton_cards


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
        picture=illustrations.empty_track(),
        actions=(link_button(_("To overview"), "/dashboard"),),
    )


def gone() -> rx.Component:
    """A retired page."""
    return problem_page(
        _("This page is no longer accessible."),
        _("What you could arrange here now has another place in your account."),
        picture=illustrations.empty_track(),
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


def loading_page() -> rx.Component:
    """A heading and three cards in grey. It is prerendered once, for no address in particular."""
    return page_frame(skeleton("h-11 w-72 max-w-full appear"), skeleton_cards(3, "h-40"))


def message(code: rx.Var[str], **own: Text) -> rx.Var[str]:
    """The text of an error code; empty while there is none, a general text for an unknown one.

    Args:
        code: A code of the catalogue, or an empty text.
        own: Texts for single codes that say more in this place.
    """
    texts: dict[str, Text] = {known.value: text for known, text in MESSAGES.items()}
    return choice(code, {"": "", **texts, **own}, _("Something went wrong"))


@rx.memo
def refusal(code: rx.Var[str]) -> rx.Component:
    """Why something was refused, in words. One script file holds the whole catalogue, for all pages that may need it.

    Args:
        code: A code of the catalogue.
    """
    return rx.fragment(message(code))


def field_message(code: rx.Var[str], label: Text, *possible: Code, **own: Text) -> rx.Var[str]:
    """The text beside a field for an error code; empty while there is none.

    Args:
        code: A code of the catalogue, or an empty text.
        label: Name of the field, for "{label} is verplicht.".
        *possible: Codes that the field can get, so that a page ships only their texts.
        own: Texts for single codes that say more in this place.
    """
    required = _("{label} is required.", label=label)
    texts: dict[str, Text] = {known.value: MESSAGES[known] for known in possible}
    return choice(code, {"": "", Code.REQUIRED.value: required, **texts, **own}, _("Check this field."))
