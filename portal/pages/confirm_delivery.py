"""The page of the link that confirms another delivery day (part-2 §2, §4)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import _, choice, weekday_day
from portal.pages.parts.link_words import LinkWords, Way
from portal.pages.parts.mailed_link import link_page, link_title
from portal.pages.registry import Page
from portal.states.mailed_link import MailedLink
from portal.ui import Fact
from portal.vocabulary.deliveries import DATE_CHANGE_LABELS, DateChangeStatus
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.status import STATUS_UNKNOWN

_FACTS = MailedLink.facts
_ORDER = _FACTS["order_number"]
_FOLLOW = Way(_("Follow your order"), f"/order-status/{_ORDER}")
_CHANGE = Way(_("Choose another day"), f"/delivery-date/{_ORDER}")

WORDS = LinkWords(
    ask=_("Confirm your new delivery day"),
    promise=_("One more step: we receive your request only when you press the button."),
    button=_("Confirm new delivery day"),
    facts=[
        Fact(_("Order number"), _ORDER, shown=_ORDER != ""),
        Fact(_("New delivery day"), weekday_day(_FACTS["new_day"]), shown=_FACTS["new_day"] != ""),
        Fact(
            _("Time"),
            _("Between {start} and {end}", start=_FACTS["from_time"], end=_FACTS["until_time"]),
            shown=_FACTS["from_time"] != "",
        ),
        Fact(_("Planned until now"), weekday_day(_FACTS["original_day"]), shown=_FACTS["original_day"] != ""),
        Fact(
            _("Status"),
            choice(_FACTS["status"], DATE_CHANGE_LABELS, STATUS_UNKNOWN),
            shown=(_FACTS["status"] != "") & (_FACTS["status"] != DateChangeStatus.WAITING_FOR_CUSTOMER.value),
        ),
    ],
    done=_("Your new delivery day is confirmed"),
    received=_(
        "We have received your request. We let you know within {date_answer_hours} hours whether the new day works."
    ),
    next_steps=[
        _("We check with the carrier whether the new day works."),
        _("You get our answer by email within {date_answer_hours} hours."),
        _("Until then the day that was planned stays."),
    ],
    follow=_FOLLOW,
    used=_("You have already confirmed this day"),
    nothing=_("The delivery stays on the day that was planned."),
    failure=_(MESSAGES[Code.DATE_CHANGE_FAILED]),
    refusals={
        Code.ALREADY_HANDED_OVER: _FOLLOW,
        Code.ORDER_CANCELLED: _FOLLOW,
        Code.COLLECTED_IN_STORE: _FOLLOW,
        Code.DELIVERY_FAILED: _FOLLOW,
        Code.DELIVERY_DAY_TAKEN: _CHANGE,
        Code.DATE_CHANGE_PENDING: Way(_("View your request"), f"/delivery-date/{_ORDER}"),
        Code.DELIVERY_NOT_PLANNED: _FOLLOW,
        Code.DATE_CHANGE_NOT_OFFERED: _FOLLOW,
        Code.NO_DELIVERY_OPTIONS: _CHANGE,
    },
    over=(Code.ORDER_CANCELLED, Code.COLLECTED_IN_STORE, Code.DELIVERY_FAILED),
)


def confirm_delivery() -> rx.Component:
    """Confirm another delivery day."""
    return link_page(WORDS)


PAGES = [
    Page(
        f"{PATHS[LinkPurpose.DELIVERY_DATE].strip('/')}/[hash]",
        confirm_delivery,
        link_title(WORDS),
        on_load=[MailedLink.load],
        protected=False,
    )
]
