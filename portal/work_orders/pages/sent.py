"""The confirmation page of the flows of work orders: it renders the account of the request."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import account_facts, amounts_box, handover_card, phases
from portal.i18n import _
from portal.ui import section

_ACCOUNT: Any = FlowRun.receipt.account


def sent_phases() -> rx.Component:
    """The phases of the request as it is now, also when the confirmation is opened again."""
    return phases(_ACCOUNT, _("Progress of your request"))


def sent_handover() -> rx.Component:
    """How, where and when the bike goes."""
    return rx.cond(_ACCOUNT.handover, handover_card(_ACCOUNT.handover, _("How your bike gets there")))


def sent_account() -> rx.Component:
    """The costs and the answers."""
    return rx.fragment(
        amounts_box(_ACCOUNT),
        section(_("Your answers"), account_facts(_ACCOUNT)),
    )
