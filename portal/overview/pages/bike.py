"""The page of a bike: actions, service, timeline, documents, details (part-1 §2, §3; flow-standard F57)."""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from portal import ui
from portal.contracts.pages.components import contract_card
from portal.frontend.accounts import fact_rows
from portal.frontend.actions import action_list, action_name, reason_list
from portal.frontend.live import live_line
from portal.frontend.load_views import detail_title, download_link, is_here, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.texts import departure_stated, package_name, request_kind
from portal.i18n import Text, _, choice, day, distance, localized, lowered, moment, ngettext
from portal.kernel.codes import Code
from portal.overview.api import BikeDocument, BikeDocumentKind, TimelineEvent, TimelineEventKind
from portal.overview.pages.bike_components import bike_care, bike_due, frame_number, groups, identity
from portal.overview.pages.state import BikeDetail
from portal.pictures.pages import picture
from portal.returns.pages.return_components import return_kind
from portal.vocabulary.deliveries import DATE_CHANGE_LABELS, DELIVERY_LABELS
from portal.vocabulary.insurance import INSURANCE_LABELS, INSURANCE_TYPES, INSURER_ASKS, UNINSURED_ANSWERS
from portal.vocabulary.status import STATUS_UNKNOWN
from portal.vocabulary.work_orders import RequestKind

_BIKE = BikeDetail.bike
_HEADING = rx.cond(is_here(BikeDetail) & _BIKE.bool(), _BIKE.name, _("Bike")).to(str)
_SMALL_LINK = f"{ui.LINK} inline-flex min-h-11 items-center"


def bike() -> rx.Component:
    return unless_missing(
        BikeDetail,
        ui.page_frame(
            loaded(BikeDetail, _content(), failure=_("This bike couldn’t be loaded."), loading=_loading()),
            title=_HEADING,
            back=ui.back_link(_("Bikes"), "/bikes"),
        ),
    )


def _content() -> rx.Component:
    return rx.fragment(
        _hero(),
        live_line(BikeDetail),
        _warnings(),
        bike_due(),
        _actions(),
        bike_care(),
        rx.cond(
            BikeDetail.contracts.length() > 0,
            rx.el.section(
                rx.el.div(
                    rx.el.h2(_("Contracts")),
                    ui.text_link(_("Your contracts"), "/contracts", _SMALL_LINK),
                    class_name="flex flex-wrap items-baseline justify-between gap-x-6",
                ),
                ui.item_list(BikeDetail.contracts, contract_card, top=4, look="grid gap-5 lg:grid-cols-2"),
                class_name="mt-12",
            ),
        ),
        bike_story(),
        rx.el.h2(_("About this bike"), class_name="mt-12"),
        groups(),
    )


def _hero() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            ui.text(
                ui.badge(_("Request under way"), "info", shown=_BIKE.open_request),
                ui.badge(
                    _("Warranty until {day}", day=day(_BIKE.warranty_until)),
                    "ok",
                    shown=~_BIKE.warranty_expired & ~_BIKE.departure.bool(),
                ),
                look="flex flex-wrap gap-2",
            ),
            ui.muted(
                ui.text_link(_("Order {number}", number=_BIKE.order_number), f"/orders/{_BIKE.order_number}"),
                " ",
                rx.el.span(_("placed on {day}", day=day(_BIKE.order_date))),
                top=4,
            ),
            # The heading names the brand. On a phone these would push away what is due.
            rx.el.dl(*identity(), class_name="mt-4 grid gap-3 max-md:hidden"),
            ui.text(
                ui.text_link(_("Return this bike"), f"/return-request?bike={_BIKE.bike_id}", _SMALL_LINK),
                ui.text_link(_("Exchange this bike"), f"/exchange-request?bike={_BIKE.bike_id}", _SMALL_LINK),
                look="flex flex-wrap gap-x-6",
                top=2,
                shown=BikeDetail.returnable,
            ),
            class_name="order-2 p-6 md:order-1 md:p-10",
        ),
        rx.el.div(
            picture(_BIKE.picture, "(min-width: 48rem) 34rem, 90vw", "w-full rounded-none", eager=True),
            class_name="order-1 md:order-2",
        ),
        class_name="mt-6 grid items-center overflow-hidden rounded-panel border border-line bg-white "
        "md:grid-cols-[2fr_3fr]",
    )


def _warnings() -> rx.Component:
    return rx.el.div(
        ui.notice(
            ui.stack(fact_rows(BikeDetail.consequences), top=2, shown=BikeDetail.consequences),
            ui.text(
                ui.text_link(_("Your returns"), "/returns", _SMALL_LINK),
                ui.text_link(
                    _("Order {number}", number=_BIKE.order_number), f"/orders/{_BIKE.order_number}", _SMALL_LINK
                ),
                look="flex flex-wrap gap-x-6",
            ),
            title=departure_stated(_BIKE.departure),
            tone="warn",
            shown=_BIKE.departure,
        ),
        ui.notice(
            _("You now pay for a repair, unless your service package or insurance covers it."),
            title=_("The warranty expired on {day}", day=day(_BIKE.warranty_until)),
            tone="warn",
            shown=_BIKE.warranty_expired & ~_BIKE.departure.bool(),
        ),
        ui.notice(
            frame_number(),
            title=_("We don’t know the frame number of this bike"),
            tone="warn",
            shown=(_BIKE.frame_number == "") & ~_BIKE.departure.bool(),
        ),
        class_name="mt-4 space-y-4 empty:hidden",
    )


def _actions() -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("What you can do for this bike")),
        ui.stack(action_list(BikeDetail.actions, grid="four"), top=4),
        rx.cond(
            BikeDetail.closed.length() > 0,
            rx.el.details(
                rx.el.summary(
                    ui.block(
                        rx.el.h3(_("Not available"), class_name="text-base"),
                        ui.muted(
                            rx.foreach(
                                BikeDetail.closed, lambda action: rx.el.span(action_name(action), class_name="named")
                            )
                        ),
                    ),
                    ui.chevron("rotate-90 group-open:-rotate-90"),
                    class_name="flex min-h-11 cursor-pointer list-none items-center justify-between gap-4",
                ),
                ui.stack(reason_list(BikeDetail.closed), top=3),
                class_name="group mt-4",
            ),
        ),
        class_name="mt-12",
    )


def _loading() -> rx.Component:
    return ui.loading_block(
        ui.skeleton("h-56 w-full rounded-panel"),
        rx.el.div(
            *[ui.skeleton("h-16 md:h-24 rounded-card") for _i in range(4)],
            class_name="mt-10 grid gap-4 md:grid-cols-2 lg:grid-cols-4",
        ),
        rx.el.div(*[ui.skeleton("h-64 rounded-card") for _i in range(2)], class_name="mt-10 grid gap-5 lg:grid-cols-2"),
        class_name="mt-6",
    )


PAGES = [
    PageRoute(
        "bikes/[bike_id]",
        bike,
        detail_title(BikeDetail, _HEADING, _("Bikes")),
        on_load=[BikeDetail.load, BikeDetail.watch],
        first=BikeDetail,
    )
]


_KIND = TimelineEventKind

Entry = rx.vars.ObjectVar[TimelineEvent]


def bike_story() -> rx.Component:
    return rx.el.div(
        rx.el.section(
            rx.el.h2(_("Timeline")),
            rx.el.ol(rx.foreach(BikeDetail.recent, _entry), class_name="relative mt-6"),
            rx.cond(BikeDetail.earlier.length() > 0, _earlier()),
            class_name="mt-12 min-w-0",
        ),
        rx.el.section(rx.el.h2(_("Documents")), _documents(), class_name="mt-12 min-w-0"),
        class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
    )


def _earlier() -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            ngettext("Show {n} earlier event", "Show {n} earlier events", BikeDetail.earlier.length().to(int)),
            ui.chevron("rotate-90 group-open:-rotate-90"),
            class_name="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 text-link underline",
        ),
        rx.el.ol(rx.foreach(BikeDetail.earlier, _entry), class_name="relative mt-4"),
        class_name="group mt-2",
    )


def _entry(entry: Entry) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            class_name=rx.cond(
                entry.ahead,
                "absolute left-0 top-1.5 z-10 size-4 rounded-pill border-2 border-signal-600 bg-paper",
                "absolute left-0 top-1.5 z-10 size-4 rounded-pill bg-ink",
            ),
            aria_hidden="true",
        ),
        rx.el.h3(
            rx.cond(
                entry.page != "",
                rx.el.a(_name(entry), to=entry.page, class_name="text-ink underline underline-offset-2"),
                rx.el.span(_name(entry)),
            ),
            ui.badge(_("Planned"), "info", shown=entry.ahead),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1 text-base font-semibold",
        ),
        ui.small(
            rx.cond(
                entry.happened_at,
                rx.el.time(moment(entry.happened_at), date_time=entry.happened_at.to(str)),
                rx.el.time(day(entry.day), date_time=entry.day.to(str)),
            ),
            look="tabular-nums",
        ),
        ui.text(_("Asked for: {day}", day=day(entry.new_day)), top=1, shown=entry.new_day),
        ui.if_text(entry.text, look="max-w-form break-words whitespace-pre-line", top=1),
        class_name="relative pb-7 pl-9 last:pb-0 before:absolute before:bottom-0 before:left-[7px] before:top-3 "
        "before:w-0.5 before:bg-line last:before:hidden",
    )


def _name(entry: Entry) -> rx.Var[str]:
    descriptions = {
        _KIND.ORDER: _("Ordered: order {number}", number=entry.reference),
        _KIND.DELIVERY: rx.cond(
            entry.ahead, _("Planned delivery"), _status_line(_("Delivery"), entry.status, DELIVERY_LABELS)
        ).to(str),
        _KIND.DATE_CHANGE: _status_line(_("New delivery day requested"), entry.status, DATE_CHANGE_LABELS),
        _KIND.RETURN: _("{kind}: {status}", kind=return_kind(entry.detail), status=localized(entry.label)),
        # 'No insurance' and 'insured already' have texts of their own: no insurance was requested.
        _KIND.INSURANCE: choice(entry.detail, UNINSURED_ANSWERS, _insurance(entry)),
        _KIND.SERVICE_PACKAGE: _("Service package {name} taken out", name=package_name(entry.detail)),
        _KIND.CONTRACT_END: rx.cond(
            localized(entry.label) == "",
            localized(entry.title),
            _("{kind}: {status}", kind=localized(entry.title), status=lowered(localized(entry.label))),
        ).to(str),
        _KIND.MILEAGE: _("Mileage: {distance}", distance=distance(entry.detail)),
        _KIND.WARRANTY: rx.cond(entry.ahead, _("Warranty ends"), _("Warranty ended")).to(str),
        **{
            kind: rx.cond(
                entry.ahead,
                _("Appointment: {kind}", kind=lowered(request_kind(asked))),
                _("{kind}: {status}", kind=request_kind(asked), status=lowered(localized(entry.label))),
            ).to(str)
            for kind, asked in (
                (_KIND.REPAIR, rx.Var.create(RequestKind.REPAIR.value)),
                (_KIND.SERVICE, rx.Var.create(RequestKind.SERVICE.value)),
                (_KIND.CLAIM, rx.Var.create(RequestKind.CLAIM.value)),
            )
        },
    }
    return choice(entry.kind, descriptions)


def _insurance(entry: Entry) -> rx.Var[str]:
    name = _("Insurance ({type})", type=lowered(choice(entry.detail, INSURANCE_TYPES, entry.detail)))
    asked = _("{kind}: {status}", kind=name, status=lowered(_(INSURER_ASKS)))
    return rx.cond(entry.asks, asked, _status_line(name, entry.status, INSURANCE_LABELS)).to(str)


def _status_line(name: rx.Var[str], status: rx.Var[str], labels: Mapping[Any, Text]) -> rx.Var[str]:
    return _("{kind}: {status}", kind=name, status=lowered(choice(status, labels, STATUS_UNKNOWN)))


def _documents() -> rx.Component:
    return rx.cond(
        BikeDetail.documents.length() > 0,
        ui.item_list(
            BikeDetail.documents,
            _document,
            top=6,
            look="divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
        ),
        ui.card(ui.muted(_("There are no documents for this bike yet.")), class_name="mt-6"),
    )


def _document(document: rx.vars.ObjectVar[BikeDocument]) -> rx.Component:
    names = {
        BikeDocumentKind.INVOICE: _("Invoice {number}", number=document.number),
        BikeDocumentKind.REQUEST: _("{kind} {number}", kind=request_kind(document.about), number=document.number),
        BikeDocumentKind.DATE_CHANGE: _("Another delivery day for order {number}", number=document.number),
        BikeDocumentKind.CALENDAR: _("Delivery of order {number} for your calendar", number=document.number),
    }
    name = choice(document.kind, names)
    return rx.el.li(
        rx.el.div(
            rx.el.h3(name, class_name="text-base font-semibold tracking-normal break-words"),
            ui.small(day(document.day), look="tabular-nums"),
            class_name="min-w-0 grow",
        ),
        rx.match(
            document.kind,
            *[
                (kind.value, _download(document, f"{path}/{{}}.pdf", _("Download PDF"), name))
                for kind, path in _PDFS.items()
            ],
            _download(document, "deliveries/{}.ics", _("Add to calendar"), name),
        ),
        class_name="flex flex-wrap items-center justify-between gap-x-4 p-4 md:px-6",
    )


_PDFS = {
    BikeDocumentKind.INVOICE: "invoices",
    BikeDocumentKind.REQUEST: "requests",
    BikeDocumentKind.DATE_CHANGE: "delivery-dates",
}


def _download(document: rx.vars.ObjectVar[BikeDocument], path: str, text: Text, name: rx.Var[str]) -> rx.Component:
    address = rx.Var.create("/files/" + path.format(document.reference)).to(str)
    failed = Code.PDF_FAILED if path.endswith(".pdf") else Code.CALENDAR_FAILED
    about = ui.hidden_text(" – ", name)
    return download_link(address, failed, text, about, class_name="btn-text shrink-0 max-md:w-full")
