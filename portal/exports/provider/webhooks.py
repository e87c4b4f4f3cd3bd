"""The operations on webhooks, for administrators and for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import find_one, part_of
from portal.backend.outbox import WEBHOOK_JOB, send
from portal.backend.outgoing import AddressRefused, checked_url
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.models import Page
from portal.exports.api import (
    DeliverySearch,
    Replay,
    Replayed,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEntry,
    WebhooksApi,
    WebhookSecret,
)
from portal.exports.provider.delivery import new_secret, resume, rotate, sealed, send_again
from portal.kernel.codes import Code
from portal.settings import Settings
from portal.tables.exchange import WebhookAttemptRow, WebhookDeliveryRow, WebhookRow
from portal.tables.messages import JobRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import EVENT_TYPES, TEST_EVENT, DeliveryState

AUDITED = "webhook"
"""Kind of record in the audit."""


class WebhooksService(Service, WebhooksApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)

    @override
    async def webhooks(self, token: str) -> list[Webhook]:
        async with self._staff.reading(token, WebhooksApi.webhooks) as (_, session):
            return await all_webhooks(session)

    @override
    async def add_webhook(self, token: str, entry: WebhookEntry) -> WebhookSecret:
        async with self._staff.changing(token, WebhooksApi.add_webhook) as (member, session):
            row, secret = await add(session, self._settings, entry, self._context.clock())
            await _record(session, member, AuditAction.ADD_WEBHOOK, row, {"events": entry.events})
            return WebhookSecret(id=row.public_id, secret=secret)

    @override
    async def change_webhook(self, token: str, webhook_id: str, entry: WebhookEntry) -> Webhook:
        async with self._staff.changing(token, WebhooksApi.change_webhook) as (member, session):
            row = await find(session, webhook_id, lock=True)
            await change(session, self._settings, row, entry, self._context.clock())
            await _record(
                session, member, AuditAction.CHANGE_WEBHOOK, row, {"events": entry.events, "active": entry.active}
            )
            return _webhook(row, await _pending(session))

    @override
    async def remove_webhook(self, token: str, webhook_id: str) -> None:
        async with self._staff.changing(token, WebhooksApi.remove_webhook) as (member, session):
            row = await find(session, webhook_id, lock=True)
            await _record(session, member, AuditAction.REMOVE_WEBHOOK, row)
            await session.delete(row)

    @override
    async def rotate_secret(self, token: str, webhook_id: str) -> WebhookSecret:
        async with self._staff.changing(token, WebhooksApi.rotate_secret) as (member, session):
            row = await find(session, webhook_id, lock=True)
            secret = await rotate(session, self._settings, row, self._context.clock())
            await _record(session, member, AuditAction.ROTATE_SECRET, row)
            return WebhookSecret(id=row.public_id, secret=secret, previous_until=row.previous_until)

    @override
    async def resume_webhook(self, token: str, webhook_id: str) -> Replayed:
        async with self._staff.changing(token, WebhooksApi.resume_webhook) as (member, session):
            row = await find(session, webhook_id, lock=True)
            await _record(session, member, AuditAction.RESUME_WEBHOOK, row)
            return Replayed(count=await resume(session, row, self._context.clock()))

    @override
    async def test_webhook(self, token: str, webhook_id: str) -> None:
        async with self._staff.changing(token, WebhooksApi.test_webhook) as (member, session):
            row = await find(session, webhook_id)
            await _record(session, member, AuditAction.TEST_WEBHOOK, row)
            await test(session, row, self._context.clock())

    @override
    async def deliveries_of_webhook(self, token: str, webhook_id: str, asked: DeliverySearch) -> Page[WebhookDelivery]:
        async with self._staff.reading(token, WebhooksApi.deliveries_of_webhook) as (_, session):
            row = await find(session, webhook_id)
            query = (
                select(WebhookDeliveryRow)
                .where(WebhookDeliveryRow.webhook_id == row.id)
                .order_by(col(WebhookDeliveryRow.created_at).desc(), col(WebhookDeliveryRow.id).desc())
            )
            if asked.state is not None:
                query = query.where(WebhookDeliveryRow.state == asked.state)
            part = await part_of(session, query, asked.page)
            items = await _with_attempts(session, part.rows)
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def replay(self, token: str, webhook_id: str, replay: Replay) -> Replayed:
        async with self._staff.changing(token, WebhooksApi.replay) as (member, session):
            row = await find(session, webhook_id)
            count = await replay_events(session, row, replay, self._context.clock())
            await _record(session, member, AuditAction.REPLAY, row, {"count": count})
            return Replayed(count=count)


async def _record(
    session: AsyncSession,
    member: StaffMember,
    action: AuditAction,
    row: WebhookRow,
    details: dict[str, object] | None = None,
) -> None:
    await write_audit(session, member, action, AUDITED, row.public_id, details=details)


async def find(session: AsyncSession, webhook_id: str, *, lock: bool = False) -> WebhookRow:
    query = select(WebhookRow).where(WebhookRow.public_id == webhook_id)
    return await find_one(session, query, lock=lock)


async def all_webhooks(session: AsyncSession) -> list[Webhook]:
    """All webhooks, the oldest first."""
    pending = await _pending(session)
    rows = await session.exec(select(WebhookRow).order_by(col(WebhookRow.id)))
    return [_webhook(row, pending) for row in rows]


async def add(session: AsyncSession, settings: Settings, entry: WebhookEntry, now: datetime) -> tuple[WebhookRow, str]:
    _check(settings, entry)
    secret = new_secret()
    row = WebhookRow(
        url=entry.url,
        description=entry.description,
        event_types=list(entry.events),
        secret=sealed(settings, secret),
        active=entry.active,
        created_at=now,
    )
    session.add(row)
    await session.flush()
    return row, secret


async def change(
    session: AsyncSession, settings: Settings, row: WebhookRow, entry: WebhookEntry, now: datetime
) -> None:
    """Change a webhook. One that is switched on again gets what waited."""
    _check(settings, entry)
    again = entry.active and not row.active
    row.url, row.description, row.event_types = entry.url, entry.description, list(entry.events)
    row.active = entry.active
    if again:
        await resume(session, row, now)
    await session.flush()


async def test(session: AsyncSession, row: WebhookRow, now: datetime) -> None:
    """Send an event to try a webhook."""
    await send(session, TEST_EVENT, f"webhook {row.public_id}", {"webhook": row.public_id}, now, only=row.id)


async def replay_events(session: AsyncSession, row: WebhookRow, replay: Replay, now: datetime) -> int:
    """Send events again. Returns their number; those that wait anyway do not count."""
    query = select(WebhookDeliveryRow).where(WebhookDeliveryRow.webhook_id == row.id)
    if replay.delivery:
        rows = (await session.exec(query.where(WebhookDeliveryRow.message_id == replay.delivery))).all()
        if not rows:
            raise NotFound
    elif replay.since is None:
        raise InvalidInput(Code.INVALID_INPUT, fields={"since": Code.REQUIRED})
    else:
        query = query.where(col(WebhookDeliveryRow.created_at) >= replay.since)
        if replay.until:
            query = query.where(col(WebhookDeliveryRow.created_at) < replay.until)
        if replay.failed_only:
            query = query.where(WebhookDeliveryRow.state == DeliveryState.FAILED)
        rows = (await session.exec(query.order_by(col(WebhookDeliveryRow.id)))).all()
    rows = [each for each in rows if each.state is not DeliveryState.WAITING]
    await send_again(session, rows, now)
    return len(rows)


def _check(settings: Settings, entry: WebhookEntry) -> None:
    fields: dict[str, Code] = {}
    try:
        checked_url(entry.url, anywhere=settings.demonstration)
    except AddressRefused:
        fields["url"] = Code.INVALID_URL
    if not set(entry.events) <= set(EVENT_TYPES):
        fields["events"] = Code.INVALID_CHOICE
    if fields:
        raise InvalidInput(Code.INVALID_INPUT, fields=fields)


async def _pending(session: AsyncSession) -> dict[int, int]:
    """Number of pending events by webhook."""
    query = (
        select(WebhookDeliveryRow.webhook_id, func.count())
        .where(WebhookDeliveryRow.state == DeliveryState.WAITING)
        .group_by(col(WebhookDeliveryRow.webhook_id))
    )
    return dict((await session.exec(query)).all())


def _webhook(row: WebhookRow, pending: dict[int, int]) -> Webhook:
    return Webhook(
        id=row.public_id,
        url=row.url,
        description=row.description,
        events=row.event_types,
        active=row.active,
        failing_since=row.failing_since,
        paused_at=row.paused_at,
        pending=pending.get(row.id, 0),
        created_at=row.created_at,
    )


async def _with_attempts(session: AsyncSession, rows: Sequence[WebhookDeliveryRow]) -> list[WebhookDelivery]:
    attempts: dict[int, list[WebhookAttempt]] = {}
    query = select(WebhookAttemptRow).where(col(WebhookAttemptRow.delivery_id).in_([row.id for row in rows]))
    for each in await session.exec(query.order_by(col(WebhookAttemptRow.id))):
        attempts.setdefault(each.delivery_id, []).append(
            WebhookAttempt(
                tried_at=each.tried_at, status=each.status, milliseconds=each.milliseconds, answer=each.answer
            )
        )
    turns = select(JobRow.reference, JobRow.due_at).where(
        JobRow.kind == WEBHOOK_JOB, col(JobRow.reference).in_([row.id for row in rows])
    )
    due = dict((await session.exec(turns)).all())
    return [
        WebhookDelivery(
            id=row.message_id,
            type=row.type,
            subject=row.subject,
            state=row.state,
            created_at=row.created_at,
            delivered_at=row.delivered_at,
            attempts=attempts.get(row.id, []),
            next_attempt_at=due.get(row.id) if row.state is DeliveryState.WAITING else None,
        )
        for row in rows
    ]
