"""Withdrawing from a purchase: by the customer from an order, or by anybody with its number and e-mail address."""

from typing import Any

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.contract.returns import BatteryAnswer
from portal.contract.returns_api import ReturnsApi
from portal.contract.session import Origin
from portal.contract.withdrawals import GuestOrder, GuestWithdrawal, Withdrawable, WithdrawalEntry
from portal.contract.withdrawals_api import WithdrawalsApi
from portal.domain.codes import Code
from portal.states.page import Loadable, Question, last_part
from portal.states.policy import customer, public
from portal.states.session import session_ended, session_token
from portal.states.views.customer import text_in
from portal.states.views.withdrawals import withdrawn_items
from portal.states.withdrawing import BATTERY, CHECK, DECLARE, FIND, OVER, RECEIPT, Withdrawing
from portal.texts import locale_of


class Withdrawal(Loadable, Withdrawing, rx.State):
    """The order that the address names; another customer's order is not found."""

    def _before_load(self) -> bool:
        # A receipt stays, as after a lost connection.
        return self.step != RECEIPT or self.subject != self._about()

    @rx.event
    @customer
    async def declare(self, form: dict[str, Any]) -> None:
        """Say what is withdrawn from."""
        self._take(form)

    @rx.event(background=True)
    @customer
    async def back(self) -> None:
        """Change what was said. What is offered may have changed meanwhile."""
        await self._ask()
        async with self:
            self.refusal, self.turn = "" if self.step == DECLARE else self.refusal, self.turn + 1

    @rx.event
    @customer
    async def confirm(self, form: dict[str, Any]) -> None:  # noqa: ARG002 - the form has no fields
        """Confirm it."""
        self._answered()
        if self.step != CHECK:
            return
        entry = WithdrawalEntry(
            order_number=self.order_number,
            name=self.name,
            items=withdrawn_items(self._chosen),
            key=self._key,
        )
        try:
            self._received(await ask(WithdrawalsApi).withdraw(session_token(self), entry))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError as error:
            self._refuse(error)

    @rx.event
    @customer
    async def answer_battery(self, form: dict[str, Any]) -> None:
        """Say how the battery is, once it was received. Where that was said meanwhile, the receipt shows what was."""
        self._answered()
        given, name = text_in(form, BATTERY), self.receipt.return_id
        self.battery_error = "" if given else Code.REQUIRED.value
        self.failures += not given
        if not given or self.step != RECEIPT:
            return
        try:
            token = session_token(self)
            try:
                found = await ask(ReturnsApi).answer_battery(token, BatteryAnswer(return_id=name, battery=given))
            except Conflict:
                found = await ask(ReturnsApi).return_detail(token, name)
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError as error:
            self._refuse(error)
        else:
            self._battery(asked=found.battery_asked, unsafe=found.instructions)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Withdrawable | Code]:
        number = self._about()

        async def question(token: str) -> Withdrawable | Code:
            try:
                return await ask(WithdrawalsApi).withdrawable(token, number)
            except (Refused, InvalidInput) as error:
                if error.code in OVER:
                    return error.code
                if error.code in (Code.ORDER_ID_NOT_FOUND, Code.INVALID_ORDER):
                    raise NotFound from error
                raise

        return question

    def _show(self, found: Withdrawable | Code) -> None:
        if isinstance(found, Code):
            self.order_number = self._about()
            self._close(found)
        else:
            self._offer(found)


class GuestWithdrawing(Withdrawing, rx.State):
    """Somebody without a session. Both the number and the address have to be right; which one is not is never said."""

    step: rx.Field[str] = rx.field(FIND)
    _email: str = ""

    @rx.event
    @public
    async def find(self, form: dict[str, Any]) -> None:
        """Find the order."""
        self._answered()
        self._email, self.order_number = text_in(form, "email").strip(), text_in(form, "order_number").strip()
        errors = {} if self.order_number else {"order_number": Code.REQUIRED.value}
        if not self._email:
            errors["email"] = Code.MISSING_EMAIL_ADDRESS.value
        if errors:
            self._wrong(errors)
        else:
            await self._find()

    @rx.event
    @public
    async def declare(self, form: dict[str, Any]) -> None:
        """Say what is withdrawn from."""
        self._take(form)

    @rx.event
    @public
    async def back(self) -> None:
        """Change what was said. After a refusal what is offered has changed."""
        if self.refusal:
            self._answered()
            await self._find()
        else:
            self._go(DECLARE)

    @rx.event
    @public
    async def again(self) -> None:
        """Begin with another order; nothing of this one is kept."""
        turn = self.turn + 1
        self.reset()
        self.turn = turn

    @rx.event
    @public
    async def confirm(self, form: dict[str, Any]) -> None:  # noqa: ARG002
        """Confirm it."""
        self._answered()
        if self.step != CHECK:
            return
        entry = GuestWithdrawal(
            order_number=self.order_number,
            email=self._email,
            name=self.name,
            items=withdrawn_items(self._chosen),
            key=self._key,
        )
        try:
            self._received(await ask(WithdrawalsApi).guest_withdraw(entry, self._origin()))
            self._email = ""
        except ProviderError as error:
            self._refuse(error)

    async def _find(self) -> None:
        order = GuestOrder(order_number=self.order_number, email=self._email)
        try:
            self._offer(await ask(WithdrawalsApi).guest_withdrawable(order, self._origin()))
            self.turn += 1
        except ProviderError as error:
            if error.code in OVER:
                self._close(error.code)
                self.turn += 1
            else:
                self._refuse(error)

    def _origin(self) -> Origin:
        return Origin(address=self.router.session.client_ip, locale=locale_of(self.router.headers.cookie))
