"""What a flow depends on, looked up freshly: what can be chosen, and what was chosen."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.flow import Answers, Asked
from portal.provider.flows.desk import Desk, Situation
from portal.provider.sessions import Owner
from portal.settings import Settings


async def facts_of(
    session: AsyncSession, owner: Owner, desk: Desk, answers: Answers, day: date, settings: Settings
) -> dict[str, Any]:
    """All facts of a draft.

    Args:
        session: of the database.
        owner: whose draft it is.
        desk: the retailer's side of its flow.
        answers: what was answered.
        day: today.
        settings: of this process.
    """
    facts = await desk.facts(session, owner)
    for lookup in desk.lookups.values():
        facts |= await lookup(Situation(session, owner, Asked(answers, facts, day), settings))
    return facts
