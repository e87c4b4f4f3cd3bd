"""The page of one customer: data with their corrections, bikes, cases, and the way to the customers' site."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.registry import ask
from portal.contract.session import CustomerAddress
from portal.desk.forms import desk_form
from portal.desk.registry import DeskRoute
from portal.desk.session import may
from portal.desk.state import DeskForms, DeskPage, typed
from portal.desk.views import (
    back_line,
    case_links,
    desk_loaded,
    desk_page,
    keep_typed,
    pairs,
    panel,
    split,
    title,
    unbroken,
)
from portal.frontend.load import Form, Question
from portal.frontend.models import entry, viewed
from portal.frontend.policies import staff
from portal.frontend.texts import field_message
from portal.i18n import Text, _
from portal.kernel.address import ACCOUNT_COUNTRIES, NAMES
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.staff.api.customers import (
    AddressEntry,
    CustomerBike,
    CustomerCard,
    CustomerCase,
    CustomersApi,
    EmailEntry,
    FrameNumberEntry,
)
from portal.staff.desk.customer_parts import (
    FRAME,
    FRAME_FIELDS,
    OF_BIKE,
    Reveal,
    email_refused_notice,
    frame_errors,
    frame_form,
    hidden_pairs,
    hides_on_leaving,
    notice_to_customer,
    reason_error,
    reason_field,
    shop_values_notice,
)
from portal.staff.desk.customers import (
    CUSTOMERS,
    CustomersPage,
    ShownCustomer,
    customer_in,
    visit_button,
    visit_refusal,
)
from portal.vocabulary.customers import ADDRESS_LABELS
from portal.vocabulary.staff import Right, VisitMode

_LABELS: dict[str, Text] = {name: _(label) for name, label in ADDRESS_LABELS.items()}
_CODES = {
    "country_code": (Code.INVALID_COUNTRY,),
    "post_code": (Code.INVALID_POSTCODE, Code.TOO_LONG),
    "house_number": (Code.INVALID_HOUSE_NUMBER,),
    "house_number_addon": (Code.TOO_LONG,),
    "street": (Code.TOO_LONG,),
    "city": (Code.TOO_LONG,),
    "phone": (Code.INVALID_PHONE,),
}


EMAIL, ADDRESS = "email", "address"
ADDRESS_NAMES = tuple(ADDRESS_LABELS)
FIELDS = (
    f"{EMAIL}-email",
    f"{EMAIL}-reason",
    *(f"{ADDRESS}-{name}" for name in (*ADDRESS_NAMES, "reason")),
    *FRAME_FIELDS,
)


class CustomerPage(DeskForms, DeskPage, rx.State):
    customer: rx.Field[ShownCustomer | None] = rx.field(None)
    editing: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    def _about(self) -> str:
        return customer_in(self.router.url.path)

    def _question(self) -> Question[CustomerCard]:
        about = self._about()
        return lambda token: ask(CustomersApi).customer_card(token, about)

    def _show(self, answer: CustomerCard) -> None:
        self.customer = viewed(ShownCustomer, answer)
        self.editing = ""
        self._forget_errors()

    @rx.event
    @staff(Right.CORRECT_CUSTOMERS)
    def edit(self, form: str) -> None:
        self.editing = "" if self.editing == form else form[:60]
        self._forget_errors()

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_email(self, form: Form) -> None:
        customer_id = await self._customer_id()
        await self._answer(
            EMAIL,
            lambda token: ask(CustomersApi).correct_email(token, customer_id, typed(EmailEntry, form, EMAIL)),
            N_("Email address saved"),
            self._show,
        )

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_address(self, form: Form) -> None:
        customer_id = await self._customer_id()
        await self._answer(
            ADDRESS,
            lambda token: ask(CustomersApi).correct_address(token, customer_id, typed(AddressEntry, form, ADDRESS)),
            N_("Address saved"),
            self._show,
        )

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_frame(self, form: Form) -> None:
        async with self:
            name, _dash, bike_id = self.editing.partition("-")
        if name != FRAME:
            return
        done, _bike = await self._send(
            FRAME,
            lambda token: ask(CustomersApi).correct_frame_number(token, bike_id, typed(FrameNumberEntry, form, FRAME)),
            N_("Frame number saved"),
        )
        if done:
            await self._ask()

    async def _customer_id(self) -> str:
        async with self:
            return self.customer.customer_id if self.customer else ""


def customer() -> rx.Component:
    shown = CustomerPage.customer
    return desk_page(
        hides_on_leaving(),
        desk_loaded(
            CustomerPage,
            split(
                [_contact(), _bikes(), _cases()], [_site(), _orders(), rx.cond(may(Right.CORRECT_CUSTOMERS), _twice())]
            ),
            failure=_("The customer couldn’t be loaded."),
            missing=panel(None, ui.text(_("This customer no longer exists."))),
        ),
        heading=rx.cond(shown, shown.name, _("Customer")).to(str),
        back=back_line(_("Find a customer"), CUSTOMERS),
        above=ui.error_summary(
            {
                "email-email": _email_error(),
                "email-reason": reason_error(CustomerPage, EMAIL),
                **{f"{ADDRESS}-{name}": _address_error(name) for name in _LABELS},
                "address-reason": reason_error(CustomerPage, ADDRESS),
                **frame_errors(CustomerPage),
            },
            CustomerPage.attempt,
        ),
    )


def _contact() -> rx.Component:
    shown = CustomerPage.customer
    return panel(
        _("Contact details"),
        pairs(
            ui.Fact(_("Customer of"), shown.shop, shown=shown.shop != ""),
            ui.Fact(_("Email address"), rx.cond(shown.email != "", shown.email, _("Unknown"))),
            ui.Fact(_("Address"), rx.cond(shown.place != "", unbroken(shown.place), _("Unknown"))),
            ui.Fact(_("Phone number"), rx.cond(shown.phone != "", shown.phone, _("Unknown"))),
        ),
        email_refused_notice(shown.email_refused),
        shop_values_notice(shown.shop_values),
        _correction(EMAIL, _("Correct the email address"), _email_form()),
        _correction(ADDRESS, _("Correct address and phone"), _address_form()),
    )


def _correction(form: Any, text: Text, content: rx.Component) -> rx.Component:
    is_open = CustomerPage.editing == form
    return ui.stack(
        ui.action_button(
            text, CustomerPage.edit(form), "text", custom_attrs={"aria-expanded": rx.cond(is_open, "true", "false")}
        ),
        rx.cond(is_open, rx.el.div(content, class_name="mt-1 border-l-4 border-line pl-4")),
        top=2,
        shown=may(Right.CORRECT_CUSTOMERS),
    )


def _email_form() -> rx.Component:
    shown = CustomerPage.customer
    return desk_form(
        CustomerPage,
        ui.text(rx.cond(shown.email != "", _("Now: {email}", email=shown.email), _("Now: unknown"))),
        keep_typed(
            ui.text_field(
                "email-email",
                _("New email address"),
                error=_email_error(),
                kind="email",
                width="max-w-96",
                max_length=300,
            ),
            ui.stack(reason_field(CustomerPage, EMAIL, needed=True), top=3),
            name=EMAIL,
            sent=CustomerPage.sent,
        ),
        notice_to_customer(
            rx.cond(
                shown.email != "",
                _(
                    "Both addresses get an email saying which one the customer now logs in with. The "
                    "customer is logged out everywhere."
                ),
                _("The new address gets an email saying that the customer now logs in with it."),
            )
        ),
        on_send=CustomerPage.correct_email,
        send=_("Save and email the customer"),
        name=EMAIL,
        style="secondary",
        class_name="space-y-3",
    )


def _email_error() -> rx.Var[str]:
    return field_message(
        CustomerPage.errors.get("email-email", "").to(str),
        _("New email address"),
        Code.INVALID_EMAIL,
        same_email=_("The customer already has this email address."),
    )


def _address_form() -> rx.Component:
    shown = CustomerPage.customer
    stored = shown.address.to(CustomerAddress)

    def line(name: str, **props: Any) -> rx.Component:
        return ui.text_field(
            f"{ADDRESS}-{name}",
            _LABELS[name],
            error=_address_error(name),
            value=(shown.phone if name == "phone" else entry(stored, name)).to(str),
            max_length=100,
            **props,
        )

    return desk_form(
        CustomerPage,
        keep_typed(
            ui.stack(
                ui.select_field(
                    f"{ADDRESS}-country_code",
                    _LABELS["country_code"],
                    [(country.value, _(NAMES[country])) for country in ACCOUNT_COUNTRIES],
                    error=_address_error("country_code"),
                    value=stored.country_code.to(str),
                    width="max-w-60",
                ),
                bottom=3,
            ),
            rx.el.div(
                line("post_code"),
                line("house_number"),
                line("house_number_addon", optional=True),
                class_name="grid gap-3 sm:grid-cols-3",
            ),
            rx.el.div(
                line("street"),
                line("city"),
                line("phone", kind="tel", optional=True),
                class_name="my-3 grid gap-3 sm:grid-cols-2",
            ),
            reason_field(CustomerPage, ADDRESS, needed=False),
            name=ADDRESS,
            sent=CustomerPage.sent,
        ),
        notice_to_customer(
            _(
                "The customer isn’t emailed and sees the new address under ‘My data’. Orders and "
                "requests already under way keep the address they were sent with."
            )
        ),
        on_send=CustomerPage.correct_address,
        send=_("Save the address"),
        name=ADDRESS,
        style="secondary",
        class_name="space-y-3",
    )


def _address_error(name: str) -> rx.Var[str]:
    return field_message(CustomerPage.errors.get(f"{ADDRESS}-{name}", "").to(str), _LABELS[name], *_CODES[name])


def _bikes() -> rx.Component:
    def one(bike: Any) -> rx.Component:
        about = rx.Var.create(f"{OF_BIKE}/").to(str) + bike.bike_id.to(str)
        form = rx.Var.create(f"{FRAME}-").to(str) + bike.bike_id.to(str)
        content = frame_form(CustomerPage, bike.frame_number, CustomerPage.correct_frame)
        return rx.el.li(
            rx.el.h3(bike.name, class_name="mb-1 font-semibold"),
            pairs(
                ui.Fact(_("Frame number"), rx.cond(bike.frame_number != "", bike.frame_number, _("Unknown"))),
                *hidden_pairs(bike.hidden.to(list[str]), about),
            ),
            _correction(form, _("Correct the frame number"), content),
            key=bike.bike_id,
            class_name="py-3 first:pt-0 last:pb-0",
        )

    shown = CustomerPage.customer
    return panel(
        _("Bikes"),
        rx.cond(
            shown.bikes.to(list[CustomerBike]),
            ui.item_list(shown.bikes.to(list[CustomerBike]), one, look="divide-y divide-line"),
            ui.muted(_("This customer has no bike.")),
        ),
    )


def _cases() -> rx.Component:
    shown = CustomerPage.customer
    return panel(
        _("Cases"),
        rx.cond(
            shown.cases.to(list[CustomerCase]),
            case_links(shown.cases.to(list[CustomerCase])),
            ui.muted(_("This customer has no cases that you may see.")),
        ),
    )


def _site() -> rx.Component:
    shown = CustomerPage.customer
    return panel(
        _("In the portal"),
        visit_refusal(),
        ui.row(
            visit_button(shown.customer_id, _("View as customer"), VisitMode.READ_ONLY, shown.name),
            visit_button(shown.customer_id, _("Act for customer"), VisitMode.IN_NAME, shown.name),
            gap=2,
        ),
    )


def _orders() -> rx.Component:
    shown = CustomerPage.customer
    return panel(
        _("Orders"),
        rx.cond(
            shown.orders.to(list[str]),
            ui.item_list(shown.orders.to(list[str]), lambda number: rx.el.li(number, class_name="tabular-nums")),
            ui.muted(_("This customer has no orders.")),
        ),
    )


def _twice() -> rx.Component:
    to = rx.Var.create(f"{CUSTOMERS}/").to(str) + CustomerPage.customer.customer_id.to(str) + "/merge"
    return panel(
        _("Registered twice?"),
        ui.muted(_("Two customers who are the same person can become one."), bottom=3),
        ui.link_button(_("Merge with another customer"), to, "secondary"),
    )


PAGES = [
    DeskRoute(
        f"{CUSTOMERS[1:]}/[customer]",
        customer,
        title(_("Customer")),
        on_load=[Reveal.hide, CustomersPage.open, CustomerPage.load],
    )
]
