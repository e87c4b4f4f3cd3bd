"""State of the page of one case."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import reflex as rx

from portal.cases.api import (
    MAX_NOTE_LENGTH,
    CaseAssignment,
    CaseChoices,
    CaseHandOver,
    CaseMove,
    CaseNoteEntry,
    CasesApi,
    PlannedDay,
    Presence,
)
from portal.cases.desk.queue_state import QUEUE, Around, LastList, promise_state
from portal.cases.models import CaseDetail, NextStep, StoreName, TimelineEntry
from portal.contract.common_api import Changes
from portal.contract.errors import InvalidInput
from portal.contract.registry import ask
from portal.conversations.desk.state import CaseConversing, LoadedConversation, conversation_of
from portal.desk.state import DeskForms, typed
from portal.frontend.load import READY, Form, Question, text_in
from portal.frontend.policies import staff
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.staff.api.customers import CancelEntry, CustomersApi, FrameNumberEntry, StoreEntry
from portal.staff.desk.customer_parts import FRAME, FRAME_FIELDS
from portal.vocabulary.cases import CANCELLED_AS, KIND_OF_PATH
from portal.vocabulary.staff import Right

MOVE, PLAN, GIVE, HAND_OVER, STORE, CANCEL = "move", "plan", "give", "hand_over", "store", "cancel"
"""Forms of the page, besides that of the frame number; also the prefix of their fields."""

FIELDS = (
    f"{MOVE}-day",
    f"{MOVE}-note",
    f"{MOVE}-policy_number",
    f"{MOVE}-battery_collected",
    f"{PLAN}-day",
    f"{GIVE}-person",
    f"{HAND_OVER}-store",
    f"{HAND_OVER}-note",
    *FRAME_FIELDS,
    f"{STORE}-store_id",
    f"{STORE}-reason",
    f"{CANCEL}-reason",
)

_WAIT_SECONDS = 15
"""How often the page tells that the person still has the case open; less than `PRESENT` of the provider."""

_Change = Callable[[str, str, str, int], Awaitable[Any]]
"""An operation with token, kind, reference, and the version that the person saw."""


class CasePage(DeskForms, CaseConversing, rx.State):
    """The case in the address.

    `cancelled`: the step that cancels it at the customer's request; None if it cannot be cancelled.
    `changed`: what somebody else changed meanwhile, newest first.
    """

    case: rx.Field[CaseDetail | None] = rx.field(None)
    promise: rx.Field[str] = rx.field("")
    cancelled: rx.Field[NextStep | None] = rx.field(None)
    stores: rx.Field[list[StoreName]] = rx.field(default_factory=list)
    around: rx.Field[Around] = rx.field(default_factory=Around)
    also_here: rx.Field[list[str]] = rx.field(default_factory=list)
    step: rx.Field[NextStep | None] = rx.field(None)
    changed: rx.Field[list[TimelineEntry]] = rx.field(default_factory=list)
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    @rx.event
    @staff(Right.WORK_ON_CASES)
    def choose(self, status: str) -> None:
        steps = self.case.steps if self.case else []
        self.step = next((step for step in steps if step.status == status), self.step)
        self._forget()

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def move(self, form: Form) -> None:
        async with self:
            step = self.step
        if step is None:
            return
        day = text_in(form, f"{MOVE}-day")
        planned = validation.day(day) if step.asks_day else None
        if step.asks_day and day and planned is None:
            await self._refuse_field(MOVE, "day", Code.INVALID_CHOICE)
            return
        if step.asks_battery and not text_in(form, f"{MOVE}-battery_collected"):
            await self._refuse_field(MOVE, "battery_collected", Code.REQUIRED)
            return

        async def change(token: str, kind: str, reference: str, seen: int) -> None:
            chosen = {"status": step.status, "planned_date": planned, "under_warranty": None, "seen": seen}
            await ask(CasesApi).move_case(token, kind, reference, typed(CaseMove, form, MOVE, **chosen))

        await self._change(MOVE, change, N_("Sent"))

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def plan(self, form: Form) -> None:
        day = validation.day(text_in(form, f"{PLAN}-day"))
        if day is None:
            await self._refuse_field(PLAN, "day", Code.REQUIRED)
            return
        await self._change(
            PLAN,
            lambda token, kind, reference, seen: ask(CasesApi).plan_case(
                token, kind, reference, PlannedDay(day=day, seen=seen)
            ),
            N_("Day planned"),
        )

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def give(self, form: Form) -> None:
        person = text_in(form, f"{GIVE}-person")[:40]
        await self._change(
            GIVE,
            lambda token, kind, reference, seen: ask(CasesApi).assign_case(
                token, kind, reference, CaseAssignment(person=person, seen=seen)
            ),
            N_("Assigned"),
        )

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def hand_over(self, form: Form) -> Any:
        """Give the case to another store. Who may no longer see it goes back to the queue."""

        async def change(token: str, kind: str, reference: str, seen: int) -> None:
            await ask(CasesApi).hand_over(token, kind, reference, typed(CaseHandOver, form, HAND_OVER, seen=seen))

        return rx.redirect(QUEUE) if await self._change(HAND_OVER, change, N_("Handed over")) else None

    @rx.event(background=True)
    @staff(Right.CORRECT_FRAME_NUMBER)
    async def correct_frame(self, form: Form) -> None:
        """Set the frame number of the bike of the case, or that it is unknown."""
        async with self:
            bike = self.case.bike if self.case else None
        if bike is None:
            return
        bike_id = bike.bike_id

        async def change(token: str, *_case: Any) -> None:
            await ask(CustomersApi).correct_frame_number(token, bike_id, typed(FrameNumberEntry, form, FRAME))

        await self._change(FRAME, change, N_("Frame number saved"))

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def correct_store(self, form: Form) -> Any:
        """Move a case that went to the wrong store. Who may no longer see it goes back to the queue."""
        store, reason = text_in(form, "store-store_id")[:40], text_in(form, "store-reason")
        if not store:
            await self._refuse_field(STORE, "store_id", Code.REQUIRED)
            return None

        async def change(token: str, kind: str, reference: str, _seen: int) -> None:
            entry = {"kind": KIND_OF_PATH[kind], "reference": reference[:40], "store_id": store, "reason": reason}
            await ask(CustomersApi).correct_store(token, StoreEntry.model_validate(entry))

        return rx.redirect(QUEUE) if await self._change(STORE, change, N_("Moved to the other store")) else None

    @rx.event(background=True)
    @staff(Right.CORRECT_CUSTOMERS)
    async def cancel_for_customer(self, form: Form) -> None:
        reason = text_in(form, "cancel-reason")

        async def change(token: str, kind: str, reference: str, _seen: int) -> None:
            entry = {"kind": KIND_OF_PATH[kind], "reference": reference[:40], "reason": reason}
            await ask(CustomersApi).cancel_for_customer(token, CancelEntry.model_validate(entry))

        await self._change(CANCEL, change, N_("Cancelled for the customer"))

    def _case(self) -> tuple[str, str]:
        return self._named()

    def _is_unread(self) -> bool:
        return bool((self.case and self.case.unread) or (self.talk and self.talk.unread))

    async def _add_note(self, token: str, text: str) -> None:
        async with self:
            name = self._named()
        if len(text) > MAX_NOTE_LENGTH:
            raise InvalidInput(Code.INVALID_INPUT, fields={"text": Code.TOO_LONG})
        await ask(CasesApi).add_note(token, *name, CaseNoteEntry(text=text))

    async def _change(self, form: str, change: _Change, done: str) -> bool:
        async with self:
            name, before = self._named(), self.case
        if before is None:
            return False
        made, _answer = await self._send(form, lambda token: change(token, *name, before.version), done)
        async with self:
            stale = self.refusal == Code.STATUS_CHANGED.value
            self.changed = []
        if stale:
            await self._tell_what_changed(before)
        elif made:
            await self._ask()
        return made

    async def _refuse_field(self, form: str, name: str, code: Code) -> None:
        async with self:
            self._refuse_form(form, code, {name: code.value})

    async def _tell_what_changed(self, before: CaseDetail) -> None:
        if await self._ask():
            async with self:
                self.changed = self.case.events[len(before.events) :][::-1] if self.case else []

    def _forget(self) -> None:
        self._forget_errors()
        self.changed = []

    def _named(self) -> tuple[str, str]:
        parts = self.router.url.path.strip("/").split("/")
        return (parts[1], parts[2]) if len(parts) == 3 else ("", "")

    def _about(self) -> str:
        return "/".join(self._named())

    def _question(self) -> Question[tuple[CaseDetail, CaseChoices, LoadedConversation, Around]]:
        kind, reference = self._named()

        async def question(token: str) -> tuple[CaseDetail, CaseChoices, LoadedConversation, Around]:
            async with self:
                around = (await self.get_state(LastList))._look(f"{kind}/{reference}")
            return (
                await ask(CasesApi).case(token, kind, reference),
                await ask(CasesApi).case_choices(token),
                await conversation_of(token, kind, reference),
                around,
            )

        return question

    def _show(self, answer: tuple[CaseDetail, CaseChoices, LoadedConversation, Around]) -> None:
        case, choices, conversation, self.around = answer
        before = self.case
        self.case = case
        self.promise = promise_state(case.state, case.promised_at, case.now)
        self._show_conversation(conversation, case.notes)
        self.also_here = [person.name for person in case.also_here]
        self.stores = [store for store in choices.all_stores if store != case.store]
        self.cancelled = next((step for step in case.steps if step.status == CANCELLED_AS.get(case.kind)), None)
        chosen = self.step.status if self.step else ""
        self.step = next((step for step in case.steps if step.status == chosen), next(iter(case.steps), None))
        if before is None or (before.kind, before.reference) != (case.kind, case.reference):
            self._forget()

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> Changes:
        async with self:
            (kind, reference), shown = self._named(), self.view_state == READY
        if shown:
            others = await ask(CasesApi).presence(token, kind, reference, Presence())
            names = [person.name for person in others]
            async with self:
                if self.also_here != names:
                    self.also_here = names
        return await super()._changes(token, mark, min(wait_seconds, _WAIT_SECONDS))
