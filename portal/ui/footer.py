"""The footer: help in the same place on every page (flow-standard F49)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import reflex as rx

from portal.i18n import Text, _
from portal.ui.buttons import anchor
from portal.ui.page import WIDE


@dataclass(frozen=True, slots=True)
class Shop:
    """What the shell says about the shop.

    Attributes:
        name: The brand.
        url: Its main site.
        phone: As people dial it.
        phone_number: E.164, for the link.
        email: Of customer service.
    """

    name: str
    url: str
    phone: str
    phone_number: str
    email: str


def page_footer(shop: Shop, hours: rx.Component, links: Sequence[tuple[Text, str]]) -> rx.Component:
    """Help, opening hours and the way to the shop.

    Args:
        shop: What is said about the shop.
        hours: Opening hours of customer service.
        links: Text and path of pages that have to be within reach from everywhere.
    """
    link = "text-paper underline inline-flex items-center min-h-11"
    return rx.el.footer(
        rx.el.div(
            rx.el.section(
                rx.el.h2(_("Need help?"), class_name="text-h3"),
                rx.el.p(
                    anchor(shop.phone, href=f"tel:{shop.phone_number}", class_name=f"{link} mr-6 tabular-nums"),
                    anchor(shop.email, href=f"mailto:{shop.email}", class_name=link),
                    class_name="mt-1",
                ),
                aria_label=_("Customer service"),
            ),
            rx.el.section(
                rx.el.h2(_("Opening hours of customer service"), class_name="text-h3"),
                rx.el.div(hours, class_name="mt-3"),
            ),
            rx.el.section(
                rx.el.h2(shop.name, class_name="text-h3"),
                rx.el.ul(
                    rx.el.li(anchor(_("To the shop"), href=shop.url, class_name=link)),
                    *[rx.el.li(rx.el.a(text, to=path, class_name=link)) for text, path in links],
                    class_name="mt-1",
                ),
            ),
            class_name=f"{WIDE} grid gap-8 py-10 md:grid-cols-3",
        ),
        class_name="bg-ink text-paper",
    )
