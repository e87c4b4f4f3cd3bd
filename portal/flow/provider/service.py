"""Requests that are being filled in: begun, looked at, thrown away. Saving and sending have modules of their own."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.contract.drafts import Draft, DraftStart, FlowStart
from portal.contract.errors import NotFound, Refused
from portal.domain.dates import local_day
from portal.domain.flow import INTRO, AnswerContext, Journey
from portal.domain.identifiers import is_short_id
from portal.domain.validation import InvalidValue
from portal.provider.flows.desk import FlowHandler
from portal.provider.repositories.drafts import DraftRepository
from portal.provider.repositories.uploads import UploadRepository
from portal.provider.services import draft_shapes as shapes
from portal.provider.services.draft_facts import facts_of
from portal.provider.services.draft_saving import DraftSaving
from portal.provider.services.draft_sending import DraftSending
from portal.provider.services.uploads import UploadService
from portal.provider.sessions import Owner
from portal.provider.tables.drafts import DraftRow

_KEY_BYTES = 24


class FlowService(DraftSaving, DraftSending, UploadService):
    """Drafts, and files that go along with them."""

    @override
    async def flow_start(self, token: str, flow: str) -> FlowStart:
        async with self._sessions.reading(token) as (owner, session):
            handler = shapes.handler_of(flow)
            drafts = DraftRepository(session, owner.customer_id, self._context.clock())
            last = await drafts.last_sent(flow)
            return FlowStart(
                facts=await facts_of(self._context, session, owner, handler),
                drafts=[shapes.summary(row, name) for row, name in await drafts.unsent(flow)],
                receipt=shapes.receipt(last) if last else None,
            )

    @override
    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        owner = await self._sessions.owner(token)
        handler = shapes.handler_of(start.flow)
        try:
            return await self._open(owner, handler, start)
        except IntegrityError:
            # Begun in another tab at this very moment; now it is there.
            return await self._open(owner, handler, start)

    async def _open(self, owner: Owner, handler: FlowHandler, start: DraftStart) -> Draft:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            drafts = DraftRepository(session, owner.customer_id, now)
            facts = await facts_of(self._context, session, owner, handler)
            if refusal := handler.flow.closed(facts):
                raise Refused(refusal)
            subject = self._subject(handler, start.subject, facts)
            await drafts.make_room(handler.flow.name, subject)
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
                    answers={handler.flow.subject: subject} if subject else {},
                    completed=[INTRO],
                    created_at=now,
                    updated_at=now,
                    expires_at=now + shapes.KEPT,
                )
                session.add(row)
            await session.flush()
            row.facts = facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
            await session.flush()
            return shapes.draft(row, self._way(handler, row, facts))

    def _subject(self, handler: FlowHandler, wanted: str, facts: dict[str, Any]) -> str:
        """The subject that was asked for, when it can be chosen; else the customer chooses one."""
        field = next((entry for entry in handler.flow.fields if entry.name == handler.flow.subject), None)
        if field is None or not wanted:
            return ""
        try:
            return str(field.read(wanted, AnswerContext({}, facts, local_day(self._context.clock()))))
        except InvalidValue:
            return ""

    @override
    async def draft(self, token: str, draft_id: str) -> Draft:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(draft_id):
                raise NotFound
            row = await DraftRepository(session, owner.customer_id, self._context.clock()).get(draft_id)
            if row.sent_at is not None:
                return shapes.draft(row)
            handler = shapes.handler_of(row.flow)
            facts = await facts_of(self._context, session, owner, handler, draft_id, row.answers)
        if facts != row.facts:
            async with self._context.database.transaction() as session:
                await self._keep_facts(session, owner, row, facts)
        return shapes.draft(row, self._way(handler, row, facts))

    @override
    async def discard_draft(self, token: str, draft_id: str) -> None:
        owner = await self._sessions.owner(token)
        if not is_short_id(draft_id):
            raise NotFound
        async with self._context.database.transaction() as session:
            await self._remove(session, owner, draft_id)

    async def _remove(self, session: AsyncSession, owner: Owner, draft_id: str) -> None:
        now = self._context.clock()
        if not await DraftRepository(session, owner.customer_id, now).remove(public_id=draft_id):
            raise NotFound
        await UploadRepository(session, owner.customer_id, now).drop_rest(draft_id)

    async def _keep_facts(self, session: AsyncSession, owner: Owner, row: DraftRow, facts: dict[str, Any]) -> None:
        # Saving a step judges by these; what was true a while ago is looked up again before anything is refused.
        await session.exec(
            update(DraftRow)
            .where(col(DraftRow.id) == row.id, col(DraftRow.customer_id) == owner.customer_id)
            .values(facts=facts)
        )

    def _way(self, handler: FlowHandler, row: DraftRow, facts: dict[str, Any]) -> Journey:
        return shapes.journey(handler, row, local_day(self._context.clock()), facts)
