"""The search field of the bar. What is searched for is never part of an address: it is a name or an e-mail address."""

from typing import Any

import reflex as rx
from reflex.event import EventSpec

from portal.frontend.load import text_in
from portal.frontend.policies import staff
from portal.i18n import _
from portal.vocabulary.staff import Right

SEARCH = "/search"
"""Address of the page with the results, which reads `DeskSearch.text`."""

_LONGEST = 200


class DeskSearch(rx.State):
    """What the person of this tab searches for."""

    text: rx.Field[str] = rx.field("")
    asked: rx.Field[int] = rx.field(0)

    @rx.event
    @staff(Right.SEE_CASES)
    def find(self, form: dict[str, Any]) -> EventSpec | None:
        """Keep what is searched for and open the page of the results."""
        self.text = text_in(form, "text").strip()[:_LONGEST]
        self.asked += 1
        return rx.redirect(SEARCH) if self.text else None


def search_field() -> rx.Component:
    """The field of the bar; the key "/" moves to it."""
    return rx.el.form(
        rx.el.input(
            type="search",
            name="text",
            placeholder=_("Search by reference, name, order, frame, postcode + number, email"),
            aria_label=_("Search"),
            auto_complete="off",
            max_length=_LONGEST,
            class_name="desk-search",
            custom_attrs={"data-search": "", "spellCheck": False},
        ),
        rx.el.kbd("/", class_name="pointer-events-none absolute right-2 top-1/2 hidden -translate-y-1/2 lg:block"),
        on_submit=DeskSearch.find,
        role="search",
        # On a phone it has a line of its own below the bar.
        class_name="relative min-w-0 grow max-md:order-last max-md:basis-full max-md:pb-2 md:max-w-[34rem]",
    )
