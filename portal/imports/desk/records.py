"""Pages of records that were rejected or wait, and of values where shop and portal differ."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal import ui
from portal.desk.forms import refused
from portal.desk.registry import DeskRoute
from portal.desk.tables import cell, data_table, open_link, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, pairs, panel, title
from portal.frontend.texts import field_message
from portal.i18n import _, localized, moment
from portal.imports.api import MAX_RECORD, Difference, WaitingRecord
from portal.imports.desk.state import (
    AGAIN,
    CONTENT,
    DIFFERENCES,
    REJECTED,
    WAITING,
    DifferencesPage,
    RejectedPage,
    RejectedRecordPage,
    ShownRecord,
    WaitingPage,
)
from portal.imports.desk.views import kind_of, narrowed, paged, views
from portal.kernel.codes import Code
from portal.staff.desk.customers import CUSTOMERS
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.exchange import Side


def rejected() -> rx.Component:
    page = RejectedPage
    heads = (_("Record"), _("Kind"), _("Field"), _("Reason"), _("Where"), _("When"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(
            rx.cond(
                page.source != "",
                ui.stack(
                    ui.confirm_button(
                        _("Send all again"),
                        _("Send all these records again?"),
                        _("They are imported just as they were sent. That helps when the problem was somewhere else."),
                        _("Send again"),
                        _("Not now"),
                        page.send_all,
                    ),
                    bottom=4,
                ),
                ui.muted(_("Choose a kind to send all its records again."), bottom=4),
            ),
            data_table(heads, page.lines, _rejected, label=_("Rejected records")),
            paged(REJECTED, page),
        ),
        ui.empty_state(_("Nothing was rejected"), _("Records that can’t be stored stay here until they can.")),
    )
    return desk_page(
        views(),
        refused(page),
        desk_loaded(page, rx.el.div(narrowed(page), table), failure=_("The rejected records couldn’t be loaded.")),
        heading=_("Rejected records"),
    )


def _rejected(line: rx.vars.ObjectVar[ShownRecord]) -> rx.Component:
    name = rx.cond(line.external_id != "", line.external_id, _("without id")).to(str)
    return table_row(
        cell(open_link(name, rx.Var.create(f"{REJECTED}/").to(str) + line.record_id.to(str)), below=line.source),
        cell(kind_of(line.kind)),
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
        ui.Fact(_("Kind"), kind_of(found.kind)),
        ui.Fact(_("Shop"), found.source),
        ui.Fact(_("Where"), _where(found)),
        ui.Fact(_("Field"), rx.el.code(found.field), shown=found.field != ""),
        ui.Fact(_("Reason"), rx.el.strong(localized(found.why))),
    )
    control = rx.el.textarea(
        name=CONTENT,
        default_value=page.content,
        rows="16",
        max_length=MAX_RECORD,
        class_name="field py-3 font-mono text-sm",
        custom_attrs={**ui.described(CONTENT, None, error, required=True), "spellCheck": False},
    )
    return desk_page(
        desk_loaded(
            page,
            rx.el.div(
                panel(None, facts),
                refused(page),
                ui.notice_on_failure(
                    page.refused == AGAIN,
                    _("It was rejected again: {reason}", reason=localized(found.why)),
                    page.attempt,
                ),
                panel(
                    None,
                    ui.event_form(
                        ui.labelled(CONTENT, _("Record"), control, error=error),
                        rx.el.div(ui.submit_button(_("Send the corrected record"), wide=False)),
                        on_send=page.correct,
                        answered=page.answered,
                        key=page.subject,
                        class_name="space-y-4",
                    ),
                    ui.stack(
                        ui.confirm_button(
                            _("Remove"),
                            _("Remove this record?"),
                            _("It disappears from here. If the shop sends it again, it’s imported again."),
                            _("Remove the record"),
                            _("Keep the record"),
                            page.discard,
                        ),
                        top=4,
                    ),
                ),
                class_name="max-w-3xl space-y-4",
            ),
            failure=_("The record couldn’t be loaded."),
            missing=panel(None, ui.text(_("This record is no longer rejected."))),
        ),
        heading=rx.cond(found & (found.external_id != ""), found.external_id, _("Rejected record")).to(str),
        back=back_line(_("Rejected records"), REJECTED),
        above=ui.error_summary({CONTENT: error}, page.attempt),
    )


def waiting() -> rx.Component:
    """The records that wait for another one."""
    page = WaitingPage
    heads = (_("Record"), _("Kind"), _("Waiting for"), _("Since"))
    table = rx.cond(
        page.lines.length() > 0,
        rx.el.div(data_table(heads, page.lines, _waiting, label=_("Waiting records")), paged(WAITING, page)),
        ui.empty_state(
            _("Nothing is waiting"),
            _("An order that arrives before its customer waits here and is added automatically."),
        ),
    )
    return desk_page(
        views(),
        desk_loaded(page, rx.el.div(narrowed(page), table), failure=_("The waiting records couldn’t be loaded.")),
        heading=_("Waiting records"),
    )


def _waiting(line: rx.vars.ObjectVar[WaitingRecord], place: rx.Var[int]) -> rx.Component:
    return table_row(
        cell(rx.el.strong(line.external_id), below=line.source),
        cell(kind_of(line.kind)),
        cell(kind_of(line.needs_kind), label=_("Waiting for"), below=line.needs_id),
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
            ui.text(ui.link_button(_("Next page"), following, "secondary"), top=4, shown=page.next_after > 0),
        ),
        ui.empty_state(
            _("No differences"),
            _("When a customer and the shop change the same field, the customer’s value stays and you decide here."),
        ),
    )
    return desk_page(
        views(),
        refused(page),
        desk_loaded(page, rx.el.div(narrowed(page), table), failure=_("The differences couldn’t be loaded.")),
        heading=_("Differences"),
    )


def _difference(line: rx.vars.ObjectVar[Difference]) -> rx.Component:
    name = rx.cond(line.customer_id != "", line.customer, line.external_id)
    about = ui.hidden_text(" ", name, " ", _field(line.field))
    record = rx.el.strong(line.external_id)
    customer = open_link(line.customer, rx.Var.create(f"{CUSTOMERS}/").to(str) + line.customer_id.to(str))
    below = rx.fragment(
        rx.cond(line.customer_id != "", line.external_id.to(str) + " · ", ""), kind_of(line.kind), " · ", line.source
    )
    decide = ui.row(
        ui.action_button(
            rx.fragment(_("Use the shop’s value"), about),
            DifferencesPage.settle(line.difference_id.to_string(), Side.SHOP.value),
        ),
        ui.action_button(
            rx.fragment(_("Keep the portal’s value"), about),
            DifferencesPage.settle(line.difference_id.to_string(), Side.PORTAL.value),
        ),
        gap=2,
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


PAGES = [
    DeskRoute(REJECTED[1:], rejected, title(_("Rejected records")), on_load=[RejectedPage.load]),
    DeskRoute(
        f"{REJECTED[1:]}/[record]", rejected_record, title(_("Rejected records")), on_load=[RejectedRecordPage.load]
    ),
    DeskRoute(WAITING[1:], waiting, title(_("Waiting records")), on_load=[WaitingPage.load]),
    DeskRoute(DIFFERENCES[1:], differences, title(_("Differences")), on_load=[DifferencesPage.load]),
]
