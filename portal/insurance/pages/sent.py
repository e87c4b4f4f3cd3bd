"""The page after sending a request, and the page of the mailed link (flow-standard F31, F32)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flow.pages.ends import receipt_text
from portal.flow.pages.state import FlowRun
from portal.frontend.live import live_line
from portal.frontend.registry import PageRoute
from portal.i18n import _, choice, moment, money
from portal.insurance.flow import INSURANCE
from portal.insurance.pages.insurances import PHASES, insurance_acts, insurance_meaning, insurance_type, insurer_name
from portal.insurance.pages.state import InsuranceSent
from portal.insurance.pages.views import InsuranceView
from portal.insurance.rules import BIKE_INSURED
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.ui import Fact, copy_button, link_button, page_frame, section
from portal.ui.flow import print_button
from portal.ui.lists import tracker
from portal.vocabulary.insurance import INSURANCE_LABELS, INSURANCE_TYPES, INSURER_ASKS, INSURER_NAMES, InsuranceStatus
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.status import STATUS_UNKNOWN

_S = InsuranceStatus
_ASKED = "asked"
"""Key beside the statuses: the insurer needs something from the customer."""

_TITLES = {
    _ASKED: INSURER_ASKS,
    _S.WAITING_FOR_INPUT: N_("One more step: confirm by email"),
    _S.CREATED: N_("Your insurance has been requested"),
    _S.FINISHED: N_("Your bike is insured"),
    _S.CANCELLED: N_("This request was cancelled"),
}

_PANELS = {
    _S.WAITING_FOR_INPUT.value: "border-warn-line bg-warn-bg",
    _ASKED: "border-warn-line bg-warn-bg",
    _S.CANCELLED.value: "border-line-strong bg-paper-2",
}

_CURRENT = {_ASKED: 2, _S.WAITING_FOR_INPUT.value: 1, _S.CREATED.value: 2, _S.FINISHED.value: len(PHASES)}
_REQUEST = InsuranceSent.requests[FlowRun.receipt.reference].to(InsuranceView)
_KNOWN = InsuranceSent.requests.contains(FlowRun.receipt.reference)

# The receipt has the status at the time of sending; the current status replaces it once loaded.
_STATUS = rx.cond(_KNOWN, rx.cond(_REQUEST.asked, _ASKED, _REQUEST.status), receipt_text("status")).to(str)
_INSURING = receipt_text("premium") != ""

SENT_TITLE: rx.Var[str] = rx.cond(
    _INSURING, choice(_STATUS, _TITLES, _("Your insurance has been requested")), _("Your answer has been passed on")
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
        rx.cond(_INSURING, _next(), _answered()),
        rx.el.div(
            link_button(_("View the status"), "/insurance-package"),
            link_button(_("See your bike"), f"/bikes/{receipt_text('bike_id')}", "secondary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3",
        ),
    )


_PANEL = "rounded-panel border-2 p-6 text-ink md:p-10"


def _next() -> rx.Component:
    current: Any = rx.match(_STATUS, *_CURRENT.items(), 0)
    pending = _STATUS == _S.WAITING_FOR_INPUT.value
    return rx.fragment(
        rx.el.p(
            _(
                "{insurer}: {type}, {premium} a month",
                insurer=insurer_name(receipt_text("insurer")),
                type=insurance_type(receipt_text("type")),
                premium=money(receipt_text("premium")),
            ),
            class_name="mt-4 text-lg font-semibold",
        ),
        section(
            _("What happens next"),
            rx.cond(
                _STATUS != _S.CANCELLED.value,
                tracker([_(phase) for phase in PHASES], current.to(int), _("How far your insurance is")),
            ),
            rx.cond(
                pending,
                rx.el.ol(
                    rx.el.li(
                        _(
                            "We have sent an email to {email}. Open the link in it within {link_hours} hours.",
                            email=FlowRun.receipt.email,
                        )
                    ),
                    rx.el.li(_("On the page that opens, press the button. Then your request goes to the insurer.")),
                    rx.el.li(
                        _(
                            "You hear from us within {insurer_answer_days} working days. Then your bike page "
                            "shows your policy."
                        )
                    ),
                    class_name="mt-6 max-w-form list-decimal space-y-2 pl-5",
                ),
                rx.cond(
                    _KNOWN,
                    rx.el.div(
                        rx.el.p(insurance_meaning(_REQUEST)),
                        rx.cond(_REQUEST.note != "", rx.el.p(_REQUEST.note, class_name="mt-2 whitespace-pre-line")),
                        class_name="mt-6 max-w-form",
                    ),
                ),
            ),
            rx.cond(
                pending,
                rx.el.p(
                    _("No email? Look in your spam folder, or have it sent again."),
                    class_name="mt-4 max-w-form text-ink-600",
                ),
            ),
            rx.cond(_KNOWN, rx.el.div(insurance_acts(_REQUEST), class_name="mt-4 max-w-form")),
        ),
    )


def _answered() -> rx.Component:
    return section(
        _("What happens next"),
        rx.cond(_KNOWN, rx.el.p(insurance_meaning(_REQUEST), class_name="max-w-form")),
        rx.el.p(
            _("Did you change your mind? You can insure your bike up to {insurance_days} days after purchase."),
            class_name="mt-2 max-w-form",
        ),
    )


_FACTS = MailedLink.facts
_BIKES = FollowUp(_("Your bikes"), "/bikes")

WORDING = LinkWording(
    ask=_("Confirm your insurance"),
    promise=_("One more step: we request your insurance only when you press the button."),
    button=_("Confirm insurance"),
    facts=[
        Fact(_("Bike"), _FACTS["bike"], shown=_FACTS["bike"] != ""),
        Fact(_("Insurance"), choice(_FACTS["type"], INSURANCE_TYPES), shown=_FACTS["type"] != ""),
        Fact(_("Insurer"), choice(_FACTS["insurer"], INSURER_NAMES), shown=_FACTS["insurer"] != ""),
        Fact(
            _("Premium"),
            _("{amount} a month", amount=money(_FACTS["premium"])),
            shown=_FACTS["premium"] != "",
        ),
        Fact(_("Reference number"), _FACTS["reference"], shown=_FACTS["reference"] != ""),
        Fact(
            _("Status"),
            choice(_FACTS["status"], INSURANCE_LABELS, STATUS_UNKNOWN),
            shown=(_FACTS["status"] != "") & (_FACTS["status"] != InsuranceStatus.WAITING_FOR_INPUT.value),
        ),
    ],
    done=_("Your insurance is confirmed"),
    received=_("We hand your request to the insurer. You get a confirmation by email."),
    next_steps=[
        _("The insurer makes your policy."),
        _("You get an email as soon as your bike is insured, with the policy number and the first day."),
        _("The premium is taken from your bank account every month."),
    ],
    follow=_BIKES,
    used=_("You have already confirmed this insurance"),
    nothing=_("Your bike is not insured by this request."),
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
