"""Pages of imports: what came in, what was rejected or waits, and where shop and portal differ."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.forms import check_box, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.tables import cell, data_table, open_link, table_pages, table_row
from portal.desk.views import DeskLink, Pair, back_line, desk_loaded, desk_page, pairs, panel, title
from portal.frontend.models import entry
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, localized, moment
from portal.imports.api import LONGEST_RECORD, Difference, WaitingRecord
from portal.imports.desk.state import (
    AGAIN,
    CONTENT,
    DIFFERENCES,
    FIELDS,
    FILE,
    FORM,
    IMPORTS,
    KIND,
    REJECTED,
    SOURCE,
    WAITING,
    DifferencesPage,
    ImportRunPage,
    ImportsPage,
    OfKind,
    RejectedPage,
    RejectedRecordPage,
    ShownProblem,
    ShownRecord,
    ShownRun,
    WaitingPage,
)
from portal.kernel.codes import Code
from portal.staff.desk.customers import CUSTOMERS
from portal.ui import (
    action_button,
    badge,
    confirm_button,
    empty_state,
    error_summary,
    event_form,
    link_button,
    notice,
    notice_on_failure,
    posted_form,
    select_field,
    submit_button,
    text_field,
)
from portal.ui.fields import described, labelled
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.exchange import (
    IMPORT_FORMS,
    IMPORT_KINDS,
    IMPORT_STATES,
    IMPORT_WAYS,
    ImportForm,
    ImportState,
    Side,
)
from portal.vocabulary.staff import Right

_KINDS = {kind: _(label) for kind, label in IMPORT_KINDS.items()}
_FORMS = [
    (form.value, _(IMPORT_FORMS[form])) for form in ImportForm if form not in {ImportForm.AGAIN, ImportForm.UNKNOWN}
]
_LABELS: dict[str, Text] = {KIND: _("Kind"), SOURCE: _("Shop"), FORM: _("Format"), FILE: _("File")}
_TONES = {
    ImportState.DONE.value: "ok",
    ImportState.FAILED.value: "err",
    ImportState.RUNNING.value: "info",
    ImportState.WAITING.value: "info",
}
_COUNTS: dict[str, Text] = {
    "read": _("Read"),
    "created": _("New"),
    "changed": _("Changed"),
    "unchanged": _("Unchanged"),
    "joined": _("Were waiting, now stored"),
    "waiting": _("Waiting for another record"),
    "rejected": _("Rejected"),
    "differences": _("Differences"),
}


def _views() -> rx.Component:
    """Links to the four lists."""
    links = (
        (_("Imports"), IMPORTS),
        (_("Rejected"), REJECTED),
        (_("Waiting records"), WAITING),
        (_("Differences"), DIFFERENCES),
    )
    return rx.el.nav(
        *[DeskLink.create(text, to=path, within="^$", class_name="chip") for text, path in links],
        aria_label=_("Imports"),
        class_name="mb-4 flex flex-wrap gap-2",
    )


def _narrowed(page: type[OfKind]) -> rx.Component:
    """The choice of a kind of records."""
    return rx.el.select(
        rx.el.option(_("All kinds"), value=""),
        *[rx.el.option(text, value=kind) for kind, text in _KINDS.items()],
        value=page.kind,
        on_change=page.narrow,
        aria_label=_("Kind"),
        class_name="chip mb-4 bg-white",
    )


def _kind(value: Any) -> rx.Var[str]:
    return choice(value, _KINDS)


def _paged(path: str, page: type[OfKind]) -> rx.Component:
    return table_pages(
        page,
        lambda number: rx.Var.create(f"{path}?kind=").to(str) + page.kind.to(str) + "&page=" + number.to(str),
    )


def imports() -> rx.Component:
    """What came in, and the form that sends a file."""
    page = ImportsPage
    heads = (_("When"), _("Records"), _("Shop"), _("Status"), _("Read"), _("New"), _("Changed"), _("Rejected"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(data_table(heads, page.lines, _run, label=_("Imports"), numbers={4, 5, 6, 7}), _paged(IMPORTS, page)),
        empty_state(
            _("No imports yet"),
            _("Files and calls from a shop appear here, with what happened to each record."),
        ),
    )
    return desk_page(
        _views(),
        desk_loaded(page, rx.el.div(_send(), _narrowed(page), table), failure=_("The imports couldn’t be loaded.")),
        heading=_("Imports"),
        above=error_summary({name: _error(page, name) for name in FIELDS}, page.attempt),
    )


def _send() -> rx.Component:
    """The form that sends a file. The browser posts it by itself."""
    page = ImportsPage
    typed = page.typed
    choose = rx.el.input(
        type="file",
        name=FILE,
        accept=".csv,.jsonl,.ndjson,.json",
        class_name="field py-1.5",
        custom_attrs=described(FILE, None, _error(page, FILE), required=True),
    )
    form = posted_form(
        rx.el.div(
            select_field(
                KIND,
                _LABELS[KIND],
                list(_KINDS.items()),
                value=typed.get(KIND, "").to(str),
                error=_error(page, KIND),
                placeholder=_("Choose a kind"),
            ),
            text_field(
                SOURCE,
                _LABELS[SOURCE],
                hint=_("Lower-case letters, digits and dashes"),
                value=rx.cond(typed.get(SOURCE, "") != "", typed.get(SOURCE, ""), "shop").to(str),
                error=_error(page, SOURCE),
            ),
            select_field(
                FORM,
                _LABELS[FORM],
                _FORMS,
                value=rx.cond(typed.get(FORM, "") != "", typed.get(FORM, ""), ImportForm.OWN.value).to(str),
                error=_error(page, FORM),
            ),
            labelled(FILE, _LABELS[FILE], choose, error=_error(page, FILE)),
            class_name="grid items-end gap-4 sm:grid-cols-2",
        ),
        rx.el.div(
            check_box(
                "dry",
                _("Only show what would happen, and store nothing"),
                checked=(page.attempt == 0) | (typed.get("dry", "") != ""),
            ),
            class_name="mt-3",
        ),
        rx.el.div(rx.el.button(_("Send the file"), type="submit", class_name="btn btn-primary"), class_name="mt-2"),
        action="/files/imports",
        key=page.attempt.to_string(),
    )
    return rx.el.details(
        rx.el.summary(_("Import a file"), class_name="cursor-pointer py-1 text-lg font-semibold"),
        refused(page),
        rx.el.div(form, class_name="mt-3 max-w-3xl"),
        open=page.attempt > 0,
        class_name="card mb-4",
    )


def _state(line: rx.vars.ObjectVar[ShownRun]) -> rx.Component:
    label = choice(line.state, {state.value: _(text) for state, text in IMPORT_STATES.items()})
    return rx.fragment(
        badge(label, rx.Var.create(rx.match(line.state, *_TONES.items(), "neutral")).to(str)),
        rx.cond(line.dry_run, rx.el.span(" ", badge(_("Dry run"), "neutral"))),
    )


def _way(line: rx.vars.ObjectVar[ShownRun]) -> rx.Var[str]:
    return choice(line.way, {way.value: _(text) for way, text in IMPORT_WAYS.items()})


def _run(line: rx.vars.ObjectVar[ShownRun]) -> rx.Component:
    def number(name: str) -> rx.Component:
        return cell(rx.cond(line.running, "–", entry(line, name).to_string()), number=True, label=_COUNTS[name])

    began = rx.el.span(moment(line.began_at), class_name="whitespace-normal")
    return table_row(
        cell(open_link(began, rx.Var.create(f"{IMPORTS}/run/").to(str) + line.import_id.to(str))),
        cell(_kind(line.kind), below=rx.el.span(line.file, class_name="break-all")),
        cell(line.source, below=rx.cond(line.by != "", line.by, _way(line))),
        cell(_state(line)),
        *[number(name) for name in ("read", "created", "changed", "rejected")],
        key=line.import_id,
    )


def run() -> rx.Component:
    page = ImportRunPage
    found = page.run
    facts = panel(
        None,
        pairs(
            Pair(_("Status"), _state(found)),
            Pair(_("Records"), _kind(found.kind)),
            Pair(_("Shop"), found.source),
            Pair(_("File"), rx.el.span(found.file, class_name="break-all"), shown=found.file != ""),
            Pair(_("By"), rx.cond(found.by != "", found.by, _way(found))),
            Pair(_("Started"), moment(found.began_at)),
            Pair(_("Finished"), moment(found.ended_at), shown=found.ended_at.bool()),
            *[
                Pair(text, entry(found, name), shown=(entry(found, name).to(int) > 0) | (name == "read"))
                for name, text in _COUNTS.items()
            ],
        ),
        rx.cond(
            found.running,
            rx.el.p(_("The import is running. This page updates itself."), class_name="mt-3", role="status"),
        ),
        rx.cond(
            localized(found.why) != "",
            rx.el.div(
                notice(
                    rx.el.p(localized(found.why)),
                    rx.el.p(_("Everything before that is stored. Correct the file and send it again.")),
                    title=_("The file couldn’t be read."),
                    tone="err",
                ),
                class_name="mt-3",
            ),
        ),
        rx.cond(
            (found.rejected.to(int) > 0) & ~found.dry_run,
            rx.el.p(
                link_button(
                    _("To the rejected records"),
                    rx.Var.create(f"{REJECTED}?kind=").to(str) + found.kind.to(str),
                    "secondary",
                ),
                class_name="mt-4",
            ),
        ),
    )
    heads = (_("Line"), _("Record"), _("Field"), _("Reason"))
    problems = rx.cond(
        page.problems.length() > 0,
        rx.el.section(
            rx.el.h2(_("Not stored"), class_name="mb-2"),
            data_table(heads, page.problems, _problem, label=_("Not stored")),
        ),
        rx.cond(found.state == ImportState.DONE.value, notice(_("Every record was accepted."), tone="ok")),
    )
    return desk_page(
        desk_loaded(
            page,
            rx.el.div(facts, problems, class_name="space-y-4"),
            failure=_("The import couldn’t be loaded."),
            missing=panel(None, rx.el.p(_("This import no longer exists."))),
        ),
        heading=_("Report of an import"),
        back=back_line(_("Imports"), IMPORTS),
    )


def _problem(line: rx.vars.ObjectVar[ShownProblem], place: rx.Var[int]) -> rx.Component:
    return table_row(
        cell(rx.cond(line.line.to(int) > 0, line.line.to(str), "–"), label=_("Line")),
        cell(line.external_id),
        cell(rx.el.code(line.field, class_name="text-sm")),
        cell(localized(line.why)),
        key=place.to_string(),
    )


def rejected() -> rx.Component:
    page = RejectedPage
    heads = (_("Record"), _("Kind"), _("Field"), _("Reason"), _("Where"), _("When"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(
            rx.cond(
                page.source != "",
                rx.el.div(
                    confirm_button(
                        _("Send all again"),
                        _("Send all these records again?"),
                        _("They are imported just as they were sent. That helps when the problem was somewhere else."),
                        _("Send again"),
                        _("Not now"),
                        page.send_all,
                    ),
                    class_name="mb-4",
                ),
                rx.el.p(_("Choose a kind to send all its records again."), class_name="mb-4 text-ink-600"),
            ),
            data_table(heads, page.lines, _rejected, label=_("Rejected records")),
            _paged(REJECTED, page),
        ),
        empty_state(_("Nothing was rejected"), _("Records that can’t be stored stay here until they can.")),
    )
    return desk_page(
        _views(),
        refused(page),
        desk_loaded(page, rx.el.div(_narrowed(page), table), failure=_("The rejected records couldn’t be loaded.")),
        heading=_("Rejected records"),
    )


def _rejected(line: rx.vars.ObjectVar[ShownRecord]) -> rx.Component:
    name = rx.cond(line.external_id != "", line.external_id, _("without id")).to(str)
    return table_row(
        cell(open_link(name, rx.Var.create(f"{REJECTED}/").to(str) + line.record_id.to(str)), below=line.source),
        cell(_kind(line.kind)),
        cell(rx.el.code(line.field, class_name="text-sm")),
        cell(localized(line.why)),
        cell(_where(line)),
        cell(moment(line.rejected_at)),
        key=line.record_id,
    )


def _where(line: rx.vars.ObjectVar[ShownRecord]) -> rx.Component:
    in_file = rx.fragment(
        rx.el.span(line.file, class_name="break-all"),
        " · ",
        rx.el.span(_("line {line}", line=line.line), class_name="whitespace-nowrap"),
    )
    return rx.cond(line.file != "", in_file, _("sent by the shop"))


def rejected_record() -> rx.Component:
    """One rejected record with a form that corrects it."""
    page = RejectedRecordPage
    found = page.record
    error = field_message(
        page.errors.get(CONTENT, "").to(str),
        _("Record"),
        Code.TOO_LONG,
        **{
            Code.INVALID_INPUT.value: _("This isn’t a JSON object. Check quotes, commas and braces."),
            Code.REQUIRED.value: _("A record needs an external_id."),
        },
    )
    facts = pairs(
        Pair(_("Kind"), _kind(found.kind)),
        Pair(_("Shop"), found.source),
        Pair(_("Where"), _where(found)),
        Pair(_("Field"), rx.el.code(found.field), shown=found.field != ""),
        Pair(_("Reason"), rx.el.strong(localized(found.why))),
    )
    control = rx.el.textarea(
        name=CONTENT,
        default_value=page.content,
        rows="16",
        max_length=LONGEST_RECORD,
        class_name="field py-3 font-mono text-sm",
        custom_attrs={**described(CONTENT, None, error, required=True), "spellCheck": False},
    )
    return desk_page(
        desk_loaded(
            page,
            rx.el.div(
                panel(None, facts),
                refused(page),
                notice_on_failure(
                    page.refused == AGAIN,
                    _("It was rejected again: {reason}", reason=localized(found.why)),
                    page.attempt,
                ),
                panel(
                    None,
                    event_form(
                        labelled(CONTENT, _("Record"), control, error=error),
                        rx.el.div(submit_button(_("Send the corrected record"), wide=False)),
                        on_send=page.correct,
                        answered=page.answered,
                        key=page.subject,
                        class_name="space-y-4",
                    ),
                    rx.el.div(
                        confirm_button(
                            _("Remove"),
                            _("Remove this record?"),
                            _("It disappears from here. If the shop sends it again, it’s imported again."),
                            _("Remove the record"),
                            _("Keep the record"),
                            page.discard,
                        ),
                        class_name="mt-4",
                    ),
                ),
                class_name="max-w-3xl space-y-4",
            ),
            failure=_("The record couldn’t be loaded."),
            missing=panel(None, rx.el.p(_("This record is no longer rejected."))),
        ),
        heading=rx.cond(found & (found.external_id != ""), found.external_id, _("Rejected record")).to(str),
        back=back_line(_("Rejected records"), REJECTED),
        above=error_summary({CONTENT: error}, page.attempt),
    )


def waiting() -> rx.Component:
    """The records that wait for another one."""
    page = WaitingPage
    heads = (_("Record"), _("Kind"), _("Waiting for"), _("Since"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(data_table(heads, page.lines, _waiting, label=_("Waiting records")), _paged(WAITING, page)),
        empty_state(
            _("Nothing is waiting"),
            _("An order that arrives before its customer waits here and is added automatically."),
        ),
    )
    return desk_page(
        _views(),
        desk_loaded(page, rx.el.div(_narrowed(page), table), failure=_("The waiting records couldn’t be loaded.")),
        heading=_("Waiting records"),
    )


def _waiting(line: rx.vars.ObjectVar[WaitingRecord], place: rx.Var[int]) -> rx.Component:
    return table_row(
        cell(rx.el.strong(line.external_id), below=line.source),
        cell(_kind(line.kind)),
        cell(_kind(line.needs_kind), label=_("Waiting for"), below=line.needs_id),
        cell(moment(line.waiting_since)),
        key=place.to_string(),
    )


def differences() -> rx.Component:
    """Values that both the shop and the portal changed."""
    page = DifferencesPage
    heads = (_("Record"), _("Field"), _("The shop says"), _("The portal says"), _("Found"), _("Decide"))
    following = rx.Var.create(f"{DIFFERENCES}?kind=").to(str) + page.kind.to(str) + "&after=" + page.next_after.to(str)
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(
            data_table(heads, page.lines, _difference, label=_("Differences")),
            rx.cond(
                page.next_after > 0, rx.el.p(link_button(_("Next page"), following, "secondary"), class_name="mt-4")
            ),
        ),
        empty_state(
            _("No differences"),
            _("When a customer and the shop change the same field, the customer’s value stays and you decide here."),
        ),
    )
    return desk_page(
        _views(),
        refused(page),
        desk_loaded(page, rx.el.div(_narrowed(page), table), failure=_("The differences couldn’t be loaded.")),
        heading=_("Differences"),
    )


def _difference(line: rx.vars.ObjectVar[Difference]) -> rx.Component:
    name = rx.cond(line.customer_id != "", line.customer, line.external_id)
    about = rx.el.span(" ", name, " ", _field(line.field), class_name="sr-only")
    record = rx.el.strong(line.external_id)
    customer = open_link(line.customer, rx.Var.create(f"{CUSTOMERS}/").to(str) + line.customer_id.to(str))
    below = rx.fragment(
        rx.cond(line.customer_id != "", line.external_id.to(str) + " · ", ""), _kind(line.kind), " · ", line.source
    )
    decide = rx.el.div(
        action_button(
            rx.fragment(_("Use the shop’s value"), about),
            DifferencesPage.settle(line.difference_id.to_string(), Side.SHOP.value),
        ),
        action_button(
            rx.fragment(_("Keep the portal’s value"), about),
            DifferencesPage.settle(line.difference_id.to_string(), Side.PORTAL.value),
        ),
        class_name="flex flex-wrap gap-2",
    )
    return table_row(
        cell(rx.cond(line.customer_id != "", customer, record), below=below),
        cell(_field(line.field)),
        cell(_value(line.shop_value), label=_("The shop says")),
        cell(_value(line.portal_value), label=_("The portal says")),
        cell(moment(line.found_at)),
        cell(decide),
        key=line.difference_id.to_string(),
    )


_FIELDS = {
    **{name: _(label) for name, label in CUSTOMER_LABELS.items()},
    "locale": _("Language"),
    "frame_number": _("Frame number"),
}
"""What customers and staff change, by the name in an import."""


def _field(name: Any) -> rx.Component:
    """A field in words, if it has a name that staff know."""
    named = [(key, rx.fragment(label)) for key, label in _FIELDS.items()]
    return rx.fragment(rx.match(name, *named, rx.el.code(name, class_name="text-sm")))


def _value(value: Any) -> rx.Component:
    empty = rx.el.span(_("empty"), class_name="text-ink-600")
    return rx.cond(value != "", rx.el.span(value, class_name="break-words"), empty)


def _error(page: type[ImportsPage], name: str) -> rx.Var[str]:
    own = {
        SOURCE: {Code.INVALID_CHOICE.value: _("Use lower-case letters, digits and dashes.")},
        FILE: {
            Code.REQUIRED.value: _("Choose a file."),
            Code.FILE_NOT_ALLOWED.value: _("Choose a .csv or .jsonl file, or .json from WooCommerce."),
        },
        KIND: {Code.INVALID_CHOICE.value: _("Choose a kind.")},
    }.get(name, {})
    code = page.errors.get(name, "").to(str)
    return field_message(code, _LABELS[name], Code.MAX_UPLOAD_SIZE_REACHED, **own)


NAVIGATION = (NavigationItem(_("Imports"), IMPORTS, SHOP, Right.MANAGE_SHOP),)

PAGES = [
    DeskRoute(IMPORTS[1:], imports, title(_("Imports")), on_load=[ImportsPage.load]),
    DeskRoute(
        f"{IMPORTS[1:]}/run/[run]",
        run,
        title(_("Report of an import")),
        on_load=[ImportRunPage.load, ImportRunPage.watch],
    ),
    DeskRoute(REJECTED[1:], rejected, title(_("Rejected records")), on_load=[RejectedPage.load]),
    DeskRoute(
        f"{REJECTED[1:]}/[record]", rejected_record, title(_("Rejected records")), on_load=[RejectedRecordPage.load]
    ),
    DeskRoute(WAITING[1:], waiting, title(_("Waiting records")), on_load=[WaitingPage.load]),
    DeskRoute(DIFFERENCES[1:], differences, title(_("Differences")), on_load=[DifferencesPage.load]),
]
