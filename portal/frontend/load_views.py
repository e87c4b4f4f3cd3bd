"""The views of loading, loaded, failed and missing pages; download links; and pages with a list of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reflex as rx

from portal import ui
from portal.contract.account import AccountFact, LocalizedText
from portal.frontend.layout import not_found, title
from portal.frontend.live import Loadable, live_line
from portal.frontend.load import FAILED, LOADING, MISSING, READY, Loading
from portal.frontend.session import SessionState
from portal.frontend.texts import in_groups
from portal.i18n import Text, _, localized, setting
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import both
from portal.reflex_adapter.var import browser_function
from portal.ui.browser import module


def is_here(page: type[Loadable]) -> rx.Var[bool]:
    return browser_function("isHere", module("navigation")).call(page.subject).to(bool)


def loaded(
    page: type[Loadable], content: rx.Component, *, failure: Text, loading: rx.Component | None = None
) -> rx.Component:
    failed = ui.error_block(
        failure,
        on_retry=page.load,
        more=ui.muted(_("Still not working?"), " ", ui.text_link(_("Contact us"), "/contact"), top=4),
    )
    placeholder = rx.fragment(ui.skeleton_cards() if loading is None else loading, slow_note())
    shown = rx.el.div(content, custom_attrs={"aria-busy": rx.cond(page.busy, "true", "false")})
    state = page.view_state
    if page._about is not Loading._about:
        state = rx.cond((state == READY) & ~is_here(page), LOADING, state).to(str)
    view = rx.match(state, (READY, shown), (FAILED, failed), placeholder)
    # If the session cannot be checked, the page shows no data and does not redirect to the login.
    return rx.cond(SessionState.authenticated, view, rx.cond(SessionState.unavailable, failed, placeholder))


def unless_missing(page: type[Loadable], content: rx.Component) -> rx.Component:
    return rx.cond(page.view_state == MISSING, not_found(), content)


def detail_title(page: type[Loadable], *parts: Text) -> rx.Var[str]:
    return rx.cond(page.view_state == MISSING, title(_("Page not found")), title(*parts)).to(str)


def slow_note() -> rx.Component:
    return ui.muted(
        _("This is taking longer than usual. We’ll keep trying; you can wait or come back later."),
        look="appear-late",
        top=6,
    )


class _Download(rx.Component):
    library = module("downloads")
    tag = "DownloadLink"

    href: rx.Var[str]
    failure: rx.Var[dict[str, str]]
    failed_text: rx.Var[str]
    pending_text: rx.Var[str]
    code: rx.Var[str]


def download_link(
    path: rx.Var[str], failed: Code, *children: Any, class_name: str = "btn-text shrink-0"
) -> rx.Component:
    return _Download.create(
        *children,
        href=path,
        code=failed.value,
        failure=both(MESSAGES[failed]),
        failed_text=_(MESSAGES[failed]),
        pending_text=_("Loading…"),
        class_name=class_name,
    )


def _file_link(
    path: str, failed: Code = Code.PDF_FAILED, usual: str = "btn-text shrink-0"
) -> Callable[..., rx.Component]:
    def link(key: rx.Var[str], *children: Any, class_name: str = usual) -> rx.Component:
        return download_link(rx.Var.create(path.format(key)), failed, *children, class_name=class_name)

    return link


invoice_link = _file_link("/files/invoices/{}.pdf", usual=f"{ui.LINK} inline-flex items-center min-h-11")
request_link = _file_link("/files/requests/{}.pdf")
calendar_link = _file_link("/files/requests/{}.ics", Code.CALENDAR_FAILED)
return_label_link = _file_link("/files/returns/{}/label.pdf")
return_summary_link = _file_link("/files/returns/{}.pdf")
delivery_calendar_link = _file_link("/files/deliveries/{}.ics", Code.CALENDAR_FAILED)
date_change_link = _file_link("/files/delivery-dates/{}.pdf")
insurance_document_link = _file_link("/files/insurance-documents/{}.pdf")

Shown = Callable[[Any], rx.Component]
COVERING = "text-ink no-underline after:absolute after:inset-0 after:rounded-card"
"""CSS classes of a link that covers its whole card."""

CARD = "group card relative hover:shadow-card md:p-8"
"""CSS classes of a card with such a link."""


def under_way_page(
    page: Any,
    path: str,
    *,
    title: Text,
    failure: Text,
    under_way: Shown,
    earlier: Shown,
    below: rx.Component,
    empty: rx.Component,
) -> rx.Component:
    entries = rx.fragment(
        rx.cond(page.under_way.length() > 0, _part(_("Under way"), page.under_way, under_way)),
        rx.cond(page.earlier.length() > 0, _part(_("Earlier"), page.earlier, earlier)),
        ui.pagination(page.page, page.pages, to=lambda number: f"{path}?page=" + number.to_string()),
        below,
    )
    return ui.page_frame(
        loaded(
            page,
            rx.fragment(live_line(page), rx.cond(page.total > 0, entries, empty)),
            failure=failure,
            loading=ui.skeleton_cards(2, "h-48"),
        ),
        title=title,
    )


def _part(heading: Text, entries: Any, shown: Shown) -> rx.Component:
    return rx.el.section(rx.el.h2(heading), ui.item_list(entries, shown, gap=4, top=4), class_name="mt-8")


def help_card(number: rx.Var[str], class_name: str = "") -> rx.Component:
    phone, number_of_phone = setting("phone"), setting("phone_number")
    return ui.card(
        ui.subheading(_("Need help?")),
        ui.text(
            ui.anchor(phone, href=f"tel:{number_of_phone}", class_name=f"{ui.LINK} inline-flex min-h-11 items-center"),
            look="tabular-nums",
        ),
        ui.muted(_("Mention number {number}.", number=number), look="tabular-nums", shown=number != ""),
        class_name=class_name,
    )


def status_panel(*said: rx.Component, picture: rx.Component) -> rx.Component:
    return rx.el.div(
        ui.block(*said),
        rx.el.div(picture, class_name="w-full overflow-hidden rounded-card bg-paper md:w-72 md:shrink-0 lg:w-96"),
        class_name="mt-8 flex gap-6 rounded-panel bg-panel p-6 text-on-panel max-md:flex-col md:items-center "
        "md:justify-between md:gap-8 md:p-10",
    )


def card_body(picture: rx.Component, heading: rx.Component, status: rx.Component, *said: Any) -> rx.Component:
    head = rx.el.div(heading, status, class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-3")
    return rx.el.div(
        rx.el.div(picture, class_name="self-start md:row-span-2"),
        head,
        rx.el.div(*said, class_name="mt-4 min-w-0 max-md:col-span-2 md:mt-3"),
        class_name="grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-4 md:grid-cols-[10rem_minmax(0,1fr)] "
        "md:grid-rows-[auto_1fr] md:items-start md:gap-x-8",
    )


def card_facts(*facts: rx.Component) -> rx.Component:
    return rx.el.dl(
        *facts, class_name="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4"
    )


def card_fact(
    name: Text, value: rx.Component | rx.Var[str], class_name: str = "font-semibold tabular-nums"
) -> rx.Component:
    return rx.el.div(rx.el.dt(name, class_name="text-sm text-ink-600"), rx.el.dd(value, class_name=class_name))


def text_fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    """One fact of a card whose value may be a text of several lines."""
    return card_fact(name, value, "break-words whitespace-pre-line")


def reference_number(reference: rx.Var[str]) -> rx.Component:
    """A reference number, written in groups, with the button that copies it."""
    return rx.el.span(
        rx.el.span(in_groups(reference), class_name="text-lg font-semibold tracking-wider tabular-nums"),
        ui.copy_button(reference, _("Copy reference number")),
        class_name="flex flex-wrap items-center gap-x-4",
    )


def account_fact(fact: rx.vars.ObjectVar[AccountFact]) -> rx.Component:
    lines = rx.foreach(fact.lines.to(list[LocalizedText]), lambda line: ui.line(localized(line)))
    return text_fact(localized(fact.label), rx.fragment(lines))


def view_status() -> rx.Component:
    return ui.strong(_("View the status"), ui.chevron(), look="flex items-center gap-1", top=5, aria_hidden="true")


ROW_PICTURE = "w-16 max-sm:self-start md:w-24"
"""CSS classes of the picture of a past entry."""


def earlier_row(heading: rx.Component, asked: Text, status: rx.Component, picture: rx.Component) -> rx.Component:
    return rx.el.li(
        picture,
        rx.el.div(heading, ui.small(asked), class_name="min-w-0 grow basis-40"),
        status,
        ui.chevron("max-sm:hidden"),
        class_name="group card relative flex flex-wrap items-center gap-x-6 gap-y-3 hover:shadow-card",
    )
