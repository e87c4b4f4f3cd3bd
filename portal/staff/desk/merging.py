"""Two customers who are the same person become one: find the other, choose which data stay, look once more, merge."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.registry import ask
from portal.desk.forms import refused
from portal.desk.registry import DeskRoute
from portal.desk.state import DeskForms, DeskPage
from portal.desk.tables import cell, listing, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, keep_typed, panel, title, unbroken
from portal.frontend.load import Question, text_in
from portal.frontend.models import viewed
from portal.frontend.policies import staff
from portal.frontend.texts import field_message
from portal.i18n import Text, _, ngettext
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.staff.api.customers import (
    MAX_REASON,
    CustomerBike,
    CustomerCard,
    CustomerCase,
    CustomersApi,
    CustomerSearch,
    FoundCustomer,
    MergedSide,
    MergeEntry,
)
from portal.staff.desk.customer_parts import notice_to_customer, reason_error, reason_field
from portal.staff.desk.customers import CUSTOMERS, ShownCustomer, customer_in
from portal.vocabulary.staff import Right

FIND, MERGE = "find", "merge"
"""Forms of the page; also the prefix of their errors."""

SEARCH, CHOOSE, CHECK = "search", "choose", "check"
"""Steps: find the other customer, choose which data stay, look once more."""

_CHOICES = ("name_of", "email_of", "address_of")


class MergePage(DeskForms, DeskPage, rx.State):
    """Merging another customer into the one in the address.

    `merged`: the customer who is removed; None until one is chosen.
    """

    step: rx.Field[str] = rx.field(SEARCH)
    kept: rx.Field[ShownCustomer | None] = rx.field(None)
    merged: rx.Field[ShownCustomer | None] = rx.field(None)
    found: rx.Field[list[FoundCustomer]] = rx.field(default_factory=list)
    searched: rx.Field[bool] = rx.field(False)
    sides: rx.Field[dict[str, str]] = rx.field(default_factory=lambda: dict.fromkeys(_CHOICES, MergedSide.KEPT.value))
    reason: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = ("find-text", "merge-reason")

    def _about(self) -> str:
        return customer_in(self.router.url.path)

    def _before_load(self) -> bool:
        self.reset()
        return True

    def _question(self) -> Question[CustomerCard]:
        about = self._about()
        return lambda token: ask(CustomersApi).customer_card(token, about)

    def _show(self, answer: CustomerCard) -> None:
        self.kept = viewed(ShownCustomer, answer)

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def find(self, form: dict[str, Any]) -> None:
        search = CustomerSearch(text=text_in(form, "find-text")[:200])
        page = await self._answer(FIND, lambda token: ask(CustomersApi).find_customers(token, search))
        if page is not None:
            async with self:
                self.found = [each for each in page.items if each.customer_id != self._about()]
                self.searched = True

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def choose(self, customer_id: str) -> None:
        card = await self._answer(FIND, lambda token: ask(CustomersApi).customer_card(token, customer_id[:40]))
        if card is not None:
            async with self:
                if card.customer_id != self._about():
                    self.merged, self.step = viewed(ShownCustomer, card), CHOOSE

    @rx.event
    @staff(Right.CORRECT_CUSTOMERS)
    def back(self) -> None:
        self.step = CHOOSE if self.step == CHECK else SEARCH
        self._forget_errors()

    @rx.event
    @staff(Right.CORRECT_CUSTOMERS)
    def check(self, form: dict[str, Any]) -> None:
        """Show what will happen. Nothing changes yet."""
        self.sides = {
            name: MergedSide.MERGED.value
            if text_in(form, f"{MERGE}-{name}") == MergedSide.MERGED
            else MergedSide.KEPT.value
            for name in _CHOICES
        }
        self.reason = text_in(form, "merge-reason").strip()
        if not self.reason or len(self.reason) > MAX_REASON:
            wrong = Code.TOO_LONG if self.reason else Code.REQUIRED
            self._refuse_form(MERGE, Code.INVALID_INPUT, {"reason": wrong.value})
            return
        self._forget_errors()
        self.step = CHECK
        self.answered += 1

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def merge(self) -> Any:
        """Merge the two customers. It cannot be undone."""
        async with self:
            if self.step != CHECK or self.kept is None or self.merged is None:
                return None
            kept_id = self.kept.customer_id
            entry = MergeEntry.model_validate(
                {**self.sides, "merged_id": self.merged.customer_id, "reason": self.reason}
            )
        done, _card = await self._send(
            MERGE,
            lambda token: ask(CustomersApi).merge_customers(token, kept_id, entry),
            N_("The customers have been merged"),
        )
        return rx.redirect(f"{CUSTOMERS}/{kept_id}") if done else None


def merging() -> rx.Component:
    kept = MergePage.kept
    steps = rx.match(MergePage.step, (CHOOSE, _choose()), (CHECK, _check()), _search())
    return desk_page(
        desk_loaded(
            MergePage,
            rx.el.div(
                ui.text(
                    rx.cond(
                        kept.email != "",
                        _("{name} ({email}) stays. The other customer is removed.", name=kept.name, email=kept.email),
                        _("{name} stays. The other customer is removed.", name=kept.name),
                    ),
                    bottom=4,
                ),
                steps,
            ),
            failure=_("The customer couldn’t be loaded."),
        ),
        heading=_("Merge two customers"),
        back=back_line(_("Back to the customer"), f"{CUSTOMERS}/" + rx.cond(kept, kept.customer_id, "").to(str)),
        above=ui.error_summary(
            {"find-text": _text_error(), "merge-reason": reason_error(MergePage, MERGE)}, MergePage.attempt
        ),
    )


def _text_error() -> rx.Var[str]:
    return field_message(MergePage.errors.get("find-text", "").to(str), _("The other customer"), Code.TOO_SHORT)


def _search() -> rx.Component:
    found = MergePage.found
    table = listing(
        found,
        (_("Name"), _("Address"), _("Newest order"), ""),
        lambda line: table_row(
            cell(line.name, below=line.email),
            cell(unbroken(line.address)),
            cell(line.order_number, label=_("Newest order")),
            cell(
                ui.action_button(
                    _("Choose"), MergePage.choose(line.customer_id), aria_label=_("Choose {name}", name=line.name)
                )
            ),
            key=line.customer_id,
        ),
        label=_("Customers"),
        empty=ui.empty_state(_("No one else found"), _("Check the spelling, or search for something else.")),
    )
    return rx.el.div(
        panel(
            _("Who is removed?"),
            ui.event_form(
                ui.text_field(
                    "find-text",
                    _("The other customer"),
                    hint=_("Name, email address, order number, frame number, or postcode and house number"),
                    error=_text_error(),
                    width="max-w-96",
                    max_length=200,
                ),
                refused(MergePage, FIND),
                ui.search_button(wide=False, style="primary"),
                on_send=MergePage.find,
                answered=MergePage.answered,
                class_name="space-y-4",
            ),
        ),
        ui.stack(rx.cond(MergePage.searched, table), role="status", top=4),
    )


def _choose() -> rx.Component:
    kept, merged = MergePage.kept, MergePage.merged

    def either(name: str, legend: Text, one: Any, other: Any) -> rx.Component:
        return ui.choice_cards(
            f"{MERGE}-{name}",
            legend,
            [ui.Option(MergedSide.KEPT.value, one), ui.Option(MergedSide.MERGED.value, other)],
            value=MergePage.sides[name].to(str),
        )

    return panel(
        _("What stays?"),
        ui.event_form(
            rx.el.div(_side(_("Stays"), kept), _side(_("Is removed"), merged), class_name="grid gap-3 sm:grid-cols-2"),
            either("name_of", _("Name"), kept.name, merged.name),
            either("email_of", _("Email address"), _or_unknown(kept.email), _or_unknown(merged.email)),
            either("address_of", _("Phone and address"), _place(kept), _place(merged)),
            keep_typed(reason_field(MergePage, MERGE, needed=True), name=MERGE, sent=MergePage.sent),
            ui.row(
                ui.submit_button(_("Next: see what will happen"), wide=False),
                ui.action_button(_("Choose someone else"), MergePage.back, "text"),
            ),
            on_send=MergePage.check,
            answered=MergePage.answered,
            key=merged.customer_id,
            class_name="space-y-5",
        ),
    )


def _side(heading: Text, person: Any) -> rx.Component:
    orders, bikes = person.orders.to(list[str]), person.bikes.to(list[CustomerBike])
    return rx.el.div(
        rx.el.h3(heading, ": ", person.name, class_name="font-semibold"),
        rx.el.ul(
            rx.el.li(
                ngettext("{n} order", "{n} orders", orders.length()),
                rx.cond(orders.length() > 0, rx.el.span(": ", orders.join(", "))),
            ),
            rx.el.li(ngettext("{n} bike", "{n} bikes", bikes.length())),
            rx.foreach(bikes, lambda bike: rx.el.li(bike.name, class_name="ml-4")),
            rx.el.li(ngettext("{n} case", "{n} cases", person.cases.to(list[CustomerCase]).length())),
            class_name="mt-1 tabular-nums",
        ),
        class_name="rounded-control bg-paper-2 p-3",
    )


def _or_unknown(value: Any) -> rx.Var[str]:
    return rx.cond(value != "", value, _("Unknown")).to(str)


def _place(person: Any) -> rx.Component:
    return rx.el.span(
        rx.cond(person.place != "", unbroken(person.place), _("Unknown")),
        rx.cond(person.phone != "", rx.el.span(" · ", person.phone)),
        class_name="font-normal",
    )


def _check() -> rx.Component:
    kept, merged = MergePage.kept, MergePage.merged

    def staying(name: str, one: Any, other: Any) -> rx.Var[Any]:
        return rx.cond(MergePage.sides[name].to(str) == MergedSide.MERGED.value, other, one)

    email = staying("email_of", kept.email, merged.email).to(str)
    return panel(
        _("What will happen"),
        rx.el.ul(
            rx.el.li(
                _(
                    "All orders, bikes, cases and messages of {other} move to {name}.",
                    other=merged.name,
                    name=staying("name_of", kept.name, merged.name),
                )
            ),
            rx.el.li(_("The customer logs in with {email}.", email=email)),
            rx.el.li(_("The address is: "), staying("address_of", _place(kept), _place(merged))),
            rx.el.li(
                rx.cond(
                    MergePage.sides["email_of"].to(str) == MergedSide.MERGED.value,
                    _("Both are logged out everywhere, and the password of {name} no longer works.", name=merged.name),
                    _("{name} is logged out everywhere, and that password no longer works.", name=merged.name),
                )
            ),
            class_name="mb-3 list-disc space-y-1 pl-5",
        ),
        notice_to_customer(
            rx.cond(
                kept.email != merged.email,
                _(
                    "{one} and {other} get an email saying which address the customer logs in with.",
                    one=kept.email,
                    other=merged.email,
                ),
                _("The customer isn’t emailed."),
            )
        ),
        rx.el.div(ui.notice(_("This can’t be undone."), tone="warn"), class_name="my-3"),
        refused(MergePage, MERGE),
        ui.row(
            ui.action_button(_("Merge now"), MergePage.merge, "primary"),
            ui.action_button(_("Back"), MergePage.back, "text"),
        ),
    )


PAGES = [
    DeskRoute(f"{CUSTOMERS[1:]}/[customer]/merge", merging, title(_("Merge two customers")), on_load=[MergePage.load])
]
