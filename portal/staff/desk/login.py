"""The login of staff: by OpenID, with a mailed code, or in the demonstration from a list. The page about oneself."""

from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import LocaleChoice
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import DESK_LOGIN, StaffSession, may, session_ended, session_token
from portal.desk.views import Pair, desk_page, pairs, panel, title
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import public, staff
from portal.frontend.texts import field_message
from portal.i18n import _, choice, clock
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_, known_locale
from portal.login.pages.forms import (
    ANSWER,
    CodeNote,
    FormAnswer,
    alert,
    another_code,
    code_form,
    later,
    login_form,
    refusals,
    refused,
    sent_to,
    try_again,
)
from portal.reflex_adapter.events import LOAD_AGAIN
from portal.settings import settings
from portal.staff.api.people import LoginPerson, StaffApi
from portal.ui import (
    LINK,
    Option,
    choice_cards,
    error_block,
    error_summary,
    notice,
    option_card,
    skeleton,
    submit_button,
    text_field,
    text_link,
)
from portal.ui.lists import included
from portal.vocabulary.staff import ROLE_LABELS, Right

_NAME = "staff"
_FIRST = "*:first:mt-0"
"""A message stands first in the card, which has its own space above it."""


class StaffLogin(rx.State):
    """How staff can log in here.

    Attributes:
        people: everybody who can log in; only in the demonstration.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    sign_on: rx.Field[bool] = rx.field(False)
    people: rx.Field[list[LoginPerson]] = rx.field(default_factory=list)
    customers: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    @public
    async def load(self) -> None:
        """Ask how staff can log in."""
        try:
            ways = await ask(StaffApi).staff_login_ways()
        except ProviderError:
            async with self:
                self.view_state = FAILED
            return
        async with self:
            self.sign_on = ways.sign_on
            self.people = ways.people
            self.customers = settings().address
            self.view_state = READY


def login() -> rx.Component:
    answer = FormAnswer(_NAME)
    form = rx.match(
        StaffLogin.view_state,
        (READY, rx.cond(StaffLogin.sign_on, _sign_on(answer), _codes(answer))),
        (FAILED, error_block(_("The login couldn’t be loaded."), on_retry=StaffLogin.load)),
        rx.el.div(
            rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
            skeleton("h-9 w-full"),
            skeleton("mt-3 h-9 w-40"),
            class_name="appear",
            custom_attrs={"aria-busy": "true"},
        ),
    )
    return desk_page(
        rx.el.div(form, class_name="card md:p-6"),
        rx.cond(
            StaffLogin.customers != "",
            rx.el.p(
                _("Are you a customer?"),
                " ",
                text_link(_("Go to your own account"), StaffLogin.customers),
                class_name="mt-4 text-sm text-ink-600",
            ),
        ),
        heading=_("Log in to the staff site"),
        centred=True,
    )


def _messages(answer: FormAnswer) -> rx.Component:
    ended = notice(_(MESSAGES[Code.SESSION_ENDED]), announced=True)
    refused = alert(answer, _(MESSAGES[Code.SIGN_ON_REFUSED]))
    return refusals(
        answer,
        {
            Code.SESSION_ENDED: ended,
            Code.SIGN_ON_REFUSED: refused,
            Code.SIGN_ON_FAILED: alert(answer, _(MESSAGES[Code.SIGN_ON_FAILED])),
            Code.TOO_MANY_REQUESTS: later(answer),
            Code.INVALID_INPUT: rx.fragment(),
            Code.REQUIRED: rx.fragment(),
            Code.INVALID_EMAIL: rx.fragment(),
        },
        try_again(answer),
    )


def _sign_on(answer: FormAnswer) -> rx.Component:
    return login_form(
        _messages(answer),
        rx.el.p(_("Log in with the account you use at work.")),
        submit_button(_("Log in with your work account"), pending_text=_("One moment…")),
        name=_NAME,
        action="/auth/begin-sign-on",
        notifications={"default": None},
        remembers=True,
        class_name=f"space-y-4 {_FIRST}",
    )


def _codes(answer: FormAnswer) -> rx.Component:
    email = field_message(answer.field("email"), _("Email address"), Code.INVALID_EMAIL)

    def option(person: rx.vars.ObjectVar[LoginPerson]) -> rx.Component:
        stores = person.stores.to(list[str])
        role = choice(person.role, {role.value: label for role, label in ROLE_LABELS.items()}).to(str)
        about = role + rx.cond(stores, " · ", "").to(str) + stores.join(", ")
        return option_card("person", Option(person.person_id, person.name, about))

    chosen = rx.cond(answer.field("email") != "", _("Choose who you are."), "").to(str)
    people = rx.fragment(
        error_summary({"person": chosen}, answer.attempt),
        choice_cards(
            "person",
            _("Who are you?"),
            rx.foreach(StaffLogin.people, option),
            error=chosen,
            columns="sm:grid-cols-2 lg:grid-cols-3",
        ),
        rx.el.p(
            _("This is the demonstration. The code arrives in"),
            " ",
            text_link(_("the mailbox of the demonstration"), StaffLogin.customers + "/mailbox"),
            ".",
            class_name="text-ink-600",
        ),
    )
    address = rx.fragment(
        error_summary({"email": email}, answer.attempt),
        text_field(
            "email",
            _("Email address"),
            hint=_("The address you use at work"),
            error=email,
            kind="email",
            autocomplete="email",
        ),
    )
    return login_form(
        _messages(answer),
        rx.cond(StaffLogin.people.length() > 0, people, address),
        submit_button(_("Send login code")),
        name=_NAME,
        action="/auth/code",
        notifications={"default": None},
        remembers=True,
        class_name=f"space-y-5 {_FIRST}",
    )


def code() -> rx.Component:
    """The page on which the mailed code is entered."""
    note = CodeNote()
    form = code_form(_start_again(), width="max-w-48 text-h2", class_name=f"space-y-5 {_FIRST}")
    return desk_page(
        rx.el.p(
            sent_to(note),
            rx.cond(
                (note.email != "") & ~note.expired,
                _("It works until {until}.", until=clock(note.expires_at)),
                rx.cond(note.expired, _(MESSAGES[Code.CODE_EXPIRED]), ""),
            ),
            " ",
            text_link(_("Someone else?"), DESK_LOGIN),
            class_name="mb-4 text-ink-600",
        ),
        refused(note, _start_again()),
        rx.el.div(form, class_name="card md:p-6"),
        rx.el.section(
            rx.el.h2(_("Haven’t received a code?")),
            rx.el.p(_("It can take a minute. Check your spam folder too.")),
            another_code(_start_again(), note.wait, "mt-3 space-y-3"),
            class_name="mt-6",
        ),
        heading=_("Enter your login code"),
        centred=True,
    )


def _start_again() -> rx.Component:
    return rx.el.p(rx.el.a(_("Ask for a new code"), to=DESK_LOGIN, class_name=LINK), class_name="mt-2")


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

PAGES = [
    DeskRoute("account", account, title(_("My account"))),
    DeskRoute("login", login, title(_("Log in")), on_load=[StaffLogin.load], protected=False),
    DeskRoute("login/code", code, title(_("Login code"), failed=ANSWER.error != ""), protected=False),
]
