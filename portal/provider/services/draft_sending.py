"""Sending a request: once, whatever happens on the way."""

from __future__ import annotations

import secrets

from portal.contract.drafts import Receipt, Submission
from portal.contract.errors import InvalidInput, NotFound, Unavailable
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.flow import Asked, Journey
from portal.domain.identifiers import is_short_id
from portal.provider.context import Context
from portal.provider.flows.desk import Case
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.repositories.drafts import DraftRepository
from portal.provider.services import draft_shapes as shapes
from portal.provider.services.draft_facts import facts_of
from portal.provider.sessions import Sessions


class DraftSending:
    """The operation behind the last button of a flow."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._sessions = sessions

    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        """Send a request. Done again with the same key, it answers the same receipt."""
        owner = await self._sessions.owner(token)
        if not is_short_id(draft_id):
            raise NotFound
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            row = await DraftRepository(session, owner.customer_id, now).get(draft_id, lock=True)
            if not secrets.compare_digest(row.key.encode(), submission.key.encode()):
                raise InvalidInput(Code.INVALID_INPUT, fields={"key": Code.INVALID_INPUT})
            if sent := shapes.receipt(row):
                return sent
            desk = shapes.desk_of(row.flow)
            day = local_day(now)
            facts = await facts_of(session, owner, desk, row.answers, day, self._context.settings)
            way = shapes.journey(desk, row, day, facts)
            if not way.finished:
                raise _unfinished(way)
            email = (await CustomerRepository(session, owner.customer_id).get()).email
            given = way.given()
            asked = Asked(given, facts, day)
            case = Case(owner, row.key, given, now, asked, dict(row.facts), email=email, context=self._context)
            sent = await desk.fulfil(session, case)
            row.sent_at, row.reference = now, sent.reference
            row.receipt = {"email": email if sent.mailed else "", "summary": sent.summary}
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
    if step.slug not in way.completed:
        return InvalidInput(step.missing, fields=problems)
    # It was right when it was answered: a fact has changed since.
    since = next((code for code in problems.values() if code is not Code.REQUIRED), step.invalid)
    return InvalidInput(since, fields=problems)
