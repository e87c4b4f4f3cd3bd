"""The text message on the day before a pick-up (part-2 §9)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.dates import AMSTERDAM
from portal.domain.identifiers import spoken
from portal.provider.context import Context
from portal.provider.returns.moving import text_subject
from portal.provider.tables.returns import ReturnRow
from portal.provider.text_messages import TextMessages, TextTemplate
from portal.vocabulary.deliveries import HOURS
from portal.vocabulary.returns import ReturnMethod

TEXT_AT = time(12)
"""Local time of the text message on the day before."""


async def plan_text(context: Context, session: AsyncSession, row: ReturnRow, locale: Any) -> None:
    """Have a text message sent the day before the pick-up."""
    if row.method is not ReturnMethod.PICK_UP or row.pickup_day is None or row.pickup_window is None or not row.phone:
        return
    start, end = HOURS[row.pickup_window]
    await TextMessages(context).plan(
        session,
        TextTemplate.PICKUP_TOMORROW,
        phone=row.phone,
        locale=locale,
        subject=text_subject(row),
        due_at=_day_before(row.pickup_day),
        customer_id=row.customer_id,
        details={"from": f"{start:%H:%M}", "until": f"{end:%H:%M}", "reference": spoken(row.reference)},
    )


def _day_before(day: date) -> datetime:
    return datetime.combine(day - timedelta(days=1), TEXT_AT, AMSTERDAM).astimezone(UTC)
