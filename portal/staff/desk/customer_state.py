"""The state of the page of one customer, and what its views are made of."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import reflex as rx

from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.accounts import texts_of
from portal.frontend.load import Question, text_in
from portal.frontend.policies import staff
from portal.kernel.address import address_lines, readable_phone, whole_post_code
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.staff.api import AddressEntry, CustomerCard, CustomersApi, EmailEntry, FrameNumberEntry
from portal.staff.desk.correcting import FRAME, FRAME_FIELDS
from portal.staff.desk.shop_values import ShopValueView, shop_value_views
from portal.vocabulary.cases import kind_path
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


@dataclass(frozen=True, slots=True)
class BikeLine:
    """A bike; `hidden` are values of `HiddenNumber`."""

    bike_id: str = ""
    name: str = ""
    frame_number: str = ""
    hidden: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case; `key` is the end of its address."""

    key: str = ""
    kind: str = ""
    reference: str = ""
    status: dict[str, str] = field(default_factory=dict)
    opened_at: str = ""


@dataclass(frozen=True, slots=True)
class CustomerView:
    """A customer, ready to show. `stored` are the parts of the address and the phone number, as they are stored."""

    customer_id: str = ""
    name: str = ""
    email: str = ""
    address: list[str] = field(default_factory=list)
    phone: str = ""
    stored: dict[str, str] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)
    bikes: list[BikeLine] = field(default_factory=list)
    cases: list[CaseLine] = field(default_factory=list)
    shop: str = ""
    shop_values: list[ShopValueView] = field(default_factory=list)


def customer_view(card: CustomerCard) -> CustomerView:
    place = card.address
    phone = readable_phone(place.phone) if place.phone else ""
    return CustomerView(
        card.customer_id,
        " ".join(part for part in (card.first_name, card.prefix, card.last_name) if part),
        card.email,
        [whole_post_code(line) for line in address_lines(place) if line],
        phone,
        {**{name: str(getattr(place, name)) for name in ADDRESS_NAMES}, "phone": phone},
        card.orders,
        [
            BikeLine(bike.bike_id, bike.name, bike.frame_number, [what.value for what in bike.hidden])
            for bike in card.bikes
        ],
        [
            CaseLine(
                f"{kind_path(case.kind)}/{case.reference}",
                case.kind.value,
                in_groups(case.reference),
                texts_of(case.status_label),
                case.opened_at.isoformat(),
            )
            for case in card.cases
        ],
        card.shop,
        shop_value_views(card.shop_values),
    )


def customer_in(path: str) -> str:
    """The id of the customer in the address of a page."""
    parts = path.strip("/").split("/")
    return parts[1][:40] if len(parts) > 1 else ""


class CustomerPage(DeskForms, DeskPage, rx.State):
    customer: rx.Field[CustomerView] = rx.field(default_factory=CustomerView)
    editing: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    def _about(self) -> str:
        return customer_in(self.router.url.path)

    def _question(self) -> Question[CustomerCard]:
        about = self._about()
        return lambda token: ask(CustomersApi).customer_card(token, about)

    def _show(self, answer: CustomerCard) -> None:
        self.customer = customer_view(answer)
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
            return self.customer.customer_id

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
