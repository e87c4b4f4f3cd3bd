"""The page of exports: refunds to pay, the hand-over to insurers, and cases."""

import reflex as rx

from portal import ui
from portal.desk.downloads import download_link, download_notice
from portal.desk.forms import desk_form, field_errors, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import may
from portal.desk.tables import cell, data_table, listing, open_link, table_pages, table_row
from portal.desk.views import case_address, desk_loaded, desk_page, grouped, panel, title
from portal.exports.api import RefundBatch, RefundSum, RefundToPay
from portal.exports.desk.exports_state import CHANGE, HOLDER, IBAN, MAKE, MAX_LISTED, REFUND, ExportsPage
from portal.frontend.texts import message
from portal.i18n import Text, _, choice, day, moment, money, ngettext
from portal.kernel.codes import Code
from portal.vocabulary.cases import CASE_VIEWS, CaseView
from portal.vocabulary.exchange import REFUND_WAYS, RefundWay
from portal.vocabulary.orders import PAYMENT_METHODS
from portal.vocabulary.staff import Right

EXPORTS = "/exports"
_LABELS: dict[str, Text] = {REFUND: _("Refund"), HOLDER: _("Account holder"), IBAN: _("IBAN")}
_WAYS = {way.value: _(label) for way, label in REFUND_WAYS.items()}


def exports() -> rx.Component:
    page = ExportsPage
    return desk_page(
        download_notice(page.failed),
        desk_loaded(
            page,
            ui.stack(_refunds(), _batches(), _insurances(), _cases(), gap=4),
            failure=_("The exports couldn’t be loaded."),
        ),
        heading=_("Exports"),
        above=ui.error_summary(_errors(), page.attempt),
    )


def _refunds() -> rx.Component:
    page = ExportsPage
    heads = (_("Case"), _("Decided"), _("Paid by"), _("To account"), _("State"), _("Amount"))
    return panel(
        _("Refunds to pay"),
        refused(page, MAKE),
        rx.cond(page.made != "", _made()),
        rx.cond(
            page.refunds.length() > 0,
            rx.el.div(
                rx.el.div(rx.foreach(page.sums, _sum), class_name="mb-4 grid gap-3 md:grid-cols-2"),
                _chosen(),
                data_table(
                    heads,
                    page.refunds,
                    _refund,
                    label=_("Refunds to pay"),
                    choosing=may(Right.RELEASE_REFUNDS),
                    numbers={5},
                ),
                ui.muted(
                    _("The list shows the oldest {most}; the totals above cover them all.", most=MAX_LISTED),
                    top=2,
                    shown=page.more,
                ),
                rx.cond(may(Right.ENTER_REFUND_ACCOUNT), _account()),
            ),
            ui.muted(_("Every refund decided so far has been paid.")),
        ),
    )


def _sum(line: rx.vars.ObjectVar[RefundSum]) -> rx.Component:
    make = ui.confirm_button(
        _("Create the file"),
        _("Export these refunds?"),
        _(
            "Each refund is exported only once. You can download the file again, but these refunds "
            "won’t appear in another one."
        ),
        _("Create the file"),
        _("Not now"),
        ExportsPage.make(line.way),
        "primary",
    )
    return ui.row(
        rx.el.div(
            ui.strong(choice(line.way, _WAYS)),
            ui.text(
                ngettext("{n} refund", "{n} refunds", line.count.to(int)),
                " · ",
                rx.el.span(money(line.total), class_name="tabular-nums"),
            ),
        ),
        rx.cond(line.count.to(int) > 0, make),
        look="items-center justify-between rounded-card border border-line p-3",
        key=line.way,
    )


def _made() -> rx.Component:
    return ui.notice(
        ui.text(
            _("Download it below and pay the refunds."),
            " ",
            ui.text_link(_("To the export"), "#" + ExportsPage.made.to(str)),
        ),
        title=_("The file has been created."),
        tone="ok",
        announced=True,
    )


def _refund(line: rx.vars.ObjectVar[RefundToPay]) -> rx.Component:
    page = ExportsPage
    entered = rx.cond(
        line.entered_by != "",
        _("entered by {name}, {day}", name=line.entered_by, day=day(line.entered_at)),
        _("entered by the customer, {day}", day=day(line.entered_at)),
    )
    changed = ui.when(
        line.address_changed_by != "",
        rx.el.br(),
        _(
            "{name} changed the email address of the customer before that, {day}",
            name=line.address_changed_by,
            day=day(line.address_changed_at),
        ),
    )
    state = rx.cond(
        line.waits,
        ui.badge(_("Waiting for a second person"), "warn"),
        rx.cond(
            line.batch != "", rx.el.span(_("In the file of {moment}", moment=moment(line.exported_at))), _("To pay")
        ),
    )
    confirmed = rx.cond(line.confirmed_by != "", rx.el.span(_("Confirmed by {name}", name=line.confirmed_by)))
    by_shop = ui.line(
        _("The shop refunded {amount} of this order", amount=money(line.refunded)), shown=line.refunded.to(float) > 0
    )
    unclear = rx.cond(line.unclear, ui.line(_("The amounts of the order don’t add up")))
    return table_row(
        cell(
            open_link(grouped(line.reference), case_address(line.case_kind, line.reference)),
            below=_("Order {number}", number=line.order_numbers.to(list[str]).join(", ")),
        ),
        cell(day(line.decided_at)),
        cell(
            choice(line.payment_method, PAYMENT_METHODS, line.payment_method),
            below=line.payment_reference,
            label=_("Paid by"),
        ),
        cell(
            rx.cond(line.account != "", line.account, "–"),
            below=ui.when(line.account != "", line.holder, rx.el.br(), entered, changed),
            label=_("To account"),
        ),
        cell(state, below=rx.fragment(confirmed, by_shop, unclear)),
        cell(money(line.amount), number=True),
        key=line.reference,
        choosing=may(Right.RELEASE_REFUNDS),
        chosen=page.chosen.contains(line.reference),
        on_choose=lambda chosen: page.choose(line.reference, chosen),
        name=_("Select {reference}", reference=grouped(line.reference)),
    )


def _chosen() -> rx.Component:
    page = ExportsPage
    count = page.chosen.length()
    paid = ui.confirm_button(
        _("Record as paid"),
        _("Have these refunds been paid?"),
        _("Each customer gets an email that the money is on its way."),
        _("Record as paid"),
        _("Not now"),
        page.record_paid,
        "primary",
    )
    refused_ones = ui.item_list(
        page.unchanged,
        lambda entry: rx.el.li(
            rx.el.span(grouped(entry.reference), class_name="font-semibold"), " – ", message(entry.code)
        ),
        look="w-full text-err",
        role="alert",
    )
    return ui.row(
        ui.strong(ngettext("{n} refund selected", "{n} refunds selected", count), role="status"),
        ui.action_button(_("Select or clear all"), page.choose_all, "text"),
        ui.when(count > 0, ui.action_button(_("Confirm as second person"), page.confirm, "secondary"), paid),
        refused(page, CHANGE),
        rx.cond(page.unchanged.length() > 0, refused_ones),
        look="items-center",
        bottom=3,
        shown=may(Right.RELEASE_REFUNDS),
    )


def _account() -> rx.Component:
    page, errors = ExportsPage, _errors()
    choices = rx.foreach(
        page.refunds,
        lambda line: rx.cond(
            line.batch == "",
            rx.el.option(
                grouped(line.reference), " · ", line.order_numbers.to(list[str]).join(", "), value=line.reference
            ),
        ),
    )
    return rx.el.details(
        rx.el.summary(_("Pay a refund to an account"), class_name="cursor-pointer py-2 font-semibold"),
        ui.muted(
            _(
                "For an order that can’t be refunded the way it was paid. The customer can enter the account on the "
                "page of the return, too, and gets its last digits by email."
            )
        ),
        desk_form(
            page,
            ui.select_field(
                REFUND, _LABELS[REFUND], [], further=choices, error=errors[REFUND], placeholder=_("Choose a refund")
            ),
            ui.text_field(HOLDER, _LABELS[HOLDER], error=errors[HOLDER]),
            ui.text_field(IBAN, _LABELS[IBAN], error=errors[IBAN]),
            on_send=page.enter_account,
            send=_("Save the account"),
            key=page.entered.to(str),
            style="secondary",
            class_name="mt-3 max-w-form space-y-4",
        ),
        open=page.attempt > 0,
        class_name="mt-4",
    )


def _batches() -> rx.Component:
    page = ExportsPage
    heads = (_("When"), _("Paid back"), _("By"), _("Refunds"), _("Total"), _("Files"))
    return panel(
        _("Earlier exports of refunds"),
        listing(
            page.batches,
            heads,
            _batch,
            label=_("Earlier exports of refunds"),
            numbers={3, 4},
            empty=_("Nothing has been exported yet."),
            pages=table_pages(page, lambda number: rx.Var.create(f"{EXPORTS}?page=").to(str) + number.to(str)),
        ),
    )


def _batch(line: rx.vars.ObjectVar[RefundBatch]) -> rx.Component:
    address = rx.Var.create("/files/refunds/").to(str) + line.id.to(str)
    of = ui.hidden_text(" ", _("of {moment}", moment=moment(line.exported_at)))
    return table_row(
        cell(rx.el.span(moment(line.exported_at), custom_attrs={"id": line.id})),
        cell(choice(line.way, _WAYS)),
        cell(rx.cond(line.made_by != "", line.made_by, _("Command line"))),
        cell(line.count, number=True, label=_("Refunds")),
        cell(money(line.total), number=True, label=_("Total")),
        cell(
            rx.el.span(
                ui.anchor(
                    "CSV", of, href=address + ".csv", class_name=f"{ui.LINK} mr-3 inline-flex min-h-8 items-center"
                ),
                ui.anchor(
                    _("File for the bank"),
                    of,
                    href=address + ".xml",
                    class_name=f"{ui.LINK} inline-flex min-h-8 items-center",
                    shown=line.way == RefundWay.ACCOUNT.value,
                ),
            )
        ),
        key=line.id,
    )


def _insurances() -> rx.Component:
    count = ExportsPage.insurances
    return panel(
        _("Hand over to insurers"),
        rx.cond(
            count > 0,
            rx.el.div(
                ui.text(
                    ngettext(
                        "{n} request is waiting for the insurer. The file contains personal data and account numbers.",
                        "{n} requests are waiting for the insurer. The file contains personal data and account "
                        "numbers.",
                        count,
                    ),
                    bottom=3,
                ),
                download_link(_("Download as CSV"), "/files/insurances.csv"),
            ),
            ui.muted(_("No requests are waiting for the insurer.")),
        ),
    )


def _cases() -> rx.Component:
    views = (CaseView.OPEN, CaseView.OVERDUE, CaseView.DONE)
    return panel(
        _("Cases"),
        ui.text(
            _(
                "Each button downloads a CSV file. Want a different selection? Open the cases, set the "
                "filters and download there."
            ),
            " ",
            ui.text_link(_("Go to the cases"), "/cases"),
            bottom=3,
        ),
        ui.row(*[download_link(_(CASE_VIEWS[view]), f"/files/cases.csv?view={view.value}") for view in views], gap=2),
    )


def _errors() -> dict[str, rx.Var[str]]:
    own = {REFUND: {Code.REQUIRED.value: _("Choose a refund.")}}
    return field_errors(ExportsPage, _LABELS, Code.TOO_LONG, Code.INVALID_IBAN, own=own)


NAVIGATION = (NavigationItem(_("Exports"), EXPORTS, SHOP, Right.EXPORT),)

PAGES = [DeskRoute(EXPORTS[1:], exports, title(_("Exports")), on_load=[ExportsPage.load])]
