"""The page of the mailed link that confirms a withdrawal or takes it back (part-2 §10, §11)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, declaration_wording, link_page

_RETURNS = FollowUp(_("Your returns"), "/returns")

WORDING = declaration_wording(
    ask=_("Confirm your withdrawal"),
    question=_("Do you want to withdraw?"),
    yes=_("Yes, I withdraw from this purchase"),
    done=_("Your withdrawal is confirmed"),
    used=_("You’ve already confirmed this withdrawal"),
    taken_back=_("You’re keeping your order"),
    nothing=_("We’ve received your withdrawal, but it is not confirmed yet."),
    follow=_RETURNS,
    refusals={
        Code.RETURN_REQUEST_ALREADY_EXISTS: _RETURNS,
        Code.NOTHING_FOUND: _RETURNS,
        Code.WITHDRAWAL_PERIOD_OVER: _RETURNS,
        Code.ORDER_ID_NOT_FOUND: _RETURNS,
    },
)


def confirm_withdrawal() -> rx.Component:
    return link_page(WORDING)
