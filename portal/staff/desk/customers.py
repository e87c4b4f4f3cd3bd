"""Find a customer, and visit the customers' site for them."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.registry import ask
from portal.desk.forms import refused
from portal.desk.registry import CASES, DeskRoute, NavigationItem
from portal.desk.state import DeskForms
from portal.desk.tables import cell, data_table, open_link, table_row
from portal.desk.views import desk_page, panel, title, unbroken
from portal.frontend.load import Form, text_in
from portal.frontend.models import computed
from portal.frontend.policies import staff
from portal.frontend.texts import field_message
from portal.i18n import Text, _, ngettext
from portal.kernel.address import address_lines, readable_phone
from portal.kernel.codes import Code
from portal.staff.api.customers import CustomerCard, CustomersApi, CustomerSearch, FoundCustomer, VisitEntry
from portal.vocabulary.staff import Right, VisitMode

CUSTOMERS = "/customers"
"""Address of the search for a customer; the pages of customers are below it."""


class ShownCustomer(CustomerCard):
    @computed
    def name(self) -> str:
        return " ".join(part for part in (self.first_name, self.prefix, self.last_name) if part)

    @computed
    def place(self) -> str:
        return ", ".join(line for line in address_lines(self.address) if line)

    @computed
    def phone(self) -> str:
        return readable_phone(self.address.phone) if self.address.phone else ""


def customer_in(path: str) -> str:
    parts = path.strip("/").split("/")
    return parts[1][:40] if len(parts) > 1 else ""


class CustomersPage(DeskForms, rx.State):
    """The search for a customer. `total`: how many matched; at most one page is shown."""

    found: rx.Field[list[FoundCustomer]] = rx.field(default_factory=list)
    total: rx.Field[int] = rx.field(0)
    searched: rx.Field[bool] = rx.field(False)
    _fields: ClassVar[tuple[str, ...]] = ("text",)

    @rx.event
    @staff(Right.ACT_FOR_CUSTOMERS)
    def open(self) -> None:
        self.reset()

    @rx.event(background=True)
    @staff(Right.ACT_FOR_CUSTOMERS)
    async def find(self, form: Form) -> None:
        search = CustomerSearch(text=text_in(form, "text")[:200])
        page = await self._answer("", lambda token: ask(CustomersApi).find_customers(token, search))
        if page is not None:
            async with self:
                self.found, self.total = page.items, page.total
                self.searched = True

    @rx.event(background=True)
    @staff(Right.ACT_FOR_CUSTOMERS)
    async def visit(self, customer_id: str, mode: str) -> Any:
        if mode not in {VisitMode.READ_ONLY, VisitMode.IN_NAME}:
            return None
        entry = VisitEntry.model_validate({"mode": mode})
        link = await self._answer("", lambda token: ask(CustomersApi).visit_customer(token, customer_id[:40], entry))
        return rx.redirect(link.url, is_external=True) if link else None


def customers() -> rx.Component:
    return desk_page(
        panel(
            None,
            ui.event_form(
                ui.text_field(
                    "text",
                    _("Customer"),
                    hint=_(
                        "Name, email address, order number, frame number, request number, or postcode and house number"
                    ),
                    error=_text_error(),
                    width="max-w-96",
                    auto_focus=True,
                ),
                visit_refusal(),
                ui.search_button(wide=False, style="primary"),
                on_send=CustomersPage.find,
                answered=CustomersPage.answered,
                class_name="space-y-4",
            ),
            ui.small(_("Each search is recorded."), top=3),
        ),
        ui.stack(_results(), role="status", top=4),
        heading=_("Find a customer"),
        above=ui.error_summary({"text": _text_error()}, CustomersPage.attempt),
    )


def _results() -> rx.Component:
    found = CustomersPage.found
    heads = (_("Name"), _("Address"), _("Newest order"), _("Open the portal"))
    return rx.cond(
        CustomersPage.searched,
        rx.cond(
            found.length() > 0,
            rx.el.div(
                ui.strong(ngettext("{n} customer", "{n} customers", CustomersPage.total), bottom=2),
                data_table(heads, found, _row, label=_("Customers")),
                ui.muted(
                    _("Not everyone is shown. Search for more than a name."),
                    top=2,
                    shown=CustomersPage.total > found.length(),
                ),
            ),
            ui.empty_state(_("No one found"), _("Check the spelling, or search for something else.")),
        ),
    )


def _row(line: rx.vars.ObjectVar[FoundCustomer]) -> rx.Component:
    return table_row(
        cell(open_link(line.name, f"{CUSTOMERS}/" + line.customer_id.to(str)), below=line.email),
        cell(unbroken(line.address)),
        cell(line.order_number, label=_("Newest order"), below=line.shop),
        rx.el.td(
            ui.row(
                visit_button(line.customer_id, _("View as customer"), VisitMode.READ_ONLY, line.name),
                visit_button(line.customer_id, _("Act for customer"), VisitMode.IN_NAME, line.name),
                gap=2,
            )
        ),
        key=line.customer_id,
    )


def visit_button(customer_id: Any, text: Text, mode: VisitMode, name: Any) -> rx.Component:
    labels = {
        VisitMode.READ_ONLY: _("View as customer {name}", name=name),
        VisitMode.IN_NAME: _("Act for customer {name}", name=name),
    }
    return ui.action_button(text, CustomersPage.visit(customer_id, mode.value), aria_label=labels[mode])


def visit_refusal() -> rx.Component:
    return refused(CustomersPage)


def _text_error() -> rx.Var[str]:
    return field_message(CustomersPage.errors.get("text", "").to(str), _("Customer"), Code.TOO_SHORT)


NAVIGATION = (NavigationItem(_("Find a customer"), CUSTOMERS, CASES, Right.ACT_FOR_CUSTOMERS),)

PAGES = [DeskRoute(CUSTOMERS[1:], customers, title(_("Find a customer")), on_load=[CustomersPage.open])]
