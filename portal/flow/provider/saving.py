"""Saving steps. Many customers press Next at the same moment: their answers share one transaction and one commit."""

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
from portal.flow.provider import facts as mapping
from portal.flow.provider.facts import facts_of
from portal.flow.provider.handler import FlowHandler
from portal.flow.provider.queries import Change, DraftRepository, lock_many, write_many
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id


@dataclass(frozen=True, slots=True)
class _Save:
    token: str
    draft_id: str
    entry: StepEntry


class _Alone(Exception):
    """This one needs more than the batch looks up."""


@dataclass(slots=True)
class _Work:
    """A draft in the hands of a batch: its row, and what became of it so far."""

    row: Any
    handler: FlowHandler
    journey: Journey
    version: int
    changed: bool = field(default=False)


class DraftSaving(Service, FlowApi):
    """The operation behind Next."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._batches: Batches[_Save, Draft] = Batches(self._save_many)

    @override
    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        save = _Save(token, draft_id, entry)
        try:
            return await self._batches.do(save)
        except _Alone:
            return await self._save_alone(save)

    @override
    async def close(self) -> None:
        await self._batches.close()
        await super().close()

    async def _save_many(self, saves: Sequence[_Save]) -> Sequence[Draft | Exception]:
        now = self._context.clock()
        expires_at = now + mapping.DRAFT_LIFETIME
        async with self._context.database.transaction() as session:
            owners = await self._sessions.owners(session, [save.token for save in saves])
            wanted = [
                (owner.customer_id, save.draft_id)
                for owner, save in zip(owners, saves, strict=True)
                if isinstance(owner, Owner) and is_short_id(save.draft_id)
            ]
            rows = await lock_many(session, wanted, now) if wanted else ()
            works = {(row.customer_id, row.public_id): self._work(row, now) for row in rows}
            results: list[Draft | Exception] = []
            for owner, save in zip(owners, saves, strict=True):
                try:
                    work = _known(owner, save, works)
                    _answer(work, save.entry)
                    shown_until = expires_at if work.changed else None
                    results.append(mapping.draft(work.row, work.journey, version=work.version, expires_at=shown_until))
                except Exception as error:
                    results.append(error)
            changes = [
                Change(work.row.id, customer_id, dict(work.journey.answers), list(work.journey.completed), work.version)
                for (customer_id, _), work in works.items()
                if work.changed
            ]
            if changes:
                await write_many(session, changes, now=now, expires_at=expires_at)
        return results

    def _work(self, row: Any, now: datetime) -> _Work:
        handler = mapping.handler_of(row.flow)
        return _Work(row, handler, mapping.journey(handler, row, local_day(now)), row.version)

    async def _save_alone(self, save: _Save) -> Draft:
        """With everything freshly looked up: facts that may have changed, what only we know, another subject."""
        owner = await self._sessions.owner(save.token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            drafts = DraftRepository(session, owner.customer_id, now)
            row = await mapping.to_change(drafts, save.draft_id)
            handler = mapping.handler_of(row.flow)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
            journey = mapping.journey(handler, row, local_day(now), facts)
            step = _step(journey, row, save.entry)
            outcome = journey.answer(step, save.entry.answers)
            if outcome.errors:
                raise InvalidInput(step.invalid, fields=outcome.errors)
            check = handler.of(step).check
            if check and (findings := await check(session, owner, outcome.answers)):
                raise InvalidInput(Code.INVALID_INPUT, fields=findings)
            if handler.lookups and outcome.answers != journey.answers:
                facts = await facts_of(self._context, session, owner, handler, row.public_id, outcome.answers)
                # Only now it is known what was chosen.
                chosen = Journey(handler.flow, outcome.answers, outcome.completed, facts, local_day(now))
                if problems := chosen.problems(step):
                    raise InvalidInput(step.invalid, fields=problems)
            if not _is_new(outcome, journey):
                return mapping.draft(row, journey)
            if row.version != save.entry.version:
                raise Conflict(Code.DRAFT_CHANGED)
            subject = handler.flow.subject_of(outcome.answers)
            if subject != row.subject:
                await drafts.delete_oldest(row.flow, subject)
                if other := await drafts.open(row.flow, subject):
                    # This was begun before: it is gone on with, and neither loses anything.
                    if not row.subject:
                        await drafts.remove(public_id=row.public_id)
                    facts = await facts_of(self._context, session, owner, handler, other.public_id, other.answers)
                    other.facts, other.updated_at, other.expires_at = facts, now, now + mapping.DRAFT_LIFETIME
                    return mapping.draft(other, mapping.journey(handler, other, local_day(now), facts))
            row.subject, row.facts = subject, facts
            row.answers, row.completed = dict(outcome.answers), list(outcome.completed)
            row.version += 1
            row.updated_at, row.expires_at = now, now + mapping.DRAFT_LIFETIME
            await session.flush()
            return mapping.draft(row, mapping.journey(handler, row, local_day(now), facts))


def _known(owner: Owner | NotAuthenticated, save: _Save, works: dict[tuple[int, str], _Work]) -> _Work:
    if isinstance(owner, NotAuthenticated):
        raise owner
    work = works.get((owner.customer_id, save.draft_id))
    if work is None:
        # Why it is not there is looked up by itself.
        raise _Alone
    return work


def _answer(work: _Work, entry: StepEntry) -> None:
    """Answer a step of a draft that is in the hands of the batch."""
    step = _step(work.journey, work.row, entry)
    outcome, needed = work.journey.answer(step, entry.answers), work.handler.of(step)
    if (
        outcome.errors
        or needed.check
        or needed.lookup
        or work.handler.flow.subject_of(outcome.answers) != work.row.subject
    ):
        raise _Alone
    if not _is_new(outcome, work.journey):
        return
    if work.version != entry.version:
        raise Conflict(Code.DRAFT_CHANGED)
    work.journey = Journey(work.handler.flow, outcome.answers, outcome.completed, work.journey.facts, work.journey.day)
    work.version += 1
    work.changed = True


def _step(journey: Journey, row: Any, entry: StepEntry) -> Step:
    """The step at the address of an entry, when it may be answered at all."""
    if row.sent_at is not None:
        raise Conflict(journey.flow.refusals.sent)
    step = journey.flow.step_at(entry.step)
    if step is None or step is journey.flow.check_step or not journey.may_open(step):
        raise Refused(Code.STEP_NOT_OPEN)
    return step


def _is_new(outcome: Outcome, journey: Journey) -> bool:
    """Whether anything changed: the same answers again, as after a lost connection, are no conflict."""
    return outcome.answers != journey.answers or set(outcome.completed) != set(journey.completed)
