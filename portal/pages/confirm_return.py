"""The page of the link that confirms an older return (part-2 §2, §4)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import Code
from portal.flows.order_return import ORDER_RETURN
from portal.i18n import _, choice, weekday_day
from portal.pages.parts.link_words import LinkWords, Way
from portal.pages.parts.mailed_link import link_page, link_title
from portal.pages.registry import Page
from portal.states.mailed_link import MailedLink
from portal.ui import Fact
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.returns import RETURN_LABELS, ReturnStatus
from portal.vocabulary.status import STATUS_UNKNOWN

_FACTS = MailedLink.facts
_LIST = Way(_("Your returns"), "/returns")

WORDS = LinkWords(
    ask=_("Confirm your return"),
    promise=_("One more step: we receive your return only when you press the button."),
    button=_("Confirm return"),
    facts=[
        Fact(_("Reference number"), _FACTS["reference"], shown=_FACTS["reference"] != ""),
        Fact(_("Order number"), _FACTS["order_number"], shown=_FACTS["order_number"] != ""),
        Fact(
            _("Items"),
            rx.el.span(_FACTS["items"], class_name="whitespace-pre-line"),
            shown=_FACTS["items"] != "",
        ),
        Fact(_("Pick-up"), weekday_day(_FACTS["pickup_day"]), shown=_FACTS["pickup_day"] != ""),
        Fact(
            _("Status"),
            choice(_FACTS["status"], RETURN_LABELS, STATUS_UNKNOWN),
            shown=(_FACTS["status"] != "") & (_FACTS["status"] != ReturnStatus.PENDING_CONFIRMATION.value),
        ),
    ],
    done=_("Your return is confirmed"),
    received=_("We have received your return. You get a confirmation by email."),
    next_steps=[
        _("We contact you within {return_answer_days} working days."),
        _("You get a text message on the day before the pick-up."),
        _("We refund you within {refund_days} days after the return has been processed."),
    ],
    follow=Way(_("View your return"), f"/returns/{_FACTS['return_id']}"),
    used=_("You have already confirmed this return"),
    nothing=_("Nothing has been requested."),
    failure=_(ORDER_RETURN.failure),
    refusals={
        Code.RETURN_REQUEST_ALREADY_EXISTS: _LIST,
        Code.INVALID_TIME: Way(_("Request a return"), ORDER_RETURN.path),
    },
)


def confirm_return() -> rx.Component:
    """Confirm a return."""
    return link_page(WORDS)


PAGES = [
    Page(
        f"{PATHS[LinkPurpose.ORDER_RETURN].strip('/')}/[hash]",
        confirm_return,
        link_title(WORDS),
        on_load=[MailedLink.load],
        protected=False,
    )
]
