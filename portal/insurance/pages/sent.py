"""The page after sending a request, and the page of the mailed link (flow-standard F31, F32)."""

from __future__ import annotations

import reflex as rx

from portal.contract.account import Account
from portal.conversations.pages.components import request_page_link
from portal.flow.pages.ends import keeping, panel, receipt_text
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import binding
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.live import live_line
from portal.frontend.load_views import help_card
from portal.frontend.registry import PageRoute
from portal.frontend.texts import in_groups
from portal.i18n import _, moment
from portal.i18n.messages import localized
from portal.insurance.api import InsuranceRequest
from portal.insurance.flow import INSURANCE
from portal.insurance.pages.insurances import insurance_acts, product_information, waits_for_link
from portal.insurance.pages.state import InsuranceSent
from portal.insurance.rules import BIKE_INSURED
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.ui import BESIDE, COLUMNS, card, link_button, page_frame, section
from portal.ui.lists import tracker
from portal.vocabulary.insurance import INSURANCE_PHASES, InsuranceStatus
from portal.vocabulary.links import PATHS, LinkPurpose

_S = InsuranceStatus
_ASKED = "asked"
"""Key beside the statuses: the insurer needs something from the customer."""

_REQUEST = InsuranceSent.requests[FlowRun.receipt.reference].to(InsuranceRequest)
_KNOWN = InsuranceSent.requests.contains(FlowRun.receipt.reference)
_ACCOUNT = _REQUEST.account.to(Account)
_INSURER_ASKS = (_REQUEST.status == _S.WAITING_FOR_INPUT.value) & ~_REQUEST.link_expires_at.bool()

# The receipt has the status at the time of sending; the current status replaces it once loaded.
_STATUS = rx.cond(_KNOWN, rx.cond(_INSURER_ASKS, _ASKED, _REQUEST.status), receipt_text("status")).to(str)
_INSURING = receipt_text("premium") != ""

SENT_TITLE: rx.Var[str] = rx.cond(
    _KNOWN,
    localized(_ACCOUNT.title),
    rx.cond(_INSURING, _("One more step: confirm by email"), _("Your answer has been passed on")),
).to(str)
"""Heading of the page: the result of the request."""


def insurance_sent() -> rx.Component:
    """Build the page after sending: reference, what happens next, and beside it what was requested."""
    receipt = FlowRun.receipt
    head = panel(
        SENT_TITLE,
        rx.cond(
            _INSURING & (_STATUS != _S.CANCELLED.value),
            rx.el.p(_(BIKE_INSURED, bike=receipt_text("bike")), class_name="mt-3 text-lg"),
        ),
        above=[rx.el.p(_("Request submitted"), class_name="mb-2 font-semibold")],
        colors=rx.cond(
            _INSURING & ((_STATUS == _S.WAITING_FOR_INPUT.value) | (_STATUS == _ASKED)),
            "border-warn-line bg-warn-bg",
            rx.cond(
                _INSURING & (_STATUS == _S.CANCELLED.value),
                "border-line-strong bg-paper-2",
                "border-ok-line bg-ok-bg",
            ),
        ).to(str),
    )
    said = rx.el.div(
        live_line(InsuranceSent, SENT_TITLE),
        rx.el.p(_("Sent on {moment}.", moment=moment(receipt.sent_at)), class_name="mt-6 text-ink-600"),
        keeping(),
        rx.cond(_KNOWN, _next()),
        rx.el.div(
            link_button(_("View the status"), "/insurance-package"),
            link_button(_("View your bike"), f"/bikes/{receipt_text('bike_id')}", "secondary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3",
        ),
        class_name="min-w-0 max-w-form",
    )
    side = rx.el.div(
        rx.cond(_KNOWN, _requested()), help_card(in_groups(receipt.reference)), class_name=f"mt-10 lg:mt-6 {BESIDE}"
    )
    return page_frame(head, rx.el.div(said, side, class_name=COLUMNS))


def _requested() -> rx.Component:
    note = localized(_ACCOUNT.money.note)
    return card(
        rx.el.h2(_("Your request"), class_name="text-h3"),
        rx.el.div(account_facts(_ACCOUNT, _("Your request")), class_name="mt-3"),
        product_information(_REQUEST.document_id, _ACCOUNT.reference),
        rx.cond(note != "", rx.el.p(note, class_name="mt-2")),
    )


def _next() -> rx.Component:
    phases = [localized(_ACCOUNT.phases[place]) for place in range(len(INSURANCE_PHASES))]
    return section(
        _("What happens next"),
        rx.cond(
            _ACCOUNT.phases.length() > 0,
            tracker(phases, _ACCOUNT.phase.to(int), _("Progress of your insurance")),
        ),
        rx.el.p(localized(_ACCOUNT.meaning), class_name="mt-6"),
        rx.el.div(next_steps(_ACCOUNT), class_name="mt-4"),
        rx.cond(
            waits_for_link(_REQUEST),
            rx.el.div(
                rx.el.p(_("We’ve sent the email to {email}.", email=FlowRun.receipt.email)),
                rx.el.p(_("No email? Check your spam folder, or ask us to send it again.")),
                class_name="mt-4 text-ink-600",
            ),
        ),
        rx.el.div(insurance_acts(_REQUEST), class_name="mt-4"),
        rx.el.p(request_page_link(_REQUEST.reference), class_name="mt-2"),
    )


_BIKES = FollowUp(_("Your bikes"), "/bikes")

WORDING = LinkWording(
    ask=_("Confirm your insurance"),
    promise=_("One more step: we only request your insurance when you press the button."),
    button=binding(_("Confirm insurance")),
    done=_("Your insurance is confirmed"),
    follow=_BIKES,
    used=_("You’ve already confirmed this insurance"),
    nothing=_("This request does not insure your bike."),
    failure=_(INSURANCE.failure),
    refusals={
        Code.INSURANCE_EXISTS: _BIKES,
        Code.INSURANCE_REQUEST_EXISTS: _BIKES,
        Code.INSURANCE_TERM_OVER: _BIKES,
        Code.ORDER_CANCELLED: _BIKES,
        Code.ALREADY_RETURNED: _BIKES,
        Code.BIKE_GOING_BACK: _BIKES,
    },
)


def confirm_insurance() -> rx.Component:
    """Build the page of the mailed link."""
    return link_page(WORDING)


PAGES = [
    PageRoute(
        f"{PATHS[LinkPurpose.INSURANCE].strip('/')}/[hash]",
        confirm_insurance,
        link_title(WORDING),
        on_load=[MailedLink.load],
        protected=False,
    )
]
