"""The layout around every page: the shop, the menu of part-1 §2, opening hours, and the end of the session."""

from __future__ import annotations

from collections.abc import Iterable

import reflex as rx

from portal.frontend.legal_links import LEGAL_LINKS
from portal.frontend.problems import broken_page, gone, not_found
from portal.frontend.registry import PageRoute
from portal.frontend.session import Language, SessionState
from portal.frontend.session_end import NOTICE_SECONDS, session_watch
from portal.frontend.toasts import Toasts
from portal.i18n import Text, _
from portal.kernel.address import address_lines
from portal.kernel.days import UNTIL, WEEKDAYS
from portal.reflex_adapter.static import NOT_FOUND
from portal.settings import Hours, Variant, settings
from portal.ui import document_title
from portal.ui.shell import MenuItem, ShellState, Shop, shell
from portal.vocabulary.services import RECALL_HEADLINE


def recall_banner() -> rx.Component:
    """Says that a product of the customer is recalled, on every page until they confirm that they have read it."""
    return rx.cond(
        SessionState.authenticated & (SessionState.recall != ""),
        rx.el.section(
            rx.el.a(
                _(RECALL_HEADLINE),
                ": ",
                _("find out what to do"),
                to=rx.Var.create("/recalls/") + SessionState.recall,
                class_name="block px-4 py-3 text-center font-semibold text-err underline",
            ),
            aria_label=_(RECALL_HEADLINE),
            class_name="bg-err-bg",
        ),
    )


MENU = (
    MenuItem(_("My data"), "/my-data"),
    # Includes a single order and its status, but not its return.
    MenuItem(_("Orders"), "/orders", within="^/order(s|-status)/"),
    MenuItem(_("Invoices"), "/invoices"),
    MenuItem(_("Bikes"), "/bikes"),
    MenuItem(_("Service requests"), "/maintenance", within="^/maintenance"),
    MenuItem(_("Returns"), "/returns"),
)
"""The menu of part-1 §2, the invoices and the returns."""


def title(*parts: Text, failed: rx.Var[bool] | None = None) -> rx.Var[str]:
    """The title of a document: "Bestellingen – Bovenbuis"."""
    return document_title(*parts, brand=settings().brand.name, failed=failed)


def frame(protected: Iterable[str]) -> rx.Component:
    """The layout without a page. The app inserts the page."""
    return shell(
        shop=_shop(),
        menu=MENU,
        protected=protected,
        state=ShellState(
            logged_in=SessionState.authenticated,
            signed_out=SessionState.signed_out,
            toasts=Toasts.items,
            on_dismiss_toast=Toasts.dismiss,
            on_language=Language.choose,
        ),
        hours=opening_hours(),
        # The law requires the links to withdraw and to cancel on every page (Directive 2023/2673).
        links=(
            (_("Customer service and service points"), "/contact"),
            (_("Withdraw from a purchase"), "/withdrawal"),
            (_("Cancel a contract"), "/cancel-contract"),
            *LEGAL_LINKS,
        ),
        watch=rx.fragment(
            recall_banner(),
            session_watch(
                SessionState,
                class_name="sticky top-16 z-10",
                notice=min(NOTICE_SECONDS, round(settings().idle_minutes * 30)),
            ),
        ),
        broken=broken_page(),
    )


def _shop() -> Shop:
    brand = settings().brand
    return Shop(
        name=brand.name,
        url=brand.shop_url,
        phone=brand.dialled,
        phone_number=brand.phone,
        email=brand.email,
        address=", ".join(address_lines(brand)),
    )


def opening_hours() -> rx.Component:
    """The opening hours of the customer service of the variant (part-1 §9)."""
    hours = settings().hours
    return rx.cond(SessionState.variant == Variant.RETOUREN.value, _hours(hours.retouren), _hours(hours.mijn))


def _hours(runs: tuple[Hours, ...]) -> rx.Component:
    return rx.el.dl(
        *[
            rx.el.div(
                rx.el.dt(_days(run)),
                rx.el.dd(f"{run.opens:%H:%M}-{run.closes:%H:%M}"),
                class_name="contents",
            )
            for run in runs
        ],
        class_name="grid w-fit grid-cols-[auto_auto] gap-x-4 tabular-nums sm:gap-x-6",
    )


def _days(run: Hours) -> rx.Component:
    until = [" ", _(UNTIL[str(run.last_day)])] if run.first_day != run.last_day else []
    return rx.fragment(_(WEEKDAYS[str(run.first_day)]), *until)


PAGES = [
    PageRoute(NOT_FOUND, not_found, title(_("Page not found")), protected=False, for_both=True),
    PageRoute("gone", gone, title(_("This page is no longer accessible.")), protected=False, for_both=True),
]
