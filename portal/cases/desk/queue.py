"""The page of the queue, and the page with the results of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal.cases.api import LONGEST_VIEW_NAME, NOBODY, NextStep, StaffName
from portal.cases.desk.queue_state import (
    BATCH,
    LATE,
    PROMISED,
    QUEUE,
    SOON,
    STILL,
    VIEW_NAME,
    CaseQueue,
    CaseRows,
    FoundCases,
    LastList,
    QueueRow,
)
from portal.desk.counts import DeskCounts
from portal.desk.downloads import download_notice
from portal.desk.forms import refused, typed_choice
from portal.desk.registry import CASES, KINDS, DeskRoute, NavigationItem
from portal.desk.search import SEARCH, DeskSearch
from portal.desk.session import StaffSession, may, works_as
from portal.desk.tables import cell, data_table, keep_place, open_link, table_pages, table_row
from portal.desk.views import desk_loaded, desk_page, grouped, key_hint, panel, title
from portal.frontend.load import READY
from portal.frontend.texts import field_message, message
from portal.i18n import Text, _, choice, clock, localized, ngettext, weekday_short
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.ui import action_button, anchor, badge, error_summary, event_form, submit_button, text_field
from portal.vocabulary.cases import (
    CASE_LABELS,
    CASE_SORTS,
    CASE_VIEWS,
    KINDS_OF,
    STATUSES_OF,
    STEP_ACTIONS,
    CaseKind,
    CaseSort,
    CaseView,
)
from portal.vocabulary.staff import Right, Role
from portal.vocabulary.status import TURNS

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

STEP_NAMES: dict[str, Text] = {status: _(action) for status, action in STEP_ACTIONS.items()}
"""What staff do, by the status that follows."""

_AGES: tuple[tuple[str, Text], ...] = (
    ("", _("Any age")),
    *[(str(days), _("{days} days and older", days=days)) for days in (2, 7, 14)],
)


def _statuses(kind: CaseKind) -> tuple[tuple[str, str], ...]:
    return tuple((str(status), label) for status, label in STATUSES_OF[kind].items() if status != "unknown")


def message_of(step: rx.vars.ObjectVar[NextStep]) -> rx.Component:
    """What the customer is told by a step."""
    return rx.fragment(
        rx.cond(step.mailed, _("The customer is emailed this:"), _("What the customer reads in the portal:")),
        " ",
        rx.el.q(rx.cond(localized(step.sentence) != "", localized(step.sentence), localized(step.label))),
    )


def queue() -> rx.Component:
    """The page."""
    return desk_page(
        download_notice(CaseQueue.failed),
        _filters(),
        _batch(CaseQueue),
        desk_loaded(
            CaseQueue,
            rx.cond(CaseQueue.rows.length() > 0, _list(CaseQueue), _empty()),
            failure=_("The queue couldn’t be loaded."),
        ),
        heading=_heading(),
        count=rx.cond(CaseQueue.view_state == READY, _count(CaseQueue), ""),
        beside=_keys(),
        above=error_summary({VIEW_NAME: _name_error()}, CaseQueue.attempt),
    )


def found() -> rx.Component:
    """The results of a search."""
    return desk_page(
        # Another search from this page does not change the address.
        rx.el.span(key=DeskSearch.asked.to_string(), on_mount=FoundCases.load),
        _batch(FoundCases),
        desk_loaded(
            FoundCases,
            rx.cond(
                FoundCases.rows.length() > 0,
                rx.fragment(
                    rx.cond(
                        FoundCases.more,
                        rx.el.p(
                            _("There are more results than fit here. Be more specific: add a last name, for example."),
                            class_name="notice mb-4",
                            role="status",
                        ),
                    ),
                    _list(FoundCases),
                ),
                panel(
                    None,
                    rx.el.p(
                        rx.cond(FoundCases.searched != "", _("Nothing found."), _("What are you looking for?")),
                        class_name="font-semibold",
                    ),
                    rx.el.p(
                        _(
                            "Search by reference, the start of a name, email address, order number, frame number, or "
                            "postcode and house number. You won’t see cases of other stores."
                        ),
                        class_name="mt-1 text-ink-600",
                    ),
                ),
            ),
            failure=_("The search didn’t work."),
        ),
        heading=_("Search results"),
        count=rx.cond(
            (FoundCases.view_state == READY) & (FoundCases.searched != ""),
            rx.fragment(_("‘{quote}’", quote=FoundCases.searched), " · ", _count(FoundCases)),
            "",
        ),
        beside=_keys(),
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


def _count(page: type[CaseRows]) -> rx.Component:
    number = rx.cond(page.more, _("more than {count}", count=page.total), ngettext("{n} case", "{n} cases", page.total))
    done = (CaseQueue.filters["view"].to(str) == CaseView.DONE.value) if page is CaseQueue else rx.Var.create(False)
    by_promise = rx.cond(done, _("most recently done first"), _("oldest promise first"))
    orders = {
        CaseSort.AGE.value: _("oldest request first"),
        CaseSort.NEWEST.value: _("newest request first"),
        CaseSort.STATUS.value: _("sorted by status"),
    }
    order = choice(CaseQueue.filters["sort"].to(str), orders, by_promise) if page is CaseQueue else by_promise
    return rx.el.span(number, rx.cond(page.total > 1, rx.el.span(" · ", order)), role="status")


def _keys() -> rx.Component:
    return rx.fragment(
        key_hint(_("move"), "j", "k"),
        key_hint(_("open"), "↵"),
        rx.cond(may(Right.WORK_ON_CASES), rx.fragment(key_hint(_("select"), "x"), key_hint(_("assign"), "a"))),
    )


def _filters() -> rx.Component:
    """The filters of the list; each choice is an address."""
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
        rx.cond(
            may(Right.EXPORT_CASES) & (CaseQueue.view_state == READY),
            anchor(
                _("Download as CSV"),
                href=rx.Var.create("/files/cases.csv?").to(str) + CaseQueue.query,
                class_name="chip inline-flex items-center",
            ),
        ),
        class_name="mb-4 grid grid-cols-2 items-start gap-2 md:flex md:flex-wrap",
        role="group",
        aria_label=_("Filters"),
    )


def _roles(kind: CaseKind) -> frozenset[Role]:
    return frozenset(role for role, kinds in KINDS_OF.items() if kind in kinds)


def _of_kind() -> rx.Component:
    """The statuses of the kind in the address."""
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
    """Saves this view under a name, or removes it where it is one that the person saved."""
    page = CaseQueue
    here = rx.Var.create(f"{QUEUE}?").to(str) + page.query
    saved = DeskCounts.saved.map(lambda view: view.path).to(list[str]).contains(here)
    form = event_form(
        text_field(VIEW_NAME, _("Name of the view"), error=_name_error(), max_length=LONGEST_VIEW_NAME),
        refused(page, "view"),
        submit_button(_("Save"), wide=False),
        on_send=page.keep,
        answered=page.answered,
        key=page.sent.to_string(),
        class_name="card mt-2 max-w-80 space-y-3",
    )
    return rx.cond(
        saved,
        action_button(_("Remove this view"), page.forget, "text"),
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
        class_name="chip min-w-0 bg-white md:max-w-52",
    )


def staff_options(people: Any) -> rx.Component:
    return rx.foreach(people, lambda person: rx.el.option(person.name, value=person.person_id))


def store_options(stores: Any) -> rx.Var[Any]:
    """The options of a typed choice."""
    return stores.map(lambda store: rx.Var.create({"value": store.store_id, "text": store.name}))


def _batch(page: type[CaseRows]) -> rx.Component:
    """What can be done with the chosen cases."""
    count, takers = page.chosen.length(), page.common.people.to(list[StaffName])
    known = takers.length() > 0
    give = event_form(
        rx.el.select(
            rx.el.option(_("No one"), value=""),
            # Until it is known who can handle the chosen cases, the key `a` must not find an empty list.
            rx.cond(known, staff_options(takers), staff_options(page.people)),
            key=known.to_string(),
            name="person",
            default_value=StaffSession.person_id,
            aria_label=_("Assign to"),
            class_name="field select w-40",
        ),
        rx.el.button(_("Assign"), type="submit", class_name="btn btn-secondary", custom_attrs={"data-key": "a"}),
        on_send=page.give,
        answered=page.answered,
        class_name="flex flex-wrap gap-2",
    )
    step, questions = page.target, page.common.questions.to(int)
    steps = page.common.steps.to(list[NextStep])
    move = rx.cond(
        steps.length() > 0,
        rx.el.select(
            rx.el.option(_("Next step"), value=""),
            rx.foreach(steps, lambda each: rx.el.option(choice(each.status, STEP_NAMES), value=each.status)),
            value=rx.cond(step, step.status, ""),
            on_change=page.pick,
            aria_label=_("Next step"),
            class_name="field select w-56",
        ),
    )
    confirm = rx.cond(
        step,
        event_form(
            rx.el.p(
                rx.cond(
                    localized(step.sentence) != "",
                    message_of(step),
                    _("Each customer gets the message that goes with their case."),
                ),
                class_name="text-sm text-ink-600",
            ),
            rx.cond(
                questions > 0,
                rx.el.p(
                    ngettext(
                        "A question to {n} customer is still open. This step ends it.",
                        "Questions to {n} customers are still open. This step ends them.",
                        questions,
                    ),
                    class_name="text-sm text-warn",
                ),
            ),
            rx.el.input(type="hidden", name="status", value=step.status, read_only=True),
            submit_button(choice(step.status, STEP_NAMES), wide=False),
            on_send=page.move,
            answered=page.answered,
            key=step.status,
            class_name="w-full space-y-2",
        ),
    )
    cards = anchor(
        _("Print job cards"),
        href=rx.Var.create("/files/job-cards?cases=").to(str) + page.chosen.join(",").to(str),
        target="_blank",
        class_name="btn btn-secondary",
    )
    return rx.cond(
        may(Right.WORK_ON_CASES) & (count > 0) & (page.view_state == READY),
        rx.el.section(
            rx.el.p(
                ngettext("{n} case selected", "{n} cases selected", count), class_name="font-semibold", role="status"
            ),
            give,
            move,
            cards,
            action_button(_("Clear selection"), page.release, "text"),
            confirm,
            refused(page, BATCH),
            rx.cond(
                page.unchanged.length() > 0,
                rx.el.ul(
                    rx.foreach(
                        page.unchanged,
                        lambda entry: rx.el.li(
                            rx.el.span(
                                choice(entry.kind, CASE_LABELS),
                                " ",
                                grouped(entry.reference),
                                class_name="font-semibold",
                            ),
                            " – ",
                            message(entry.code),
                        ),
                    ),
                    class_name="w-full text-err",
                    role="alert",
                ),
            ),
            class_name="card sticky top-16 z-10 mb-4 flex flex-wrap items-center gap-3",
            aria_label=_("Selected cases"),
        ),
    )


def _list(page: type[CaseRows]) -> rx.Component:
    def address(number: Any) -> Any:
        if page is FoundCases:
            return _address(SEARCH, "", number)
        return _address(QUEUE, CaseQueue.query, number)

    return rx.fragment(
        data_table(
            [_("Case"), _("Customer and bike"), _("What"), _("Promised"), _("Status"), _("Who")],
            page.rows,
            lambda row: _row(page, row),
            label=_("Cases"),
            choosing=may(Right.WORK_ON_CASES),
            all_chosen=page.chosen.length() == page.rows.length(),
            on_choose_all=page.choose_all,
        ),
        keep_place(),
        table_pages(page, address),
    )


def _address(path: str, query: Any, number: Any) -> Any:
    if isinstance(query, str):
        return rx.Var.create(f"{path}?page=").to(str) + number.to(str)
    return rx.Var.create(f"{path}?").to(str) + query.to(str) + "&page=" + number.to(str)


def _row(page: type[CaseRows], row: rx.vars.ObjectVar[QueueRow]) -> rx.Component:
    reference = rx.fragment(
        rx.cond(row.urgent, badge(_("Urgent"), "err")),
        rx.el.span(
            open_link(grouped(row.reference), rx.Var.create("/cases/").to(str) + row.key.to(str), unread=row.unread),
            class_name="whitespace-nowrap md:block",
        ),
    )
    files = rx.cond(
        row.files.to(int) > 0,
        rx.el.span(" · ", ngettext("{n} file", "{n} files", row.files.to(int)), class_name="xl:whitespace-nowrap"),
    )
    quote = rx.el.span(_("‘{quote}’", quote=row.quote), class_name="line-clamp-2")
    person = rx.cond(row.person, row.person.to(StaffName).name, rx.el.span(_("no one"), class_name="text-ink-600"))
    return table_row(
        cell(reference, below=rx.fragment(choice(row.kind, CASE_LABELS), files), joined=True),
        cell(
            row.customer,
            below=rx.fragment(row.bike, rx.cond(row.shop != "", rx.el.span(row.shop, class_name="block"))),
            joined=True,
        ),
        cell(localized(row.what), below=rx.cond(row.quote != "", quote), class_name="lg:min-w-44"),
        cell(
            promise(row.promise, row),
            below=rx.cond(row.planned_date, _("planned for {day}", day=weekday_short(row.planned_date)), ""),
        ),
        cell(badge(localized(row.status_label), row.tone.to(str)), below=choice(row.turn, TURNS, "")),
        cell(person, below=row.place, joined=True),
        key=row.key,
        choosing=may(Right.WORK_ON_CASES),
        chosen=page.chosen.contains(row.key),
        on_choose=lambda chosen: page.choose(row.key, chosen),
        name=_("Select {reference}", reference=grouped(row.reference)),
        unread=row.unread,
    )


def promise(kept: rx.Var[str], case: rx.vars.ObjectVar[Any]) -> rx.Component:
    """What the customer was promised, and how that stands."""
    when = rx.el.span(
        rx.el.span(weekday_short(case.promised_at), ",", class_name="whitespace-nowrap"), " ", clock(case.promised_at)
    )
    shown: Any = rx.match(
        kept,
        (LATE, rx.el.span(badge(_("Overdue"), "err"), " ", when)),
        (SOON, rx.el.strong(when)),
        (PROMISED, when),
        (STILL, rx.el.span(_("on hold"), " · ", _("since {day}", day=weekday_short(case.waiting_since)))),
        rx.el.span("–", aria_label=_("Nothing promised"), class_name="text-ink-600 max-md:hidden"),
    )
    return rx.fragment(shown)


def _empty() -> rx.Component:
    new = CaseQueue.filters["view"].to(str) == CaseView.NEW.value
    return panel(
        None,
        rx.cond(
            new,
            rx.fragment(
                rx.el.p(_("All done."), class_name="text-lg font-semibold"),
                rx.el.p(_("Nothing new. This list updates itself when a customer sends something.")),
            ),
            rx.fragment(
                rx.el.p(_("No cases in this list."), class_name="text-lg font-semibold"),
                rx.el.p(rx.el.a(_("Show all open cases"), to=QUEUE, class_name="underline")),
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
