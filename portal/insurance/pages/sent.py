"""The page after sending a request, and the page of the mailed link (flow-standard F31, F32)."""

from __future__ import annotations

import reflex as rx

from portal.conversations.pages.parts import request_page_link
from portal.flow.pages.check import binding
from portal.flow.pages.ends import receipt_text
from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.live import live_line
from portal.frontend.registry import PageRoute
from portal.i18n import _, moment
from portal.i18n.messages import localized
from portal.insurance.flow import INSURANCE
from portal.insurance.pages.insurances import insurance_acts, product_information
from portal.insurance.pages.state import InsuranceSent
from portal.insurance.pages.views import InsuranceView
from portal.insurance.rules import BIKE_INSURED
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.ui import copy_button, link_button, page_frame, section
from portal.ui.flow import print_button
from portal.ui.lists import tracker
from portal.vocabulary.insurance import INSURANCE_PHASES, InsuranceStatus
from portal.vocabulary.links import PATHS, LinkPurpose

_S = InsuranceStatus
_ASKED = "asked"
"""Key beside the statuses: the insurer needs something from the customer."""

_PANELS = {
    _S.WAITING_FOR_INPUT.value: "border-warn-line bg-warn-bg",
    _ASKED: "border-warn-line bg-warn-bg",
    _S.CANCELLED.value: "border-line-strong bg-paper-2",
}

_REQUEST = InsuranceSent.requests[FlowRun.receipt.reference].to(InsuranceView)
_KNOWN = InsuranceSent.requests.contains(FlowRun.receipt.reference)
_ACCOUNT = _REQUEST.account

# The receipt has the status at the time of sending; the current status replaces it once loaded.
_STATUS = rx.cond(_KNOWN, rx.cond(_REQUEST.asked, _ASKED, _REQUEST.status), receipt_text("status")).to(str)
_INSURING = receipt_text("premium") != ""

SENT_TITLE: rx.Var[str] = rx.cond(
    _KNOWN,
    localized(_ACCOUNT.title),
    rx.cond(_INSURING, _("One more step: confirm by email"), _("Your answer has been passed on")),
).to(str)
"""Heading of the page: the result of the request."""


def insurance_sent() -> rx.Component:
    """Build the page after sending: reference, status, next steps."""
    receipt = FlowRun.receipt
    return page_frame(
        rx.el.div(
            # Text only: the actions are below the panel (flow-standard F31).
            rx.el.p(_("Request submitted"), class_name="font-semibold"),
            rx.el.h1(SENT_TITLE, tab_index=-1, class_name="mt-2"),
            rx.cond(
                _INSURING & (_STATUS != _S.CANCELLED.value),
                rx.el.p(_(BIKE_INSURED, bike=receipt_text("bike")), class_name="mt-3 text-lg"),
            ),
            rx.el.p(_("Your reference number"), class_name="mt-4"),
            rx.el.p(receipt.reference_in_groups, class_name="text-h2 font-semibold tabular-nums tracking-wider"),
            class_name=rx.match(
                rx.cond(_INSURING, _STATUS, "").to(str),
                *[(status, f"{_PANEL} {colours}") for status, colours in _PANELS.items()],
                f"{_PANEL} border-ok-line bg-ok-bg",
            ),
        ),
        live_line(InsuranceSent, SENT_TITLE),
        rx.el.div(
            copy_button(receipt.reference, _("Copy reference number")),
            print_button(_("Print this page")),
            class_name="mt-2 flex flex-wrap items-center gap-4",
        ),
        rx.el.p(_("Sent on {moment}.", moment=moment(receipt.sent_at)), class_name="mt-4 text-ink-600"),
        rx.cond(_KNOWN, _next()),
        rx.el.div(
            link_button(_("View the status"), "/insurance-package"),
            link_button(_("View your bike"), f"/bikes/{receipt_text('bike_id')}", "secondary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3",
        ),
    )


_PANEL = "rounded-panel border-2 p-6 text-ink md:p-10"


def _next() -> rx.Component:
    phases = [localized(_ACCOUNT.phases[place]) for place in range(len(INSURANCE_PHASES))]
    return rx.fragment(
        rx.el.div(account_facts(_ACCOUNT, _("Your request")), class_name="mt-6 max-w-form"),
        product_information(_REQUEST.document_id, _ACCOUNT.reference),
        rx.cond(localized(_ACCOUNT.money.note) != "", rx.el.p(localized(_ACCOUNT.money.note), class_name="mt-4")),
        section(
            _("What happens next"),
            rx.cond(
                _ACCOUNT.phases.length() > 0,
                tracker(phases, _ACCOUNT.phase.to(int), _("Progress of your insurance")),
            ),
            rx.el.p(localized(_ACCOUNT.meaning), class_name="mt-6 max-w-form"),
            rx.el.p(request_page_link(_REQUEST.reference)),
            rx.el.div(next_steps(_ACCOUNT), class_name="mt-4"),
            rx.cond(
                _REQUEST.pending,
                rx.el.div(
                    rx.el.p(_("We’ve sent the email to {email}.", email=FlowRun.receipt.email)),
                    rx.el.p(_("No email? Check your spam folder, or ask us to send it again.")),
                    class_name="mt-4 max-w-form text-ink-600",
                ),
            ),
            rx.el.div(insurance_acts(_REQUEST), class_name="mt-4 max-w-form"),
        ),
    )


_BIKES = FollowUp(_("Your bikes"), "/bikes")

WORDING = LinkWording(
    ask=_("Confirm your insurance"),
    promise=_("One more step: we only request your insurance when you press the button."),
    button=binding(_("Confirm insurance")),
    done=_("Your insurance is confirmed"),
    follow=_BIKES,
    used=_("You have already confirmed this insurance"),
    nothing=_("This request does not insure your bike."),
    failure=_(INSURANCE.failure),
    refusals={
        Code.INSURANCE_EXISTS: _BIKES,
        Code.INSURANCE_REQUEST_EXISTS: _BIKES,
        Code.INSURANCE_TERM_OVER: _BIKES,
        Code.ORDER_CANCELLED: _BIKES,
        Code.ALREADY_RETURNED: _BIKES,
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
