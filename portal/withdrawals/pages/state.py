"""The states of a withdrawal: of a customer for an order, and of a guest with order number and e-mail address."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.declarations.pages import (
    CHECK,
    DECLARE,
    RECEIPT,
    Answer,
    DeclarationState,
    GuestDeclarationState,
    OwnDeclarationState,
)
from portal.frontend.live import Loadable
from portal.frontend.load import Form, Question, last_part, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer, public
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.api import BatteryAnswer, ReturnDetail, ReturnsApi
from portal.returns.pages.battery import BATTERY
from portal.vocabulary.actions import Topic
from portal.withdrawals.api import (
    Declaration,
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawableItem,
    WithdrawableOrder,
    WithdrawalEntry,
    WithdrawalReceipt,
    WithdrawalsApi,
    WithdrawnItem,
)


class ChosenItem(WithdrawableItem):
    """An item, how many of it are chosen, and which of equal bikes."""

    count: int
    picked: list[str]

    @computed
    def details(self) -> str:
        return ", ".join(part for part in (self.item_color, self.frame_size) if part)

    @computed
    def counts(self) -> list[int]:
        return list(range(1, self.most + 1))


class ShownWithdrawal(WithdrawalReceipt):
    """The receipt of a customer, and whether the battery turned out to be unsafe."""

    unsafe: bool = False


def offered_items(
    found: Withdrawable, chosen: Mapping[str, int], picked: Mapping[str, Sequence[str]]
) -> list[ChosenItem]:
    return [
        ChosenItem(
            **dict(item), count=min(chosen.get(item.item_id, 0), item.most), picked=list(picked.get(item.item_id, ()))
        )
        for item in found.items
    ]


def lines_of(items: list[ChosenItem], chosen: Mapping[str, int], picked: Mapping[str, Sequence[str]]) -> list[str]:
    counts = chosen or {item.item_id: item.most for item in items}
    return [
        f"{counts[item.item_id]} × "
        + ", ".join(
            part
            for part in (
                item.name,
                item.details,
                *(bike.name for bike in item.bikes if bike.bike_id in picked.get(item.item_id, ())),
            )
            if part
        )
        for item in items
        if item.item_id in counts
    ]


def withdrawn_items(chosen: Mapping[str, int], picked: Mapping[str, list[str]]) -> list[WithdrawnItem]:
    return [
        WithdrawnItem(item_id=item_id, count=count, bikes=picked.get(item_id, [])) for item_id, count in chosen.items()
    ]


CLOSED = "closed"
"""The step when nothing can be withdrawn."""

WHOLE, PART = "whole", "part"
"""Values of the field `SCOPE`: the whole order, or single items."""

SCOPE, ITEM, COUNT, BIKES, REFERENCE = "scope", "item", "count-", "bikes", "reference"
"""Names of the fields. `COUNT` is a prefix; the item follows."""

OVER = frozenset({Code.WITHDRAWAL_PERIOD_OVER, Code.NOTHING_FOUND})
"""Refusals that mean that nothing can be withdrawn."""


class WithdrawalState(DeclarationState, mixin=True):
    """A withdrawal, from the choice to its receipt.

    `until`: last day of the right of withdrawal; None while a part has not arrived.
    `scope`: `WHOLE`, `PART`, or empty.
    """

    _number: ClassVar[str] = "order_number"
    order_number: rx.Field[str] = rx.field("")
    until: rx.Field[date | None] = rx.field(None)
    offered: rx.Field[list[ChosenItem]] = rx.field(default_factory=list)
    scope: rx.Field[str] = rx.field("")
    lines: rx.Field[list[str]] = rx.field(default_factory=list)
    _chosen: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    _bikes: rx.Field[dict[str, list[str]]] = rx.field(default_factory=dict)

    def _offer(self, found: Withdrawable) -> None:
        self.order_number = found.order_number
        self.until = found.until
        self.offered = offered_items(found, self._chosen, self._bikes)
        self.step = DECLARE

    def _close(self, code: Code) -> None:
        self.step, self.refusal = CLOSED, code.value

    def _read(self, form: Form) -> dict[str, str]:
        self.scope = text_in(form, SCOPE)
        chosen = _chosen_in(form, self.offered)
        bikes = _bikes_in(form, self.offered, chosen)
        errors: dict[str, str] = {}
        if self.scope not in (WHOLE, PART):
            errors[SCOPE] = Code.REQUIRED.value
        elif self.scope == PART and not chosen:
            errors[ITEM] = Code.REQUIRED.value
        elif self.scope == PART and any(not named for named in bikes.values()):
            errors[BIKES] = Code.REQUIRED.value
        elif self.scope == PART and any(len(bikes[item_id]) > chosen[item_id] for item_id in bikes):
            errors[BIKES] = Code.INVALID_NUMBER.value
        self._chosen, self._bikes = (chosen, bikes) if self.scope == PART else ({}, {})
        return errors | super()._read(form)

    def _declared(self) -> None:
        self.lines = lines_of(self.offered, self._chosen, self._bikes)
        super()._declared()

    def _received(self) -> None:
        self._chosen, self._bikes, self.lines, self.offered = {}, {}, [], []
        super()._received()

    def _entry(self) -> dict[str, Any]:
        items = withdrawn_items(self._chosen, self._bikes)
        return {"order_number": self.order_number, "name": self.name, "items": items, "key": self._key}


def _bikes_in(form: Form, offered: list[ChosenItem], chosen: dict[str, int]) -> dict[str, list[str]]:
    """The ticked ones of equal bikes by chosen item, which are also its count."""
    ticked = form.get(BIKES, [])
    bikes = {
        item.item_id: [bike.bike_id for bike in item.bikes if bike.bike_id == ticked or bike.bike_id in ticked]
        for item in offered
        if item.bikes and item.item_id in chosen
    }
    chosen |= {item.item_id: min(len(bikes[item.item_id]), item.most) for item in offered if bikes.get(item.item_id)}
    return bikes


def _chosen_in(form: Form, offered: list[ChosenItem]) -> dict[str, int]:
    """Number of chosen units by item. Items that are not offered are ignored."""
    selected = form.get(ITEM, [])
    item_ids = {selected} if isinstance(selected, str) else {name for name in selected if isinstance(name, str)}
    counts: dict[str, int] = {}
    for item in offered:
        if item.item_id in item_ids:
            text = text_in(form, COUNT + item.item_id)
            count = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
            counts[item.item_id] = min(max(1, count), item.most)
    return counts


class Withdrawal(OwnDeclarationState, WithdrawalState, rx.State):
    """A withdrawal from the order that the URL names. Another customer's order is reported as missing.

    A change that comes in while the customer checks the declaration, or has the receipt, leaves these as they are.

    `declared`: withdrawals of this order that were declared without a login and wait for a confirmation.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS,)
    declared: rx.Field[list[Declaration]] = rx.field(default_factory=list)
    declared_problem: rx.Field[str] = rx.field("")
    receipt: rx.Field[ShownWithdrawal | None] = rx.field(None)
    battery_error: rx.Field[str] = rx.field("")

    def _before_load(self) -> bool:
        # A reload, such as after a lost connection, must not replace the receipt.
        return self.step != RECEIPT or self.subject != self._about()

    @rx.event(background=True)
    @customer
    async def declare(self, form: Form) -> None:
        await self._loaded()
        async with self:
            self._take(form)

    @rx.event(background=True)
    @customer
    async def back(self) -> None:
        """Go back to change the declaration. What can be withdrawn is asked again, as it may have changed."""
        async with self:
            self.step = DECLARE
        await self._ask()
        async with self:
            self.refusal, self.turn = "" if self.step == DECLARE else self.refusal, self.turn + 1

    @rx.event
    @customer
    async def confirm(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
        self._answered()
        if self.step != CHECK:
            return
        entry = WithdrawalEntry(**self._entry())
        if found := await self._sent(lambda token: ask(WithdrawalsApi).withdraw(token, entry)):
            self._show_receipt(found)

    @rx.event
    @customer
    async def confirm_declared(self, form: Form) -> None:
        """Confirm a withdrawal that was declared without a login, and show its receipt."""
        if found := await self._answer(ask(WithdrawalsApi).confirm_declared, form):
            self._show_receipt(found)

    @rx.event
    @customer
    async def take_back(self, form: Form) -> None:
        """Take back a withdrawal that was declared without a login."""
        if found := await self._answer(ask(WithdrawalsApi).take_back_declared, form):
            self.declared = [entry for entry in self.declared if entry.reference != found.reference]
            (await self.get_state(Toasts))._add("success", N_("Taken back: your order stays as it was"))

    async def _answer(self, act: Callable[[str, str], Awaitable[Answer]], form: Form) -> Answer | None:
        self._answered()
        reference = text_in(form, REFERENCE)
        if found := await self._sent(lambda token: act(token, reference), self._declared_refused):
            self.declared_problem = ""
        return found

    def _show_receipt(self, found: WithdrawalReceipt) -> None:
        self.receipt = viewed(ShownWithdrawal, found)
        self._received()

    def _declared_refused(self, error: ProviderError) -> None:
        self.declared_problem, self.failures = error.code.value, self.failures + 1

    @rx.event
    @customer
    async def answer_battery(self, form: Form) -> None:
        """Answer the battery question on the receipt. If it was answered elsewhere, show that answer."""
        self._answered()
        answer = text_in(form, BATTERY)
        self.battery_error = "" if answer else Code.REQUIRED.value
        self.failures += not answer
        if not answer or self.step != RECEIPT or self.receipt is None:
            return
        return_id = self.receipt.return_id

        async def answered(token: str) -> ReturnDetail:
            try:
                return await ask(ReturnsApi).answer_battery(token, BatteryAnswer(return_id=return_id, battery=answer))
            except Conflict:
                return await ask(ReturnsApi).return_detail(token, return_id)

        if found := await self._sent(answered):
            update = {"account": found.account, "battery": found.battery_asked, "unsafe": found.instructions}
            self.receipt = self.receipt.model_copy(update=update)
            self.turn += 1

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Withdrawable | Code, list[Declaration]]]:
        number = self._about()

        async def question(token: str) -> tuple[Withdrawable | Code, list[Declaration]]:
            declared: list[Declaration] = []
            try:
                declared = await ask(WithdrawalsApi).declared(token, number)
                return await ask(WithdrawalsApi).withdrawable(token, number), declared
            except (Refused, InvalidInput) as error:
                if error.code in OVER:
                    return error.code, declared
                if error.code in (Code.ORDER_ID_NOT_FOUND, Code.INVALID_ORDER):
                    raise NotFound from error
                raise

        return question

    def _show(self, answer: tuple[Withdrawable | Code, list[Declaration]]) -> None:
        found, declared = answer
        self.declared = declared
        if self.step in (CHECK, RECEIPT):
            return
        if isinstance(found, Code):
            self.order_number = self._about()
            self._close(found)
        else:
            self.refusal = "" if self.step == CLOSED else self.refusal
            self._offer(found)


class OwnOrders(Loadable, rx.State):
    """The orders that a customer can withdraw from, on the page of guests."""

    orders: rx.Field[list[WithdrawableOrder]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[WithdrawableOrder]]:
        return lambda token: ask(WithdrawalsApi).withdrawable_orders(token)

    def _show(self, found: list[WithdrawableOrder]) -> None:
        self.orders = found


class GuestWithdrawalState(GuestDeclarationState, WithdrawalState, rx.State):
    """A withdrawal of a guest. The page does not say whether the order number or the e-mail address is wrong."""

    receipt: rx.Field[Declaration | None] = rx.field(None)

    @rx.event
    @public
    async def back(self) -> None:
        """Go back to change the declaration. After a refusal, what can be withdrawn is asked again."""
        if self.refusal:
            self._answered()
            await self._find(self.order_number)
        else:
            self._go(DECLARE)

    async def _send(self) -> None:
        entry = GuestWithdrawal(email=self._email, **self._entry())
        found = await ask(WithdrawalsApi).guest_withdraw(entry, self._origin())
        # The address that the visitor typed, and that therefore belongs to the order.
        self.receipt = found.model_copy(update={"email": self._email})

    def _typed(self, number: str) -> None:
        self.order_number = number

    async def _find(self, number: str) -> None:
        order = GuestOrder(order_number=number, email=self._email)
        try:
            self._offer(await ask(WithdrawalsApi).guest_withdrawable(order, self._origin()))
            self.turn += 1
        except ProviderError as error:
            if error.code in OVER:
                self._close(error.code)
                self.turn += 1
            else:
                self._refuse(error)
