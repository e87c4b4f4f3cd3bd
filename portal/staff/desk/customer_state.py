"""The state of the page of one customer."""

from typing import Any, ClassVar

import reflex as rx
from pydantic import computed_field

from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.load import Question, text_in
from portal.frontend.models import viewed
from portal.frontend.policies import staff
from portal.kernel.address import address_lines, readable_phone
from portal.kernel.texts import N_
from portal.staff.api import AddressEntry, CustomerCard, CustomersApi, EmailEntry, FrameNumberEntry
from portal.staff.desk.correcting import FRAME, FRAME_FIELDS
from portal.vocabulary.customers import ADDRESS_LABELS
from portal.vocabulary.staff import Right

CUSTOMERS = "/customers"
"""Address of the search for a customer; the pages of customers are below it."""

EMAIL, ADDRESS = "email", "address"
"""Names of the forms of the page, besides that of a frame number."""

ADDRESS_NAMES = tuple(ADDRESS_LABELS)
FIELDS = (
    f"{EMAIL}-email",
    f"{EMAIL}-reason",
    *(f"{ADDRESS}-{name}" for name in (*ADDRESS_NAMES, "reason")),
    *FRAME_FIELDS,
)


class ShownCustomer(CustomerCard):
    """The card of a customer, ready to show."""

    @computed_field
    @property
    def name(self) -> str:
        return " ".join(part for part in (self.first_name, self.prefix, self.last_name) if part)

    @computed_field
    @property
    def place(self) -> str:
        """The address on one line."""
        return ", ".join(line for line in address_lines(self.address) if line)

    @computed_field
    @property
    def phone(self) -> str:
        return readable_phone(self.address.phone) if self.address.phone else ""


def customer_in(path: str) -> str:
    """The id of the customer in the address of a page."""
    parts = path.strip("/").split("/")
    return parts[1][:40] if len(parts) > 1 else ""


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
        """Open a form, or close it."""
        self.editing = "" if self.editing == form else form[:60]
        self._forget_errors()

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_email(self, form: dict[str, Any]) -> None:
        """Set the e-mail address."""
        entry = EmailEntry(email=text_in(form, "email-email"), reason=text_in(form, "email-reason"))
        customer_id = await self._customer_id()
        await self._corrected(
            await self._answer(
                EMAIL,
                lambda token: ask(CustomersApi).correct_email(token, customer_id, entry),
                N_("Email address saved"),
            )
        )

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_address(self, form: dict[str, Any]) -> None:
        """Set the address and the phone number."""
        typed = {name: text_in(form, f"{ADDRESS}-{name}") for name in (*ADDRESS_NAMES, "reason")}
        entry, customer_id = AddressEntry(**typed), await self._customer_id()
        await self._corrected(
            await self._answer(
                ADDRESS, lambda token: ask(CustomersApi).correct_address(token, customer_id, entry), N_("Address saved")
            )
        )

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_frame(self, form: dict[str, Any]) -> None:
        """Set the frame number of the bike whose form is open."""
        async with self:
            name, _dash, bike_id = self.editing.partition("-")
        if name != FRAME:
            return
        entry = frame_entry(form)
        done, _bike = await self._send(
            FRAME, lambda token: ask(CustomersApi).correct_frame_number(token, bike_id, entry), N_("Frame number saved")
        )
        if done:
            await self._ask()

    async def _customer_id(self) -> str:
        async with self:
            return self.customer.customer_id if self.customer else ""

    async def _corrected(self, customer: CustomerCard | None) -> None:
        if customer is not None:
            async with self:
                self._show(customer)


def frame_entry(form: dict[str, Any]) -> FrameNumberEntry:
    return FrameNumberEntry(
        frame_number=text_in(form, f"{FRAME}-frame_number"),
        unknown=text_in(form, f"{FRAME}-unknown") == "yes",
        reason=text_in(form, f"{FRAME}-reason"),
    )
