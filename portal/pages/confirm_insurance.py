"""The page of the link that confirms an insurance (part-2 §2, §4)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import Code
from portal.flows.insurance import INSURANCE
from portal.i18n import _, choice, money
from portal.pages.parts.link_words import LinkWords, Way
from portal.pages.parts.mailed_link import link_page, link_title
from portal.pages.registry import Page
from portal.states.mailed_link import MailedLink
from portal.ui import Fact
from portal.vocabulary.insurance import INSURANCE_LABELS, INSURANCE_TYPES, INSURER_NAMES, InsuranceStatus
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.status import STATUS_UNKNOWN

_FACTS = MailedLink.facts
_BIKES = Way(_("Your bikes"), "/bikes")

WORDS = LinkWords(
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
    """Confirm an insurance."""
    return link_page(WORDS)


PAGES = [
    Page(
        f"{PATHS[LinkPurpose.INSURANCE].strip('/')}/[hash]",
        confirm_insurance,
        link_title(WORDS),
        on_load=[MailedLink.load],
        protected=False,
    )
]
