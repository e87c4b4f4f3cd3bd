"""The states of contracts: the list, the page of one, and the page of guests."""

from typing import ClassVar

import reflex as rx

from portal.contract.errors import Conflict, ProviderError
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
from portal.declarations.pages import CHECK, DECLARE, GuestDeclarationState, OwnDeclarationState
from portal.frontend.live import Live
from portal.frontend.load import Form, Question, last_part
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer, public
from portal.vocabulary.actions import Topic
from portal.vocabulary.contracts import end_tone
from portal.vocabulary.status import Tone


class ShownEnd(ContractEnd):
    @computed
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


class ContractPage(OwnDeclarationState, rx.State):
    """One contract, and how the customer ends it. Another customer's contract is reported as missing."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.CONTRACTS, Topic.MESSAGES)
    shown: rx.Field[ShownContract | None] = rx.field(None)

    @rx.event(background=True)
    @customer
    async def declare(self, form: Form) -> None:
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
    async def confirm(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
        self._answered()
        if self.step != CHECK or self.shown is None or self.shown.offered is None:
            return
        entry = EndEntry(name=self.name, ending=self.shown.offered, key=self._key)
        await self._do(lambda token: ask(ContractsApi).end_contract(token, self.subject, entry))

    @rx.event(background=True)
    @customer
    async def confirm_declared(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
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

        async def acted(token: str) -> None:
            try:
                self._show_newest(await act(token))
            except Conflict as conflict:
                self._show_newest(await ask(ContractsApi).contract(token, self.subject))
                self._refuse(conflict)
            self._go(DECLARE)

        await self._sent(acted)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Contract]:
        reference = self._about()
        return lambda token: ask(ContractsApi).contract(token, reference)

    def _show(self, found: Contract) -> None:
        self.shown = viewed(ShownContract, found)
        if not found.offered:
            self.step = DECLARE


class GuestContractEnd(GuestDeclarationState, rx.State):
    _number: ClassVar[str] = "reference"
    found: rx.Field[FoundContract | None] = rx.field(None)
    receipt: rx.Field[DeclaredEnd | None] = rx.field(None)

    @rx.event
    @public
    async def back(self) -> None:
        self._answered()
        self._go(DECLARE)

    async def _find(self, number: str) -> None:
        entry = GuestContract(reference=number, email=self._email)
        try:
            self.found = await ask(ContractsApi).guest_contract(entry, self._origin())
        except ProviderError as error:
            self._refuse(error)
        else:
            self._go(DECLARE)

    async def _send(self) -> None:
        if self.found is None:
            return
        entry = GuestEnd(
            reference=self.found.reference, email=self._email, name=self.name, ending=self.found.offered, key=self._key
        )
        found = await ask(ContractsApi).guest_end(entry, self._origin())
        # The address that the visitor typed, and that therefore belongs to the contract.
        self.receipt, self.found = found.model_copy(update={"email": self._email}), None
