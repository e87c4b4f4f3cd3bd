"""The page about oneself: who is logged in, where the person works, and what the role may do."""

from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import LocaleChoice
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import StaffSession, may, session_ended, session_token
from portal.desk.views import Pair, desk_page, pairs, panel, title
from portal.frontend.policies import staff
from portal.i18n import _, choice
from portal.kernel.texts import N_, known_locale
from portal.reflex_adapter.events import LOAD_AGAIN
from portal.staff.api import StaffApi
from portal.ui.lists import included
from portal.vocabulary.staff import ROLE_LABELS, Right


class StaffLanguage(rx.State):
    """Stores the language of a member of staff."""

    @rx.event
    @staff(Right.OWN_ACCOUNT)
    async def choose(self, language: str) -> Any:
        """Store the language of the person, and load the page again: its data name articles in that language."""
        try:
            choice = LocaleChoice(locale=known_locale(language))
            await ask(StaffApi).change_staff_locale(session_token(self), choice)
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            # The page already shows the language; the next choice is stored again.
            return None
        else:
            return LOAD_AGAIN
        return None


RIGHT_LABELS: dict[Right, str] = {
    Right.SEE_CASES: N_("See the cases for your role and store"),
    Right.WORK_ON_CASES: N_("Move repairs, services and claims forward, and plan them"),
    Right.RECEIVE_RETURNS: N_("Receive and assess returns"),
    Right.ENTER_REFUND_ACCOUNT: N_("Enter accounts for refunds"),
    Right.RELEASE_REFUNDS: N_("Release refunds"),
    Right.REVEAL_PIN_CODE: N_("Show the pin code of a lock"),
    Right.REVEAL_FINANCIAL: N_("Show account and policy numbers"),
    Right.WRITE_TO_CUSTOMERS: N_("Write to customers"),
    Right.SEND_TEMPLATES: N_("Send standard messages"),
    Right.CORRECT_FRAME_NUMBER: N_("Correct frame numbers"),
    Right.CORRECT_CUSTOMERS: N_("Correct customers’ details, and the store of a case"),
    Right.ACT_FOR_CUSTOMERS: N_("Find customers and send a request for them"),
    Right.MANAGE_STORE: N_("Set the waiting time and holiday of your store"),
    Right.MANAGE_SHOP: N_("Change prices, tariffs and delivery days"),
    Right.MANAGE_STAFF: N_("Add and change colleagues"),
    Right.MANAGE_WEBHOOKS: N_("Connect systems that get every event"),
    Right.READ_AUDIT: N_("Read the audit log"),
    Right.EXPORT: N_("Download refunds and lists for insurers"),
    Right.EXPORT_CASES: N_("Download lists of cases"),
}
"""What each right means, as a person reads it; what everybody may do is not listed."""


def account() -> rx.Component:
    """The page."""
    role = choice(StaffSession.role, {role.value: label for role, label in ROLE_LABELS.items()})
    stores = rx.cond(StaffSession.stores.length() > 0, StaffSession.stores.join(", "), _("All stores"))
    rights = [rx.cond(may(right), included(_(label))) for right, label in RIGHT_LABELS.items()]
    return desk_page(
        rx.el.div(
            panel(
                _("You"),
                pairs(
                    Pair(_("Name"), StaffSession.name),
                    Pair(_("Role"), role),
                    Pair(_("Stores"), stores),
                ),
            ),
            panel(_("What you may do"), rx.el.ul(*rights, class_name="space-y-1")),
            class_name="grid gap-4",
        ),
        heading=_("My account"),
        narrow=True,
    )


NAVIGATION = [NavigationItem(_("My account"), "/account", group=SHOP, right=Right.OWN_ACCOUNT)]

PAGES = [DeskRoute("account", account, title(_("My account")))]
