"""Delivery of events to webhooks: signing, order, retries, and pausing what keeps failing.

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
from sqlalchemy import ColumnElement, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import RETRY_FOR, WEBHOOK_JOB, Outbox, queue
from portal.backend.outgoing import OutgoingAnswer, post
from portal.backend.security import Purpose, decrypt, encrypt
from portal.settings import Settings
from portal.tables.exchange import WebhookAttemptRow, WebhookDeliveryRow, WebhookRow
from portal.tables.messages import JobRow
from portal.tables.staff import StaffRow
from portal.vocabulary.exchange import DeliveryState
from portal.vocabulary.staff import RIGHTS, Right

log = structlog.get_logger(__name__)

GONE = 410
"""Answer with which a receiver says that it wants no more events."""

SHORTLY = timedelta(seconds=2)


class DeliveryFailed(Exception):
    """The receiver did not accept the event; the job tries again."""


def new_secret() -> str:
    """A new signing secret: 256 random bits."""
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


def sealed(settings: Settings, secret: str) -> str:
    """A signing secret as it is stored."""
    return encrypt(settings, secret, Purpose.WEBHOOK)


def signatures(settings: Settings, webhook: WebhookRow, message_id: str, content: str, now: datetime) -> str:
    """The header `webhook-signature`: one signature for each valid secret."""
    from standardwebhooks import Webhook as Signer

    valid = [webhook.secret]
    if webhook.previous_secret and webhook.previous_until and now < webhook.previous_until:
        valid.append(webhook.previous_secret)
    return " ".join(Signer(decrypt(settings, each, Purpose.WEBHOOK)).sign(message_id, now, content) for each in valid)


class WebhookDelivery:
    """Runs the job of a delivery."""

    def __init__(self, context: Context) -> None:
        """Use the settings, database and clock of the context."""
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
            "webhook-signature": signatures(settings, webhook, row.message_id, row.content, now),
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
        """When to look again: shortly after the next attempt of the event before. Its success calls earlier."""
        query = select(JobRow.due_at).join(WebhookDeliveryRow, col(WebhookDeliveryRow.id) == col(JobRow.reference))
        due = (
            await session.exec(query.where(JobRow.kind == WEBHOOK_JOB, *_before(row)).order_by(col(JobRow.due_at)))
        ).first()
        return max(due or self._context.clock(), self._context.clock()) + SHORTLY

    async def _note(self, delivery_id: int, answer: OutgoingAnswer, began: datetime) -> bool:
        """Store an attempt and what follows from it. Returns whether the job is done."""
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
        """Let the next event of the same subject go now."""
        following = (
            col(WebhookDeliveryRow.webhook_id) == row.webhook_id,
            col(WebhookDeliveryRow.subject) == row.subject,
            col(WebhookDeliveryRow.state) == DeliveryState.WAITING,
            col(WebhookDeliveryRow.id) > row.id,
        )
        query = select(WebhookDeliveryRow.id).where(*following).order_by(col(WebhookDeliveryRow.id)).limit(1)
        if (after := (await session.exec(query)).first()) is not None:
            await jobs.hasten(session, WEBHOOK_JOB, after, now)

    async def _pause(self, session: AsyncSession, webhook: WebhookRow, now: datetime) -> None:
        """Stop sending to a webhook, and tell the administrators."""
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
    """Send to a paused webhook again. Returns the number of events that waited."""
    webhook.paused_at, webhook.failing_since = None, None
    query = select(WebhookDeliveryRow).where(
        col(WebhookDeliveryRow.webhook_id) == webhook.id, col(WebhookDeliveryRow.state) == DeliveryState.WAITING
    )
    waiting = (await session.exec(query.order_by(col(WebhookDeliveryRow.id)))).all()
    await send_again(session, waiting, now)
    return len(waiting)


async def send_again(session: AsyncSession, rows: Sequence[WebhookDeliveryRow], now: datetime) -> None:
    """Queue deliveries, with three days anew."""
    for row in rows:
        row.state, row.first_tried_at, row.delivered_at = DeliveryState.WAITING, None, None
        await queue(session, row, now)
    await session.flush()


async def rotate(session: AsyncSession, settings: Settings, webhook: WebhookRow, now: datetime) -> str:
    """Replace the secret of a webhook; the old one signs as well for a day. Returns the new secret."""
    secret = new_secret()
    webhook.previous_secret, webhook.previous_until = webhook.secret, now + timedelta(days=1)
    webhook.secret = sealed(settings, secret)
    await session.flush()
    return secret


async def forget_old_secrets(session: AsyncSession, before: datetime) -> None:
    """Empty the secrets that no longer sign."""
    over = update(WebhookRow).where(col(WebhookRow.previous_until) <= before)
    await session.exec(over.values(previous_secret="", previous_until=None))


def _before(row: WebhookDeliveryRow) -> tuple[bool | ColumnElement[bool], ...]:
    """SQL conditions: the delivery comes before this one and waits."""
    return (
        WebhookDeliveryRow.webhook_id == row.webhook_id,
        WebhookDeliveryRow.subject == row.subject,
        WebhookDeliveryRow.state == DeliveryState.WAITING,
        col(WebhookDeliveryRow.id) < row.id,
    )


async def _found(
    session: AsyncSession, delivery_id: int, *, lock: bool = False
) -> tuple[WebhookDeliveryRow, WebhookRow] | None:
    """A waiting delivery to a webhook that is neither paused nor switched off."""
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
