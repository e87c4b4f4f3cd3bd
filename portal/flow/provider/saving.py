"""The saving of steps. Customers who press Next at the same moment share one transaction and one commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import Batches
from portal.backend.service import Service
from portal.backend.sessions import Owner, Sessions
from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, Refused
from portal.flow.api import Draft, FlowApi, StepEntry
from portal.flow.journey import Journey, Outcome
from portal.flow.model import Step
from portal.flow.provider.facts import DRAFT_LIFETIME, draft_of, facts_of, handler_of, journey_of, locked_draft
from portal.flow.provider.handler import FlowHandler
from portal.flow.provider.queries import Change, DraftQueries, lock_many, write_many
from portal.flow.rules import Answers
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.vocabulary.staff import DOT, HiddenNumber


@dataclass(frozen=True, slots=True)
class _Save:
    """A step to save. `dots`: masked numbers in the form mean the stored number."""

    token: str
    draft_id: str
    entry: StepEntry
    dots: bool

    def answers(self, journey: Journey) -> Answers:
        """The raw answers to the step."""
        return journey.with_numbers(self.entry.answers) if self.dots else self.entry.answers


class _NeedsLookup(Exception):
    """A save needs data that a batch does not look up."""


@dataclass(slots=True)
class _BatchedDraft:
    """A draft in a batch: its row, and its contents after the saves so far."""

    row: Any
    handler: FlowHandler
    journey: Journey
    version: int
    changed: bool = field(default=False)


class DraftSaving(Service, FlowApi):
    """The operation that saves a step."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._batches: Batches[_Save, Draft] = Batches(self._save_many)

    @override
    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        save = self._read(token, draft_id, entry)
        try:
            return await self._batches.do(save)
        except _NeedsLookup:
            return await self._save_alone(save)

    @override
    async def close(self) -> None:
        await self._batches.close()
        await super().close()

    def _read(self, token: str, draft_id: str, entry: StepEntry) -> _Save:
        # Only then is the token read once more: steps of customers cost nothing for it.
        dots = any(DOT in entry.answers.get(name, "") for name in HiddenNumber)
        return _Save(token, draft_id, entry, dots and self._sessions.visit(token) is not None)

    async def _save_many(self, saves: Sequence[_Save]) -> Sequence[Draft | Exception]:
        now = self._context.clock()
        expires_at = now + DRAFT_LIFETIME
        async with self._context.database.transaction() as session:
            owners = await self._sessions.owners(session, [save.token for save in saves])
            wanted = [
                (owner.customer_id, save.draft_id)
                for owner, save in zip(owners, saves, strict=True)
                if isinstance(owner, Owner) and is_short_id(save.draft_id)
            ]
            rows = await lock_many(session, wanted, now) if wanted else ()
            drafts = {(row.customer_id, row.public_id): _batched(row, now) for row in rows}
            results: list[Draft | Exception] = []
            for owner, save in zip(owners, saves, strict=True):
                try:
                    draft = _find(owner, save, drafts)
                    _answer(draft, save)
                    new_expiry = expires_at if draft.changed else None
                    results.append(draft_of(draft.row, draft.journey, version=draft.version, expires_at=new_expiry))
                except Exception as error:
                    results.append(error)
            changes = [
                Change(
                    draft.row.id, customer_id, dict(draft.journey.answers), list(draft.journey.completed), draft.version
                )
                for (customer_id, _), draft in drafts.items()
                if draft.changed
            ]
            if changes:
                await write_many(session, changes, now=now, expires_at=expires_at)
        return results

    async def _save_alone(self, save: _Save) -> Draft:
        """Save in a transaction of its own, with fresh facts, the checks of the handler, and changes of the subject."""
        owner = await self._sessions.owner(save.token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            drafts = DraftQueries(session, owner.customer_id, now)
            row = await locked_draft(drafts, save.draft_id)
            handler = handler_of(row.flow)
            wanted = handler.flow.subject_of(save.entry.answers)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers, wanted)
            journey = journey_of(handler, row, local_day(now), facts)
            step = _step(journey, row, save.entry)
            outcome = journey.answer(step, save.answers(journey))
            if outcome.errors:
                raise InvalidInput(step.invalid, fields=outcome.errors)
            check = handler.of(step).check
            if check and (findings := await check(session, owner, outcome.answers)):
                raise InvalidInput(Code.INVALID_INPUT, fields=findings)
            if handler.lookups and outcome.answers != journey.answers:
                facts = await facts_of(self._context, session, owner, handler, row.public_id, outcome.answers)
                # The rule of the choice needs the result of its lookup.
                updated = Journey(handler.flow, outcome.answers, outcome.completed, facts, local_day(now))
                if problems := updated.problems(step):
                    raise InvalidInput(step.invalid, fields=problems)
            if not _is_new(outcome, journey):
                return draft_of(row, journey)
            if row.version != save.entry.version:
                raise Conflict(Code.DRAFT_CHANGED)
            subject = handler.flow.subject_of(outcome.answers)
            if subject != row.subject:
                await drafts.delete_expired(row.flow, subject)
                if other := await drafts.open(row.flow, subject):
                    # The subject already has a draft: the customer continues with that one.
                    if not row.subject:
                        await drafts.remove(public_id=row.public_id)
                    facts = await facts_of(self._context, session, owner, handler, other.public_id, other.answers)
                    other.facts, other.updated_at, other.expires_at = facts, now, now + DRAFT_LIFETIME
                    return draft_of(other, journey_of(handler, other, local_day(now), facts))
            row.subject, row.facts = subject, facts
            row.answers, row.completed = dict(outcome.answers), list(outcome.completed)
            row.version += 1
            row.updated_at, row.expires_at = now, now + DRAFT_LIFETIME
            await session.flush()
            return draft_of(row, journey_of(handler, row, local_day(now), facts))


def _batched(row: Any, now: datetime) -> _BatchedDraft:
    handler = handler_of(row.flow)
    return _BatchedDraft(row, handler, journey_of(handler, row, local_day(now)), row.version)


def _find(owner: Owner | NotAuthenticated, save: _Save, drafts: dict[tuple[int, str], _BatchedDraft]) -> _BatchedDraft:
    if isinstance(owner, NotAuthenticated):
        raise owner
    draft = drafts.get((owner.customer_id, save.draft_id))
    if draft is None:
        # `_save_alone` finds out why and raises the right error.
        raise _NeedsLookup
    return draft


def _answer(draft: _BatchedDraft, save: _Save) -> None:
    """Answer a step of a draft in a batch."""
    step = _step(draft.journey, draft.row, save.entry)
    outcome, step_handler = draft.journey.answer(step, save.answers(draft.journey)), draft.handler.of(step)
    if (
        outcome.errors
        or step_handler.check
        or step_handler.looks_up(draft.journey.answers, outcome.answers)
        or draft.handler.flow.subject_of(outcome.answers) != draft.row.subject
    ):
        raise _NeedsLookup
    if not _is_new(outcome, draft.journey):
        return
    if draft.version != save.entry.version:
        raise Conflict(Code.DRAFT_CHANGED)
    before = draft.journey
    draft.journey = Journey(before.flow, outcome.answers, outcome.completed, before.facts, before.day)
    draft.version += 1
    draft.changed = True


def _step(journey: Journey, row: Any, entry: StepEntry) -> Step:
    """The step at the address of an entry.

    Raises:
        Conflict: the draft was sent.
        Refused: `step_not_open`.
    """
    if row.sent_at is not None:
        raise Conflict(journey.flow.refusals.sent)
    step = journey.flow.step_at(entry.step)
    if step is None or step is journey.flow.check_step or not journey.may_open(step):
        raise Refused(Code.STEP_NOT_OPEN)
    return step


def _is_new(outcome: Outcome, journey: Journey) -> bool:
    """Whether anything changed. A repeat of the same answers, as after a lost connection, is no conflict."""
    return outcome.answers != journey.answers or set(outcome.completed) != set(journey.completed)
