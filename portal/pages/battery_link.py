"""The page of the link that asks how the battery of a withdrawal is, before anything of it travels (part-2 §2)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import Code
from portal.i18n import _
from portal.pages.parts.battery import battery_choice, unsafe_battery
from portal.pages.parts.link_words import LinkWords, Way
from portal.pages.parts.mailed_link import link_page, link_title
from portal.pages.parts.withdrawn import sending
from portal.pages.registry import Page
from portal.states.mailed_link import MailedLink
from portal.ui import Fact
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.returns import BATTERY_FIRST, BatteryState

_FACTS = MailedLink.facts
_SAFE = _FACTS["battery"] == BatteryState.FINE.value
_LIST = Way(_("Your returns"), "/returns")

WORDS = LinkWords(
    ask=_("How is the battery?"),
    promise=_(BATTERY_FIRST),
    button=_("Send answer"),
    facts=[
        Fact(_("Reference number"), _FACTS["reference"], shown=_FACTS["reference"] != ""),
        Fact(_("Order number"), _FACTS["order_number"], shown=_FACTS["order_number"] != ""),
        Fact(
            _("Items"),
            rx.el.span(_FACTS["items"], class_name="whitespace-pre-line"),
            shown=_FACTS["items"] != "",
        ),
    ],
    done=rx.cond(_SAFE, _("You can send it back"), _("Do not send it: your battery is not safe")).to(str),
    received=_("Thank you. We send you this by email, too."),
    next_steps=[],
    follow=_LIST,
    used=rx.cond(_SAFE, _("You can send it back"), _("Do not send it: your battery is not safe")).to(str),
    nothing=_("Your withdrawal stands as it is: we have received it."),
    failure=_("Your answer could not be sent."),
    refusals={Code.STATUS_CHANGED: _LIST},
    works=_("A link works for {battery_link_days} days."),
    question=battery_choice(MailedLink.wrong, MailedLink.failures),
    answered=rx.cond(_SAFE, sending(), unsafe_battery(_("Your battery is not safe: do this now"))),
    alarm=~_SAFE,
)


def battery_link() -> rx.Component:
    """Say how the battery is."""
    return link_page(WORDS)


PAGES = [
    Page(
        f"{PATHS[LinkPurpose.BATTERY].strip('/')}/[hash]",
        battery_link,
        link_title(WORDS),
        on_load=[MailedLink.load],
        protected=False,
    )
]
