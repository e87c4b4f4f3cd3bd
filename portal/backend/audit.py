"""The audit: who did what to which record, when, from where and why. Written in the transaction of the change."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.staff import StaffMember
from portal.contract.session import calling_from
from portal.kernel.days import now
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.audit import AuditAction


async def write(
    session: AsyncSession,
    member: StaffMember | StaffRow | None,
    action: AuditAction,
    kind: str = "",
    reference: str = "",
    *,
    reason: str = "",
    details: dict[str, Any] | None = None,
    actor: str = "",
    moment: datetime | None = None,
) -> None:
    """Add an entry to the audit, in the transaction of what it records.

    Args:
        session: of the transaction.
        member: who did it; None for the command line and keys of the back office, which give an `actor`.
        action: what was done.
        kind: kind of the record, such as a kind of case, 'customer' or 'bike'; empty if there is none.
        reference: reference or public id of the record; empty if there is none.
        reason: what the person gave as reason.
        details: what changed, without personal data.
        actor: who did it, where no member did.
        moment: when (UTC); by default when the member's call was admitted.
    """
    session.add(
        AuditRow(
            staff_id=member.id if member else None,
            actor=member.name if member else actor,
            action=action.value,
            kind=kind,
            reference=reference,
            reason=reason,
            details=details or {},
            address=calling_from.get(),
            happened_at=moment or (member.called_at if isinstance(member, StaffMember) else now()),
        )
    )
    await session.flush()
