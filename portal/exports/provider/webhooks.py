"""Webhooks: their operations, for administrators and the command line, and the delivery of events.

The events of one subject arrive one after the other: a delivery waits for the one before it. A failure is tried again
after 1, 2, 4 … 60 minutes for three days. An event that fails longer is given up, and the next one goes. A webhook to
which nothing at all could be delivered for three days is paused: its events wait until somebody resumes it.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import ColumnElement, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import jobs
from portal.backend.context import Context
from portal.backend.database import find_one, part_of
from portal.backend.mail import Template
from portal.backend.outbox import RETRY_FOR, WEBHOOK_JOB, Outbox, queue, send
from portal.backend.outgoing import AddressRefused, OutgoingAnswer, checked_url, post
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.models import Page, mapped
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
from portal.kernel.codes import Code
from portal.settings import Settings
from portal.tables.exchange import WebhookAttemptRow, WebhookDeliveryRow, WebhookRow
from portal.tables.messages import JobRow
from portal.tables.staff import StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import EVENT_TYPES, TEST_EVENT, DeliveryState
from portal.vocabulary.staff import RIGHTS, Right

AUDITED = "webhook"


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
            secret = await rotate(session, row, self._context.clock())
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
        secret=secret,
        active=entry.active,
        created_at=now,
    )
    session.add(row)
    await session.flush()
    return row, secret


async def change(
    session: AsyncSession, settings: Settings, row: WebhookRow, entry: WebhookEntry, now: datetime
) -> None:
    _check(settings, entry)
    again = entry.active and not row.active
    row.url, row.description, row.event_types = entry.url, entry.description, list(entry.events)
    row.active = entry.active
    if again:
        await resume(session, row, now)
    await session.flush()


async def test(session: AsyncSession, row: WebhookRow, now: datetime) -> None:
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
    query = (
        select(WebhookDeliveryRow.webhook_id, func.count())
        .where(WebhookDeliveryRow.state == DeliveryState.WAITING)
        .group_by(col(WebhookDeliveryRow.webhook_id))
    )
    return dict((await session.exec(query)).all())


def _webhook(row: WebhookRow, pending: dict[int, int]) -> Webhook:
    return mapped(Webhook, row, id=row.public_id, events=row.event_types, pending=pending.get(row.id, 0))


async def _with_attempts(session: AsyncSession, rows: Sequence[WebhookDeliveryRow]) -> list[WebhookDelivery]:
    attempts: dict[int, list[WebhookAttempt]] = {}
    query = select(WebhookAttemptRow).where(col(WebhookAttemptRow.delivery_id).in_([row.id for row in rows]))
    for each in await session.exec(query.order_by(col(WebhookAttemptRow.id))):
        attempts.setdefault(each.delivery_id, []).append(mapped(WebhookAttempt, each))
    turns = select(JobRow.reference, JobRow.due_at).where(
        JobRow.kind == WEBHOOK_JOB, col(JobRow.reference).in_([row.id for row in rows])
    )
    due = dict((await session.exec(turns)).all())
    return [
        mapped(
            WebhookDelivery,
            row,
            id=row.message_id,
            attempts=attempts.get(row.id, []),
            next_attempt_at=due.get(row.id) if row.state is DeliveryState.WAITING else None,
        )
        for row in rows
    ]


log = structlog.get_logger(__name__)

GONE = 410
"""Answer with which a receiver says that it wants no more events."""

SHORTLY = timedelta(seconds=2)


class DeliveryFailed(Exception):
    """The receiver did not accept the event; the job tries again."""


def new_secret() -> str:
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


def signatures(webhook: WebhookRow, message_id: str, content: str, now: datetime) -> str:
    from standardwebhooks import Webhook as Signer

    valid = [webhook.secret]
    if webhook.previous_secret and webhook.previous_until and now < webhook.previous_until:
        valid.append(webhook.previous_secret)
    return " ".join(Signer(each).sign(message_id, now, content) for each in valid)


class WebhookSender:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._outbox = Outbox(context)

    async def deliver(self, delivery_id: int) -> None:
        """Send an event, unless it was sent, an earlier one of its subject still waits, or the webhook is paused."""
        async with self._context.database.session() as session:
            found = await _found(session, delivery_id)
            if found is None:
                return
            row, webhook = found
            if await self._is_blocked(session, row):
                raise jobs.NotYet(await self._turn(session, row))
        now, settings = self._context.clock(), self._context.settings
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "portal-webhooks/1",
            "webhook-id": row.message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": signatures(webhook, row.message_id, row.content, now),
        }
        answer = await post(
            webhook.url,
            row.content.encode(),
            headers,
            seconds=settings.webhook_timeout_seconds,
            anywhere=settings.demonstration,
        )
        if not await self._note(delivery_id, answer, now):
            raise DeliveryFailed(str(answer.status))

    async def _is_blocked(self, session: AsyncSession, row: WebhookDeliveryRow) -> bool:
        query = select(WebhookDeliveryRow.id).where(*_before(row)).limit(1)
        return (await session.exec(query)).first() is not None

    async def _turn(self, session: AsyncSession, row: WebhookDeliveryRow) -> datetime:
        query = select(JobRow.due_at).join(WebhookDeliveryRow, col(WebhookDeliveryRow.id) == col(JobRow.reference))
        due = (
            await session.exec(query.where(JobRow.kind == WEBHOOK_JOB, *_before(row)).order_by(col(JobRow.due_at)))
        ).first()
        return max(due or self._context.clock(), self._context.clock()) + SHORTLY

    async def _note(self, delivery_id: int, answer: OutgoingAnswer, began: datetime) -> bool:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            found = await _found(session, delivery_id, lock=True)
            if found is None:
                return True
            row, webhook = found
            row.first_tried_at = row.first_tried_at or began
            text = answer.text.replace("\0", "")[:500]
            session.add(
                WebhookAttemptRow(
                    delivery_id=delivery_id,
                    status=answer.status,
                    milliseconds=answer.milliseconds,
                    answer=text,
                    tried_at=began,
                )
            )
            if answer.status is not None and 200 <= answer.status < 300:
                row.state, row.delivered_at, webhook.failing_since = DeliveryState.DELIVERED, now, None
                await self._call_next(session, row, now)
                return True
            webhook.failing_since = webhook.failing_since or began
            log.warning("event not delivered", webhook=webhook.public_id, status=answer.status, delivery=delivery_id)
            if answer.status == GONE or now - webhook.failing_since >= RETRY_FOR:
                await self._pause(session, webhook, now)
                return True
            if now - row.first_tried_at >= RETRY_FOR:
                row.state = DeliveryState.FAILED
                await self._call_next(session, row, now)
                return True
            return False

    async def _call_next(self, session: AsyncSession, row: WebhookDeliveryRow, now: datetime) -> None:
        following = (
            col(WebhookDeliveryRow.webhook_id) == row.webhook_id,
            col(WebhookDeliveryRow.subject) == row.subject,
            col(WebhookDeliveryRow.state) == DeliveryState.WAITING,
            col(WebhookDeliveryRow.id) > row.id,
        )
        query = select(WebhookDeliveryRow.id).where(*following).order_by(col(WebhookDeliveryRow.id)).limit(1)
        if (after := (await session.exec(query)).first()) is not None:
            await jobs.bring_forward(session, WEBHOOK_JOB, after, now)

    async def _pause(self, session: AsyncSession, webhook: WebhookRow, now: datetime) -> None:
        webhook.paused_at = now
        settings = self._context.settings
        for person in await _administrators(session):
            await self._outbox.post(
                session,
                Template.WEBHOOK_PAUSED,
                recipient=person.email,
                locale="en" if person.locale == "en" else "nl",
                details={"webhook": webhook.description or webhook.public_id, "link": settings.desk_address},
            )


async def resume(session: AsyncSession, webhook: WebhookRow, now: datetime) -> int:
    webhook.paused_at, webhook.failing_since = None, None
    query = select(WebhookDeliveryRow).where(
        col(WebhookDeliveryRow.webhook_id) == webhook.id, col(WebhookDeliveryRow.state) == DeliveryState.WAITING
    )
    waiting = (await session.exec(query.order_by(col(WebhookDeliveryRow.id)))).all()
    await send_again(session, waiting, now)
    return len(waiting)


async def send_again(session: AsyncSession, rows: Sequence[WebhookDeliveryRow], now: datetime) -> None:
    for row in rows:
        row.state, row.first_tried_at, row.delivered_at = DeliveryState.WAITING, None, None
        await queue(session, row, now)
    await session.flush()


async def rotate(session: AsyncSession, webhook: WebhookRow, now: datetime) -> str:
    secret = new_secret()
    webhook.previous_secret, webhook.previous_until = webhook.secret, now + timedelta(days=1)
    webhook.secret = secret
    await session.flush()
    return secret


async def forget_old_secrets(session: AsyncSession, before: datetime) -> None:
    over = update(WebhookRow).where(col(WebhookRow.previous_until) <= before)
    await session.exec(over.values(previous_secret="", previous_until=None))


def _before(row: WebhookDeliveryRow) -> tuple[bool | ColumnElement[bool], ...]:
    return (
        WebhookDeliveryRow.webhook_id == row.webhook_id,
        WebhookDeliveryRow.subject == row.subject,
        WebhookDeliveryRow.state == DeliveryState.WAITING,
        col(WebhookDeliveryRow.id) < row.id,
    )


async def _found(
    session: AsyncSession, delivery_id: int, *, lock: bool = False
) -> tuple[WebhookDeliveryRow, WebhookRow] | None:
    query = (
        select(WebhookDeliveryRow, WebhookRow)
        .join(WebhookRow, col(WebhookRow.id) == col(WebhookDeliveryRow.webhook_id))
        .where(
            WebhookDeliveryRow.id == delivery_id,
            WebhookDeliveryRow.state == DeliveryState.WAITING,
            col(WebhookRow.active),
            col(WebhookRow.paused_at).is_(None),
        )
    )
    return (await session.exec(query.with_for_update() if lock else query)).first()


async def _administrators(session: AsyncSession) -> Sequence[StaffRow]:
    roles = [role for role, rights in RIGHTS.items() if Right.MANAGE_WEBHOOKS in rights]
    return (await session.exec(select(StaffRow).where(col(StaffRow.active), col(StaffRow.role).in_(roles)))).all()
