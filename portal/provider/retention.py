"""What is not needed any more goes (security D12)."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import col, delete, or_

from portal.provider.context import Context
from portal.provider.returns.moving import expire
from portal.provider.tables.drafts import DraftRow
from portal.provider.tables.links import ConfirmationLinkRow
from portal.provider.tables.login import EmailChangeRow, LimitWindow, LoginChallenge, SessionRow
from portal.provider.tables.outbox import OutboxMail
from portal.provider.tables.texts import TextMessageRow

DAY = timedelta(days=1)
SESSIONS = timedelta(days=30)
"""Sessions after their end."""
LINKS = timedelta(days=30)
"""Links after their end: until then their page can tell what became of them."""
MAILS = timedelta(days=90)
"""That a mail was sent, and when; what it said is erased at once."""


async def purge(context: Context) -> None:
    """Write down which returns were not confirmed in time, and delete what is over.

    Codes go after a day, links 30 days and sessions 30 days after their end, mails and text messages after 90 days,
    limits and drafts when over.
    """
    now = context.clock()
    finished = or_(col(OutboxMail.sent_at).is_not(None), col(OutboxMail.dropped_at).is_not(None))
    async with context.database.transaction() as session:
        await expire(context, session)
        for statement in (
            delete(LoginChallenge).where(col(LoginChallenge.created_at) < now - DAY),
            delete(EmailChangeRow).where(col(EmailChangeRow.created_at) < now - DAY),
            delete(SessionRow).where(col(SessionRow.expires_at) < now - SESSIONS),
            delete(LimitWindow).where(col(LimitWindow.ends_at) < now),
            delete(DraftRow).where(col(DraftRow.expires_at) < now),
            delete(ConfirmationLinkRow).where(col(ConfirmationLinkRow.expires_at) < now - LINKS),
            delete(TextMessageRow).where(col(TextMessageRow.due_at) < now - MAILS),
            delete(OutboxMail).where(finished, col(OutboxMail.created_at) < now - MAILS),
            delete(OutboxMail).where(finished, col(OutboxMail.recipient) == "", col(OutboxMail.created_at) < now - DAY),
        ):
            await session.exec(statement)
