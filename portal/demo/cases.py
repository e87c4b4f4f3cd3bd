"""Cases of the demonstration shop."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.cases.provider.subjects import open_all


async def complete_cases(session: AsyncSession) -> None:
    """Open the cases of requests that have none."""
    await open_all(session)
