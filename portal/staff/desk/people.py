"""People of the retailer: the list, and the form with which the administrator adds or changes somebody."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import session_ended, session_token
from portal.desk.state import DeskPage
from portal.desk.tables import cell, data_table, open_link, table_pages, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, panel, title
from portal.frontend.load import Paginated, Question, last_part, page_asked, text_in
from portal.frontend.policies import staff
from portal.i18n import _, choice, day
from portal.kernel.codes import MESSAGES, Code
from portal.staff.api import Activation, PeopleApi, PeopleSearch, Person, PersonEntry, Store
from portal.ui import (
    action_button,
    badge,
    empty_state,
    error_summary,
    event_form,
    link_button,
    notice,
    notice_on_failure,
    select_field,
    submit_button,
    text_field,
)
from portal.vocabulary.staff import ROLE_LABELS, Right, Role

PEOPLE, NEW = "/people", "new"
_FIELDS = ("name", "email", "role", "stores")
_CODES = (Code.REQUIRED, Code.TOO_LONG, Code.INVALID_EMAIL, Code.INVALID_CHOICE, Code.EMAIL_TAKEN)
_ROLES = [(role.value, _(label)) for role, label in ROLE_LABELS.items() if role is not Role.UNKNOWN]


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Somebody in the list; `seen` is the local day of the last use."""

    person_id: str = ""
    name: str = ""
    email: str = ""
    role: str = ""
    stores: str = ""
    active: bool = True
    seen: str = ""


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """A store in the form."""

    store_id: str = ""
    name: str = ""
    chosen: bool = False


class PeoplePage(Paginated, DeskPage, rx.State):
    """The list of people."""

    lines: rx.Field[list[PersonLine]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[Person]]:
        search = PeopleSearch(inactive=True, page=page_asked(self))
        return lambda token: ask(PeopleApi).people(token, search)

    def _show(self, answer: Page[Person]) -> None:
        self._count(answer)
        self.lines = [_line(person) for person in answer.items]


class PersonPage(DeskPage, rx.State):
    """One person, or a new one.

    Attributes:
        person: as stored; without an id for somebody new.
        locale: language of the person.
        stores: all stores, and whether the person works there.
        errors: error code of each invalid field.
        refusal: error code of another refusal.
        saved: whether the last change was stored.
        answered: number of answers, so that the form notices its own answer.
        attempt: number of refusals, so that the error summary takes the focus.
    """

    person: rx.Field[PersonLine] = rx.field(default_factory=PersonLine)
    locale: rx.Field[str] = rx.field("nl")
    stores: rx.Field[list[StoreChoice]] = rx.field(default_factory=list)
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    saved: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Person | None, list[Store]]]:
        about = self._about()

        async def ask_for(token: str) -> tuple[Person | None, list[Store]]:
            person = None if about == NEW else await ask(PeopleApi).person(token, about)
            return person, await ask(PeopleApi).staff_stores(token)

        return ask_for

    def _show(self, answer: tuple[Person | None, list[Store]]) -> None:
        person, stores = answer
        self.person = _line(person) if person else PersonLine()
        self.locale = person.locale if person else "nl"
        theirs = {store.store_id for store in person.stores} if person else set()
        self.stores = [StoreChoice(store.store_id, store.name, store.store_id in theirs) for store in stores]
        self.errors, self.refusal, self.saved = {}, "", False

    @rx.event(background=True)
    @staff(Right.MANAGE_STAFF)
    async def save(self, form: dict[str, Any]) -> Any:
        """Store what was typed."""
        async with self:
            token, person_id = session_token(self), self.person.person_id
            chosen = [store.store_id for store in self.stores if text_in(form, f"store-{store.store_id}")]
        entry = PersonEntry(
            name=text_in(form, "name"),
            email=text_in(form, "email"),
            role=text_in(form, "role")[:40],
            stores=chosen,
            locale="en" if text_in(form, "locale") == "en" else "nl",
        )
        try:
            if person_id:
                await ask(PeopleApi).change_person(token, person_id, entry)
            else:
                await ask(PeopleApi).add_person(token, entry)
        except ProviderError as error:
            await self._refuse(error)
            return None
        async with self:
            self.errors, self.refusal, self.saved = {}, "", True
            self.answered += 1
        return None if person_id else rx.redirect(PEOPLE)

    @rx.event(background=True)
    @staff(Right.MANAGE_STAFF)
    async def activate(self, active: bool) -> None:
        """Let the person log in, or end all their sessions."""
        async with self:
            token, person_id = session_token(self), self.person.person_id
        try:
            person = await ask(PeopleApi).set_person_active(token, person_id, Activation(active=active))
        except ProviderError as error:
            await self._refuse(error)
            return
        async with self:
            self.person, self.refusal = _line(person), ""

    async def _refuse(self, error: ProviderError) -> None:
        async with self:
            self.errors = {name: code.value for name, code in error.fields.items() if name in _FIELDS}
            self.refusal = "" if self.errors else error.code.value
            self.saved = False
            self.answered += 1
            self.attempt += 1
            if isinstance(error, NotAuthenticated):
                await session_ended(self)


def _line(person: Person) -> PersonLine:
    return PersonLine(
        person.person_id,
        person.name,
        person.email,
        person.role.value,
        ", ".join(store.name for store in person.stores),
        person.active,
        person.last_seen_at.isoformat() if person.last_seen_at else "",
    )


def people() -> rx.Component:
    """The list."""
    heads = (_("Name"), _("Role"), _("Stores"), _("Last seen"))
    table = rx.cond(
        PeoplePage.lines.length() > 0,
        rx.el.div(
            data_table(heads, PeoplePage.lines, _row, label=_("Colleagues")),
            table_pages(PeoplePage, lambda page: rx.Var.create(f"{PEOPLE}?page=") + page.to(str)),
        ),
        empty_state(_("Nobody found"), _("Check the spelling, or search for something else.")),
    )
    return desk_page(
        desk_loaded(PeoplePage, table, failure=_("The colleagues could not be loaded.")),
        heading=_("Colleagues"),
        beside=link_button(_("Add a colleague"), f"{PEOPLE}/{NEW}"),
    )


def _row(line: rx.vars.ObjectVar[PersonLine]) -> rx.Component:
    return table_row(
        cell(
            open_link(line.name, f"{PEOPLE}/" + line.person_id.to(str)),
            rx.cond(line.active, "", rx.el.span(" ", badge(_("Cannot log in"), "warn"))),
            below=line.email,
        ),
        cell(choice(line.role, ROLE_LABELS)),
        cell(rx.cond(line.stores != "", line.stores, _("All stores"))),
        cell(rx.cond(line.seen != "", day(line.seen), _("Never"))),
        key=line.person_id,
    )


def person() -> rx.Component:
    """The form."""
    found, errors = PersonPage.person, {name: _error(name) for name in _FIELDS}
    return desk_page(
        desk_loaded(
            PersonPage,
            rx.el.div(
                rx.cond(PersonPage.saved, notice(_("The changes are saved."), tone="ok", announced=True)),
                panel(None, _form(errors)),
                rx.cond(found.person_id != "", panel(_("Log in"), _activation())),
                class_name="space-y-4",
            ),
            failure=_("The colleagues could not be loaded."),
        ),
        heading=rx.cond(found.person_id != "", found.name, _("Add a colleague")).to(str),
        back=back_line(_("Colleagues"), PEOPLE),
        above=error_summary(errors, PersonPage.attempt),
        narrow=True,
    )


def _form(errors: dict[str, rx.Var[str]]) -> rx.Component:
    found = PersonPage.person
    return event_form(
        text_field("name", _("First and last name"), value=found.name, error=errors["name"]),
        text_field("email", _("Email address"), value=found.email, error=errors["email"], kind="email"),
        select_field(
            "role",
            _("Role"),
            _ROLES,
            value=found.role,
            error=errors["role"],
            placeholder=_("Choose a role"),
        ),
        rx.el.fieldset(
            rx.el.legend(_("Stores"), class_name="font-semibold"),
            rx.el.p(_("Mechanics and store managers see only what belongs to their stores"), class_name="text-ink-500"),
            rx.cond(
                errors["stores"] != "",
                rx.el.p(
                    rx.el.span(_("Error: "), class_name="sr-only"),
                    errors["stores"],
                    class_name="my-1 font-semibold text-err",
                ),
            ),
            rx.el.div(rx.foreach(PersonPage.stores, _store), class_name="mt-2 grid sm:grid-cols-2"),
            custom_attrs={"id": "stores", "tabIndex": "-1"},
        ),
        select_field("locale", _("Language"), [("nl", "Nederlands"), ("en", "English")], value=PersonPage.locale),
        notice_on_failure(
            PersonPage.refusal != "",
            choice(PersonPage.refusal, MESSAGES, MESSAGES[Code.GENERAL_ERROR]),
            PersonPage.attempt,
        ),
        submit_button(_("Save"), wide=False),
        on_send=PersonPage.save,
        answered=PersonPage.answered,
        key=found.person_id,
        class_name="space-y-4",
    )


def _store(store: rx.vars.ObjectVar[StoreChoice]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            name="store-" + store.store_id.to(str),
            value="yes",
            default_checked=store.chosen,
            class_name="size-5 accent-[var(--color-ink)]",
        ),
        store.name,
        key=store.store_id,
        class_name="inline-flex min-h-11 items-center gap-3",
    )


def _activation() -> rx.Component:
    return rx.cond(
        PersonPage.person.active,
        rx.el.div(
            rx.el.p(_("This colleague can log in."), class_name="mb-3"),
            action_button(_("End all sessions, and log in no more"), PersonPage.activate(False)),
        ),
        rx.el.div(
            rx.el.p(_("This colleague cannot log in."), class_name="mb-3"),
            action_button(_("Allow to log in"), PersonPage.activate(True)),
        ),
    )


def _error(name: str) -> rx.Var[str]:
    texts = {code: MESSAGES[code] for code in _CODES}
    return choice(PersonPage.errors.get(name, ""), texts, "").to(str)


NAVIGATION = (NavigationItem(_("Colleagues"), PEOPLE, SHOP, Right.MANAGE_STAFF),)

PAGES = [
    DeskRoute(PEOPLE[1:], people, title(_("Colleagues")), on_load=[PeoplePage.load]),
    DeskRoute(f"{PEOPLE[1:]}/[person]", person, title(_("Colleagues")), on_load=[PersonPage.load]),
]
