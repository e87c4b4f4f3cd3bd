"""The status of a request, the page after sending it, and the page of the mailed link (flow-standard F31, F32)."""

from datetime import datetime
from typing import ClassVar

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.conversations.pages.components import request_page_link
from portal.flow.pages.ends import keeping, panel, receipt_text
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import binding
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.live import Live, live_line
from portal.frontend.load import Question
from portal.frontend.load_views import help_card, insurance_document_link
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.session import session_ended, session_token
from portal.frontend.texts import in_groups, refusal
from portal.frontend.toasts import Toasts
from portal.i18n import Text, _, choice, moment
from portal.i18n.messages import localized
from portal.insurance.api import InsuranceApi, InsuranceRequest
from portal.insurance.flow import INSURANCE
from portal.insurance.rules import BIKE_INSURED
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import INSURANCE_PHASES, INSURER_NAMES, OPEN_INSURANCE, InsuranceStatus, insurance_tone
from portal.vocabulary.links import PATHS, LinkPurpose

SENT_AGAIN = N_("The email has been sent again.")


CANCELLED = N_("Your request has been cancelled.")


class InsuranceActs(rx.State):
    """Actions on a request, and the result of the last one.

    `sent_to`: address to which the link was mailed again; else empty.
    `again_at`: when the mail can be requested once more; None if unknown.
    """

    about: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    again_at: rx.Field[datetime | None] = rx.field(None)
    refusal: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def resend(self, reference: str) -> None:
        async with self:
            token = session_token(self)
        try:
            sent = await ask(InsuranceApi).resend_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._start_result(reference)
            self.sent_to, self.again_at = sent.email, sent.resend_at
            (await self.get_state(Toasts))._add("success", SENT_AGAIN)

    @rx.event(background=True)
    @customer
    async def cancel(self, reference: str) -> None:
        async with self:
            token = session_token(self)
        try:
            await ask(InsuranceApi).cancel_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._start_result(reference)
            (await self.get_state(Toasts))._add("success", CANCELLED)

    def _start_result(self, reference: str) -> None:
        self.about, self.sent_to, self.again_at, self.refusal = reference, "", None, ""

    async def _refuse(self, reference: str, error: ProviderError) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        self._start_result(reference)
        self.refusal, self.again_at = error.code.value, error.retry_at
        self.attempt += 1


_INSURERS = {insurer.value: name for insurer, name in INSURER_NAMES.items()}


def insurer_name(insurer: Text) -> rx.Var[str]:
    return choice(insurer, _INSURERS)


def waits_for_link(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Var[bool]:
    """Whether a request waits for the link in the mail; without a link, it waits for an answer to the insurer."""
    return (request.status == InsuranceStatus.WAITING_FOR_INPUT.value) & request.link_expires_at.bool()


def is_open(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Var[bool]:
    return rx.Var.create(sorted(OPEN_INSURANCE)).contains(request.status)


_TONES = [(status.value, insurance_tone(status)) for status in InsuranceStatus]


def request_status(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    return ui.stack(
        rx.cond(waits_for_link(request), _one_more_step(request), _status_block(request)),
        insurance_acts(request),
        gap=4,
    )


def insurance_acts(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    here = InsuranceActs.about == request.reference
    return rx.cond(
        is_open(request),
        rx.el.div(
            ui.stack(
                ui.notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err"),
                bottom=3,
                shown=request.email_failed.to(bool) & ~(here & (InsuranceActs.sent_to != "")),
            ),
            rx.el.div(
                ui.action_button(
                    _("Send the email again"), InsuranceActs.resend(request.reference), shown=waits_for_link(request)
                ),
                ui.confirm_button(
                    _("Cancel request"),
                    _("Cancel this request?"),
                    _("This request won’t insure your bike. As long as we offer insurance for it, you can ask again."),
                    act=_("Cancel request"),
                    safe=_("Keep the request"),
                    on_confirm=InsuranceActs.cancel(request.reference),
                    style="text",
                ),
                class_name="flex flex-wrap items-center gap-x-6 gap-y-2",
            ),
            # A live region must exist before its text, or screen readers do not announce it.
            rx.el.div(ui.stack(_answer(), top=3, shown=here), role="status"),
        ),
    )


def _answer() -> rx.Component:
    again = ui.muted(
        _("You can ask for another email from {moment}.", moment=moment(InsuranceActs.again_at)),
        shown=InsuranceActs.again_at,
    )
    return rx.cond(
        InsuranceActs.refusal != "",
        ui.notice(ui.text(refusal(code=InsuranceActs.refusal)), again, tone="warn"),
        ui.when(
            InsuranceActs.sent_to != "",
            ui.text(_("We’ve sent the email to {email} again.", email=InsuranceActs.sent_to)),
            again,
        ),
    )


def _one_more_step(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    account = request.account
    return ui.notice(
        ui.stack(account_facts(account, _("Your request")), top=3),
        ui.stack(next_steps(account), top=3, bottom=2),
        product_information(request.document_id, account.reference),
        ui.text(request_page_link(request.reference)),
        ui.text(_("We’ve sent the email to {email}.", email=request.email), top=3, shown=request.email != ""),
        title=localized(account.meaning),
        tone="warn",
    )


def _status_block(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    account = request.account
    return rx.el.div(
        ui.badge(
            localized(account.status),
            rx.cond(request.asked, "warn", rx.match(request.status, *_TONES, "neutral")).to(str),
        ),
        ui.text(localized(account.meaning), top=2),
        ui.stack(account_facts(account, _("Your request")), top=3),
        product_information(request.document_id, account.reference),
        ui.text(request_page_link(request.reference)),
    )


def product_information(document_id: rx.Var[str], about: rx.Var[str]) -> rx.Component:
    return rx.cond(
        document_id != "",
        insurance_document_link(
            document_id,
            _("Insurance product information document (PDF)"),
            ui.hidden_text(": ", about),
            class_name=f"{ui.LINK} inline-flex min-h-11 items-center",
        ),
    )


class InsuranceSent(Live, rx.State):
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES, Topic.MESSAGES)
    requests: rx.Field[dict[str, InsuranceRequest]] = rx.field(default_factory=dict)

    def _question(self) -> Question[Page[InsuranceRequest]]:
        return lambda token: ask(InsuranceApi).insurance_requests(token)

    def _show(self, part: Page[InsuranceRequest]) -> None:
        self.requests = {request.reference: request for request in part.items}


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
    receipt = FlowRun.receipt
    head = panel(
        SENT_TITLE,
        ui.lead(_(BIKE_INSURED, bike=receipt_text("bike")), top=3, shown=_INSURING & (_STATUS != _S.CANCELLED.value)),
        above=[ui.strong(_("Request submitted"), bottom=2)],
        colors=rx.cond(
            _INSURING & ((_STATUS == _S.WAITING_FOR_INPUT.value) | (_STATUS == _ASKED)),
            "border-warn-line bg-warn-bg",
            rx.cond(
                _INSURING & (_STATUS == _S.CANCELLED.value), "border-line-strong bg-paper-2", "border-ok-line bg-ok-bg"
            ),
        ).to(str),
    )
    said = ui.column(
        live_line(InsuranceSent, SENT_TITLE),
        ui.muted(_("Sent on {moment}.", moment=moment(receipt.sent_at)), top=6),
        keeping(),
        rx.cond(_KNOWN, _next()),
        ui.row(
            ui.link_button(_("View the status"), "/insurance-package"),
            ui.link_button(_("View your bike"), f"/bikes/{receipt_text('bike_id')}", "secondary"),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
            top=10,
        ),
    )
    side = rx.el.div(
        rx.cond(_KNOWN, _requested()), help_card(in_groups(receipt.reference)), class_name=f"mt-10 lg:mt-6 {ui.BESIDE}"
    )
    return ui.page_frame(head, rx.el.div(said, side, class_name=ui.COLUMNS))


def _requested() -> rx.Component:
    note = localized(_ACCOUNT.money.note)
    return ui.card(
        ui.subheading(_("Your request")),
        ui.stack(account_facts(_ACCOUNT, _("Your request")), top=3),
        product_information(_REQUEST.document_id, _ACCOUNT.reference),
        ui.if_text(note, top=2),
    )


def _next() -> rx.Component:
    phases = [localized(_ACCOUNT.phases[place]) for place in range(len(INSURANCE_PHASES))]
    return ui.section(
        _("What happens next"),
        rx.cond(
            _ACCOUNT.phases.length() > 0, ui.tracker(phases, _ACCOUNT.phase.to(int), _("Progress of your insurance"))
        ),
        ui.text(localized(_ACCOUNT.meaning), top=6),
        ui.stack(next_steps(_ACCOUNT), top=4),
        rx.cond(
            waits_for_link(_REQUEST),
            rx.el.div(
                ui.text(_("We’ve sent the email to {email}.", email=FlowRun.receipt.email)),
                ui.text(_("No email? Check your spam folder, or ask us to send it again.")),
                class_name="mt-4 text-ink-600",
            ),
        ),
        ui.stack(insurance_acts(_REQUEST), top=4),
        ui.text(request_page_link(_REQUEST.reference), top=2),
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


PAGES = [
    PageRoute(
        f"{PATHS[LinkPurpose.INSURANCE].strip('/')}/[hash]",
        lambda: link_page(WORDING),
        link_title(WORDING),
        on_load=[MailedLink.load],
        protected=False,
    )
]
