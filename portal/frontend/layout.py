"""The pages for problems, and the layout around every page: shop, menu (part-1 §2), hours, end of the session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import reflex as rx

from portal import ui
from portal.frontend.registry import PageRoute
from portal.frontend.session import Language, SessionState
from portal.frontend.session_end import session_watch
from portal.frontend.texts import field_message, message, refusal
from portal.frontend.toasts import Toasts
from portal.i18n import Text, _, setting
from portal.reflex_adapter.static import NOT_FOUND
from portal.setting_groups import Variant
from portal.vocabulary.services import RECALL_HEADLINE

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
    page = ui.page_frame(
        *[ui.lead(sentence, look="max-w-form", top=3) for sentence in sentences],
        ui.row(*actions, top=8),
        contact_line(),
        above=rx.el.div(picture, class_name="mb-6 w-56 text-ink-500"),
        title=title,
    )
    # With a key it takes no elements over from a page that was loading: these would move.
    return rx.fragment(page, key="problem")


def contact_line() -> rx.Component:
    email = setting("email")
    return ui.muted(
        _("Still stuck? Our customer service is happy to help:"),
        " ",
        ui.anchor(email, href=f"mailto:{email}", class_name=f"{ui.LINK} wrap-anywhere"),
        ".",
        look="max-w-form",
        top=8,
    )


def not_found() -> rx.Component:
    return problem_page(
        _("Page not found"),
        _("Typed the address yourself? Check that it’s right. Followed a link? The page may have moved."),
        picture=ui.illustrations.empty_track(),
        actions=(_way_on(),),
    )


def _way_on() -> rx.Component:
    overview, login = ui.link_button(_("To overview"), "/dashboard"), ui.link_button(_("Log in"), "/")
    return rx.cond(SessionState.authenticated, overview, login)


def gone() -> rx.Component:
    return problem_page(
        _("This page is no longer accessible."),
        _("You’ll now find what you could arrange here somewhere else in your account."),
        picture=ui.illustrations.empty_track(),
        actions=(_way_on(),),
    )


def broken_page() -> rx.Component:
    return problem_page(
        _("This page couldn’t be shown"),
        _("What you sent before is safe. Load the page again, or come back a little later."),
        picture=ui.illustrations.broken_chain(),
        actions=(
            ui.reload_button(_("Load the page again"), "primary"),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
        ),
    )


def loading_page() -> rx.Component:
    return ui.page_frame(ui.skeleton("h-11 w-72 max-w-full appear"), ui.skeleton_cards(3, "h-40"))


class LegalLink(NamedTuple):
    name: rx.Var[str]
    path: str


PRIVACY = LegalLink(_("Privacy statement"), "/privacy")
TERMS = LegalLink(_("Terms and conditions"), "/terms")
ACCESSIBILITY = LegalLink(_("Accessibility"), "/accessibility")

LEGAL_LINKS = (PRIVACY, TERMS, ACCESSIBILITY)


def privacy_note(class_name: str = "") -> rx.Component:
    """A line for forms that ask for personal data: what these are used for (Regulation (EU) 2016/679, article 13)."""
    return rx.el.p(
        _("We only use your data for your request."),
        " ",
        ui.text_link(_("How we handle your data"), PRIVACY.path),
        class_name=f"text-sm text-ink-600 {class_name}".rstrip(),
    )


def recall_banner() -> rx.Component:
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
    ui.MenuItem(_("My data"), "/my-data"),
    # Includes a single order and its status, but not its return.
    ui.MenuItem(_("Orders"), "/orders", within="^/order(s|-status)/"),
    ui.MenuItem(_("Invoices"), "/invoices"),
    ui.MenuItem(_("Bikes"), "/bikes"),
    ui.MenuItem(_("Service requests"), "/maintenance", within="^/maintenance"),
    ui.MenuItem(_("Returns"), "/returns"),
)
"""The menu of part-1 §2, the invoices and the returns."""


def title(*parts: Text, failed: rx.Var[bool] | None = None) -> rx.Var[str]:
    """The title of a document: "Bestellingen – Bovenbuis"."""
    return ui.document_title(*parts, brand=setting("brand"), failed=failed)


def frame(protected: Iterable[str]) -> rx.Component:
    return ui.shell(
        shop=_shop(),
        menu=MENU,
        protected=protected,
        state=ui.ShellState(
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
                notice=setting("notice_seconds").to(int),
            ),
        ),
        broken=broken_page(),
    )


def _shop() -> ui.Shop:
    return ui.Shop(
        name=setting("brand"),
        url=setting("shop_url"),
        phone=setting("phone"),
        phone_number=setting("phone_number"),
        email=setting("email"),
        address=setting("address"),
    )


def opening_hours() -> rx.Component:
    returns = SessionState.variant == Variant.RETOUREN.value
    hours = rx.cond(returns, setting("hours.retouren"), setting("hours.mijn"))
    return rx.el.dl(
        custom_attrs={"dangerouslySetInnerHTML": rx.Var.create({"__html": hours})},
        class_name="grid w-fit grid-cols-[auto_auto] gap-x-4 tabular-nums sm:gap-x-6",
    )


PAGES = [
    PageRoute(NOT_FOUND, not_found, title(_("Page not found")), protected=False, for_both=True),
    PageRoute("gone", gone, title(_("This page is no longer accessible.")), protected=False, for_both=True),
]
