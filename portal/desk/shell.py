"""The shell around every staff page: bar with its search, navigation, notices and notifications; the error pages.

What is searched for is never part of an address: it is a name or an e-mail address.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import reflex as rx
from reflex.event import EventSpec

from portal import ui
from portal.desk.registry import GROUPS, SAVED, DeskRoute, NavigationItem
from portal.desk.session import StaffSession, may, works_as
from portal.desk.state import DeskCounts, SavedLink
from portal.desk.views import DeskLink, desk_page, table_loading, title
from portal.frontend.load import Form, text_in
from portal.frontend.policies import staff
from portal.frontend.session_end import session_watch
from portal.frontend.toasts import Toasts
from portal.i18n import Text, _, choice, setting
from portal.kernel.texts import both
from portal.reflex_adapter.static import NOT_FOUND
from portal.ui.browser import module
from portal.vocabulary.staff import ROLE_LABELS, Right

SEARCH = "/search"
"""Address of the page with the results, which reads `DeskSearch.text`."""

_MAX_LENGTH = 200


class DeskSearch(rx.State):
    text: rx.Field[str] = rx.field("")
    asked: rx.Field[int] = rx.field(0)

    @rx.event
    @staff(Right.SEE_CASES)
    def find(self, form: Form) -> EventSpec | None:
        self.text = text_in(form, "text").strip()[:_MAX_LENGTH]
        self.asked += 1
        return rx.redirect(SEARCH) if self.text else None


def search_field() -> rx.Component:
    return rx.el.form(
        rx.el.input(
            type="search",
            name="text",
            placeholder=_("Search by reference, name, order, frame, postcode + number, email"),
            aria_label=_("Search"),
            auto_complete="off",
            max_length=_MAX_LENGTH,
            class_name="desk-search",
            custom_attrs={"data-search": "", "spellCheck": False},
        ),
        rx.el.kbd("/", class_name="pointer-events-none absolute right-2 top-1/2 hidden -translate-y-1/2 lg:block"),
        on_submit=DeskSearch.find,
        role="search",
        # On a phone it has a line of its own below the bar.
        class_name="relative min-w-0 grow max-md:order-last max-md:basis-full max-md:pb-2 md:max-w-[34rem]",
    )


class _Keys(rx.Component):
    library = module("desk")
    tag = "Keys"


class _KeySwitch(rx.Component):
    library = module("desk")
    tag = "KeySwitch"


class _SavedLinks(rx.Component):
    library = module("desk")
    tag = "SavedLinks"

    items: rx.Var[list[SavedLink]]
    heading: rx.Var[str]


HOME = "/cases"


def desk_shell(
    *,
    brand: Text,
    navigation: Sequence[NavigationItem],
    protected: Iterable[str],
    on_language: Any,
    searching: bool,
    broken: rx.Component,
) -> rx.Component:
    protected_paths = f"(?:{ui.patterns_of(sorted(protected))})"
    menu = rx.el.nav(
        *_links(navigation),
        aria_label=_("Views"),
        class_name="desk-nav sticky top-13 hidden h-[calc(100dvh-3.25rem)] w-48 overflow-y-auto border-r "
        "border-line bg-white p-3 lg:block xl:w-56",
    )
    return ui.framed(
        _bar(brand, navigation, protected_paths, on_language, searching),
        ui.Account.create(
            protected_paths=protected_paths, logged_in=StaffSession.authenticated, menu=menu, guest=rx.fragment()
        ),
        ui.notice(
            _("This portal was restored from a backup. It sends nothing and deletes nothing until it goes live."),
            tone="warn",
            shown=StaffSession.quiet,
        ),
        # What is read or typed stays in its place, so the warning lies over the lower edge.
        session_watch(StaffSession, class_name="fixed inset-x-0 bottom-0 z-30"),
        footer=_Keys.create(),
        state=ui.ShellState(
            logged_in=StaffSession.authenticated,
            signed_out=StaffSession.signed_out,
            toasts=Toasts.items,
            on_dismiss_toast=Toasts.dismiss,
            on_language=on_language,
        ),
        offline_text=_("No connection. What you typed is safe; we’re trying again."),
        broken=broken,
        class_name="desk-frame",
    )


def _bar(
    brand: Text, navigation: Sequence[NavigationItem], protected_paths: str, on_language: Any, searching: bool
) -> rx.Component:
    member = rx.fragment(
        *([search_field()] if searching else []),
        ui.text(
            rx.cond(
                StaffSession.stores.length() > 0,
                rx.el.span(StaffSession.stores.join(", "), class_name="max-w-48 truncate"),
            ),
            rx.el.span(
                StaffSession.name,
                " · ",
                choice(StaffSession.role, {role.value: label for role, label in ROLE_LABELS.items()}),
                class_name="truncate",
            ),
            look="ml-auto hidden min-w-0 gap-4 whitespace-nowrap xl:flex",
        ),
        rx.el.div(_key_help(), class_name="ml-auto hidden lg:block xl:ml-0"),
        ui.Logout.create(
            _("Log out"),
            action=ui.LOGOUT_ROUTE,
            failure=both(ui.LOGOUT_FAILED),
            class_name="hidden min-h-9 whitespace-nowrap px-2 underline lg:inline-flex lg:items-center",
        ),
        rx.el.div(_drawer(navigation), class_name="ml-auto lg:hidden"),
    )
    return rx.el.header(
        rx.el.a(
            brand,
            " ",
            rx.el.span("balie", class_name="font-normal"),
            to=HOME,
            class_name="flex min-h-11 shrink-0 items-center gap-1 text-lg font-semibold text-on-panel no-underline",
        ),
        ui.Account.create(
            protected_paths=protected_paths,
            logged_in=StaffSession.authenticated,
            menu=member,
            guest=rx.el.span(class_name="ml-auto"),
        ),
        ui.LanguageSwitch.create(label=_("Language"), saved=StaffSession.authenticated, on_choose=on_language),
        class_name="z-20 flex min-h-13 flex-wrap items-center gap-x-3 bg-panel px-4 text-on-panel md:sticky md:top-0 "
        "md:flex-nowrap md:gap-4 md:px-5",
    )


def _links(navigation: Sequence[NavigationItem]) -> list[rx.Component]:
    """The links by group; a group without a link that the person may open has no heading."""
    found: list[rx.Component] = []
    for group, heading in GROUPS.items():
        if group == SAVED:
            found.append(_saved())
        items = [item for item in navigation if item.group == group]
        if not items:
            continue
        if heading:
            any_shown = rx.Var.create(False)
            for right in {item.right for item in items}:
                any_shown = any_shown | may(right)
            found.append(ui.text(_(heading), look="desk-group", shown=any_shown))
        found.append(rx.el.ul(*[rx.cond(_is_shown(item), _line(item)) for item in items], class_name="space-y-0.5"))
    return found


def _is_shown(item: NavigationItem) -> rx.Var[bool]:
    return may(item.right) & works_as(item.roles) if item.roles else may(item.right)


def _saved() -> rx.Component:
    """The links that the person saved. A list cannot be drawn by the framework inside of the shell."""
    return _SavedLinks.create(items=DeskCounts.saved, heading=_(GROUPS[SAVED]))


def _line(item: NavigationItem) -> rx.Component:
    within = {"within": item.within} if item.within is not None else {}
    number: list[rx.Component] = []
    if item.count:
        value = DeskCounts.numbers[item.count].to(int)
        shown = rx.el.span(value, class_name="desk-alarm" if item.alarming else "desk-count")
        number = [rx.cond(value > 0, shown)]
    return rx.el.li(
        DeskLink.create(
            rx.el.span(item.text, class_name="min-w-0"), *number, to=item.path, class_name="desk-link", **within
        )
    )


def _drawer(navigation: Sequence[NavigationItem]) -> rx.Component:
    return ui.Drawer.create(
        ui.muted(
            StaffSession.name,
            " · ",
            choice(StaffSession.role, {role.value: label for role, label in ROLE_LABELS.items()}),
            look="px-2.5",
        ),
        rx.el.nav(*_links(navigation), aria_label=_("Views"), class_name="mt-3"),
        rx.el.div(
            ui.Logout.create(
                _("Log out"), action=ui.LOGOUT_ROUTE, failure=both(ui.LOGOUT_FAILED), class_name="btn btn-secondary"
            ),
            class_name="mt-6 px-2.5",
        ),
        text=_("Menu"),
        label=_("Views"),
        close_label=_("Close menu"),
        class_name="menu-button",
    )


def _key_help() -> rx.Component:
    keys = (
        ("/", _("Search")),
        ("j", _("Next row")),
        ("k", _("Previous row")),
        ("Enter", _("Open this row")),
        ("Esc", _("Back to the list")),
        ("x", _("Select or deselect a row")),
        ("a", _("Assign")),
        ("?", _("This list")),
    )
    return rx.el.div(
        ui.popup(
            _("Keyboard shortcuts"),
            _("Keyboard shortcuts"),
            rx.el.dl(
                *[
                    rx.el.div(rx.el.dt(rx.el.kbd(key)), rx.el.dd(text), class_name="grid grid-cols-[5rem_1fr] py-1")
                    for key, text in keys
                ]
            ),
            _KeySwitch.create(_("Use keyboard shortcuts"), class_name="flex items-center gap-2"),
        ),
        class_name="[&>button]:min-h-9 [&>button]:text-on-panel [&>button:hover]:text-on-panel",
        custom_attrs={"data-keys": ""},
    )


def desk_frame(
    protected: Iterable[str], navigation: Sequence[NavigationItem], *, on_language: Any, searching: bool
) -> rx.Component:
    return desk_shell(
        brand=setting("brand"),
        navigation=navigation,
        protected=protected,
        on_language=on_language,
        searching=searching,
        broken=broken_page(),
    )


def not_found() -> rx.Component:
    return desk_page(
        ui.text(_("Typed the address yourself? Check that it’s right. Followed a link? The page may have moved.")),
        ui.stack(
            rx.cond(
                StaffSession.authenticated,
                ui.link_button(_("Go to the cases"), HOME),
                ui.link_button(_("Log in"), "/login"),
            ),
            top=6,
        ),
        heading=_("Page not found"),
        narrow=True,
    )


def broken_page() -> rx.Component:
    return desk_page(
        ui.text(_("What you sent before is safe. Load the page again, or come back a little later.")),
        ui.row(
            ui.reload_button(_("Load the page again"), "primary"),
            ui.link_button(_("Go to the cases"), HOME, "secondary"),
            top=6,
        ),
        heading=_("This page couldn’t be shown"),
        narrow=True,
    )


def loading_page() -> rx.Component:
    return rx.el.main(
        table_loading(), class_name="desk-page px-4 py-6 md:px-6", custom_attrs={"id": "main", "tabIndex": "-1"}
    )


PAGES = [DeskRoute(NOT_FOUND, not_found, title(_("Page not found")), protected=False)]
