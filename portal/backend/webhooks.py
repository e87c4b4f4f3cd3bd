"""Events for the retailer's systems: an event is stored for every webhook that wants it, and a job delivers it.

Both are written in the transaction of the change, so an event leaves if and only if the change was made. It may be
sent more than once, always with the same `webhook-id`, by which the receiver recognizes it (Standard Webhooks).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs
from portal.tables.exports import WebhookDeliveryRow, WebhookRow
from portal.vocabulary.exports import EVENT_TYPES, DeliveryState

JOB = "webhook"
"""Kind of the job that delivers an event."""

PATIENCE = timedelta(days=3)
"""How long a delivery is tried, and after which a webhook that only fails is paused."""


def iso(moment: datetime) -> str:
    """A moment as events write it: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


async def send(
    session: AsyncSession,
    type_: str,
    subject: str,
    data: Mapping[str, Any],
    now: datetime,
    *,
    event: str = "",
    only: int | None = None,
) -> None:
    """Send an event to every webhook that wants its type, in the transaction of the change.

    Args:
        session: of the transaction.
        type_: one of `EVENT_TYPES`.
        subject: what it is about, such as 'repair ABCD2345'; its events arrive in the order of these calls, as long as
            the caller holds a lock on it.
        data: references and statuses, never personal data.
        now: when it happened (UTC).
        event: identifier, for a caller that may repeat the call; a webhook gets each event once.
        only: primary key of the only webhook that gets it.
    """
    if type_ not in EVENT_TYPES:
        raise ValueError(f"{type_} is no type of event")
    query = select(WebhookRow).where(col(WebhookRow.active)).order_by(col(WebhookRow.id))
    webhooks = (await session.exec(query if only is None else query.where(WebhookRow.id == only))).all()
    event = event or secrets.token_hex(12)
    content = json.dumps({"type": type_, "timestamp": iso(now), "data": dict(data)}, separators=(",", ":"))
    for webhook in webhooks:
        if only is None and webhook.event_types and type_ not in webhook.event_types:
            continue
        row = WebhookDeliveryRow(
            webhook_id=webhook.id,
            message_id=f"msg_{secrets.token_urlsafe(18)}",
            event=event,
            type=type_,
            subject=subject,
            content=content,
            state=DeliveryState.WAITING,
            created_at=now,
        )
        session.add(row)
        await session.flush()
        if webhook.paused_at is None:
            await queue(session, row, now)


async def queue(session: AsyncSession, row: WebhookDeliveryRow, now: datetime) -> None:
    """Add the job of a delivery, unless it has one."""
    # The handler gives up by itself; the job has to outlive that.
    await jobs.add_once(session, JOB, row.id, now, give_up_at=now + 10 * PATIENCE)
