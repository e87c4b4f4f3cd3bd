"""The states of a declaration: declare, check and receipt; a guest first says what it is about.

Withdrawals from orders and the ends of contracts go through these steps.
"""

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.contract.errors import ProviderError
from portal.contract.session import Origin
from portal.frontend.accounts import next_steps
from portal.frontend.layout import contact_line
from portal.frontend.live import Loadable
from portal.frontend.load import LOADING, text_in
from portal.frontend.policies import public
from portal.frontend.session import SessionState
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, moment
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import locale_of

FIND, DECLARE, CHECK, RECEIPT = "find", "declare", "check", "receipt"
"""The steps: find what it is about (guests only), declare, check, receipt."""

NAME, EMAIL = "name", "email"
_MAX_NAME = 180


class DeclarationState(rx.State, mixin=True):
    """A declaration, from the name of the person to its receipt.

    `retry_at`: when to try again (ISO 8601, UTC); empty when the provider did not say.
    """

    _fields: ClassVar[tuple[str, ...]] = (NAME, EMAIL)
    step: rx.Field[str] = rx.field(DECLARE)
    name: rx.Field[str] = rx.field("")
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    turn: rx.Field[int] = rx.field(0)
    _key: str = ""

    def _read_name(self, form: Mapping[str, Any]) -> dict[str, str]:
        self.name = text_in(form, NAME).strip()
        if self.name and len(self.name) <= _MAX_NAME:
            return {}
        return {NAME: (Code.TOO_LONG if self.name else Code.REQUIRED).value}

    def _declared(self) -> None:
        """Go to the check. The key lets the provider recognise a second press."""
        self._key = secrets.token_urlsafe(16)
        self._go(CHECK)

    def _go(self, step: str) -> None:
        self.step, self.turn = step, self.turn + 1

    def _answered(self) -> None:
        self.answered += 1
        self.errors, self.refusal, self.retry_at = {}, "", ""

    def _wrong(self, errors: dict[str, str]) -> None:
        self.errors, self.failures = errors, self.failures + 1

    def _refuse(self, error: ProviderError) -> None:
        self._wrong({name: code.value for name, code in error.fields.items() if name in self._fields})
        self.refusal = "" if self.errors else error.code.value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if NAME in self.errors:
            self._go(DECLARE)


class GuestDeclarationState(DeclarationState, mixin=True):
    """A declaration of a guest. The page does not say whether the number or the e-mail address is wrong."""

    _email: str = ""

    @rx.event
    @public
    async def again(self) -> None:
        turn = self.turn + 1
        self.reset()
        self.turn = turn

    def _identified(self, form: Mapping[str, Any], field: str) -> str:
        self._answered()
        self._email, number = text_in(form, EMAIL).strip(), text_in(form, field).strip()
        errors = {} if number else {field: Code.REQUIRED.value}
        if not self._email:
            errors[EMAIL] = Code.MISSING_EMAIL_ADDRESS.value
        if errors:
            self._wrong(errors)
        return "" if errors else number

    def _origin(self) -> Origin:
        return Origin(address=self.router.session.client_ip, locale=locale_of(self.router.headers.cookie))


def refused(page: type[DeclarationState], codes: Collection[Code]) -> rx.Component:
    own = {Code.TOO_MANY_REQUESTS: _("You’ve tried this too often. Wait a moment, then try again.")}
    return ui.notice_on_failure(
        page.refusal != "",
        choice(page.refusal, {code: MESSAGES[code] for code in codes} | own, MESSAGES[Code.GENERAL_ERROR]),
        page.failures,
        ui.text(_("Try again from {moment}.", moment=moment(page.retry_at)), top=2, shown=page.retry_at != ""),
    )


def full_name() -> rx.Var[str]:
    """First name, prefix and last name of the customer; empty before they are loaded."""
    person = SessionState.profile
    middle = rx.cond(person.prefix != "", person.prefix + " ", "").to(str)
    return rx.cond(person.last_name != "", person.first_name + " " + middle + person.last_name, "").to(str)


def receipt_panel(title: Text, received_at: rx.Var[str], reference: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.h1(title, tab_index=-1),
        ui.lead(_("Received on {moment}", moment=moment(received_at)), top=3),
        ui.text(_("Your reference number"), top=4),
        ui.strong(reference, look="text-h2 tracking-wider tabular-nums"),
        class_name="mt-4 rounded-panel border-2 border-ok-line bg-ok-bg p-6 md:p-10",
    )


def to_confirm(account: rx.Var[Account]) -> rx.Component:
    return ui.section(_("One more step: confirm it"), next_steps(account))


def name_field(page: Any, name: rx.Var[str]) -> tuple[rx.Var[str], rx.Component]:
    error = field_message(page.errors[NAME].to(str), _("Your name"), Code.TOO_LONG)
    value = rx.cond(page.name != "", page.name, name).to(str)
    return error, ui.text_field(NAME, _("Your name"), error=error, value=value, autocomplete="name")


def check_step(
    page: Any,
    heading: rx.Component,
    declared: rx.Component,
    refusal: rx.Component,
    *more: rx.Component,
    note: Text,
    confirm: Text,
) -> rx.Component:
    return rx.fragment(
        ui.focus_box(heading, attempt=page.turn),
        declared,
        *more,
        ui.text(note, top=6),
        ui.event_form(
            refusal,
            ui.row(
                ui.submit_button(confirm, _("Sending…")),
                ui.action_button(_("Change"), page.back),
                look="max-md:flex-col",
            ),
            on_send=page.confirm,
            answered=page.answered,
            class_name="mt-6 space-y-6",
        ),
    )


@dataclass(frozen=True, slots=True)
class GuestWording:
    """The words of the page on which a guest says what it is about.

    `heading`, `intro`: heading and first paragraph.
    `label`, `hint`: of the number; None for no hint.
    """

    heading: Text
    intro: Text
    own: Text
    another: Text
    label: Text
    hint: Text | None
    email_hint: Text
    codes: tuple[Code, ...] = ()


def guest_form(
    page: Any,
    field: str,
    wording: GuestWording,
    refusal: rx.Component,
    *more: rx.Component,
    mine: type[Loadable],
    own: rx.Component,
    **number: Any,
) -> rx.Component:
    """The form that asks a guest for a number and an e-mail address."""
    errors = {
        field: field_message(page.errors[field].to(str), wording.label, *wording.codes),
        EMAIL: field_message(
            page.errors[EMAIL].to(str), _("Email address"), Code.INVALID_EMAIL, Code.MISSING_EMAIL_ADDRESS
        ),
    }
    return rx.fragment(
        ui.error_summary(errors, page.failures),
        ui.focus_box(rx.el.h1(wording.heading, tab_index=-1), attempt=page.turn),
        ui.lead(wording.intro, top=3),
        rx.cond(
            SessionState.authenticated,
            rx.el.section(
                rx.el.h2(wording.own), own, ui.when_shown([SessionState.load, mine.load]), class_name="mt-8 mb-10"
            ),
        ),
        rx.el.div(
            rx.cond(SessionState.authenticated, rx.el.h2(wording.another)),
            ui.event_form(
                refusal,
                ui.text_field(field, wording.label, hint=wording.hint, error=errors[field], width="max-w-60", **number),
                rx.el.div(
                    ui.text_field(
                        EMAIL,
                        _("Email address"),
                        hint=wording.email_hint,
                        error=errors[EMAIL],
                        kind="email",
                        autocomplete="email",
                        value=SessionState.profile.email,
                    ),
                    # The address of a customer comes after the field.
                    key=SessionState.profile.email,
                ),
                *more,
                ui.submit_button(_("Continue"), _("Loading…")),
                on_send=page.find,
                answered=page.answered,
            ),
            contact_line(),
            class_name="below-own",
            custom_attrs={
                "data-waits": rx.cond(SessionState.authenticated & (mine.view_state != LOADING), "false", "true")
            },
        ),
    )


def own_choices(entries: rx.vars.ArrayVar[Any], choice_of: Callable[[Any], rx.Component]) -> rx.Component:
    return ui.item_list(
        entries,
        lambda entry: rx.el.li(choice_of(entry), class_name="relative p-4 hover:bg-paper-2"),
        top=4,
        look="divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
    )
