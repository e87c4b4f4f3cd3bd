"""People of the retailer: the list, and the form with which the administrator adds or changes somebody."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.forms import box_group, check_box, desk_form, field_errors, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.state import DeskForms, DeskPage, typed
from portal.desk.tables import cell, listing, open_link, table_pages, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, panel, title
from portal.frontend.load import Form, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.models import entry
from portal.frontend.policies import staff
from portal.i18n import Text, _, choice, day
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.staff.api.people import Activation, PeopleApi, Person, PersonEntry, StoreName
from portal.vocabulary.staff import ROLE_LABELS, Right, Role

PEOPLE, NEW = "/people", "new"

ACTIVATION = "activation"
"""Name of the buttons that let somebody log in or not."""

_LABELS: dict[str, Text] = {
    "name": _("First and last name"),
    "email": _("Email address"),
    "role": _("Role"),
    "stores": _("Stores"),
}
_ROLES = [(role.value, _(label)) for role, label in ROLE_LABELS.items() if role is not Role.UNKNOWN]


class PeoplePage(Paginated, DeskPage, rx.State):
    lines: rx.Field[list[Person]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[Person]]:
        page = page_asked(self)
        return lambda token: ask(PeopleApi).people(token, page)

    def _show(self, answer: Page[Person]) -> None:
        self._count(answer)
        self.lines = answer.items


class PersonPage(DeskForms, DeskPage, rx.State):
    """One person, or a new one. `person`: as stored; None for somebody new."""

    person: rx.Field[Person | None] = rx.field(None)
    stores: rx.Field[list[StoreName]] = rx.field(default_factory=list)
    _fields: ClassVar[tuple[str, ...]] = tuple(_LABELS)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Person | None, list[StoreName]]]:
        about = self._about()

        async def ask_for(token: str) -> tuple[Person | None, list[StoreName]]:
            person = None if about == NEW else await ask(PeopleApi).person(token, about)
            return person, await ask(PeopleApi).staff_stores(token)

        return ask_for

    def _show(self, answer: tuple[Person | None, list[StoreName]]) -> None:
        self.person, self.stores = answer
        self._forget_errors()

    @rx.event(background=True)
    @staff(Right.MANAGE_STAFF)
    async def save(self, form: Form) -> Any:
        async with self:
            person_id = self.person.person_id if self.person else ""
            chosen = [store.store_id for store in self.stores if text_in(form, f"store-{store.store_id}")]
        more = {"stores": chosen, "locale": "en" if text_in(form, "locale") == "en" else "nl"}

        async def store(token: str) -> Person:
            entry = typed(PersonEntry, form, **more)
            if person_id:
                return await ask(PeopleApi).change_person(token, person_id, entry)
            return await ask(PeopleApi).add_person(token, entry)

        stored = await self._answer("", store, N_("Saved"), self._keep if person_id else None)
        return rx.redirect(PEOPLE) if stored and not person_id else None

    def _keep(self, person: Person) -> None:
        self.person = person

    @rx.event(background=True)
    @staff(Right.MANAGE_STAFF)
    async def activate(self, active: bool) -> None:
        async with self:
            person_id = self.person.person_id if self.person else ""
        change = Activation(active=active)
        await self._answer(
            ACTIVATION,
            lambda token: ask(PeopleApi).set_person_active(token, person_id, change),
            N_("Saved"),
            self._keep,
        )


def people() -> rx.Component:
    heads = (_("Name"), _("Role"), _("Stores"), _("Last seen"))
    table = listing(
        PeoplePage.lines,
        heads,
        _row,
        label=_("Colleagues"),
        empty=ui.empty_state(_("No one found"), _("Check the spelling, or search for something else.")),
        pages=table_pages(PeoplePage, lambda page: rx.Var.create(f"{PEOPLE}?page=") + page.to(str)),
    )
    return desk_page(
        desk_loaded(PeoplePage, table, failure=_("The colleagues couldn’t be loaded.")),
        heading=_("Colleagues"),
        beside=ui.link_button(_("Add a colleague"), f"{PEOPLE}/{NEW}"),
    )


def _row(line: rx.vars.ObjectVar[Person]) -> rx.Component:
    stores = line.stores.to(list[StoreName]).map(lambda store: store.name).to(list[str])
    return table_row(
        cell(
            open_link(line.name, f"{PEOPLE}/" + line.person_id.to(str)),
            rx.cond(line.active, "", rx.el.span(" ", ui.badge(_("Can’t log in"), "warn"))),
            below=line.email,
        ),
        cell(choice(line.role, ROLE_LABELS)),
        cell(rx.cond(stores, stores.join(", "), _("All stores"))),
        cell(rx.cond(line.last_seen_at, day(line.last_seen_at), _("Never")), label=_("Last seen")),
        key=line.person_id,
    )


def person() -> rx.Component:
    found = PersonPage.person
    own = {"stores": {Code.REQUIRED.value: _("Choose at least one store.")}}
    codes = (Code.TOO_LONG, Code.INVALID_EMAIL, Code.INVALID_CHOICE, Code.EMAIL_TAKEN)
    errors = field_errors(PersonPage, _LABELS, *codes, own=own)
    return desk_page(
        desk_loaded(
            PersonPage,
            ui.stack(panel(None, _form(errors)), rx.cond(found, panel(_("Log in"), _activation())), gap=4),
            failure=_("The colleagues couldn’t be loaded."),
        ),
        heading=rx.cond(found, found.name, _("Add a colleague")).to(str),
        back=back_line(_("Colleagues"), PEOPLE),
        above=ui.error_summary(errors, PersonPage.attempt),
        narrow=True,
    )


def _form(errors: dict[str, rx.Var[str]]) -> rx.Component:
    def stored(name: str, default: str = "") -> rx.Var[str]:
        return rx.cond(PersonPage.person, entry(PersonPage.person, name), default).to(str)

    return desk_form(
        PersonPage,
        ui.text_field("name", _LABELS["name"], value=stored("name"), error=errors["name"]),
        ui.text_field("email", _LABELS["email"], value=stored("email"), error=errors["email"], kind="email"),
        ui.select_field(
            "role", _LABELS["role"], _ROLES, value=stored("role"), error=errors["role"], placeholder=_("Choose a role")
        ),
        box_group(
            "stores",
            _LABELS["stores"],
            rx.foreach(PersonPage.stores, _store),
            hint=_("Mechanics and store managers only see what belongs to their stores"),
            error=errors["stores"],
        ),
        ui.select_field(
            "locale", _("Language"), [("nl", "Nederlands"), ("en", "English")], value=stored("locale", "nl")
        ),
        on_send=PersonPage.save,
        send=_("Save"),
        key=stored("person_id"),
    )


def _store(store: rx.vars.ObjectVar[StoreName]) -> rx.Component:
    theirs = rx.cond(PersonPage.person, PersonPage.person.stores, []).to(list[StoreName])
    chosen = theirs.map(lambda each: each.store_id).to(list[str]).contains(store.store_id)
    return check_box("store-" + store.store_id.to(str), store.name, checked=chosen, key=store.store_id)


def _activation() -> rx.Component:
    return rx.fragment(
        refused(PersonPage, ACTIVATION),
        rx.cond(
            PersonPage.person.active,
            rx.el.div(
                ui.text(_("This colleague can log in."), bottom=3),
                ui.action_button(_("Log out everywhere and block"), PersonPage.activate(False)),
            ),
            rx.el.div(
                ui.text(_("This colleague can’t log in."), bottom=3),
                ui.action_button(_("Let them log in again"), PersonPage.activate(True)),
            ),
        ),
    )


NAVIGATION = (NavigationItem(_("Colleagues"), PEOPLE, SHOP, Right.MANAGE_STAFF),)

PAGES = [
    DeskRoute(PEOPLE[1:], people, title(_("Colleagues")), on_load=[PeoplePage.load]),
    DeskRoute(f"{PEOPLE[1:]}/[person]", person, title(_("Colleagues")), on_load=[PersonPage.load]),
]
