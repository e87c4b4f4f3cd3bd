"""The confirmation page of a flow, and the page of a step whose request was already sent."""

from collections.abc import Sequence

import reflex as rx

from portal import ui
from portal.flow.api import RequestItem
from portal.flow.pages.spec import FlowPages
from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import next_steps
from portal.frontend.layout import problem_page
from portal.frontend.load import FAILED, LOADING
from portal.frontend.load_views import calendar_link, help_card, request_link
from portal.frontend.models import entry
from portal.frontend.session import SessionState
from portal.frontend.texts import in_groups
from portal.i18n import Text, _, moment
from portal.pictures.pages import picture

_ITEMS = entry(FlowRun.receipt, "items").to(list[RequestItem])

DOCUMENT = "btn-text"
"""CSS class of a link to a document, as beside it the buttons that copy and print look."""


@rx.memo
def already_sent(status: rx.Var[str], flow: rx.Var[str]) -> rx.Component:
    return problem_page(
        _("This request has already been sent"),
        _("Your reference number is {reference}.", reference=in_groups(FlowRun.receipt.reference)),
        picture=ui.illustrations.workshop(),
        actions=(ui.link_button(_("View the status"), status), ui.link_button(_("New request"), flow, "secondary")),
    )


def confirmation_page(pages: FlowPages) -> rx.Component:
    is_current = FlowRun.flow == pages.flow.name
    return rx.cond(
        SessionState.authenticated & is_current & (FlowRun.view_state != LOADING),
        rx.cond(
            FlowRun.receipt, _confirmed(pages), rx.cond(FlowRun.view_state == FAILED, _failed(), _nothing_sent(pages))
        ),
        ui.page_frame(ui.skeleton_cards(1, "h-40"), narrow=True),
    )


def status_of(pages: FlowPages) -> Text:
    own = pages.sent.follow
    return f"/maintenance/{FlowRun.receipt.reference}" if own is None else own


def sent_title(pages: FlowPages) -> Text:
    return _(pages.flow.sent) if pages.sent.title is None else pages.sent.title


def _confirmed(pages: FlowPages) -> rx.Component:
    sent, receipt = pages.sent, FlowRun.receipt
    if sent.page:
        return sent.page()
    more = [sent.more()] if sent.more else []
    documents = sent.documents() if sent.documents else _documents()
    beside = [sent.beside()] if sent.beside else []
    phases = [pages.phases()] if pages.phases else []
    first = ui.column(
        *([] if sent.waits else [mailed()]),
        rx.el.p(
            _("Sent on {moment}.", moment=moment(receipt.sent_at)),
            class_name=f"{'mt-6' if sent.waits else 'mt-1'} text-ink-600",
        ),
        documents,
        ui.section(_("What happens next"), *phases, next_steps(receipt.account)),
    )
    rest = ui.column(
        *more,
        ui.row(
            ui.link_button(_("View the status"), status_of(pages), shown=sent.followed),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
            top=10,
        ),
    )
    # On a phone place, day and help stand before what the customer knows already.
    side = rx.el.div(
        *beside,
        help_card(in_groups(receipt.reference)),
        class_name=f"mt-10 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-6 {ui.BESIDE}",
    )
    return ui.page_frame(
        sent.waits() if sent.waits else done(sent_title(pages)),
        rx.el.div(first, side, rest, class_name=f"{ui.COLUMNS} lg:grid-rows-[auto_1fr]"),
    )


def done(title: Text, *more: rx.Component) -> rx.Component:
    submitted = ui.strong(_("Request submitted"), bottom=2)
    return panel(title, about(), *more, above=[submitted], colors="border-ok-line bg-ok-bg")


def about() -> rx.Component:
    return rx.foreach(_ITEMS, lambda item: ui.strong(item.name, top=2))


def panel(title: Text, *more: rx.Component, above: Sequence[rx.Component] = (), colors: Text) -> rx.Component:
    said = ui.block(
        *above,
        rx.el.h1(title, tab_index=-1),
        *more,
        ui.text(_("Your reference number"), top=4),
        ui.strong(in_groups(FlowRun.receipt.reference), look="text-h2 tabular-nums tracking-wider"),
    )
    first = rx.el.div(
        picture(FlowRun.sent_picture, "(min-width: 64rem) 22rem, 18rem", "w-full"),
        class_name="w-full overflow-hidden rounded-card bg-white md:w-72 md:shrink-0 lg:w-88",
    )
    return rx.el.div(
        said,
        rx.cond(_ITEMS, first),
        class_name=[
            "flex gap-6 rounded-panel border-2 p-6 text-ink max-md:flex-col md:items-center md:justify-between",
            "md:gap-8 md:p-10",
            colors,
        ],
    )


def waits_for(title: Text, *more: rx.Component) -> rx.Component:
    """The panel in amber: the customer has to do something before the request counts (flow-standard F32)."""
    return panel(title, about(), *more, colors="border-warn-line bg-warn-bg")


def mailed() -> rx.Component:
    email = FlowRun.receipt.email
    text = ui.text(_("We’ve sent a confirmation to {email}.", email=email), look="max-w-form", top=6)
    return rx.cond(email != "", text)


def keeping(*links: rx.Component) -> rx.Component:
    return rx.el.ul(
        rx.el.li(ui.copy_button(FlowRun.receipt.reference, _("Copy reference number"))),
        rx.el.li(ui.print_button(_("Print this page"))),
        *links,
        class_name="mt-4 flex flex-wrap gap-x-8 gap-y-1",
    )


def _documents() -> rx.Component:
    receipt = FlowRun.receipt
    return keeping(
        rx.el.li(request_link(receipt.reference, _("Download as PDF"), class_name=DOCUMENT)),
        rx.cond(
            receipt.account.handover.day,
            rx.el.li(calendar_link(receipt.reference, _("Add to your calendar"), class_name=DOCUMENT)),
        ),
    )


def _failed() -> rx.Component:
    return ui.page_frame(
        ui.error_block(
            _("Your request couldn’t be loaded. Everything you saved is still there."), on_retry=FlowRun.load
        ),
        title=_("Something went wrong"),
        narrow=True,
    )


def _nothing_sent(pages: FlowPages) -> rx.Component:
    return problem_page(
        _("No request has been sent"),
        _("Once you’ve sent a request, you’ll find its confirmation here."),
        picture=ui.illustrations.empty_track(),
        actions=(
            ui.link_button(_(pages.flow.title), pages.flow.path),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
        ),
    )


def receipt_text(name: str) -> rx.Var[str]:
    summary = FlowRun.receipt.summary.to(dict[str, str])
    return rx.cond(FlowRun.receipt, rx.cond(summary.contains(name), summary[name], ""), "").to(str)
