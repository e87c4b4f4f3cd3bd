"""The login of staff: by OpenID, with a mailed code, or in the demonstration from a list. The page about oneself."""

from typing import Any

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import LocaleChoice
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import DESK_LOGIN, StaffSession, may, session_ended, session_token
from portal.desk.views import desk_page, pairs, panel, title
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
from portal.vocabulary.staff import ROLE_LABELS, Right

_NAME = "staff"
_FIRST = "*:first:mt-0"
"""A message stands first in the card, which has its own space above it."""


class StaffLogin(rx.State):
    """How staff can log in here."""

    view_state: rx.Field[str] = rx.field(LOADING)
    sign_on: rx.Field[bool] = rx.field(False)
    people: rx.Field[list[LoginPerson]] = rx.field(default_factory=list)
    customers: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    @public
    async def load(self) -> None:
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
        (FAILED, ui.error_block(_("The login couldn’t be loaded."), on_retry=StaffLogin.load)),
        rx.el.div(
            ui.text(_("Loading…"), role="status", look="sr-only"),
            ui.skeleton("h-9 w-full"),
            ui.skeleton("mt-3 h-9 w-40"),
            class_name="appear",
            custom_attrs={"aria-busy": "true"},
        ),
    )
    return desk_page(
        rx.el.div(form, class_name="card md:p-6"),
        ui.small(
            _("Are you a customer?"),
            " ",
            ui.text_link(_("Go to your own account"), StaffLogin.customers),
            top=4,
            shown=StaffLogin.customers != "",
        ),
        heading=_("Log in to the staff site"),
        centred=True,
    )


def _messages(answer: FormAnswer) -> rx.Component:
    return refusals(
        answer,
        {
            Code.SESSION_ENDED: ui.notice(_(MESSAGES[Code.SESSION_ENDED]), announced=True),
            **{code: alert(answer, _(MESSAGES[code])) for code in (Code.SIGN_ON_REFUSED, Code.SIGN_ON_FAILED)},
            Code.TOO_MANY_REQUESTS: later(answer),
            **dict.fromkeys((Code.INVALID_INPUT, Code.REQUIRED, Code.INVALID_EMAIL), rx.fragment()),
        },
        try_again(answer),
    )


def _form(answer: FormAnswer, *content: rx.Component, action: str, class_name: str) -> rx.Component:
    return login_form(
        _messages(answer),
        *content,
        name=_NAME,
        action=action,
        notifications={"default": None},
        remembers=True,
        class_name=f"{class_name} {_FIRST}",
    )


def _sign_on(answer: FormAnswer) -> rx.Component:
    return _form(
        answer,
        ui.text(_("Log in with the account you use at work.")),
        ui.submit_button(_("Log in with your work account"), pending_text=_("One moment…")),
        action="/auth/begin-sign-on",
        class_name="space-y-4",
    )


def _codes(answer: FormAnswer) -> rx.Component:
    email = field_message(answer.field("email"), _("Email address"), Code.INVALID_EMAIL)

    def option(person: rx.vars.ObjectVar[LoginPerson]) -> rx.Component:
        stores = person.stores.to(list[str])
        role = choice(person.role, {role.value: label for role, label in ROLE_LABELS.items()}).to(str)
        about = role + rx.cond(stores, " · ", "").to(str) + stores.join(", ")
        return ui.option_card("person", ui.Option(person.person_id, person.name, about))

    chosen = rx.cond(answer.field("email") != "", _("Choose who you are."), "").to(str)
    people = rx.fragment(
        ui.error_summary({"person": chosen}, answer.attempt),
        ui.choice_cards(
            "person",
            _("Who are you?"),
            rx.foreach(StaffLogin.people, option),
            error=chosen,
            columns="sm:grid-cols-2 lg:grid-cols-3",
        ),
        ui.muted(
            _("This is the demonstration. The code arrives in"),
            " ",
            ui.text_link(_("the mailbox of the demonstration"), StaffLogin.customers + "/mailbox"),
            ".",
        ),
    )
    address = rx.fragment(
        ui.error_summary({"email": email}, answer.attempt),
        ui.text_field(
            "email",
            _("Email address"),
            hint=_("The address you use at work"),
            error=email,
            kind="email",
            autocomplete="email",
        ),
    )
    return _form(
        answer,
        rx.cond(StaffLogin.people.length() > 0, people, address),
        ui.submit_button(_("Send login code")),
        action="/auth/code",
        class_name="space-y-5",
    )


def code() -> rx.Component:
    note = CodeNote()
    form = code_form(_start_again(), width="max-w-48 text-h2", class_name=f"space-y-5 {_FIRST}")
    return desk_page(
        ui.muted(
            sent_to(note),
            rx.cond(
                (note.email != "") & ~note.expired,
                _("It works until {until}.", until=clock(note.expires_at)),
                rx.cond(note.expired, _(MESSAGES[Code.CODE_EXPIRED]), ""),
            ),
            " ",
            ui.text_link(_("Someone else?"), DESK_LOGIN),
            bottom=4,
        ),
        refused(note, _start_again()),
        rx.el.div(form, class_name="card md:p-6"),
        rx.el.section(
            rx.el.h2(_("Haven’t received a code?")),
            ui.text(_("It can take a minute. Check your spam folder too.")),
            another_code(_start_again(), note.wait, "mt-3 space-y-3"),
            class_name="mt-6",
        ),
        heading=_("Enter your login code"),
        centred=True,
    )


def _start_again() -> rx.Component:
    return ui.text(rx.el.a(_("Ask for a new code"), to=DESK_LOGIN, class_name=ui.LINK), top=2)


class StaffLanguage(rx.State):
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
    role = choice(StaffSession.role, {role.value: label for role, label in ROLE_LABELS.items()})
    stores = rx.cond(StaffSession.stores.length() > 0, StaffSession.stores.join(", "), _("All stores"))
    rights = [rx.cond(may(right), ui.included(_(label))) for right, label in RIGHT_LABELS.items()]
    return desk_page(
        rx.el.div(
            panel(
                _("You"),
                pairs(ui.Fact(_("Name"), StaffSession.name), ui.Fact(_("Role"), role), ui.Fact(_("Stores"), stores)),
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
