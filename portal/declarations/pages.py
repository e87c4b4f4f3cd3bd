"""The steps of a declaration: declare, check and receipt; a guest first says what it is about."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.session import Origin
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.layout import contact_line
from portal.frontend.live import Live, Loadable
from portal.frontend.load import LOADING, Form, Question, text_in
from portal.frontend.load_views import loaded
from portal.frontend.policies import public
from portal.frontend.registry import PageRoute
from portal.frontend.session import Language, SessionState, session_ended, session_token
from portal.frontend.texts import field_message, in_groups
from portal.i18n import Text, _, choice, moment
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import locale_of
from portal.links.pages import DECLARATION, FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.vocabulary.contracts import DeclarationAnswer, DeclarationStatus

FIND, DECLARE, CHECK, RECEIPT = "find", "declare", "check", "receipt"
"""The steps: find what it is about (guests only), declare, check, receipt."""

NAME, EMAIL = "name", "email"
_MAX_NAME = 180

Answer = TypeVar("Answer")


class DeclarationState(rx.State, mixin=True):
    """A declaration, from the name of the person to its receipt.

    `_number`: name of the field for the number of what it is about.
    `retry_at`: when to try again (ISO 8601, UTC); empty when the provider did not say.
    """

    _number: ClassVar[str] = ""
    step: rx.Field[str] = rx.field(DECLARE)
    name: rx.Field[str] = rx.field("")
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    turn: rx.Field[int] = rx.field(0)
    _key: str = ""

    def _take(self, form: Form) -> None:
        """Read the declaration; go to the check when it is complete."""
        self._answered()
        if errors := self._read(form):
            self._wrong(errors)
        else:
            self._declared()

    def _read(self, form: Form) -> dict[str, str]:
        self.name = text_in(form, NAME).strip()
        if self.name and len(self.name) <= _MAX_NAME:
            return {}
        return {NAME: (Code.TOO_LONG if self.name else Code.REQUIRED).value}

    def _declared(self) -> None:
        """Go to the check. The key lets the provider recognise a second press."""
        self._key = secrets.token_urlsafe(16)
        self._go(CHECK)

    def _received(self) -> None:
        self._key = self.name = ""
        self._go(RECEIPT)

    def _go(self, step: str) -> None:
        self.step, self.turn = step, self.turn + 1

    def _answered(self) -> None:
        self.answered += 1
        self.errors, self.refusal, self.retry_at = {}, "", ""

    def _wrong(self, errors: dict[str, str]) -> None:
        self.errors, self.failures = errors, self.failures + 1

    def _refuse(self, error: ProviderError) -> None:
        self._wrong({name: code.value for name, code in error.fields.items() if name in (NAME, self._number, EMAIL)})
        self.refusal = "" if self.errors else error.code.value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if NAME in self.errors:
            self._go(DECLARE)


class OwnDeclarationState(Live, DeclarationState, mixin=True):
    """A declaration of a customer."""

    async def _sent(
        self, act: Question[Answer], refuse: Callable[[ProviderError], None] | None = None
    ) -> Answer | None:
        """The answer of the provider; None after a refusal, which the page then shows."""
        try:
            return await act(session_token(self))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError as error:
            (refuse or self._refuse)(error)
        return None


class GuestDeclarationState(DeclarationState, mixin=True):
    """A declaration of a guest. The page does not say whether the number or the e-mail address is wrong."""

    step: rx.Field[str] = rx.field(FIND)
    _email: str = ""

    def _typed(self, number: str) -> None:
        """Keep what was typed; wrong or not."""

    async def _find(self, number: str) -> None:
        raise NotImplementedError

    async def _send(self) -> None:
        """Declare, and keep the receipt."""
        raise NotImplementedError

    @rx.event
    @public
    async def find(self, form: Form) -> None:
        self._answered()
        self._email, number = text_in(form, EMAIL).strip(), text_in(form, self._number).strip()
        self._typed(number)
        errors = {} if number else {self._number: Code.REQUIRED.value}
        if not self._email:
            errors[EMAIL] = Code.MISSING_EMAIL_ADDRESS.value
        if errors:
            self._wrong(errors)
        else:
            await self._find(number)

    @rx.event
    @public
    async def declare(self, form: Form) -> None:
        if self.step in (DECLARE, CHECK):
            self._take(form)

    @rx.event
    @public
    async def confirm(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
        self._answered()
        if self.step != CHECK:
            return
        try:
            await self._send()
        except ProviderError as error:
            self._refuse(error)
        else:
            self._received()
            self._email = ""

    @rx.event
    @public
    async def again(self) -> None:
        turn = self.turn + 1
        self.reset()
        self.turn = turn

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
    person = SessionState.person
    middle = rx.cond(person.prefix, f"{person.prefix} ", "").to(str)
    return rx.cond(person, f"{person.first_name} {middle}{person.last_name}", "").to(str)


def receipt_panel(title: Text, received_at: rx.Var[str], reference: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.h1(title, tab_index=-1),
        ui.lead(_("Received on {moment}", moment=moment(received_at)), top=3),
        ui.text(_("Your reference number"), top=4),
        ui.strong(reference, look="text-h2 tracking-wider tabular-nums"),
        class_name="mt-4 rounded-panel border-2 border-ok-line bg-ok-bg p-6 md:p-10",
    )


def name_field(page: Any, name: rx.Var[str]) -> tuple[rx.Var[str], rx.Component]:
    error = field_message(page.errors[NAME].to(str), _("Your name"), Code.TOO_LONG)
    value = rx.cond(page.name != "", page.name, name).to(str)
    return error, ui.text_field(NAME, _("Your name"), error=error, value=value, autocomplete="name")


def step_heading(title: Text, position: int, name: Text) -> rx.Component:
    x, y = rx.Var.create(position), rx.Var.create(2)
    return ui.step_heading(title, _("Step {x} of {y} · {name}", x=x, y=y, name=name), x, y)


def declare_form(page: Any, refusal: rx.Component, *fields: rx.Component, send: Text) -> rx.Component:
    return ui.event_form(
        rx.cond(page.errors.length() == 0, refusal),
        *fields,
        ui.submit_button(send, _("Loading…")),
        on_send=page.declare,
        answered=page.answered,
    )


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


def receipt_step(
    page: Any,
    receipt: Any,
    title: Text,
    *documents: rx.Component,
    declared: rx.Component,
    body: rx.Component,
    links: Any,
) -> rx.Component:
    return rx.fragment(
        ui.focus_box(
            receipt_panel(title, receipt.received_at.to(str), in_groups(receipt.reference)), attempt=page.turn
        ),
        ui.text(_("We’ve sent this receipt to {email}.", email=receipt.email), top=6),
        rx.el.div(
            ui.print_button(_("Print this page")),
            *documents,
            class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2",
        ),
        ui.section(_("What you declared"), declared),
        body,
        ui.stack(links, top=10),
    )


def guest_receipt(page: Any, receipt: Any, title: Text, again: Text) -> rx.Component:
    return receipt_step(
        page,
        receipt,
        title,
        declared=ui.card(account_facts(receipt.account), class_name="py-2 [&_dl]:border-t-0"),
        body=ui.section(_("One more step: confirm it"), next_steps(receipt.account)),
        links=ui.action_button(again, page.again),
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
    email = rx.cond(SessionState.person, SessionState.person.email, "").to(str)
    return rx.fragment(
        ui.error_summary(errors, page.failures),
        ui.focus_box(rx.el.h1(wording.heading, tab_index=-1), attempt=page.turn),
        ui.lead(wording.intro, top=3),
        rx.cond(
            SessionState.authenticated,
            rx.el.section(
                rx.el.h2(wording.own),
                own,
                rx.el.div(ui.when_shown([SessionState.load, mine.load]), key=Language.choices.to_string()),
                class_name="mt-8 mb-10",
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
                        value=email,
                    ),
                    # The address of a customer comes after the field.
                    key=email,
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


def own_choices(
    page: type[Loadable],
    entries: rx.vars.ArrayVar[Any],
    choice_of: Callable[[Any], tuple[Any, Any, Sequence[Any]]],
    *,
    none: Text,
    failure: Text,
) -> rx.Component:
    """What a customer can choose from instead. `choice_of`: name, address and details of an entry."""

    def entry_of(entry: Any) -> rx.Component:
        name, to, details = choice_of(entry)
        link = rx.el.a(name, to=to, class_name="font-semibold text-ink after:absolute after:inset-0")
        return rx.el.li(link, ui.muted(*details, look="tabular-nums"), class_name="relative p-4 hover:bg-paper-2")

    look = "divide-y divide-line overflow-hidden rounded-card border border-line bg-white"
    return loaded(
        page,
        rx.cond(entries.length() > 0, ui.item_list(entries, entry_of, top=4, look=look), ui.text(none, top=4)),
        failure=failure,
        loading=ui.skeleton("mt-4 h-20 rounded-card"),
    )


def guest_routes(
    route: str, body: Callable[[], rx.Component], name: rx.Var[str], mine: type[Loadable], wording: LinkWording
) -> list[PageRoute]:
    """The page of guests, and the page of the link that they are mailed."""

    def confirm_declaration() -> rx.Component:
        return link_page(wording)

    # Each page has a script of its own, by this name.
    confirm_declaration.__name__ = f"confirm_{body.__name__}"

    return [
        PageRoute(route, body, name, protected=False, first=mine, for_both=True),
        PageRoute(
            f"{route}/confirm/[hash]",
            confirm_declaration,
            link_title(wording),
            on_load=[MailedLink.load],
            protected=False,
        ),
    ]


def declaration_wording(
    *,
    ask: Text,
    question: Text,
    yes: Text,
    done: Text,
    used: Text,
    taken_back: Text,
    nothing: Text,
    follow: FollowUp,
    refusals: Mapping[Code, FollowUp],
    more: rx.Component | None = None,
) -> LinkWording:
    error = choice(MailedLink.wrong, {Code.REQUIRED: _("Choose one of the two.")})
    gone = MailedLink.about.status == DeclarationStatus.TAKEN_BACK.value
    return LinkWording(
        ask=ask,
        promise=localized(MailedLink.account.meaning),
        button=_("Send answer"),
        done=rx.cond(gone, taken_back, done).to(str),
        used=rx.cond(gone, taken_back, used).to(str),
        nothing=nothing,
        follow=follow,
        failure=_("Your answer couldn’t be sent."),
        refusals=refusals,
        works=_("A link works for {withdrawal_link_days} days."),
        more=more,
        question=rx.fragment(
            ui.error_summary({DECLARATION: error}, MailedLink.failures),
            ui.choice_cards(
                DECLARATION,
                question,
                [
                    ui.Option(DeclarationAnswer.CONFIRM.value, yes),
                    ui.Option(DeclarationAnswer.TAKE_BACK.value, _("No, I take it back, or it was not me")),
                ],
                error=error,
                columns="",
            ),
        ),
        answered=next_steps(MailedLink.account),
    )
