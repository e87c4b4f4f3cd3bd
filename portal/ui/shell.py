"""The shell around every page: header, banners, footer and notifications (part-1 §2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import reflex as rx

from portal.i18n import Text, _
from portal.kernel.texts import N_, both
from portal.reflex_adapter.var import CONNECTION_LOST
from portal.ui import illustrations
from portal.ui.blocks import anchor
from portal.ui.browser import module
from portal.ui.feedback import toaster
from portal.ui.page import OWN_TAB, WIDE, short_patterns_of


@dataclass(frozen=True, slots=True)
class Shop:
    """Name and contact details of the shop, as the shell shows them.

    `phone`: Phone number as people dial it.
    `phone_number`: The same number as E.164, for the link.
    `email`: E-mail address of customer service.
    """

    name: Text
    url: Text
    phone: Text
    phone_number: Text
    email: Text
    address: Text


def page_footer(shop: Shop, hours: rx.Component, links: Sequence[tuple[Text, str]]) -> rx.Component:
    """The footer: help, opening hours and the link to the shop."""
    link = "text-on-panel underline inline-flex items-center min-h-11"
    return rx.el.footer(
        rx.el.div(
            rx.el.section(
                rx.el.h2(_("Need help?"), class_name="text-h3"),
                rx.el.p(
                    anchor(shop.phone, href=f"tel:{shop.phone_number}", class_name=f"{link} mr-6 tabular-nums"),
                    anchor(shop.email, href=f"mailto:{shop.email}", class_name=f"{link} [overflow-wrap:anywhere]"),
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
                rx.el.p(shop.address),
                rx.el.ul(
                    rx.el.li(anchor(_("Go to the shop"), href=shop.url, class_name=link)),
                    *[rx.el.li(rx.el.a(text, to=path, class_name=link)) for text, path in links],
                    class_name="mt-1",
                ),
                # Three columns are too narrow for hours and addresses on a tablet.
                class_name="md:max-lg:col-start-2 md:max-lg:row-span-2 md:max-lg:row-start-1",
            ),
            class_name=f"{WIDE} grid gap-8 py-10 md:grid-cols-2 lg:grid-cols-3",
        ),
        class_name="bg-panel text-on-panel",
    )


LOGOUT_ROUTE = "/auth/logout"
LOGOUT_FAILED = N_("Logging out failed, please try again.")


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One item of the menu.

    `within`: Pattern of further paths for which it is marked as current; by default those below `path`.
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


class Account(rx.Component):
    """The menu of somebody who is logged in, or what a visitor gets instead."""

    library = module("navigation")
    tag = "Account"

    protected_paths: rx.Var[str]
    logged_in: rx.Var[bool]
    menu: rx.Var[rx.Component]
    guest: rx.Var[rx.Component]


class LanguageSwitch(rx.Component):
    """Two buttons that choose the language."""

    library = module("page")
    tag = "LanguageSwitch"

    label: rx.Var[str]
    saved: rx.Var[bool]
    on_choose: Annotated[rx.EventHandler, _chosen]


class Drawer(rx.Component):
    """The menu of small screens."""

    library = module("dialog")
    tag = "Drawer"

    text: rx.Var[str]
    label: rx.Var[str]
    close_label: rx.Var[str]


class Logout(rx.Component):
    """A button that ends the session."""

    library = module("page")
    tag = "LogoutButton"

    action: rx.Var[str]
    failure: rx.Var[dict[str, str]]


def page_header(
    shop_name: Text,
    shop_url: Text,
    menu: Sequence[MenuItem],
    protected: Iterable[str],
    logged_in: rx.Var[bool] | bool,
    on_language: Any,
) -> rx.Component:
    """The header, which stays visible while the page scrolls."""
    return rx.el.header(
        rx.el.div(
            rx.el.a(
                illustrations.city_bike("h-7 w-11 shrink-0"),
                rx.el.span(shop_name, class_name="max-[399px]:sr-only lg:max-xl:sr-only"),
                to="/",
                class_name="flex min-h-11 items-center gap-2 text-lg font-semibold text-on-panel no-underline",
            ),
            Account.create(
                protected_paths=short_patterns_of(protected),
                logged_in=logged_in,
                menu=_menu(menu),
                guest=_way_back(shop_url),
            ),
            rx.el.div(
                LanguageSwitch.create(label=_("Language"), saved=logged_in, on_choose=on_language),
                class_name="order-2 ml-auto lg:order-3 lg:ml-0",
            ),
            class_name=f"{WIDE} flex h-16 items-center gap-2 md:gap-4 lg:gap-2 xl:gap-4",
        ),
        class_name="sticky top-0 z-20 bg-panel text-on-panel",
    )


def _menu(items: Sequence[MenuItem]) -> rx.Component:
    return rx.fragment(
        rx.el.nav(
            *_menu_lines(items, "menu-link"),
            aria_label=_("Main menu"),
            class_name="order-2 ml-auto hidden gap-1 lg:flex",
        ),
        rx.el.div(
            Drawer.create(
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
    logout = Logout.create(_("Log out"), action=LOGOUT_ROUTE, failure=both(LOGOUT_FAILED), class_name=style)
    return [*lines, logout]


def _menu_line(item: MenuItem, style: str) -> rx.Component:
    within = {"within": item.within} if item.within is not None else {}
    return _MenuLink.create(item.text, to=item.path, class_name=style, **within)


def _way_back(shop_url: Text) -> rx.Component:
    return rx.el.nav(
        anchor(
            rx.el.span("← ", aria_hidden="true"),
            _("Back to the shop"),
            href=shop_url,
            # Where there is no room, such as in a wider font, the text wraps to two lines.
            class_name="menu-link whitespace-normal",
        ),
        aria_label=_("Back"),
        class_name="order-2 ml-auto",
    )


@dataclass(frozen=True, slots=True)
class ShellState:
    """The Vars and events that the shell uses.

    `signed_out`: Whether the session has just ended, so that the page must be reloaded.
    `on_dismiss_toast`: Event with the id of a notification that was closed.
    `on_language`: Event with the chosen language; sent only when the visitor is logged in.
    """

    logged_in: rx.Var[bool] | bool
    signed_out: rx.Var[bool] | bool
    toasts: rx.Var[Sequence[dict[str, Any]]]
    on_dismiss_toast: Any
    on_language: Any


class FocusOnNavigation(rx.Component):
    """Moves the focus to the heading of the next page."""

    library = module("navigation")
    tag = "FocusOnNavigation"


class _FirstData(rx.Component):
    library = module("first")
    tag = "FirstData"


class DocumentLanguage(rx.Component):
    """Keeps the language of the document in step."""

    library = module("language")
    tag = "DocumentLanguage"


class LoadFont(rx.Component):
    """Loads the font after everything else."""

    library = module("page")
    tag = "LoadFont"


class LogoutFailed(rx.Component):
    """Says that the session could not be ended."""

    library = module("page")
    tag = "LogoutFailed"


class ConnectionBanner(rx.Component):
    """Says when the server cannot be reached."""

    library = module("page")
    tag = "ConnectionBanner"

    lost: rx.Var[bool]
    offline_text: rx.Var[str]
    online_text: rx.Var[str]
    waiting_text: rx.Var[str]


class ReloadWhen(rx.Component):
    """Loads the page anew once a condition holds."""

    library = module("page")
    tag = "ReloadWhen"

    when: rx.Var[bool]


class Frame(rx.Component):
    """The shell around a page; a page that breaks leaves it standing."""

    library = module("page")
    tag = "Frame"

    before: rx.Var[rx.Component]
    after: rx.Var[rx.Component]
    fallback: rx.Var[rx.Component]


def shell(
    *,
    shop: Shop,
    menu: Sequence[MenuItem],
    protected: Iterable[str],
    state: ShellState,
    hours: rx.Component,
    links: Sequence[tuple[Text, str]],
    watch: rx.Component,
    broken: rx.Component,
) -> rx.Component:
    """The shell around every page. The app adds the page as its child."""
    return framed(
        page_header(shop.name, shop.url, menu, protected, state.logged_in, state.on_language),
        _without_scripts(shop),
        watch,
        footer=rx.fragment(_FirstData.create(), page_footer(shop, hours, links)),
        state=state,
        offline_text=_("No connection. Your answers are safe; we’re trying again."),
        broken=broken,
        class_name="flex min-h-dvh flex-col",
    )


_NEEDS_SCRIPTS = N_(
    "JavaScript is off. You can view your data, but you can’t request or change anything here. Turn on JavaScript, or "
    "call us: {phone}."
)


def _without_scripts(shop: Shop) -> rx.Component:
    """What a browser without scripts can do, in both languages. `theme.css` hides what only scripts fill."""
    link = "inline-flex min-h-11 items-center underline"
    return rx.el.noscript(
        rx.el.section(
            *[
                rx.el.p(
                    *(shop.phone if part == "{phone}" else part for part in re.split(r"(\{phone\})", text)),
                    " ",
                    anchor(name, href=f"?lang={lang}&chosen=1", class_name=link),
                    lang=lang,
                    class_name=WIDE,
                )
                for (lang, text), name in zip(both(_NEEDS_SCRIPTS).items(), ("Nederlands", "English"), strict=True)
            ],
            aria_label="JavaScript",
            class_name="border-b border-warn-line bg-warn-bg py-3 text-ink",
        )
    )


def framed(
    header: rx.Component,
    *below: rx.Component,
    footer: rx.Component,
    state: ShellState,
    offline_text: Text,
    broken: rx.Component,
    class_name: str,
) -> rx.Component:
    """What the shells of both sites share: skip link, banners, notifications, focus and language."""
    before = rx.fragment(
        anchor(_("Skip to content"), href="#main", class_name="skip-link"),
        header,
        ConnectionBanner.create(
            lost=CONNECTION_LOST,
            offline_text=offline_text,
            online_text=_("Connected again."),
            waiting_text=_("Waiting for the connection…"),
        ),
        LogoutFailed.create(_(LOGOUT_FAILED)),
        *below,
    )
    after = rx.fragment(
        LoadFont.create(),
        footer,
        toaster(state.toasts, state.on_dismiss_toast),
        DocumentLanguage.create(),
        FocusOnNavigation.create(),
        ReloadWhen.create(when=state.signed_out),
        rx.el.script(OWN_TAB),
    )
    return Frame.create(before=before, after=after, fallback=broken, class_name=class_name)
