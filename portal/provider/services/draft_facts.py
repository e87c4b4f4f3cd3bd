"""What a draft depends on: what the desk looks up, the files it has, and what the settings let stay empty."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.dates import local_day
from portal.domain.flow import FILES, NOT_INSISTED, Answers, Asked, Files, Flow
from portal.provider.context import Context
from portal.provider.flows.desk import Desk, Situation
from portal.provider.repositories.uploads import UploadRepository, fact
from portal.provider.sessions import Owner


async def facts_of(context: Context, session: AsyncSession, owner: Owner, desk: Desk) -> dict[str, Any]:
    """What is known before there is a draft."""
    facts = await desk.facts(session, owner)
    if optional := sorted(desk.optional(context.settings)):
        facts[NOT_INSISTED] = optional
    return facts


async def with_files(
    context: Context, session: AsyncSession, owner: Owner, desk: Desk, draft: str, facts: dict[str, Any]
) -> dict[str, Any]:
    """The same, with the files of a draft. `draft` is its public id."""
    if not file_fields(desk.flow):
        return facts
    rows = await UploadRepository(session, owner.customer_id, context.clock()).complete(draft)
    return {**facts, FILES: [fact(row) for row in rows]}


async def with_choices(
    context: Context, session: AsyncSession, owner: Owner, desk: Desk, answers: Answers, facts: dict[str, Any]
) -> dict[str, Any]:
    """The same, with what was chosen from a stock that is too large to be told as a whole."""
    day = local_day(context.clock())
    for lookup in desk.lookups.values():
        asked = Asked(answers, facts, day)
        facts = facts | await lookup(Situation(session, owner, asked, context.settings))
    return facts


async def of_draft(
    context: Context, session: AsyncSession, owner: Owner, desk: Desk, draft: str, answers: Answers
) -> dict[str, Any]:
    """Everything a draft depends on, looked up freshly. `draft` is its public id."""
    facts = await facts_of(context, session, owner, desk)
    facts = await with_files(context, session, owner, desk, draft, facts)
    return await with_choices(context, session, owner, desk, answers, facts)


def file_fields(flow: Flow) -> list[str]:
    """Names of the fields that ask for files."""
    return [field.name for field in flow.fields if isinstance(field.rule, Files)]


def files_in(flow: Flow, answers: Answers) -> list[str]:
    """Ids of all files that were answered."""
    return [identifier for name in file_fields(flow) for identifier in answers.get(name, ())]
