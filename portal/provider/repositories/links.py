"""Queries on confirmation links. Who holds the link is who it was mailed to; the hash is the key of every query."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.links import ConfirmationLinkRow
from portal.provider.tables.outbox import OutboxMail
from portal.vocabulary.links import LinkPurpose


async def find(session: AsyncSession, purpose: LinkPurpose, link_hash: str) -> ConfirmationLinkRow | None:
    """The link as it stands; none when it is unknown, meant for something else, or worthless."""
    query = select(ConfirmationLinkRow).where(
        ConfirmationLinkRow.link_hash == link_hash,
        ConfirmationLinkRow.purpose == purpose,
        col(ConfirmationLinkRow.withdrawn_at).is_(None),
    )
    return (await session.exec(query)).one_or_none()


async def use(session: AsyncSession, purpose: LinkPurpose, link_hash: str, now: datetime) -> ConfirmationLinkRow | None:
    """Use the link up, in one statement; none when it cannot be used (any more)."""
    statement = (
        update(ConfirmationLinkRow)
        .where(
            col(ConfirmationLinkRow.link_hash) == link_hash,
            col(ConfirmationLinkRow.purpose) == purpose,
            col(ConfirmationLinkRow.used_at).is_(None),
            col(ConfirmationLinkRow.withdrawn_at).is_(None),
            col(ConfirmationLinkRow.expires_at) > now,
        )
        .values(used_at=now)
        .returning(ConfirmationLinkRow)
        # What was read before is not what stands there now.
        .execution_options(populate_existing=True)
    )
    return (await session.exec(statement)).scalars().first()


async def use_all(session: AsyncSession, purpose: LinkPurpose, subject: int, customer_id: int, now: datetime) -> None:
    """The request is confirmed: every other link to it says so, too."""
    await session.exec(
        update(ConfirmationLinkRow)
        .where(
            col(ConfirmationLinkRow.purpose) == purpose,
            col(ConfirmationLinkRow.subject) == subject,
            col(ConfirmationLinkRow.customer_id) == customer_id,
            col(ConfirmationLinkRow.used_at).is_(None),
        )
        .values(used_at=now)
    )


async def withdraw(session: AsyncSession, purpose: LinkPurpose, subject: int, customer_id: int, now: datetime) -> None:
    """Make every unused link to a request worthless."""
    await session.exec(
        update(ConfirmationLinkRow)
        .where(
            col(ConfirmationLinkRow.purpose) == purpose,
            col(ConfirmationLinkRow.subject) == subject,
            col(ConfirmationLinkRow.customer_id) == customer_id,
            col(ConfirmationLinkRow.used_at).is_(None),
        )
        .values(withdrawn_at=now)
    )


async def newest(
    session: AsyncSession, purpose: LinkPurpose, subject: int, customer_id: int
) -> tuple[ConfirmationLinkRow, bool] | None:
    """The last link to a request, and whether its mail could not be sent; none when there was none."""
    query = (
        select(ConfirmationLinkRow, OutboxMail.dropped_at)
        .join(OutboxMail, col(OutboxMail.id) == ConfirmationLinkRow.mail_id, isouter=True)
        .where(
            ConfirmationLinkRow.purpose == purpose,
            ConfirmationLinkRow.subject == subject,
            ConfirmationLinkRow.customer_id == customer_id,
        )
        .order_by(col(ConfirmationLinkRow.id).desc())
        .limit(1)
    )
    found = (await session.exec(query)).first()
    return (found[0], found[1] is not None) if found else None
