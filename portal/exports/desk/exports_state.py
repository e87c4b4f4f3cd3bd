"""State of the page of exports."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

import reflex as rx

from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.downloads import failed_download
from portal.desk.state import DeskForms, DeskPage
from portal.exports.api import (
    MAX_REFUNDS,
    BatchChoice,
    ChosenRefunds,
    ExportsApi,
    RefundBatch,
    RefundResult,
    RefundSum,
    RefundToPay,
    WaitingExports,
)
from portal.frontend.load import Form, Paginated, Question, page_asked, text_in
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.api import MAX_HOLDER, RefundAccount
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.staff import Right

REFUND, HOLDER, IBAN = "refund", "holder", "iban"
FIELDS = (REFUND, HOLDER, IBAN)

MAKE = "make"
CHANGE = "change"
MAX_LISTED = MAX_REFUNDS
"""Refunds that the page lists; the sums are of all."""


_Answer = tuple[WaitingExports, list[RefundToPay], Page[RefundBatch]]


class ExportsPage(Paginated, DeskForms, DeskPage, rx.State):
    """Exports.

    `batches`: a page of the earlier exports of refunds, newest first.
    `made`: the export that was made just now; empty before.
    `entered`: number of accounts that were entered, so that the form is empty again.
    """

    sums: rx.Field[list[RefundSum]] = rx.field(default_factory=list)
    refunds: rx.Field[list[RefundToPay]] = rx.field(default_factory=list)
    chosen: rx.Field[list[str]] = rx.field(default_factory=list)
    unchanged: rx.Field[list[RefundResult]] = rx.field(default_factory=list)
    more: rx.Field[bool] = rx.field(False)
    insurances: rx.Field[int] = rx.field(0)
    batches: rx.Field[list[RefundBatch]] = rx.field(default_factory=list)
    made: rx.Field[str] = rx.field("")
    failed: rx.Field[str] = rx.field("")
    entered: rx.Field[int] = rx.field(0)
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    @rx.event(background=True)
    @staff(Right.EXPORT)
    async def make(self, way: str) -> None:
        if way not in {RefundWay.ORIGINAL.value, RefundWay.ACCOUNT.value}:
            return
        choice = BatchChoice(way=RefundWay(way))
        made = await self._answer(MAKE, lambda token: ask(ExportsApi).export_refunds(token, choice))
        if made is None:
            return
        async with self:
            self.failed = ""
            (await self.get_state(Toasts))._add("success", N_("Refunds exported: {count}"), count=made.count)
        if await self._ask():
            async with self:
                self.made = made.id

    @rx.event
    @staff(Right.RELEASE_REFUNDS)
    def choose(self, reference: str, chosen: bool) -> None:
        known = {line.reference for line in self.refunds}
        self.chosen = [each for each in self.chosen if each != reference]
        self.chosen += [reference] if chosen and reference in known else []
        self.unchanged = []

    @rx.event
    @staff(Right.RELEASE_REFUNDS)
    def choose_all(self) -> None:
        every = [line.reference for line in self.refunds]
        self.chosen, self.unchanged = ([] if len(self.chosen) == len(every) else every), []

    @rx.event(background=True)
    @staff(Right.RELEASE_REFUNDS)
    async def confirm(self) -> None:
        await self._change(
            lambda token, chosen: ask(ExportsApi).confirm_refunds(token, chosen), N_("Refunds confirmed: {count}")
        )

    @rx.event(background=True)
    @staff(Right.RELEASE_REFUNDS)
    async def record_paid(self) -> None:
        await self._change(
            lambda token, chosen: ask(ExportsApi).record_refunds_paid(token, chosen), N_("Refunds paid: {count}")
        )

    async def _change(self, change: Callable[[str, ChosenRefunds], Awaitable[list[RefundResult]]], done: str) -> None:
        async with self:
            references = self.chosen[:MAX_REFUNDS]
        if not references:
            return
        results = await self._answer(CHANGE, lambda token: change(token, ChosenRefunds(references=references)))
        if results is None:
            return
        refused = [each for each in results if each.code]
        async with self:
            self.unchanged = refused
            self.chosen = [each.reference for each in refused]
            if count := len(results) - len(refused):
                (await self.get_state(Toasts))._add("success", done, count=count)
        await self._ask()

    @rx.event(background=True)
    @staff(Right.ENTER_REFUND_ACCOUNT)
    async def enter_account(self, form: Form) -> None:
        reference, holder, iban = (text_in(form, name).strip() for name in FIELDS)
        wrong = {name: Code.REQUIRED for name, text in zip(FIELDS, (reference, holder, iban), strict=True) if not text}
        if len(holder) > MAX_HOLDER:
            wrong[HOLDER] = Code.TOO_LONG
        if len(iban) > 50:
            wrong[IBAN] = Code.INVALID_IBAN
        if wrong:
            async with self:
                self._refuse_form("", Code.INVALID_INPUT, {name: code.value for name, code in wrong.items()})
            return
        account = RefundAccount(holder=holder, iban=iban)
        done, _nothing = await self._send(
            "", lambda token: ask(ExportsApi).enter_refund_account(token, reference, account), N_("Saved")
        )
        if done:
            async with self:
                self.entered += 1
                self.made = self.failed = ""
            await self._ask()

    def _before_load(self) -> bool:
        self.made = ""
        self.chosen, self.unchanged = [], []
        self._forget_errors()
        self.failed = failed_download(self)
        return True

    def _question(self) -> Question[_Answer]:
        page = page_asked(self)

        async def ask_for(token: str) -> _Answer:
            return (
                await ask(ExportsApi).waiting_exports(token),
                await ask(ExportsApi).refunds_to_pay(token),
                await ask(ExportsApi).refund_batches(token, page),
            )

        return ask_for

    def _show(self, answer: _Answer) -> None:
        waiting, refunds, batches = answer
        self.sums, self.insurances = waiting.refunds, waiting.insurances
        self.refunds, self.more = refunds[:MAX_LISTED], len(refunds) > MAX_LISTED
        known = {line.reference for line in self.refunds}
        self.chosen = [each for each in self.chosen if each in known]
        self._count(batches)
        self.batches = batches.items
