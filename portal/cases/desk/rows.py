"""A list of cases: its rows, and what can be done with the chosen ones."""

from typing import Any

import reflex as rx

from portal import ui
from portal.cases.desk.queue_state import (
    BATCH,
    LATE,
    PROMISED,
    QUEUE,
    SOON,
    STILL,
    CaseQueue,
    CaseRows,
    FoundCases,
    QueueRow,
)
from portal.cases.models import NextStep, StaffName
from portal.desk.forms import refused
from portal.desk.session import StaffSession, may
from portal.desk.shell import SEARCH
from portal.desk.tables import cell, data_table, keep_place, open_link, table_pages, table_row
from portal.desk.views import grouped, key_hint
from portal.frontend.load import READY
from portal.frontend.texts import message
from portal.i18n import Text, _, choice, clock, localized, ngettext, weekday_short
from portal.vocabulary.cases import CASE_LABELS, STEP_ACTIONS, CaseSort, CaseView
from portal.vocabulary.staff import Right
from portal.vocabulary.status import TURNS

STEP_NAMES: dict[str, Text] = {status: _(action) for status, action in STEP_ACTIONS.items()}


def message_of(step: rx.vars.ObjectVar[NextStep]) -> rx.Component:
    """What the customer is told by a step."""
    return rx.fragment(
        rx.cond(step.mailed, _("The customer is emailed this:"), _("What the customer reads in the portal:")),
        " ",
        rx.el.q(rx.cond(localized(step.sentence) != "", localized(step.sentence), localized(step.label))),
    )


def row_count(page: type[CaseRows]) -> rx.Component:
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


def row_keys() -> rx.Component:
    return rx.fragment(
        key_hint(_("move"), "j", "k"),
        key_hint(_("open"), "↵"),
        ui.when(may(Right.WORK_ON_CASES), key_hint(_("select"), "x"), key_hint(_("assign"), "a")),
    )


def staff_options(people: Any) -> rx.Component:
    return rx.foreach(people, lambda person: rx.el.option(person.name, value=person.person_id))


def store_options(stores: Any) -> rx.Var[Any]:
    return stores.map(lambda store: rx.Var.create({"value": store.store_id, "text": store.name}))


def batch(page: type[CaseRows]) -> rx.Component:
    count, takers = page.chosen.length(), page.common.people.to(list[StaffName])
    known = takers.length() > 0
    give = ui.event_form(
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
        ui.event_form(
            ui.small(
                rx.cond(
                    localized(step.sentence) != "",
                    message_of(step),
                    _("Each customer gets the message that goes with their case."),
                )
            ),
            ui.text(
                ngettext(
                    "A question to {n} customer is still open. This step ends it.",
                    "Questions to {n} customers are still open. This step ends them.",
                    questions,
                ),
                look="text-sm text-warn",
                shown=questions > 0,
            ),
            rx.el.input(type="hidden", name="status", value=step.status, read_only=True),
            ui.submit_button(choice(step.status, STEP_NAMES), wide=False),
            on_send=page.move,
            answered=page.answered,
            key=step.status,
            class_name="w-full space-y-2",
        ),
    )
    cards = ui.anchor(
        _("Print job cards"),
        href=rx.Var.create("/files/job-cards?cases=").to(str) + page.chosen.join(",").to(str),
        target="_blank",
        class_name="btn btn-secondary",
    )
    return rx.cond(
        may(Right.WORK_ON_CASES) & (count > 0) & (page.view_state == READY),
        rx.el.section(
            ui.strong(ngettext("{n} case selected", "{n} cases selected", count), role="status"),
            give,
            move,
            cards,
            ui.action_button(_("Clear selection"), page.release, "text"),
            confirm,
            refused(page, BATCH),
            ui.item_list(
                page.unchanged,
                lambda entry: rx.el.li(
                    rx.el.span(
                        choice(entry.kind, CASE_LABELS), " ", grouped(entry.reference), class_name="font-semibold"
                    ),
                    " – ",
                    message(entry.code),
                ),
                look="w-full text-err",
                role="alert",
                shown=page.unchanged.length() > 0,
            ),
            class_name="card sticky top-16 z-10 mb-4 flex flex-wrap items-center gap-3",
            aria_label=_("Selected cases"),
        ),
    )


def case_rows(page: type[CaseRows]) -> rx.Component:
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
        ui.badge(_("Urgent"), "err", shown=row.urgent),
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
        cell(row.customer, below=rx.fragment(row.bike, rx.cond(row.shop != "", ui.line(row.shop))), joined=True),
        cell(localized(row.what), below=rx.cond(row.quote != "", quote), class_name="lg:min-w-44"),
        cell(
            promise(row.promise, row),
            below=rx.cond(row.planned_date, _("planned for {day}", day=weekday_short(row.planned_date)), ""),
        ),
        cell(ui.badge(localized(row.status_label), row.tone.to(str)), below=choice(row.turn, TURNS, "")),
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
        (LATE, rx.el.span(ui.badge(_("Overdue"), "err"), " ", when)),
        (SOON, rx.el.strong(when)),
        (PROMISED, when),
        (STILL, rx.el.span(_("on hold"), " · ", _("since {day}", day=weekday_short(case.waiting_since)))),
        rx.el.span("–", aria_label=_("Nothing promised"), class_name="text-ink-600 max-md:hidden"),
    )
    return rx.fragment(shown)
