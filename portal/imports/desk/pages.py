"""Pages of imports: what came in, what was rejected or waits, and where shop and portal differ."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal import ui
from portal.desk.downloads import download_link, download_notice
from portal.desk.forms import check_box, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.tables import cell, data_table, open_link, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, pairs, panel, title
from portal.frontend.models import entry
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, localized, moment
from portal.imports.api import KEPT, LISTED, ImportLine
from portal.imports.desk import records
from portal.imports.desk.state import (
    FIELDS,
    FILE,
    FORM,
    IMPORTS,
    KIND,
    REJECTED,
    SOURCE,
    ImportRunPage,
    ImportsPage,
    ShownProblem,
    ShownRun,
)
from portal.imports.desk.views import KINDS, kind_of, narrowed, paged, views
from portal.kernel.codes import Code
from portal.vocabulary.exchange import (
    IMPORT_ADVICE,
    IMPORT_FORMS,
    IMPORT_OUTCOMES,
    IMPORT_STATES,
    IMPORT_WAYS,
    ImportForm,
    ImportState,
)
from portal.vocabulary.staff import Right

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
_OUTCOMES = {outcome.value: _(text) for outcome, text in IMPORT_OUTCOMES.items()}
_COUNTS: dict[str, Text] = {
    "read": _("Read"),
    "created": _("New"),
    "changed": _("Changed"),
    "unchanged": _("Unchanged"),
    "joined": _("Were waiting, now stored"),
    "waiting": _("Waiting for another record"),
    "left_out": _("Left out"),
    "noted": _("Stored with a note"),
    "mismatched": _("Doesn’t add up"),
    "rejected": _("Rejected"),
    "differences": _("Differences"),
}


def imports() -> rx.Component:
    """What came in, and the form that sends a file."""
    page = ImportsPage
    heads = (_("When"), _("Records"), _("Shop"), _("Status"), _("Read"), _("New"), _("Changed"), _("Rejected"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(data_table(heads, page.lines, _run, label=_("Imports"), numbers={4, 5, 6, 7}), paged(IMPORTS, page)),
        ui.empty_state(
            _("No imports yet"), _("Files and calls from a shop appear here, with what happened to each record.")
        ),
    )
    return desk_page(
        views(),
        desk_loaded(page, rx.el.div(_send(), narrowed(page), table), failure=_("The imports couldn’t be loaded.")),
        heading=_("Imports"),
        above=ui.error_summary({name: _error(page, name) for name in FIELDS}, page.attempt),
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
        custom_attrs=ui.described(FILE, None, _error(page, FILE), required=True),
    )
    form = ui.posted_form(
        rx.el.div(
            ui.select_field(
                KIND,
                _LABELS[KIND],
                list(KINDS.items()),
                value=typed.get(KIND, "").to(str),
                error=_error(page, KIND),
                placeholder=_("Choose a kind"),
            ),
            ui.text_field(
                SOURCE,
                _LABELS[SOURCE],
                hint=_("Lower-case letters, digits and dashes"),
                value=rx.cond(typed.get(SOURCE, "") != "", typed.get(SOURCE, ""), "shop").to(str),
                error=_error(page, SOURCE),
            ),
            ui.select_field(
                FORM,
                _LABELS[FORM],
                _FORMS,
                value=rx.cond(typed.get(FORM, "") != "", typed.get(FORM, ""), ImportForm.OWN.value).to(str),
                error=_error(page, FORM),
            ),
            ui.labelled(FILE, _LABELS[FILE], choose, error=_error(page, FILE)),
            class_name="grid items-end gap-4 sm:grid-cols-2",
        ),
        ui.stack(
            check_box(
                "dry",
                _("Only show what would happen, and store nothing"),
                checked=(page.attempt == 0) | (typed.get("dry", "") != ""),
            ),
            top=3,
        ),
        ui.stack(rx.el.button(_("Send the file"), type="submit", class_name="btn btn-primary"), top=2),
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
        ui.badge(label, rx.Var.create(rx.match(line.state, *_TONES.items(), "neutral")).to(str)),
        rx.cond(line.dry_run, rx.el.span(" ", ui.badge(_("Dry run"), "neutral"))),
    )


def _way(line: rx.vars.ObjectVar[ShownRun]) -> rx.Var[str]:
    return choice(line.way, {way.value: _(text) for way, text in IMPORT_WAYS.items()})


def _run(line: rx.vars.ObjectVar[ShownRun]) -> rx.Component:
    def number(name: str) -> rx.Component:
        return cell(rx.cond(line.running, "–", entry(line, name).to_string()), number=True, label=_COUNTS[name])

    began = rx.el.span(moment(line.began_at), class_name="whitespace-normal")
    return table_row(
        cell(open_link(began, rx.Var.create(f"{IMPORTS}/run/").to(str) + line.import_id.to(str))),
        cell(kind_of(line.kind), below=rx.el.span(line.file, class_name="inline-block max-w-48 break-words")),
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
            ui.Fact(_("Status"), _state(found)),
            ui.Fact(_("Records"), kind_of(found.kind)),
            ui.Fact(_("Shop"), found.source),
            ui.Fact(_("File"), rx.el.span(found.file, class_name="break-all"), shown=found.file != ""),
            ui.Fact(_("By"), rx.cond(found.by != "", found.by, _way(found))),
            ui.Fact(_("Started"), moment(found.began_at)),
            ui.Fact(_("Finished"), moment(found.ended_at), shown=found.ended_at.bool()),
            *[
                ui.Fact(text, entry(found, name), shown=(entry(found, name).to(int) > 0) | (name == "read"))
                for name, text in _COUNTS.items()
            ],
        ),
        ui.text(_("The import is running. This page updates itself."), top=3, role="status", shown=found.running),
        ui.stack(
            ui.notice(_("This only shows what an import would do. Nothing was stored.")),
            top=3,
            shown=found.dry_run,
        ),
        ui.stack(
            ui.notice(
                ui.text(localized(found.why)),
                ui.text(_("Everything before that is stored. Correct the file and send it again.")),
                title=_("The file couldn’t be read."),
                tone="err",
            ),
            top=3,
            shown=localized(found.why) != "",
        ),
        ui.row(
            rx.cond(
                ~found.running,
                download_link(
                    _("Download the report"),
                    rx.Var.create("/files/imports/").to(str) + found.import_id.to(str) + ".csv",
                ),
            ),
            rx.cond(
                (found.rejected.to(int) > 0) & ~found.dry_run,
                ui.link_button(
                    _("To the rejected records"),
                    rx.Var.create(f"{REJECTED}?kind=").to(str) + found.kind.to(str),
                    "secondary",
                ),
            ),
            gap=2,
            top=4,
        ),
    )
    heads = (_("Line"), _("Record"), _("Field"), _("Reason"), _("Outcome"))
    problems = rx.cond(
        page.problems.length() > 0,
        rx.el.section(
            rx.el.h2(_("Needs attention"), class_name="mb-2"),
            ui.text(
                _("The first {n} are here; the report has all of them.", n=KEPT),
                bottom=2,
                shown=page.problems.length() >= KEPT,
            ),
            data_table(heads, page.problems, _problem, label=_("Needs attention")),
        ),
        ui.notice(
            rx.cond(found.dry_run, _("Every record would be accepted."), _("Every record was accepted.")),
            tone="ok",
            shown=found.state == ImportState.DONE.value,
        ),
    )
    label = _("New, changed and unchanged")
    records = rx.el.details(
        rx.el.summary(label, class_name="cursor-pointer py-1 text-lg font-semibold"),
        ui.text(_("The first {n} of each are here; the report has all of them.", n=LISTED), bottom=2),
        data_table((_("Line"), _("Record"), _("Outcome")), page.records, _record, label=label),
        class_name="card",
    )
    return desk_page(
        download_notice(page.failed),
        desk_loaded(
            page,
            ui.stack(facts, problems, rx.cond(page.records.length() > 0, records), gap=4),
            failure=_("The import couldn’t be loaded."),
            missing=panel(None, ui.text(_("This import no longer exists."))),
        ),
        heading=_("Report of an import"),
        back=back_line(_("Imports"), IMPORTS),
    )


def _line(line: Any) -> rx.Component:
    return cell(rx.cond(line.line.to(int) > 0, line.line.to(str), "–"), label=_("Line"))


def _record(line: rx.vars.ObjectVar[ImportLine], place: rx.Var[int]) -> rx.Component:
    outcome = cell(choice(line.outcome, _OUTCOMES), label=_("Outcome"))
    return table_row(_line(line), cell(line.external_id, label=_("Record")), outcome, key=place.to_string())


def _problem(line: rx.vars.ObjectVar[ShownProblem], place: rx.Var[int]) -> rx.Component:
    return table_row(
        _line(line),
        cell(line.external_id, label=_("Record")),
        cell(rx.el.code(line.field, class_name="text-sm")),
        cell(localized(line.why)),
        cell(
            choice(line.outcome, _OUTCOMES),
            below=rx.cond(
                ImportRunPage.run.dry_run,
                "",
                choice(line.outcome, {outcome.value: _(text) for outcome, text in IMPORT_ADVICE.items()}),
            ).to(str),
            label=_("Outcome"),
        ),
        key=place.to_string(),
    )


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
    *records.PAGES,
]
