"""State of the page on which staff receive a return."""

import time
from decimal import Decimal
from itertools import groupby
from typing import Any, ClassVar

import reflex as rx
from pydantic import Field

from portal.contract.errors import ProviderError
from portal.contract.registry import ask
from portal.desk.session import session_token
from portal.desk.state import DeskForms, DeskPage
from portal.flow.api import StaffFilesApi, Upload
from portal.frontend.file_views import FileLists, FileView
from portal.frontend.load import Form, Question, last_part, text_in
from portal.frontend.models import viewed
from portal.frontend.policies import staff
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.returns.api import (
    MAX_MESSAGE,
    ExpectedReturn,
    InspectedItem,
    InspectionOutcome,
    ReceivingApi,
    ReturnInspection,
)
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.returns import ReturnStatus, UnitCondition, UnitDecision
from portal.vocabulary.staff import Right

RECEIVE = "/receive"


def unit_field(number: str) -> str:
    return f"{StaffFileUse.RETURNED_UNIT}-{number}"


ITEMS, CODE = "items", "code"
"""Names of the field with all units, and of the one for a label."""

_MAX_CODE = 200
_MAX_NOTE = 300


class UnitToInspect(InspectedItem):
    """One unit, with what staff found.

    `frames`: frame numbers of which it may be; empty if it is known which bike it is.
    """

    number: str
    name: str
    detail: str
    count: int = 1
    arrived: bool = True
    frames: list[str]
    files: list[FileView] = Field(default_factory=list)


class ReceivePage(FileLists, DeskForms, DeskPage, rx.State):
    """The return of the label in the address, and what arrived of it."""

    found: rx.Field[ExpectedReturn | None] = rx.field(None)
    units: rx.Field[list[UnitToInspect]] = rx.field(default_factory=list)
    outcome: rx.Field[InspectionOutcome | None] = rx.field(None)
    received: rx.Field[bool] = rx.field(False)
    _fields: ClassVar[tuple[str, ...]] = (ITEMS, CODE, "message")

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def open(self, form: Form) -> Any:
        """Open the return of a scanned label or a typed reference."""
        code = "".join(text_in(form, CODE).rpartition("/")[2].split())[:_MAX_CODE].upper()
        if is_reference(code):
            self._forget_errors()
            self.answered += 1
            return rx.redirect(f"{RECEIVE}/{code}")
        self._refuse_form("", Code.INVALID_INPUT, {CODE: (Code.INVALID_CHOICE if code else Code.REQUIRED).value})
        return None

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def set_arrived(self, number: str, arrived: bool) -> Any:
        return self._set(number, arrived=arrived)

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def set_condition(self, number: str, condition: str) -> Any:
        return self._set(number, condition=UnitCondition(condition)) if condition in set(UnitCondition) else None

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def set_decision(self, number: str, decision: str) -> Any:
        return self._set(number, decision=UnitDecision(decision)) if decision in set(UnitDecision) else None

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def set_frame(self, number: str, frame: str) -> None:
        if any(unit.number == number and frame in ("", *unit.frames) for unit in self.units):
            self._set(number, frame_number=frame)

    @rx.event
    @staff(Right.RECEIVE_RETURNS)
    def set_note(self, number: str, note: str) -> None:
        self._set(number, note=note[:_MAX_NOTE])

    @rx.event(background=True)
    @staff(Right.RECEIVE_RETURNS)
    async def preview(self) -> None:
        """Show what the customer gets back for what arrived."""
        async with self:
            reference, inspection = self._reference(), self._inspection("")
            if not inspection.items:
                self.outcome = _outcome(missing=len(self.units))
                self.errors, self.refusal = {ITEMS: Code.REQUIRED.value}, ""
                return
        outcome = await self._answer(
            "", lambda token: ask(ReceivingApi).preview_inspection(token, reference, inspection)
        )
        if outcome is not None:
            async with self:
                self.outcome = outcome

    @rx.event(background=True)
    @staff(Right.RECEIVE_RETURNS)
    async def receive(self, form: Form) -> None:
        """Store what arrived, and tell the customer."""
        async with self:
            reference = self._reference()
            inspection = self._inspection(text_in(form, "message")[:MAX_MESSAGE])
            if not inspection.items:
                self._refuse_form("", Code.INVALID_INPUT, {ITEMS: Code.REQUIRED.value})
                return
        outcome = await self._answer("", lambda token: ask(ReceivingApi).receive_return(token, reference, inspection))
        if outcome is not None:
            async with self:
                self.outcome = outcome
                self.received = True

    @rx.event(background=True)
    @staff(Right.RECEIVE_RETURNS)
    async def photos_changed(self) -> None:
        async with self:
            token, reference, asked_at = session_token(self), self._reference(), time.time()
        try:
            found = await ask(StaffFilesApi).staff_files(token, reference)
        except ProviderError:
            # Those that arrived stand in the list; it is loaded again with the next one.
            return
        async with self:
            if self._reference() == reference and self._is_newest_list(asked_at):
                self._show_photos(found)

    def _show_photos(self, found: list[Upload]) -> None:
        photos = {photo.field: [viewed(FileView, photo)] for photo in found}
        self.units = [unit.model_copy(update={"files": photos.get(unit_field(unit.number), [])}) for unit in self.units]

    def _set(self, number: str, **values: Any) -> Any:
        self.units = [unit.model_copy(update=values) if unit.number == number else unit for unit in self.units]
        return ReceivePage.preview

    def _inspection(self, message: str) -> ReturnInspection:
        def found(unit: UnitToInspect) -> InspectedItem:
            values = {name: getattr(unit, name) for name in InspectedItem.model_fields}
            return InspectedItem(**values | {"photos": [file.id for file in unit.files]})

        arrived = sorted((found(unit) for unit in self.units if unit.arrived), key=InspectedItem.model_dump_json)
        items = [item.model_copy(update={"count": len(list(units))}) for item, units in groupby(arrived)]
        return ReturnInspection.model_construct(
            items=items, message=message, seen=self.found.seen if self.found else ""
        )

    def _about(self) -> str:
        code = last_part(self)
        return "" if code == RECEIVE[1:] else code

    def _question(self) -> Question[tuple[ExpectedReturn, list[Upload]] | None]:
        code = self._about()

        async def ask_for(token: str) -> tuple[ExpectedReturn, list[Upload]] | None:
            if not code:
                return None
            expected = await ask(ReceivingApi).expected_return(token, code)
            return expected, await ask(StaffFilesApi).staff_files(token, expected.reference)

        return ask_for

    def _show(self, answer: tuple[ExpectedReturn, list[Upload]] | None) -> None:
        self.received = False
        self._forget_errors()
        if answer is None:
            self.found, self.units = None, []
            return
        expected, photos = answer
        self._show_return(expected)
        self._show_photos(photos)

    def _show_return(self, answer: ExpectedReturn) -> None:
        self.found = answer
        units = [item for item in answer.items for _ in range(item.count)]
        self.units = [
            UnitToInspect(
                number=str(place),
                item_id=item.item_id,
                name=item.name,
                detail=" · ".join(part for part in (item.item_color, item.frame_size, *item.frame_numbers) if part),
                frames=item.frame_numbers if len(item.frame_numbers) > item.count else [],
            )
            for place, item in enumerate(units, 1)
        ]
        self.outcome = _outcome(refund=answer.refund)

    def _reference(self) -> str:
        return self.found.reference if self.found else ""


def _outcome(missing: int = 0, refund: Decimal | None = None) -> InspectionOutcome:
    """What is shown before the provider is asked."""
    return InspectionOutcome(status=ReturnStatus.RECEIVED, missing=missing, less=False, refund=refund)
