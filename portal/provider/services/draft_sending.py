"""Sending a request: once, whatever happens on the way."""

from __future__ import annotations

import secrets

from typing_extensions import override

from portal.contract import drafts as contract
from portal.contract.drafts import Receipt, Submission
from portal.contract.errors import InvalidInput, Refused, Unavailable
from portal.contract.flow_api import FlowApi
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.flow import FILES, AnswerContext, Journey
from portal.provider.context import Context
from portal.provider.outbox import Outbox
from portal.provider.repositories.drafts import DraftRepository
from portal.provider.repositories.uploads import UploadRepository
from portal.provider.services import draft_shapes as shapes
from portal.provider.services.draft_facts import facts_of, files_in
from portal.provider.services.service import Service
from portal.provider.sessions import Sessions


class DraftSending(Service, FlowApi):
    """The operation behind the last button of a flow."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)

    @override
    async def submit_draft(self, token: str, draft_id: str, submission: contract.Submission) -> Receipt:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            row = await shapes.to_change(DraftRepository(session, owner.customer_id, now), draft_id)
            handler = shapes.handler_of(row.flow)
            if not secrets.compare_digest(row.key.encode(), submission.key.encode()):
                refusals = handler.flow.refusals
                code = refusals.wrong_key if submission.key else refusals.no_key
                raise InvalidInput(code, fields={"key": code})
            if sent := shapes.receipt(row):
                return sent
            day = local_day(now)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
            way = shapes.journey(handler, row, day, facts)
            if not way.finished:
                raise _unfinished(way)
            answers = way.given()
            files = files_in(handler.flow, answers)
            shown = [entry for entry in facts.get(FILES, ()) if entry["id"] in files]
            request = Submission(
                owner,
                row.key,
                AnswerContext(answers, facts, day),
                AnswerContext(answers, dict(row.facts), day),
                now,
                self._outbox,
                self._context,
                files=shown,
            )
            sent = await handler.submit(session, request)
            uploads = UploadRepository(session, owner.customer_id, now)
            if await uploads.attach(draft_id, files, row.key) != len(files):
                raise Refused(Code.UNRESOLVED_FILES)
            await uploads.drop_rest(draft_id)
            row.sent_at, row.reference = now, sent.reference
            row.receipt = {"email": owner.email if sent.mailed else "", "summary": sent.summary}
            # The request has the answers now; nobody needs them twice.
            row.answers, row.completed, row.facts = {}, [], {}
            row.version += 1
            row.updated_at, row.expires_at = now, now + shapes.KEPT
            await session.flush()
            answer = shapes.receipt(row)
        if answer is None:
            raise Unavailable
        return answer


def _unfinished(way: Journey) -> InvalidInput:
    """What the first step that is not done lacks, in the words of the flow."""
    step = way.next_open
    problems = way.problems(step)
    if step.name not in way.completed:
        return InvalidInput(step.missing, fields=problems)
    if Code.UNRESOLVED_FILES in problems.values() and not _has_files(way):
        return InvalidInput(way.flow.refusals.no_files, fields=problems)
    # It was right when it was answered: a fact has changed since.
    since = next((code for code in problems.values() if code is not Code.REQUIRED), step.invalid)
    return InvalidInput(since, fields=problems)


def _has_files(way: Journey) -> bool:
    """Whether any of the files that were answered is still there."""
    there = {entry["id"] for entry in way.facts.get(FILES, ())}
    return not there.isdisjoint(files_in(way.flow, way.answers))
