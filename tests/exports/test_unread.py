"""Somebody sees how much happened since they last looked: on the cases that they see, without what they did."""

from __future__ import annotations

import pytest

from portal.backend import cases
from portal.backend.cases import CaseFacts
from portal.backend.staff import StaffSessions
from portal.exports.api import Looked, UnreadApi
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.staff import Role
from tests.exports.telling import Telling


def unread_of(telling: Telling) -> UnreadApi:
    return telling.application.services.ask(UnreadApi)


async def count(telling: Telling, role: Role) -> tuple[int, int]:
    found = await unread_of(telling).unread(telling.tokens[role])
    return found.events, found.cases


async def test_only_cases_that_somebody_sees_count(telling: Telling) -> None:
    await telling.happen("AAAA2222", store=1)
    await telling.happen("AAAA2222", CaseEventType.PLANNED, store=1)
    await telling.happen("BBBB2222", store=2)
    await telling.happen("CCCC2222", kind=CaseKind.RETURN, store=None)
    assert await count(telling, Role.MECHANIC) == (2, 1)
    assert await count(telling, Role.SERVICE_DESK) == (4, 3)
    assert await count(telling, Role.WAREHOUSE) == (1, 1)


async def test_what_somebody_did_is_not_new_to_them(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    async with StaffSessions(telling.context).changing(telling.tokens[Role.MECHANIC], UnreadApi.unread) as (_, session):
        facts = CaseFacts(CaseKind.REPAIR, "AAAA2222", None, "new", partner_id=1)
        await cases.record(session, facts, CaseEventType.NOTE_ADDED, telling.clock())
    assert await count(telling, Role.MECHANIC) == (1, 1)
    assert await count(telling, Role.STORE_MANAGER) == (2, 1)


@pytest.mark.each_database
async def test_looking_sets_the_count_to_zero_and_never_moves_back(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    token = telling.tokens[Role.MECHANIC]
    found = await unread_of(telling).unread(token)
    assert (await unread_of(telling).looked(token, Looked(mark=found.mark))).events == 0
    assert await count(telling, Role.STORE_MANAGER) == (1, 1)
    assert (await unread_of(telling).looked(token, Looked(mark=0))).events == 0


async def test_a_mark_of_the_future_hides_nothing(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    token = telling.tokens[Role.MECHANIC]
    assert (await unread_of(telling).looked(token, Looked(mark=2**50))).events == 0
    await telling.happen("AAAA2222", CaseEventType.PLANNED)
    assert (await unread_of(telling).unread(token)).events == 1
