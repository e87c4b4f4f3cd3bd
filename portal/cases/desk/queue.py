"""The page of the queue, and the page with the results of a search."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.cases.api import MAX_VIEW_NAME_LENGTH, NOBODY
from portal.cases.desk.queue_state import QUEUE, VIEW_NAME, CaseQueue, FoundCases, LastList
from portal.cases.desk.rows import batch, case_rows, row_count, row_keys, staff_options, store_options
from portal.desk.downloads import download_notice
from portal.desk.forms import refused, typed_choice
from portal.desk.registry import CASES, KINDS, DeskRoute, NavigationItem
from portal.desk.session import may, works_as
from portal.desk.shell import SEARCH, DeskSearch
from portal.desk.state import DeskCounts
from portal.desk.views import desk_loaded, desk_page, panel, title
from portal.frontend.load import READY
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import CASE_SORTS, CASE_VIEWS, KINDS_OF, STATUSES_OF, CaseKind, CaseSort, CaseView
from portal.vocabulary.staff import Right, Role

KIND_NAMES: dict[CaseKind, str] = {
    CaseKind.REPAIR: N_("Repairs"),
    CaseKind.SERVICE: N_("Services"),
    CaseKind.CLAIM: N_("Claims"),
    CaseKind.RETURN: N_("Returns"),
    CaseKind.WITHDRAWAL: N_("Withdrawals"),
    CaseKind.INSURANCE: N_("Insurance policies"),
    CaseKind.DATE_CHANGE: N_("Delivery days"),
    CaseKind.CONTRACT_END: N_("Cancellations"),
    CaseKind.BATTERY_ALARM: N_("Battery alarms"),
}
"""Names of the links of the navigation."""


_AGES: tuple[tuple[str, Text], ...] = (
    ("", _("Any age")),
    *[(str(days), _("{days} days and older", days=days)) for days in (2, 7, 14)],
)


def _statuses(kind: CaseKind) -> tuple[tuple[str, str], ...]:
    return tuple((str(status), label) for status, label in STATUSES_OF[kind].items() if status != "unknown")


def queue() -> rx.Component:
    return desk_page(
        download_notice(CaseQueue.failed),
        _filters(),
        batch(CaseQueue),
        desk_loaded(
            CaseQueue,
            rx.cond(CaseQueue.rows.length() > 0, case_rows(CaseQueue), _empty()),
            failure=_("The queue couldn’t be loaded."),
        ),
        heading=_heading(),
        count=rx.cond(CaseQueue.view_state == READY, row_count(CaseQueue), ""),
        beside=row_keys(),
        above=ui.error_summary({VIEW_NAME: _name_error()}, CaseQueue.attempt),
    )


def found() -> rx.Component:
    return desk_page(
        # Another search from this page does not change the address.
        rx.el.span(key=DeskSearch.asked.to_string(), on_mount=FoundCases.load),
        batch(FoundCases),
        desk_loaded(
            FoundCases,
            rx.cond(
                FoundCases.rows.length() > 0,
                rx.fragment(
                    ui.text(
                        _("There are more results than fit here. Be more specific: add a last name, for example."),
                        look="notice",
                        bottom=4,
                        role="status",
                        shown=FoundCases.more,
                    ),
                    case_rows(FoundCases),
                ),
                panel(
                    None,
                    ui.strong(rx.cond(FoundCases.searched != "", _("Nothing found."), _("What are you looking for?"))),
                    ui.muted(
                        _(
                            "Search by reference, the start of a name, email address, order number, frame number, or "
                            "postcode and house number. You won’t see cases of other stores."
                        ),
                        top=1,
                    ),
                ),
            ),
            failure=_("The search didn’t work."),
        ),
        heading=_("Search results"),
        count=rx.cond(
            (FoundCases.view_state == READY) & (FoundCases.searched != ""),
            rx.fragment(_("‘{quote}’", quote=FoundCases.searched), " · ", row_count(FoundCases)),
            "",
        ),
        beside=row_keys(),
    )


def _heading() -> Any:
    views = {view.value: _(label) for view, label in CASE_VIEWS.items()}
    kinds = {kind.value: _(label) for kind, label in KIND_NAMES.items()}
    given = CaseQueue.filters
    view = given["view"].to(str)
    kind = given["kind"].to(str)
    return rx.cond(
        given.contains("kind"),
        choice(kind, kinds),
        rx.cond(given.contains("view"), choice(view, views), _(CASE_VIEWS[CaseView.OPEN])),
    )


def _filters() -> rx.Component:
    people = [("", _("Everyone")), (NOBODY, _("No one"))]
    kinds = [
        rx.cond(works_as(_roles(kind)), rx.el.option(_(name), value=kind.value)) for kind, name in KIND_NAMES.items()
    ]
    return rx.el.div(
        _select("view", _("View"), [(view.value, _(label)) for view, label in CASE_VIEWS.items()]),
        _select("kind", _("Kind"), [("", _("All kinds"))], *kinds),
        rx.cond(
            CaseQueue.stores.length() > 1,
            typed_choice(
                store_options(CaseQueue.stores),
                first=[("", _("All stores")), ("desk", _("No store"))],
                label=_("Store"),
                value=CaseQueue.filters["store"].to(str),
                on_choose=CaseQueue.narrow("store"),
                class_name="chip min-w-0 bg-white md:w-40",
            ),
        ),
        rx.cond(
            CaseQueue.shops.length() > 0,
            _select(
                "shop",
                _("Shop"),
                [("", _("All shops"))],
                rx.foreach(CaseQueue.shops, lambda shop: rx.el.option(shop.name, value=shop.shop)),
            ),
        ),
        # Two kinds may call the same status by two names.
        rx.cond(
            CaseQueue.filters.contains("kind"), _select("status", _("Status"), [("", _("Any status"))], _of_kind())
        ),
        _select("days", _("Age"), list(_AGES)),
        _select("person", _("Assigned to"), people, staff_options(CaseQueue.people)),
        _select("sort", _("Order"), [(sort.value, _(label)) for sort, label in CASE_SORTS.items()]),
        rx.cond((CaseQueue.query != "") & (CaseQueue.view_state == READY), _keeping()),
        # The filters of the address are known once the list is loaded; before, it would download all cases.
        ui.anchor(
            _("Download as CSV"),
            href=rx.Var.create("/files/cases.csv?").to(str) + CaseQueue.query,
            class_name="chip inline-flex items-center",
            shown=may(Right.EXPORT_CASES) & (CaseQueue.view_state == READY),
        ),
        class_name="mb-4 grid grid-cols-2 items-start gap-2 md:flex md:flex-wrap",
        role="group",
        aria_label=_("Filters"),
    )


def _roles(kind: CaseKind) -> frozenset[Role]:
    return frozenset(role for role, kinds in KINDS_OF.items() if kind in kinds)


def _of_kind() -> rx.Component:
    kinds: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for kind in KIND_NAMES:
        kinds.setdefault(_statuses(kind), []).append(kind.value)
    matches = [
        (*names, rx.fragment(*[rx.el.option(_(label), value=status) for status, label in statuses]))
        for statuses, names in kinds.items()
    ]
    shown: Any = rx.match(CaseQueue.filters["kind"].to(str), *matches, rx.fragment())
    return rx.fragment(shown)


def _name_error() -> rx.Var[str]:
    full = {Code.INVALID_NUMBER.value: _("You’ve saved as many views as you can. Remove one first.")}
    code = CaseQueue.errors.get(VIEW_NAME, "").to(str)
    return field_message(code, _("Name of the view"), Code.TOO_LONG, **full)


def _keeping() -> rx.Component:
    page = CaseQueue
    here = rx.Var.create(f"{QUEUE}?").to(str) + page.query
    saved = DeskCounts.saved.map(lambda view: view.path).to(list[str]).contains(here)
    form = ui.event_form(
        ui.text_field(VIEW_NAME, _("Name of the view"), error=_name_error(), max_length=MAX_VIEW_NAME_LENGTH),
        refused(page, "view"),
        ui.submit_button(_("Save"), wide=False),
        on_send=page.keep,
        answered=page.answered,
        key=page.sent.to_string(),
        class_name="card mt-2 max-w-80 space-y-3",
    )
    return rx.cond(
        saved,
        ui.action_button(_("Remove this view"), page.forget, "text"),
        rx.el.details(
            rx.el.summary(_("Save this view"), class_name="chip w-fit cursor-pointer list-none"),
            form,
            # Open, it has a line of its own: beside the filters it would stick out on some screen.
            class_name="open:basis-full max-md:open:col-span-2",
        ),
    )


def _select(name: str, label: Text, options: Sequence[tuple[str, Text]], *more: rx.Component) -> rx.Component:
    value = CaseQueue.filters[name].to(str)
    usual = {"view": CaseView.OPEN.value, "sort": CaseSort.PROMISE.value}.get(name, "")
    shown = rx.cond(CaseQueue.filters.contains(name), value, usual)
    entries: list[rx.Component] = [rx.el.option(text, value=option) for option, text in options]
    return rx.el.select(
        *entries,
        *more,
        value=shown,
        on_change=CaseQueue.narrow(name),
        aria_label=label,
        # On a phone the first, with the longest words, has the whole row.
        class_name="chip min-w-0 bg-white first:col-span-2 md:max-w-52",
    )


def _empty() -> rx.Component:
    new = CaseQueue.filters["view"].to(str) == CaseView.NEW.value
    return panel(
        None,
        ui.when(
            new,
            ui.strong(_("All done."), look="text-lg"),
            ui.text(_("Nothing new. This list updates itself when a customer sends something.")),
            otherwise=rx.fragment(
                ui.strong(_("No cases in this list."), look="text-lg"),
                ui.text(rx.el.a(_("Show all open cases"), to=QUEUE, class_name="underline")),
            ),
        ),
    )


NAVIGATION = [
    *(
        NavigationItem(
            _(label), f"{QUEUE}?view={view.value}", CASES, count=view.value, alarming=view is CaseView.OVERDUE
        )
        for view, label in CASE_VIEWS.items()
        if view is not CaseView.OPEN
    ),
    *(
        NavigationItem(
            _(name),
            f"{QUEUE}?kind={kind.value}",
            KINDS,
            count=kind.value,
            alarming=kind is CaseKind.BATTERY_ALARM,
            roles=_roles(kind),
        )
        for kind, name in KIND_NAMES.items()
    ),
]

PAGES = [
    DeskRoute(QUEUE.strip("/"), queue, title(_("Cases")), on_load=[LastList.remember, CaseQueue.load, CaseQueue.watch]),
    DeskRoute(
        SEARCH.strip("/"),
        found,
        title(_("Search results")),
        on_load=[LastList.remember, FoundCases.load, FoundCases.watch],
    ),
]
