"""What a draft depends on, looked up freshly: what can be chosen, what was chosen, the files it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.dates import local_day
from portal.domain.flow import FILES, OPTIONAL_FIELDS, AnswerContext, Answers, Files, Flow
from portal.provider.context import Context
from portal.provider.flows.desk import FlowHandler, LookupContext
from portal.provider.repositories.uploads import UploadRepository, fact
from portal.provider.sessions import Owner

_NOTHING: Mapping[str, Any] = {}


async def facts_of(
    context: Context,
    session: AsyncSession,
    owner: Owner,
    handler: FlowHandler,
    draft: str = "",
    answers: Answers = _NOTHING,
) -> dict[str, Any]:
    """All facts of a draft.

    Args:
        context: of the application.
        session: of the database.
        owner: whose draft it is.
        handler: the retailer's side of its flow.
        draft: its public id; empty while there is none.
        answers: what was answered.
    """
    facts = await handler.facts(session, owner)
    if optional := handler.optional_fields(context.settings):
        facts[OPTIONAL_FIELDS] = optional
    day = local_day(context.clock())
    for lookup in handler.lookups:
        facts |= await lookup(LookupContext(session, owner, AnswerContext(answers, facts, day), context.settings))
    if draft and file_fields(handler.flow):
        rows = await UploadRepository(session, owner.customer_id, context.clock()).complete(draft)
        facts[FILES] = [fact(row) for row in rows]
    return facts


def file_fields(flow: Flow) -> list[str]:
    """Names of the fields that ask for files."""
    return [field.name for field in flow.fields if isinstance(field.rule, Files)]


def files_in(flow: Flow, answers: Answers) -> list[str]:
    """Ids of all files that were answered."""
    return [identifier for name in file_fields(flow) for identifier in answers.get(name, ())]
