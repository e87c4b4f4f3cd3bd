"""The states of contracts: the list, the page of one, and the page of guests."""

from typing import Any, ClassVar

import reflex as rx
from pydantic import computed_field

from portal.contract.errors import Conflict, NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contracts.api import (
    Contract,
    ContractEnd,
    ContractsApi,
    DeclaredEnd,
    EndEntry,
    FoundContract,
    GuestContract,
    GuestEnd,
)
from portal.frontend.declaring import (
    CHECK,
    DECLARE,
    EMAIL,
    FIND,
    NAME,
    RECEIPT,
    DeclarationState,
    GuestDeclarationState,
)
from portal.frontend.live import Live
from portal.frontend.load import Question, last_part
from portal.frontend.models import viewed
from portal.frontend.policies import customer, public
from portal.frontend.session import session_ended, session_token
from portal.vocabulary.actions import Topic
from portal.vocabulary.contracts import end_tone
from portal.vocabulary.status import Tone


class ShownEnd(ContractEnd):
    @computed_field
    @property
    def tone(self) -> Tone:
        return "warn" if self.asked else end_tone(self.status)


class ShownContract(Contract):
    end: ShownEnd | None = None


class Contracts(Live, rx.State):
    """All contracts of the customer."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.CONTRACTS, Topic.INSURANCES, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("running", "ended")
    running: rx.Field[list[ShownContract]] = rx.field(default_factory=list)
    ended: rx.Field[list[ShownContract]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[Contract]]:
        return lambda token: ask(ContractsApi).contracts(token)

    def _show(self, found: list[Contract]) -> None:
        views = [viewed(ShownContract, entry) for entry in found]
        self.running = [view for view in views if view.running]
        self.ended = [view for view in views if not view.running]


class ContractEndState(DeclarationState, mixin=True):
    _fields: ClassVar[tuple[str, ...]] = (NAME, "reference", EMAIL)

    def _take(self, form: dict[str, Any]) -> None:
        """Read the name; go to the next step when it is there."""
        self._answered()
        if errors := self._read_name(form):
            self._wrong(errors)
        else:
            self._declared()


class ContractPage(Live, ContractEndState, rx.State):
    """One contract, and how the customer ends it. Another customer's contract is reported as missing."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.CONTRACTS, Topic.MESSAGES)
    shown: rx.Field[ShownContract | None] = rx.field(None)

    @rx.event(background=True)
    @customer
    async def declare(self, form: dict[str, Any]) -> None:
        await self._loaded()
        async with self:
            if self.shown and self.shown.offered:
                self._take(form)

    @rx.event
    @customer
    async def back(self) -> None:
        self._answered()
        self._go(DECLARE)

    @rx.event
    @customer
    async def confirm(self, form: dict[str, Any]) -> None:  # noqa: ARG002 - the form has no fields
        self._answered()
        if self.step != CHECK or self.shown is None or self.shown.offered is None:
            return
        entry = EndEntry(name=self.name, ending=self.shown.offered, key=self._key)
        await self._do(lambda token: ask(ContractsApi).end_contract(token, self.subject, entry))

    @rx.event(background=True)
    @customer
    async def confirm_declared(self, form: dict[str, Any]) -> None:  # noqa: ARG002 - the form has no fields
        await self._loaded()
        async with self:
            self._answered()
            await self._do(lambda token: ask(ContractsApi).confirm_end(token, self.subject))

    @rx.event(background=True)
    @customer
    async def take_back(self) -> None:
        await self._loaded()
        async with self:
            self._answered()
            await self._do(lambda token: ask(ContractsApi).take_back_end(token, self.subject))

    async def _do(self, act: Question[Contract]) -> None:
        """Change the contract, and show it. After a conflict its current state is shown with the refusal."""
        try:
            token = session_token(self)
            try:
                self._show_newest(await act(token))
            except Conflict as conflict:
                self._show_newest(await ask(ContractsApi).contract(token, self.subject))
                self._refuse(conflict)
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError as error:
            self._refuse(error)
        else:
            self._go(DECLARE)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Contract]:
        reference = self._about()
        return lambda token: ask(ContractsApi).contract(token, reference)

    def _show(self, found: Contract) -> None:
        self.shown = viewed(ShownContract, found)
        if not found.offered:
            self.step = DECLARE


class GuestContractEnd(ContractEndState, GuestDeclarationState, rx.State):
    """The end of a contract by a guest. The page does not say whether the number or the address is wrong."""

    step: rx.Field[str] = rx.field(FIND)
    found: rx.Field[FoundContract | None] = rx.field(None)
    receipt: rx.Field[DeclaredEnd | None] = rx.field(None)

    @rx.event
    @public
    async def find(self, form: dict[str, Any]) -> None:
        if not (reference := self._identified(form, "reference")):
            return
        try:
            entry = GuestContract(reference=reference, email=self._email)
            self.found = await ask(ContractsApi).guest_contract(entry, self._origin())
        except ProviderError as error:
            self._refuse(error)
        else:
            self._go(DECLARE)

    @rx.event
    @public
    async def declare(self, form: dict[str, Any]) -> None:
        if self.found:
            self._take(form)

    @rx.event
    @public
    async def back(self) -> None:
        self._answered()
        self._go(DECLARE)

    @rx.event
    @public
    async def confirm(self, form: dict[str, Any]) -> None:  # noqa: ARG002 - the form has no fields
        self._answered()
        if self.step != CHECK or self.found is None:
            return
        entry = GuestEnd(
            reference=self.found.reference, email=self._email, name=self.name, ending=self.found.offered, key=self._key
        )
        try:
            found = await ask(ContractsApi).guest_end(entry, self._origin())
            # The address that the visitor typed, and that therefore belongs to the contract.
            self.receipt = found.model_copy(update={"email": self._email})
        except ProviderError as error:
            self._refuse(error)
        else:
            self._email = self._key = self.name = ""
            self.found = None
            self._go(RECEIPT)
