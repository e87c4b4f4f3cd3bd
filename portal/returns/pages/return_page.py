"""The list of returns, and the page of one: status, amounts, documents and actions (part-2 §2, §4)."""

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.contract.models import Picture
from portal.conversations.pages.components import answer_asked, conversation
from portal.frontend.accounts import next_steps
from portal.frontend.accounts import phases as account_phases
from portal.frontend.layout import title
from portal.frontend.live import live_line, request_loading
from portal.frontend.load import READY
from portal.frontend.load_views import (
    CARD,
    COVERING,
    ROW_PICTURE,
    card_body,
    card_fact,
    card_facts,
    detail_title,
    earlier_row,
    help_card,
    loaded,
    status_panel,
    under_way_page,
    unless_missing,
    view_status,
)
from portal.frontend.models import entry
from portal.frontend.registry import PageRoute
from portal.frontend.texts import field_message, in_groups
from portal.i18n import Text, _, day, localized, moment
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.returns.api import PendingConfirmation, ReturnEvent
from portal.returns.pages.battery import battery_form, unsafe_battery
from portal.returns.pages.return_components import (
    account_amounts,
    documents,
    facts,
    handover,
    items,
    kind_text_var,
    refused,
    request_again,
    resend_form,
    start_return,
)
from portal.returns.pages.state import (
    HOLDER,
    IBAN,
    ListedReturn,
    ReturnPage,
    Returns,
    ShownReturn,
    ShownReturnItem,
    ShownStore,
)
from portal.vocabulary.returns import BATTERY_FIRST, ReturnKind

_SHOWN = ReturnPage.shown.to(ShownReturn)
_ACCOUNT = _SHOWN.account.to(Account)
_PENDING = _SHOWN.pending.to(PendingConfirmation)
_PICTURE = entry(_SHOWN, "items").to(list[ShownReturnItem])[0].picture


def return_page() -> rx.Component:
    return unless_missing(
        ReturnPage,
        ui.page_frame(
            loaded(ReturnPage, _body(), failure=_("Your return couldn’t be loaded."), loading=request_loading("h-56")),
            title=_title(),
            back=ui.back_link(_("Your returns"), "/returns"),
        ),
    )


def _title() -> rx.Var[str]:
    return rx.cond(ReturnPage.view_state == READY, localized(_ACCOUNT.title), _("Return")).to(str)


def _body() -> rx.Component:
    return rx.fragment(
        _instructions(),
        rx.cond(_SHOWN.pending, _to_confirm(), _status_block()),
        rx.cond(_SHOWN.battery_asked, _battery()),
        live_line(ReturnPage, localized(_ACCOUNT.status)),
        answer_asked(ReturnPage),
        ui.stack(
            account_phases(_ACCOUNT, _text(_("Progress of your exchange"), _("Progress of your return"))),
            top=6,
            shown=~_SHOWN.pending.bool(),
        ),
        rx.el.div(
            ui.block(
                rx.cond(_ACCOUNT.next_steps, ui.section(_("What happens next"), next_steps(_ACCOUNT))),
                conversation(ReturnPage),
                ui.section(_("Items"), items(_SHOWN)),
                documents(_SHOWN),
                rx.cond(_SHOWN.timeline, ui.section(_("What happened"), ui.timeline(_events(), _event))),
            ),
            ui.block(
                ui.section(
                    _text(_("How you hand it in"), _("How you’re returning it")),
                    handover(_ACCOUNT, _store_buttons()),
                    shown=_ACCOUNT.handover,
                ),
                ui.section(
                    _("Your money"),
                    account_amounts(_ACCOUNT),
                    rx.cond(_SHOWN.account_wanted, _refund_account()),
                    shown=_ACCOUNT.money.lines,
                ),
                ui.section(_("Your request"), facts(_SHOWN)),
                _cancel(),
                ui.stack(help_card(in_groups(_SHOWN.reference)), top=10),
            ),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _store_buttons() -> rx.Component:
    store = _SHOWN.store.to(ShownStore)
    return rx.cond(_SHOWN.store, ui.contact_buttons(store.readable_phone, store.phone, store.route))


def _text(exchange: Text, other: Text) -> rx.Var[str]:
    return kind_text_var(_SHOWN.kind, exchange, other)


def _status_block() -> rx.Component:
    return status_panel(
        ui.badge(localized(_ACCOUNT.status), _SHOWN.tone),
        ui.text(localized(_ACCOUNT.meaning), look="max-w-form text-h3 md:text-h2", top=4),
        picture=picture(_PICTURE, "(min-width: 64rem) 24rem, 18rem", "w-full"),
    )


def _to_confirm() -> rx.Component:
    """The panel of a return that is not confirmed: its link can be mailed again (flow-standard F32)."""
    over = ~_PENDING.can_resend
    said = ui.block(
        # The badge of this tone has the colour of the panel, so it gets a white background.
        rx.el.span(localized(_ACCOUNT.status), class_name="badge bg-white text-warn"),
        ui.text(localized(_ACCOUNT.meaning), look="max-w-form text-h3", top=4),
        rx.cond(
            _PENDING.failed & _PENDING.can_resend,
            ui.notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err", top=4),
            rx.cond(
                _PENDING.expired,
                ui.text(_("The link to {email} worked until {moment}.", **_sent()), top=4),
                ui.text(
                    _("We sent the link to {email}. It works until {moment}.", **_sent()),
                    " ",
                    _("Not received? Check your spam folder too."),
                    look="max-w-form",
                    top=4,
                ),
            ),
        ),
        rx.cond(over, request_again(_SHOWN.order_number), ui.stack(resend_form(ReturnPage, _SHOWN.return_id), top=6)),
    )
    shown = rx.el.div(
        picture(_PICTURE, "(min-width: 64rem) 24rem, 18rem", "w-full"),
        class_name="overflow-hidden rounded-card bg-paper max-md:hidden md:w-72 md:shrink-0 lg:w-96",
    )
    return rx.el.div(
        said,
        shown,
        class_name="mt-8 rounded-panel border-2 border-warn-line bg-warn-bg p-6 md:flex md:items-center "
        "md:justify-between md:gap-8 md:p-10",
    )


def _sent() -> dict[str, rx.Var[str]]:
    return {"email": _PENDING.email, "moment": moment(_PENDING.expires_at)}


def _instructions() -> rx.Component:
    return ui.stack(
        unsafe_battery(_("Your battery is not safe: do this now")), top=4, shown=_SHOWN.instructions & ~_SHOWN.closed
    )


def _battery() -> rx.Component:
    """The battery question of a withdrawal. Nothing may be sent before it is answered."""
    form = battery_form(ReturnPage, refused(ReturnPage))
    return ui.section(_("Check the battery first"), rx.el.div(ui.text(_(BATTERY_FIRST)), form, class_name="max-w-form"))


def _refund_account() -> rx.Component:
    """The form for an account, where a customer cannot or does not want to be refunded the way the order was paid."""
    labels = {HOLDER: _("Account holder"), IBAN: _("IBAN")}
    errors = {name: field_message(ReturnPage.errors.get(name, "").to(str), label) for name, label in labels.items()}
    return rx.el.details(
        rx.el.summary(_("Have the refund paid to an account"), class_name="cursor-pointer py-2 font-semibold"),
        ui.muted(
            _(
                "Without an account number we refund you the way you paid. We’ll email you the last digits of the "
                "account."
            )
        ),
        ui.event_form(
            ui.error_summary(errors, ReturnPage.failures),
            ui.text_field(HOLDER, labels[HOLDER], error=errors[HOLDER], autocomplete="name"),
            ui.text_field(IBAN, labels[IBAN], error=errors[IBAN]),
            ui.submit_button(_("Save the account"), _("Saving…"), wide=False, style="secondary"),
            on_send=ReturnPage.name_account,
            answered=ReturnPage.answered,
            key=ReturnPage.accounts.to(str),
            class_name="mt-3 max-w-form space-y-4",
        ),
        open=ReturnPage.errors.length() > 0,
        class_name="mt-4",
    )


def _events() -> rx.vars.ArrayVar[list[ReturnEvent]]:
    """Newest first."""
    return _SHOWN.timeline.to(list[ReturnEvent]).reverse()


def _event(event: rx.vars.ObjectVar[ReturnEvent], newest: rx.Var[bool]) -> rx.Component:
    return ui.event_line(
        localized(event.label),
        event.happened_at.to(str),
        ui.text(localized(event.meaning), look="max-w-form", top=1),
        ui.note(event.note),
        newest=newest,
    )


def _cancel_text(withdrawal: Text, exchange: Text, other: Text) -> rx.Var[str]:
    return rx.cond(_SHOWN.kind == ReturnKind.WITHDRAWAL.value, withdrawal, _text(exchange, other)).to(str)


def _cancel() -> rx.Component:
    """The button that cancels a return before it is picked up; it asks for confirmation (flow-standard F58)."""
    return rx.el.div(
        rx.cond(~_SHOWN.pending.bool() & ~_SHOWN.battery_asked, refused(ReturnPage)),
        rx.cond(
            _SHOWN.can_cancel,
            ui.stack(
                ui.confirm_button(
                    _cancel_text(_("Keep my order"), _("Cancel exchange"), _("Cancel return")),
                    _cancel_text(_("Keep your order?"), _("Cancel this exchange?"), _("Cancel this return?")),
                    _text(
                        _("You keep what you have. You can request a new exchange as long as there is time."),
                        _(
                            "You keep the items and get no money back. You can request a new return as long as there "
                            "is time."
                        ),
                    ),
                    _cancel_text(_("Keep my order"), _("Cancel exchange"), _("Cancel return")),
                    _cancel_text(_("No, send it back"), _("Keep exchange"), _("Keep return")),
                    on_confirm=ReturnPage.cancel,
                ),
                top=10,
            ),
        ),
    )


def returns() -> rx.Component:
    return under_way_page(
        Returns,
        "/returns",
        title=_("Your returns"),
        failure=_("Your returns couldn’t be loaded."),
        under_way=_under_way,
        earlier=_earlier,
        below=ui.row(
            start_return("secondary"),
            ui.link_button(_("Your orders"), "/orders", "secondary"),
            look="max-md:flex-col",
            top=10,
        ),
        empty=_empty(),
    )


def _under_way(entry: rx.vars.ObjectVar[ListedReturn]) -> rx.Component:
    """The card of an open return. An unconfirmed one has no status to view, but its link can be resent (part-2 §4)."""
    return rx.el.li(
        card_body(
            _pictures(entry),
            rx.cond(
                entry.can_resend, rx.el.h3(localized(entry.title), class_name="min-w-0 text-balance"), _heading(entry)
            ),
            ui.badge(localized(entry.label), entry.tone),
            ui.lead(localized(entry.meaning), look="max-w-form"),
            card_facts(
                card_fact(
                    rx.cond(entry.orders.contains(","), _("Order numbers"), _("Order number")).to(str), entry.orders
                ),
                card_fact(_("Requested on"), day(entry.requested_on)),
                card_fact(_("Reference number"), in_groups(entry.reference)),
            ),
            rx.cond(
                entry.can_resend,
                ui.stack(
                    resend_form(Returns, entry.return_id),
                    ui.tall_link(
                        _("View what you requested"),
                        ui.hidden_text(" ", in_groups(entry.reference)),
                        to=f"/returns/{entry.return_id}",
                    ),
                    gap=2,
                    top=5,
                ),
                view_status(),
            ),
        ),
        class_name=rx.cond(entry.can_resend, "card md:p-8", CARD),
    )


def _pictures(entry: rx.vars.ObjectVar[ListedReturn]) -> rx.Component:
    """The first item, and below it the next two, smaller."""
    return rx.el.div(
        picture(entry.picture, "(min-width: 48rem) 10rem, 5rem", "w-full"),
        rx.cond(
            entry.others,
            rx.el.div(
                rx.foreach(entry.others.to(list[Picture]), lambda other: picture(other, "5rem", "w-full")),
                class_name="mt-2 grid grid-cols-2 gap-2",
            ),
        ),
    )


def _earlier(entry: rx.vars.ObjectVar[ListedReturn]) -> rx.Component:
    return earlier_row(
        _heading(entry),
        _("Requested on {day}", day=day(entry.requested_on)),
        ui.badge(localized(entry.label), entry.tone),
        rx.el.div(
            picture(entry.picture, "6rem", ROW_PICTURE),
            rx.foreach(entry.others.to(list[Picture]), lambda other: picture(other, "6rem", ROW_PICTURE)),
            class_name="flex gap-2",
        ),
    )


def _heading(entry: rx.vars.ObjectVar[ListedReturn]) -> rx.Component:
    """The name of a return, with a link that covers the whole card."""
    return rx.el.h3(
        rx.el.a(
            localized(entry.title),
            ui.hidden_text(", ", in_groups(entry.reference)),
            to=f"/returns/{entry.return_id}",
            class_name=COVERING,
        ),
        class_name="min-w-0 text-balance",
    )


def _empty() -> rx.Component:
    return ui.empty_state(
        _("You have no returns yet"),
        _("Follow anything you return, exchange or withdraw from here."),
        ui.row(start_return(), ui.link_button(_("Your orders"), "/orders", "secondary"), look="justify-center"),
        ui.illustrations.parcel(),
    )


PAGES = [
    PageRoute(
        "returns/[return_id]",
        return_page,
        detail_title(ReturnPage, _title()),
        on_load=[ReturnPage.load, ReturnPage.watch],
        first=ReturnPage,
    ),
    PageRoute("returns", returns, title(_("Your returns")), on_load=[Returns.load, Returns.watch], first=Returns),
]
