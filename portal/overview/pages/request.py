"""The page of one request for insurance or another delivery day, or of the end of a contract (part-1 §2)."""

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.conversations.pages.components import answer_asked, conversation
from portal.frontend.accounts import account_facts, amounts_box, next_steps
from portal.frontend.live import live_line, request_loading
from portal.frontend.load import READY
from portal.frontend.load_views import detail_title, loaded, reference_number, unless_missing
from portal.frontend.registry import PageRoute
from portal.i18n import _, choice, localized
from portal.overview.pages.state import OwnRequestPage
from portal.vocabulary.cases import REQUEST_PAGE, CaseKind

_SHOWN = OwnRequestPage.shown
_ACCOUNT = _SHOWN.account.to(Account)


def own_request() -> rx.Component:
    return unless_missing(
        OwnRequestPage,
        ui.page_frame(
            loaded(OwnRequestPage, _body(), failure=_("Your request couldn’t be loaded."), loading=request_loading()),
            title=_title(),
            back=ui.back_link(_("Overview"), "/dashboard"),
        ),
    )


def _title() -> rx.Var[str]:
    return rx.cond(OwnRequestPage.view_state == READY, localized(_ACCOUNT.title), _("Your request")).to(str)


def _body() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            ui.badge(localized(_ACCOUNT.status), _SHOWN.tone),
            ui.text(localized(_ACCOUNT.meaning), look="max-w-form text-h3 md:text-h2", top=4),
            class_name="mt-8 rounded-panel bg-panel p-6 text-on-panel md:p-10",
        ),
        live_line(OwnRequestPage, localized(_ACCOUNT.status)),
        answer_asked(OwnRequestPage),
        rx.el.div(
            ui.block(
                rx.cond(_ACCOUNT.next_steps.length() > 0, ui.section(_("What happens next"), next_steps(_ACCOUNT))),
                conversation(OwnRequestPage),
            ),
            ui.block(ui.section(_("Your request"), _facts()), amounts_box(_ACCOUNT, _("Your money"))),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _facts() -> rx.Component:
    return ui.card(
        ui.small(_("Reference number")),
        ui.text(reference_number(_SHOWN.reference)),
        ui.stack(account_facts(_ACCOUNT), top=4),
        ui.text(
            ui.tall_link(
                choice(
                    _SHOWN.kind,
                    {
                        CaseKind.INSURANCE: _("Insurance of your bikes"),
                        CaseKind.DATE_CHANGE: _("Delivery day of your order"),
                        CaseKind.CONTRACT_END: _("View your contract"),
                    },
                ),
                to=_SHOWN.page,
            ),
            top=2,
        ),
    )


PAGES = [
    PageRoute(
        f"{REQUEST_PAGE.strip('/')}/[reference]",
        own_request,
        detail_title(OwnRequestPage, _title()),
        on_load=[OwnRequestPage.load, OwnRequestPage.watch],
        first=OwnRequestPage,
    )
]
