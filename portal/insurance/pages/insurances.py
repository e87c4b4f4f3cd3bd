"""The page that compares insurances, and the status of each bike (part-2 §2 Insurance request)."""

from __future__ import annotations

import reflex as rx

from portal.bikes.pages.bikes import bike_lines, bike_mark, frame_line
from portal.conversations.pages.components import request_page_link
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.layout import title
from portal.frontend.live import live_line
from portal.frontend.load_views import insurance_document_link, loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import insurance, refusal
from portal.i18n import Text, _, choice, day, moment, money
from portal.i18n.messages import localized
from portal.insurance.api import InsuranceBike, InsuranceRequest
from portal.insurance.flow import INSURANCE, REFUSALS
from portal.insurance.pages.state import InsuranceActs, InsurancePackages
from portal.insurance.rules import InsuranceOffer
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.ui import (
    LINK,
    action_button,
    back_link,
    badge,
    confirm_button,
    empty_state,
    error_block,
    illustrations,
    link_button,
    loading_block,
    notice,
    page_frame,
    pagination,
    section,
    skeleton,
    text_link,
)
from portal.ui.lists import covered, not_covered, per_month
from portal.vocabulary.insurance import INSURANCE_TYPES, INSURER_NAMES, OPEN_INSURANCE, InsuranceStatus, insurance_tone

_REFUSALS = {code.value: MESSAGES[code] for code in REFUSALS}
"""Reasons why a bike cannot be insured, by code."""


def _insured_bikes() -> rx.Component:
    return section(
        _("Your bikes"),
        rx.el.ul(
            rx.foreach(InsurancePackages.bikes, _bike),
            class_name="divide-y divide-line rounded-card border border-line bg-white",
        ),
        pagination(
            InsurancePackages.page,
            InsurancePackages.pages,
            to=lambda page: f"/insurance-package?bike={_CHOSEN.bike_id}&page=" + page.to_string(),
        ),
    )


def _bike(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    return rx.el.li(
        picture(bike.picture, "8rem", "w-20 sm:w-32"),
        rx.el.div(
            rx.el.h3(bike.name, class_name="text-base font-semibold"),
            rx.el.p(bike_lines(bike)),
            class_name="min-w-0 md:w-80 md:shrink-0",
        ),
        rx.el.div(
            rx.cond(bike.insurance != "", _insured(bike), _not_insured(bike)),
            class_name="min-w-0 grow max-md:basis-full",
        ),
        class_name="flex flex-wrap items-start gap-x-6 gap-y-3 p-4 md:flex-nowrap md:p-6",
    )


def _insured(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    request = bike.request.to(InsuranceRequest)
    return rx.el.div(
        badge(_("Insured"), "ok"),
        rx.el.p(insurance(bike.insurance), class_name="mt-2 font-semibold"),
        rx.cond(
            bike.policy_number != "",
            rx.el.p(
                _("Policy number {number}, from {day}", number=bike.policy_number, day=day(bike.insurance_start)),
                class_name="tabular-nums",
            ),
        ),
        rx.el.div(product_information(request.document_id, bike.name)),
        rx.cond(request, rx.el.p(request_page_link(request.reference))),
        text_link(_("View your bike"), f"/bikes/{bike.bike_id}", f"{LINK} inline-flex min-h-11 items-center"),
    )


def _not_insured(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    """The last request, and whether another one is possible."""
    request = bike.request.to(InsuranceRequest)
    return rx.fragment(
        rx.cond(
            request.bool() & ~waits_for_link(request),
            rx.el.div(_request_status(request), class_name="mb-3"),
        ),
        rx.cond(waits_for_link(request), badge(_("Waiting for your confirmation"), "warn")),
        rx.cond(
            bike.refusal,
            rx.cond(~is_open(request), _refused(bike)),
            rx.fragment(
                badge(_("Can be insured"), "info"),
                rx.el.p(_("You can do this until {day}.", day=day(bike.until)), class_name="mt-2"),
                rx.cond(
                    bike.bike_id != _CHOSEN.bike_id,
                    rx.el.a(
                        _("View the premiums"),
                        rx.el.span(": ", bike.name, bike_mark(bike), class_name="sr-only"),
                        to=f"/insurance-package?bike={bike.bike_id}",
                        class_name=f"{LINK} inline-flex min-h-11 items-center",
                    ),
                ),
            ),
        ),
    )


def _refused(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    over = bike.refusal == Code.INSURANCE_TERM_OVER.value
    return rx.fragment(
        badge(_("Can’t be insured")),
        rx.el.p(choice(bike.refusal, _REFUSALS), class_name="mt-2"),
        rx.cond(over, rx.el.p(_("This was possible until {day}.", day=day(bike.until)))),
        rx.el.a(
            _("Contact us"),
            rx.el.span(": ", bike.name, bike_mark(bike), class_name="sr-only"),
            to="/contact?topic=insurance",
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
    )


_INSURERS = {insurer.value: name for insurer, name in INSURER_NAMES.items()}


def insurer_name(insurer: Text) -> rx.Var[str]:
    return choice(insurer, _INSURERS)


def waits_for_link(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Var[bool]:
    """Whether a request waits for the link in the mail; without a link, it waits for an answer to the insurer."""
    return (request.status == InsuranceStatus.WAITING_FOR_INPUT.value) & request.link_expires_at.bool()


def is_open(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Var[bool]:
    return rx.Var.create(sorted(OPEN_INSURANCE)).contains(request.status)


_TONES = [(status.value, insurance_tone(status)) for status in InsuranceStatus]


def _request_status(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    return rx.el.div(
        rx.cond(waits_for_link(request), _one_more_step(request), _status_block(request)),
        insurance_acts(request),
        class_name="space-y-4",
    )


def insurance_acts(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    """Show the actions of an open request: send the mail again, cancel the request."""
    here = InsuranceActs.about == request.reference
    return rx.cond(
        is_open(request),
        rx.el.div(
            rx.cond(
                request.email_failed.to(bool) & ~(here & (InsuranceActs.sent_to != "")),
                rx.el.div(notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err"), class_name="mb-3"),
            ),
            rx.el.div(
                rx.cond(
                    waits_for_link(request),
                    action_button(_("Send the email again"), InsuranceActs.resend(request.reference)),
                ),
                confirm_button(
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
            rx.el.div(rx.cond(here, rx.el.div(_answer(), class_name="mt-3")), role="status"),
        ),
    )


def _answer() -> rx.Component:
    """Result of the last action."""
    again = rx.cond(
        InsuranceActs.again_at,
        rx.el.p(
            _("You can ask for another email from {moment}.", moment=moment(InsuranceActs.again_at)),
            class_name="text-ink-600",
        ),
    )
    return rx.cond(
        InsuranceActs.refusal != "",
        notice(rx.el.p(refusal(code=InsuranceActs.refusal)), again, tone="warn"),
        rx.cond(
            InsuranceActs.sent_to != "",
            rx.fragment(
                rx.el.p(_("We’ve sent the email to {email} again.", email=InsuranceActs.sent_to)),
                again,
            ),
        ),
    )


def _one_more_step(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    account = request.account
    return notice(
        rx.el.div(account_facts(account, _("Your request")), class_name="mt-3"),
        rx.el.div(next_steps(account), class_name="mt-3 mb-2"),
        product_information(request.document_id, account.reference),
        rx.el.p(request_page_link(request.reference)),
        rx.cond(
            request.email != "", rx.el.p(_("We’ve sent the email to {email}.", email=request.email), class_name="mt-3")
        ),
        title=localized(account.meaning),
        tone="warn",
    )


def _status_block(request: rx.vars.ObjectVar[InsuranceRequest]) -> rx.Component:
    account = request.account
    return rx.el.div(
        badge(
            localized(account.status),
            rx.cond(request.asked, "warn", rx.match(request.status, *_TONES, "neutral")).to(str),
        ),
        rx.el.p(localized(account.meaning), class_name="mt-2"),
        rx.el.div(account_facts(account, _("Your request")), class_name="mt-3"),
        product_information(request.document_id, account.reference),
        rx.el.p(request_page_link(request.reference)),
    )


_TITLE = _("Bike insurance")
_FAILURE = _(MESSAGES[Code.INSURANCE_OPTIONS_FAILED])
_CHOSEN = InsurancePackages.chosen


def insurance_package() -> rx.Component:
    return page_frame(
        loaded(
            InsurancePackages,
            rx.fragment(
                live_line(InsurancePackages, seen=False),
                rx.cond(
                    InsurancePackages.bikes.length() > 0,
                    rx.fragment(_to_confirm(), _comparison(), _insured_bikes()),
                    _no_bike(),
                ),
            ),
            failure=_FAILURE,
            loading=_loading(),
        ),
        title=_TITLE,
        lead=_("Compare the cover. You can insure a bike up to {insurance_days} days after buying it."),
        back=back_link(_("Overview"), "/dashboard"),
    )


def _to_confirm() -> rx.Component:
    """Requests that wait for the link in the mail."""
    return rx.foreach(
        InsurancePackages.waiting,
        lambda bike: rx.cond(
            waits_for_link(bike.request.to(InsuranceRequest)),
            rx.el.section(
                rx.el.div(
                    picture(bike.picture, "(min-width: 40rem) 8rem, 5rem", "w-20 sm:w-32"),
                    rx.el.div(
                        rx.el.h2(bike.name, class_name="text-h3"), rx.el.p(bike_lines(bike)), class_name="min-w-0"
                    ),
                    class_name="flex items-center gap-4",
                ),
                rx.el.div(_request_status(bike.request.to(InsuranceRequest)), class_name="mt-4"),
                class_name="card mt-8",
            ),
        ),
    )


def _comparison() -> rx.Component:
    return section(
        _("Insurance for your {bike}", bike=_CHOSEN.name),
        rx.el.p(frame_line(_CHOSEN.frame_number)),
        rx.cond(
            InsurancePackages.failed,
            error_block(_FAILURE, on_retry=InsurancePackages.load),
            rx.fragment(rx.foreach(InsurancePackages.groups, _group), _ask()),
        ),
    )


def _group(offers: rx.vars.ArrayVar[list[InsuranceOffer]]) -> rx.Component:
    return rx.el.section(
        rx.el.h3(choice(offers[0].type, INSURANCE_TYPES)),
        rx.el.ul(rx.foreach(offers, _offer), class_name="mt-3 grid gap-4 md:grid-cols-2 md:gap-5"),
        class_name="mt-8 first:mt-2",
    )


def _offer(offer: rx.vars.ObjectVar[InsuranceOffer]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h4(insurer_name(offer.insurer), class_name="text-lg font-semibold"),
            rx.cond(offer.most_chosen, badge(_("Most chosen"), "ok")),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-1",
        ),
        rx.el.p(
            rx.el.span(money(offer.premium), class_name="text-h2 font-semibold tabular-nums"),
            " ",
            per_month(),
            class_name="mt-2",
        ),
        rx.el.p(
            excess_of(offer),
            class_name="text-ink-600 tabular-nums",
        ),
        rx.el.div(
            covered(_("Covered"), offer.covers),
            not_covered(_("Not covered"), offer.covers_not),
            class_name="mt-5 grid gap-5 border-t border-line pt-5 lg:grid-cols-2",
        ),
        rx.el.div(product_information(offer.document_id, insurer_name(offer.insurer)), class_name="mt-4"),
        class_name=rx.cond(
            offer.most_chosen,
            "rounded-card border-2 border-ink bg-white p-6",
            "rounded-card border border-line bg-white p-6",
        ),
    )


def excess_of(offer: rx.vars.ObjectVar[InsuranceOffer]) -> rx.Var[str]:
    amount = _("{amount} excess per claim", amount=money(offer.excess))
    return rx.cond(offer.excess.to(float) > 0, amount, _("No excess")).to(str)


def product_information(document_id: rx.Var[str], about: rx.Var[str]) -> rx.Component:
    """A link to an insurance product information document; nothing without one."""
    return rx.cond(
        document_id != "",
        insurance_document_link(
            document_id,
            _("Insurance product information document (PDF)"),
            rx.el.span(": ", about, class_name="sr-only"),
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
    )


def _ask() -> rx.Component:
    """Link to the flow, or the reason why the bike cannot be insured."""
    return rx.el.div(
        rx.cond(
            _CHOSEN.refusal,
            notice(
                rx.el.p(choice(_CHOSEN.refusal, _REFUSALS)),
                title=_("You can’t request insurance for this bike right now"),
                tone="info",
            ),
            rx.el.div(
                rx.el.p(_("You make your choice in the next steps. Nothing is taken out until you confirm it.")),
                link_button(_(INSURANCE.send), f"{INSURANCE.path}?bike={_CHOSEN.bike_id}", wide=True),
                rx.el.p(_("You can do this until {day}.", day=day(_CHOSEN.until)), class_name="text-ink-600"),
                class_name="space-y-4",
            ),
        ),
        class_name="mt-8 max-w-form",
    )


def _no_bike() -> rx.Component:
    return empty_state(
        _("No bike to insure"),
        _("You can do this once your bike has arrived."),
        link_button(_("Your orders"), "/orders", "secondary"),
        illustrations.shield(),
    )


def _loading() -> rx.Component:
    return loading_block(
        skeleton("h-8 w-96 max-w-full"),
        rx.el.div(
            *[skeleton("h-96 w-full rounded-card") for _i in range(2)],
            class_name="mt-6 grid gap-4 md:grid-cols-2 md:gap-5",
        ),
        class_name="mt-10",
    )


PAGES = [
    PageRoute(
        "insurance-package",
        insurance_package,
        title(_TITLE),
        on_load=[InsurancePackages.load, InsurancePackages.watch],
        first=InsurancePackages,
    )
]
