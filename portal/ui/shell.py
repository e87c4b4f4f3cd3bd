"""The header: logo, menu, language switch, the way back to the shop (part-1 §2 Layout)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.i18n import N_, Text, _, both
from portal.ui import illustrations
from portal.ui.browser import module
from portal.ui.buttons import anchor
from portal.ui.page import WIDE

LOGOUT_ROUTE = "/auth/logout"
LOGOUT_FAILED = N_("Logging out failed, please try again.")


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line of the menu.

    Attributes:
        text: What it says.
        path: Where it leads.
        within: Pattern of other paths that belong to it; by default those below `path`.
    """

    text: Text
    path: str
    within: str | None = None


def _chosen(language: rx.Var[str]) -> tuple[rx.Var[str]]:
    return (language,)


class _MenuLink(rx.Component):
    library = module("navigation")
    tag = "MenuLink"

    to: rx.Var[str]
    within: rx.Var[str]


class _Account(rx.Component):
    library = module("navigation")
    tag = "Account"

    open_paths: rx.Var[list[str]]
    logged_in: rx.Var[bool]
    menu: rx.Var[rx.Component]
    guest: rx.Var[rx.Component]


class _LanguageSwitch(rx.Component):
    library = module("page")
    tag = "LanguageSwitch"

    label: rx.Var[str]
    told: rx.Var[bool]
    on_choose: rx.EventHandler[_chosen]


class _Drawer(rx.Component):
    library = module("dialog")
    tag = "Drawer"

    text: rx.Var[str]
    label: rx.Var[str]
    close_label: rx.Var[str]


class _Logout(rx.Component):
    library = module("page")
    tag = "LogoutButton"

    action: rx.Var[str]
    failure: rx.Var[dict[str, str]]


def page_header(
    shop_name: str,
    shop_url: str,
    menu: Sequence[MenuItem],
    open_paths: Sequence[str],
    logged_in: rx.Var[bool] | bool,
    on_language: Any,
) -> rx.Component:
    """The header, which stays in sight.

    Args:
        shop_name: The brand.
        shop_url: Its main site.
        menu: Lines of the menu of somebody who is logged in.
        open_paths: Paths that need no session, with a slash at the end for all below one; elsewhere the menu stands
            there from the first moment.
        logged_in: Whether there is a session.
        on_language: Event with the chosen language; sent only for somebody who is logged in.
    """
    return rx.el.header(
        rx.el.div(
            rx.el.a(
                illustrations.city_bike("h-7 w-11 shrink-0"),
                rx.el.span(shop_name, class_name="max-[399px]:sr-only"),
                to="/",
                class_name="flex min-h-11 items-center gap-2 text-lg font-semibold text-white no-underline",
            ),
            _Account.create(
                open_paths=list(open_paths),
                logged_in=logged_in,
                menu=_menu(menu),
                guest=_way_back(shop_url),
            ),
            rx.el.div(
                _LanguageSwitch.create(label=_("Language"), told=logged_in, on_choose=on_language),
                class_name="order-2 ml-auto lg:order-3 lg:ml-0",
            ),
            class_name=f"{WIDE} flex h-16 items-center gap-2 md:gap-4",
        ),
        class_name="sticky top-0 z-20 bg-ink text-white",
    )


def _menu(items: Sequence[MenuItem]) -> rx.Component:
    return rx.fragment(
        rx.el.nav(
            *_menu_lines(items, "menu-link"),
            aria_label=_("Main menu"),
            class_name="order-2 ml-auto hidden gap-1 lg:flex",
        ),
        rx.el.div(
            _Drawer.create(
                rx.el.nav(
                    *_menu_lines(items, "drawer-link"), aria_label=_("Main menu"), class_name="mt-2 flex flex-col"
                ),
                text=_("Menu"),
                label=_("Main menu"),
                close_label=_("Close menu"),
                class_name="menu-button",
            ),
            class_name="order-3 lg:hidden",
        ),
    )


def _menu_lines(items: Sequence[MenuItem], style: str) -> list[rx.Component]:
    lines = [_menu_line(item, style) for item in items]
    logout = _Logout.create(_("Log out"), action=LOGOUT_ROUTE, failure=both(LOGOUT_FAILED), class_name=style)
    return [*lines, logout]


def _menu_line(item: MenuItem, style: str) -> rx.Component:
    within = {"within": item.within} if item.within is not None else {}
    return _MenuLink.create(item.text, to=item.path, class_name=style, **within)


def _way_back(shop_url: str) -> rx.Component:
    return rx.el.nav(
        anchor(
            rx.el.span("← ", aria_hidden="true"),
            _("Back to the shop"),
            href=shop_url,
            # On the smallest screens the text takes two lines.
            class_name="menu-link max-[359px]:text-sm max-[359px]:whitespace-normal",
        ),
        aria_label=_("Back"),
        class_name="order-2 ml-auto min-w-0",
    )
