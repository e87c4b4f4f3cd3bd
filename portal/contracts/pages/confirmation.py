"""The page of the mailed link that confirms the end of a contract or takes it back (part-2 §10)."""

from __future__ import annotations

import reflex as rx

from portal.contracts.pages.components import withdrawing
from portal.frontend.accounts import amounts_box
from portal.i18n import _
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, MailedLink, declaration_wording, link_page

_KIND = MailedLink.facts["ending"].to(str)
_CONTRACT = FollowUp(_("View your contract"), f"/contracts/{MailedLink.facts['contract']}")

WORDING = declaration_wording(
    ask=withdrawing(_KIND, _("Confirm your withdrawal"), _("Confirm your cancellation")),
    question=_("Do you want to end this contract?"),
    yes=withdrawing(_KIND, _("Yes, I withdraw from this contract"), _("Yes, I cancel this contract")),
    done=withdrawing(_KIND, _("Your withdrawal is confirmed"), _("Your cancellation is confirmed")),
    used=_("You’ve already confirmed this"),
    taken_back=_("You’re keeping your contract"),
    nothing=_("We’ve received it, but it is not confirmed yet."),
    follow=_CONTRACT,
    refusals={Code.STATUS_CHANGED: _CONTRACT},
    more=amounts_box(MailedLink.account, _("Your money")),
)


def confirm_end() -> rx.Component:
    return link_page(WORDING)
