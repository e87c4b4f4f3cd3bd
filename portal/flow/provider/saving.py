"""The saving of steps."""

from __future__ import annotations

from typing_extensions import override

from portal.backend.sessions import Service
from portal.contract.errors import Conflict, InvalidInput, Refused
from portal.flow.api import Draft, FlowApi, StepEntry
from portal.flow.journey import Journey, StepOutcome
from portal.flow.model import Step
from portal.flow.provider.facts import DRAFT_LIFETIME, draft_of, facts_of, handler_of, journey_of, locked_draft
from portal.flow.provider.queries import DraftQueries
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.tables.drafts import DraftRow
from portal.vocabulary.staff import DOT, HiddenNumber


class DraftSaving(Service, FlowApi):
    """The operation that saves a step."""

    @override
    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            drafts = DraftQueries(session, owner.customer_id, now)
            row = await locked_draft(drafts, draft_id)
            handler = handler_of(row.flow)
            wanted = handler.flow.subject_of(entry.answers)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers, wanted)
            journey = journey_of(handler, row, local_day(now), facts)
            step = _step(journey, row, entry)
            dots = owner.mode is not None and any(DOT in entry.answers.get(name, "") for name in HiddenNumber)
            outcome = journey.answer(step, journey.with_numbers(entry.answers) if dots else entry.answers)
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
            if row.version != entry.version:
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


def _step(journey: Journey, row: DraftRow, entry: StepEntry) -> Step:
    """The step at the address of an entry. Raises `Conflict` or `Refused`."""
    if row.sent_at is not None:
        raise Conflict(journey.flow.refusals.sent)
    step = journey.flow.step_at(entry.step)
    if step is None or step is journey.flow.check_step or not journey.may_open(step):
        raise Refused(Code.STEP_NOT_OPEN)
    return step


def _is_new(outcome: StepOutcome, journey: Journey) -> bool:
    """Whether anything changed. A repeat of the same answers, as after a lost connection, is no conflict."""
    return outcome.answers != journey.answers or set(outcome.completed) != set(journey.completed)
