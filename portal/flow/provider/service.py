"""The service that begins, reads, deletes and sends drafts."""

import secrets
from typing import Any

import structlog
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.faults import CommandFailed
from portal.backend.files.store import Store, StoredName, store_of
from portal.backend.outbox import Outbox
from portal.backend.sessions import Owner, Service, Sessions
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, Unavailable
from portal.contract.models import Page
from portal.flow.api import Draft, DraftStart, FlowApi, FlowStart, Receipt, StepEntry, SubjectSearch, Submission
from portal.flow.facts import AnswerContext, Answers, Facts, FileFacts
from portal.flow.journey import Journey, StepOutcome
from portal.flow.model import INTRO, Step
from portal.flow.provider.cleanup import without_rows
from portal.flow.provider.facts import (
    DRAFT_LIFETIME,
    current_receipt,
    draft_of,
    facts_of,
    files_in,
    handler_of,
    journey_of,
    locked_draft,
    summary_of,
)
from portal.flow.provider.handler import DraftSubmission, FlowHandler
from portal.flow.provider.phone import PhoneService
from portal.flow.provider.queries import DraftQueries, UploadQueries
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import InvalidValue, is_short_id
from portal.tables.columns import insert_into
from portal.tables.drafts import DraftRow
from portal.tables.exchange import InstallationRow
from portal.vocabulary.staff import DOT, HiddenNumber, VisitMode


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


class DraftSending(Service, FlowApi):
    """The operation that sends a draft."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)

    @override
    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            row = await locked_draft(DraftQueries(session, owner.customer_id, now), draft_id)
            handler = handler_of(row.flow)
            if not secrets.compare_digest(row.key.encode(), submission.key.encode()):
                refusals = handler.flow.refusals
                code = refusals.wrong_key if submission.key else refusals.no_key
                raise InvalidInput(code, fields={"key": code})
            if sent := await current_receipt(session, owner, row):
                return sent
            day = local_day(now)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
            journey = journey_of(handler, row, day, facts)
            if not journey.finished:
                raise _unfinished(journey)
            answers = journey.given()
            files = files_in(handler.flow, answers)
            request = DraftSubmission(
                owner,
                row.key,
                AnswerContext(answers, facts, day),
                AnswerContext(answers, dict(row.facts), day),
                now,
                self._outbox,
                self._context,
                files=[file for file in FileFacts.of(facts).files if file.id in files],
            )
            sent = await handler.submit(session, request)
            uploads = UploadQueries(session, owner.customer_id, now)
            if await uploads.attach(draft_id, files, row.key) != len(files):
                raise Refused(Code.UNRESOLVED_FILES)
            await uploads.remove_unsent(draft_id)
            row.sent_at, row.reference = now, sent.reference
            row.receipt = {"email": owner.email if sent.mailed else "", "summary": sent.summary}
            # The request stores the answers now.
            row.answers, row.completed, row.facts = {}, [], {}
            row.version += 1
            row.updated_at, row.expires_at = now, now + DRAFT_LIFETIME
            await session.flush()
            answer = await current_receipt(session, owner, row)
        if answer is None:
            raise Unavailable
        return answer


def _unfinished(journey: Journey) -> InvalidInput:
    """The error of the first step that is not done, with the code of the step."""
    step = journey.next_open
    problems = journey.problems(step)
    if step.name not in journey.completed:
        return InvalidInput(step.missing, fields=problems)
    if Code.UNRESOLVED_FILES in problems.values() and not _has_files(journey):
        return InvalidInput(journey.flow.refusals.no_files, fields=problems)
    # The answer was valid before: a fact has changed since.
    code = next((code for code in problems.values() if code is not Code.REQUIRED), step.invalid)
    return InvalidInput(code, fields=problems)


def _has_files(journey: Journey) -> bool:
    existing = {file.id for file in FileFacts.of(journey.facts).files}
    return not existing.isdisjoint(files_in(journey.flow, journey.answers))


_KEY_BYTES = 24


class FlowService(DraftSaving, DraftSending, PhoneService):
    """All operations on drafts and their files."""

    @override
    async def flow_start(self, token: str, flow: str) -> FlowStart:
        async with self._sessions.reading(token) as (owner, session):
            handler = handler_of(flow)
            drafts = DraftQueries(session, owner.customer_id, self._context.clock())
            last = await drafts.last_sent(flow)
            return FlowStart(
                facts=await facts_of(self._context, session, owner, handler, introduction=True),
                drafts=[summary_of(row, name) for row, name in await drafts.unsent(flow)],
                receipt=await current_receipt(session, owner, last) if last else None,
            )

    @override
    async def find_subjects(self, token: str, flow: str, search: SubjectSearch) -> Page[dict[str, Any]]:
        async with self._sessions.reading(token) as (owner, session):
            subjects = handler_of(flow).subjects
            if subjects is None:
                raise NotFound
            return await subjects.page(session, owner, search)

    @override
    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        owner = await self._sessions.owner(token)
        handler = handler_of(start.flow)
        try:
            return await self._open(owner, handler, start)
        except IntegrityError:
            # Begun in another tab at this very moment; now it is there.
            return await self._open(owner, handler, start)

    async def _open(self, owner: Owner, handler: FlowHandler, start: DraftStart) -> Draft:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            drafts = DraftQueries(session, owner.customer_id, now)
            facts = await facts_of(self._context, session, owner, handler, also=start.subject)
            if refusal := handler.flow.closed(facts):
                raise Refused(refusal)
            opening = handler.flow.opened_with(start.subject, self._answers({}, facts))
            subject = self._subject(handler, opening.answers, facts)
            await drafts.delete_expired(handler.flow.name, subject)
            row = await drafts.open(handler.flow.name, subject)
            if row is not None and start.anew:
                await self._remove(session, owner, row.public_id)
                row = None
            if row is None:
                row = DraftRow(
                    key=secrets.token_urlsafe(_KEY_BYTES),
                    customer_id=owner.customer_id,
                    flow=handler.flow.name,
                    subject=subject,
                    completed=[INTRO],
                    created_at=now,
                    updated_at=now,
                    expires_at=now + DRAFT_LIFETIME,
                )
                if handler.at_counter and owner.mode is VisitMode.IN_NAME:
                    row.answers = dict(await handler.at_counter(session, owner))
                session.add(row)
            self._answer_first(handler, row, start, facts)
            await session.flush()
            row.facts = facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
            await session.flush()
            return draft_of(row, self._journey(handler, row, facts))

    def _subject(self, handler: FlowHandler, given: Answers, facts: Facts) -> str:
        """The subject if it can be chosen; otherwise empty, and the customer chooses one."""
        field = next((entry for entry in handler.flow.fields if entry.name == handler.flow.subject), None)
        if field is None or not given.get(field.name):
            return ""
        try:
            return str(field.read(given[field.name], self._answers({}, facts)))
        except InvalidValue:
            return ""

    def _answer_first(self, handler: FlowHandler, row: DraftRow, start: DraftStart, facts: Facts) -> None:
        """Answer the first question with what the customer came for."""
        journey = self._journey(handler, row, facts)
        opening = handler.flow.opened_with(start.subject, self._answers(row.answers, facts))
        first = handler.flow.first_step
        if not opening.answers or (first.name in row.completed and opening.answers.items() <= row.answers.items()):
            return
        outcome = journey.answer(first, {**row.answers, **opening.answers})
        if outcome.errors or opening.asks or start.anew:
            given = {**row.answers, **journey.accepted(first, opening.answers)}
            completed = [name for name in row.completed if name != first.name]
        else:
            given, completed = dict(outcome.answers), list(outcome.completed)
        if (given, completed) != (row.answers, row.completed):
            row.answers, row.completed = given, completed
            row.version += 1

    def _answers(self, answers: Answers, facts: Facts) -> AnswerContext:
        return AnswerContext(answers, facts, local_day(self._context.clock()))

    @override
    async def draft(self, token: str, draft_id: str) -> Draft:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(draft_id):
                raise NotFound
            row = await DraftQueries(session, owner.customer_id, self._context.clock()).get(draft_id)
            if row.sent_at is not None:
                return draft_of(row).model_copy(update={"receipt": await current_receipt(session, owner, row)})
            handler = handler_of(row.flow)
            facts = await facts_of(self._context, session, owner, handler, draft_id, row.answers)
        if facts != row.facts:
            async with self._context.database.transaction() as session:
                own = col(DraftRow.id) == row.id, col(DraftRow.customer_id) == owner.customer_id
                await session.exec(update(DraftRow).where(*own).values(facts=facts))
        return draft_of(row, self._journey(handler, row, facts))

    @override
    async def discard_draft(self, token: str, draft_id: str) -> None:
        owner = await self._sessions.owner(token)
        if not is_short_id(draft_id):
            raise NotFound
        async with self._context.database.transaction() as session:
            await self._remove(session, owner, draft_id)

    async def _remove(self, session: AsyncSession, owner: Owner, draft_id: str) -> None:
        now = self._context.clock()
        if not await DraftQueries(session, owner.customer_id, now).remove(public_id=draft_id):
            raise NotFound
        await UploadQueries(session, owner.customer_id, now).remove_unsent(draft_id)

    def _journey(self, handler: FlowHandler, row: DraftRow, facts: Facts) -> Journey:
        return journey_of(handler, row, local_day(self._context.clock()), facts)


log = structlog.get_logger(__name__)
_SAMPLE = 1000
"""Files that are looked at to find out whether a store and a database belong together."""


class OtherInstallation(CommandFailed):
    """The file store belongs to another database; the message is one line that says what to do."""


async def check_owner(context: Context) -> None:
    """Check that the file store belongs to the database. Whichever has no id yet gets that of the other.

    A store with files gets an id only if the database has rows for them, as in an installation that is upgraded.

    Raises `OtherInstallation`.
    """
    store = store_of(context.settings)
    here, there = await _id_of(context), await store.owner()
    if here and here == there:
        return
    if (here and there) or not await _fits(context, store):
        raise OtherInstallation(
            f"the file store ({_place(context)}) and the database do not belong together; correct the setting of the "
            "one that is wrong, or join them with python -m portal.provider adopt-files; nothing was deleted"
        )
    await _join(context, store, here or there)


async def adopt(context: Context) -> tuple[int, int]:
    """Join the file store and the database, whatever they were joined with before."""
    store = store_of(context.settings)
    await _join(context, store, await _id_of(context) or await store.owner())
    return await _counted(context, store)


async def _join(context: Context, store: Store, installation: str) -> None:
    async with context.database.transaction() as session:
        # Another process may have written one in the same moment.
        values = {"number": 1, "installation": installation or secrets.token_hex(16)}
        await session.exec(insert_into(session.get_bind(), InstallationRow).values(**values).on_conflict_do_nothing())
        joined = await _stored(session)
    await store.set_owner(joined)
    log.info("file store and database joined", installation=joined)


async def _fits(context: Context, store: Store) -> bool:
    files, unknown = await _counted(context, store)
    return unknown <= files * context.settings.files.most_unknown_percent / 100


async def _counted(context: Context, store: Store) -> tuple[int, int]:
    sample: list[StoredName] = []
    async for file in store.names():
        sample.append(file)
        if len(sample) == _SAMPLE:
            break
    return len(sample), len(await without_rows(context, sample))


async def _id_of(context: Context) -> str:
    async with context.database.session() as session:
        return await _stored(session)


async def _stored(session: AsyncSession) -> str:
    return (await session.exec(select(InstallationRow.installation))).one_or_none() or ""


def _place(context: Context) -> str:
    files = context.settings.files
    return f"{files.bucket}/{files.prefix}" if files.store == "s3" else str(context.settings.data_dir / "files")
