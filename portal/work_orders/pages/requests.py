"""The list of requests, and the page of one request (part-1 §2)."""

from itertools import pairwise
from typing import Any, ClassVar, TypeVar

import reflex as rx

from portal import ui
from portal.bikes.api import ServiceRequest
from portal.contract.account import Account, AccountFact, AccountMoney
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.conversations.api import Conversation
from portal.conversations.pages.components import answer_asked, conversation
from portal.conversations.pages.state import Conversing, conversation_about
from portal.frontend.accounts import amounts_box, chosen_way, handover_card, next_steps, phases
from portal.frontend.file_views import FileView, file_list
from portal.frontend.layout import title
from portal.frontend.live import Live, live_line, request_loading
from portal.frontend.load import COUNTS, READY, Paginated, Question, last_part, page_asked
from portal.frontend.load_views import (
    CARD,
    COVERING,
    ROW_PICTURE,
    account_fact,
    card_body,
    card_fact,
    card_facts,
    detail_title,
    earlier_row,
    help_card,
    loaded,
    reference_number,
    status_panel,
    text_fact,
    under_way_page,
    unless_missing,
    view_status,
)
from portal.frontend.models import computed
from portal.frontend.registry import PageRoute
from portal.frontend.texts import in_groups
from portal.i18n import _, choice, day, localized
from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.days import now
from portal.pictures.pages import picture
from portal.vocabulary.actions import Topic
from portal.vocabulary.locations import TYPE_NAMES
from portal.vocabulary.status import Tone
from portal.vocabulary.work_orders import request_tone, without_news
from portal.work_orders.api import RequestDetail, RequestEvent, RequestPartner, WorkOrdersApi
from portal.work_orders.flow.repair import REPAIR

V = TypeVar("V", bound="ListedRequest")


class ListedRequest(ServiceRequest):
    @computed
    def tone(self) -> Tone:
        return "warn" if self.asked else request_tone(self.status)


class HistoryEntry(RequestEvent):
    moved: bool
    """False for a note or a planned day that did not change the status."""


class PlaceOfRequest(RequestPartner):
    @computed
    def lines(self) -> list[str]:
        return [*address_lines(self)]

    @computed
    def readable_phone(self) -> str:
        return readable_phone(self.phone)

    @computed
    def route(self) -> str:
        return route_url(self.name, *self.lines)


class ShownRequest(ListedRequest):
    """The request of a page; `events` are newest first, `quiet` after weeks without news (part-1 §4)."""

    frame_number: str
    partner: PlaceOfRequest | None
    events: list[HistoryEntry]
    files: list[FileView]
    quiet: bool


def request_path(reference: str) -> str:
    return f"/maintenance/{reference}"


def _shown(view: type[V], request: ServiceRequest, account: Account, **more: Any) -> V:
    return view.model_validate({**dict(request), "account": account, **more})


def listed_request(request: ServiceRequest) -> ListedRequest:
    return _shown(
        ListedRequest,
        request,
        request.account.model_copy(update={"facts": [], "money": AccountMoney(), "next_steps": []}),
    )


def request_view(request: RequestDetail) -> ShownRequest:
    events = request.events
    moved = [True, *(before.status != after.status for before, after in pairwise(events))]
    # Files that are shown themselves are not named once more.
    facts = [fact for fact in request.account.facts if not (request.files and fact.files)]
    return _shown(
        ShownRequest,
        request,
        request.account.model_copy(update={"facts": facts}),
        events=[{**dict(event), "moved": changed} for event, changed in zip(events, moved, strict=True)][::-1],
        partner=dict(request.partner) if request.partner else None,
        files=[dict(file) for file in request.files],
        quiet=without_news(request.status, events[-1].happened_at, now()),
    )


class Maintenance(Live, Paginated, rx.State):
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("under_way", "earlier", *COUNTS)
    under_way: rx.Field[list[ListedRequest]] = rx.field(default_factory=list)
    earlier: rx.Field[list[ListedRequest]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[ServiceRequest]]:
        page = page_asked(self)
        return lambda token: ask(WorkOrdersApi).service_requests(token, page)

    def _show(self, part: Page[ServiceRequest]) -> None:
        rows = [listed_request(request) for request in part.items]
        self.under_way = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)


class OneRequest(Conversing, mixin=True):
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.MESSAGES)
    request: rx.Field[ShownRequest | None] = rx.field(None)

    def _case(self) -> tuple[str, str]:
        return (self.request.kind.value, self.request.reference) if self.request else ("", "")

    def _show(self, loaded: tuple[RequestDetail, Conversation | None]) -> None:
        found, conversation = loaded
        self.request = request_view(found)
        self._show_conversation(conversation)


async def request_and_conversation(token: str, reference: str) -> tuple[RequestDetail, Conversation | None]:
    request = await ask(WorkOrdersApi).service_request(token, reference)
    return request, await conversation_about(token, request.kind.value, reference)


class RequestPage(OneRequest, rx.State):
    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[RequestDetail, Conversation | None]]:
        reference = self._about()
        return lambda token: request_and_conversation(token, reference)


def _event(event: rx.vars.ObjectVar[HistoryEntry], newest: rx.Var[bool]) -> rx.Component:
    return ui.event_line(
        rx.cond(event.moved, localized(event.label), _("Message from the workshop")).to(str),
        event.happened_at.to(str),
        ui.text(localized(event.meaning), look="max-w-form", top=1, shown=event.moved),
        ui.strong(_("Planned for {day}", day=day(event.planned_date)), top=1, shown=event.planned_date),
        ui.note(event.note),
        newest=newest,
    )


def request_body(page: type[OneRequest]) -> rx.Component:
    request = page.request
    account = request.account
    return rx.fragment(
        _status_block(request),
        live_line(page, localized(account.status)),
        answer_asked(page),
        ui.stack(phases(account, _("Progress of your request")), top=6),
        rx.el.div(
            ui.block(
                rx.cond(account.next_steps.length() > 0, ui.section(_("What happens next"), next_steps(account))),
                conversation(page),
                _quiet(request),
                ui.section(_("What happened"), ui.timeline(request.events.to(list[HistoryEntry]), _event)),
                ui.section(_("Your request"), _facts(request)),
            ),
            ui.block(
                rx.cond(account.handover, ui.section(_("How your bike gets there"), handover_card(account.handover))),
                amounts_box(account),
                ui.section(_("Service location"), _partner(request)),
                ui.stack(help_card(in_groups(request.reference)), top=10),
            ),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _status_block(request: rx.vars.ObjectVar[ShownRequest]) -> rx.Component:
    return status_panel(
        ui.badge(localized(request.account.status), request.tone),
        ui.text(localized(request.account.meaning), look="text-h3 md:text-h2", top=4),
        ui.strong(
            _("Planned for {day}", day=localized(request.account.handover.when)),
            look="text-lg",
            top=3,
            shown=request.account.handover.day.bool() & ~request.closed,
        ),
        ui.text(_("Request received on {day}", day=day(request.created_at)), top=3),
        picture=picture(request.picture, "(min-width: 64rem) 24rem, 18rem", "w-full"),
    )


def _quiet(request: rx.vars.ObjectVar[ShownRequest]) -> rx.Component:
    """The way to customer service; after three weeks without news with a warning (part-1 §4)."""
    partner, newest = request.partner_name, request.events.to(list[HistoryEntry])[0]
    ask = rx.cond(
        partner != "",
        _("Is it taking longer than {silence_weeks} weeks? Call {partner}.", partner=partner),
        _("Is it taking longer than {silence_weeks} weeks? Call us, and we’ll find out why."),
    ).to(str)
    service = ui.text(ui.text_link(_("Go to customer service"), "/contact?topic=status"), top=1)
    return rx.cond(
        ~request.closed,
        rx.cond(
            request.quiet,
            ui.notice(
                ask,
                service,
                title=_("You’ve heard nothing since {day}", day=day(newest.happened_at)),
                tone="warn",
                top=8,
            ),
            ui.stack(service, top=4),
        ),
    )


def _partner(request: rx.vars.ObjectVar[ShownRequest]) -> rx.Component:
    partner = request.partner.to(PlaceOfRequest)
    lines = partner.lines.to(list[str])
    return rx.cond(
        request.partner,
        ui.card(
            rx.el.h3(partner.name),
            ui.muted(choice(partner.location_type, TYPE_NAMES)),
            # The card above says where the bike goes; the same address is not said twice.
            rx.cond(
                request.account.handover.bool() & request.account.handover.place.contains(lines[0]),
                rx.fragment(),
                rx.el.address(rx.foreach(lines, lambda line: ui.line(line)), class_name="mt-3 not-italic"),
            ),
            ui.contact_buttons(partner.readable_phone, partner.phone, partner.route),
            ui.text(
                ui.anchor(partner.email, href=f"mailto:{partner.email}", class_name=f"{ui.LINK} break-words text-sm"),
                top=4,
                shown=partner.email != "",
            ),
        ),
        ui.card(
            ui.muted(
                rx.cond(
                    request.closed,
                    _("No service location was assigned."),
                    _("Not assigned yet. You’ll see the location here as soon as we know it."),
                )
            )
        ),
    )


def _facts(request: rx.vars.ObjectVar[ShownRequest]) -> rx.Component:
    reference = reference_number(request.reference)
    return ui.card(
        rx.el.dl(
            text_fact(_("Reference number"), reference),
            text_fact(_("Request received on"), day(request.created_at)),
            text_fact(
                _("Frame number"), rx.cond(request.frame_number == "", _("Unknown"), request.frame_number).to(str)
            ),
            class_name="space-y-4",
        ),
        rx.el.dl(rx.foreach(request.account.facts.to(list[AccountFact]), account_fact), class_name="mt-4 space-y-4"),
        ui.stack(
            rx.el.h3(_("Photos and other files"), class_name="text-sm font-normal text-ink-600"),
            ui.stack(file_list(request.files), top=2),
            top=4,
            shown=request.files,
        ),
        ui.text(ui.text_link(_("View your bike"), f"/bikes/{request.bike_id}"), top=4),
    )


def maintenance() -> rx.Component:
    return under_way_page(
        Maintenance,
        "/maintenance",
        title=_("Service requests"),
        failure=_("Your service requests couldn’t be loaded."),
        under_way=_under_way,
        earlier=_earlier,
        below=ui.text(ui.link_button(_(REPAIR.title), REPAIR.path, "secondary"), top=10),
        empty=ui.empty_state(
            _("You have no service requests yet"),
            _("Follow any repair, service or claim you request here."),
            ui.link_button(_(REPAIR.title), REPAIR.path),
            ui.illustrations.workshop(),
        ),
    )


def _under_way(request: rx.vars.ObjectVar[ListedRequest]) -> rx.Component:
    way = chosen_way(request.account.handover)
    return rx.el.li(
        card_body(
            picture(request.picture, "(min-width: 48rem) 10rem, 5rem", "w-full"),
            _heading(request),
            ui.badge(localized(request.account.status), request.tone),
            ui.lead(localized(request.account.meaning)),
            card_facts(
                card_fact(_("Request received on"), day(request.created_at)),
                rx.cond(way != "", card_fact(_("How your bike gets there"), way)),
                rx.cond(
                    localized(request.account.handover.when) != "",
                    card_fact(_("When"), localized(request.account.handover.when)),
                ),
                rx.cond(request.partner_name != "", card_fact(_("Service location"), request.partner_name)),
                card_fact(_("Reference number"), in_groups(request.reference)),
            ),
            view_status(),
        ),
        class_name=CARD,
    )


def _earlier(request: rx.vars.ObjectVar[ListedRequest]) -> rx.Component:
    return earlier_row(
        _heading(request),
        _("Request received on {day}", day=day(request.created_at)),
        ui.badge(localized(request.account.status), request.tone),
        picture(request.picture, "6rem", ROW_PICTURE),
    )


def _heading(request: rx.vars.ObjectVar[ListedRequest]) -> rx.Component:
    return ui.block(
        rx.el.h3(
            rx.el.a(
                localized(request.account.title),
                ui.hidden_text(", ", request.title, ", ", request.bike_mark),
                to=f"/maintenance/{request.reference}",
                class_name=COVERING,
            ),
            class_name="text-balance",
        ),
        ui.muted(request.title, top=1, aria_hidden="true"),
        ui.muted(request.bike_mark, look="tabular-nums", aria_hidden="true", shown=request.bike_mark != ""),
    )


def request() -> rx.Component:
    known = RequestPage.view_state == READY
    return unless_missing(
        RequestPage,
        ui.page_frame(
            loaded(
                RequestPage,
                request_body(RequestPage),
                failure=_("Your service request couldn’t be loaded."),
                loading=request_loading(),
            ),
            title=rx.cond(known, localized(RequestPage.request.account.title), _("Service request")).to(str),
            back=ui.back_link(_("Service requests"), "/maintenance"),
        ),
    )


PAGES = [
    PageRoute(
        "maintenance",
        maintenance,
        title(_("Service requests")),
        on_load=[Maintenance.load, Maintenance.watch],
        first=Maintenance,
    ),
    PageRoute(
        "maintenance/[reference]",
        request,
        detail_title(
            RequestPage,
            rx.cond(
                RequestPage.view_state == READY, localized(RequestPage.request.account.title), _("Service request")
            ).to(str),
        ),
        on_load=[RequestPage.load, RequestPage.watch],
        first=RequestPage,
    ),
]
