"""Each morning at half past seven every store is mailed once what is overdue."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update
from sqlmodel import col

from portal.backend.mail import Template
from portal.exports.provider.digest import JOB, Digest
from portal.kernel.days import AMSTERDAM
from portal.provider.application import Application
from portal.tables.cases import CaseRow
from portal.tables.messages import JobRow
from portal.vocabulary.cases import CaseState
from tests.exports.telling import Telling


async def promise(telling: Telling, reference: str, **values: object) -> None:
    async with telling.context.database.transaction() as session:
        await session.exec(update(CaseRow).where(col(CaseRow.reference) == reference).values(**values))


async def digests(telling: Telling) -> list[tuple[str, int]]:
    mails = [mail for mail in await telling.mails() if mail.template == Template.CASES_OVERDUE]
    return sorted((mail.recipient, mail.details.get("count", 0)) for mail in mails)


async def planned(telling: Telling) -> list[datetime]:
    return [job.due_at.astimezone(AMSTERDAM) for job in await telling.rows(JobRow) if job.kind == JOB]


def local(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=AMSTERDAM)


async def only_digests(telling: Telling) -> None:
    """Run the digest, and leave the mails unsent."""
    for job in await telling.rows(JobRow):
        if job.kind == JOB and job.due_at <= telling.clock():
            await Digest(telling.context).send(job.reference)


async def test_a_store_is_mailed_what_is_overdue_and_others_theirs(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    past, later = telling.clock() - timedelta(days=1), telling.clock() + timedelta(days=1)
    for reference, store in (("AAAA2222", 1), ("BBBB2222", 1), ("CCCC2222", 2), ("DDDD2222", 1), ("EEEE2222", 1)):
        await telling.happen(reference, store=store)
        await promise(telling, reference, promised_at=past)
    await promise(telling, "DDDD2222", promised_at=later)
    await promise(telling, "EEEE2222", state=CaseState.WAITING)
    await promise(telling, "BBBB2222", urgent=True)
    await Digest(telling.context).plan()
    telling.clock.go_to(local(2026, 11, 23, 7, 29))
    await only_digests(telling)
    assert await digests(telling) == []
    telling.clock.go_to(local(2026, 11, 23, 7, 30))
    await only_digests(telling)
    assert await digests(telling) == [("balie@shop.example", 1), ("utrecht@shop.example", 2)]
    (store,) = [mail.details for mail in await telling.mails() if mail.recipient == "utrecht@shop.example"]
    assert [case["reference"] for case in store["cases"]] == ["BBBB2222", "AAAA2222"]
    assert {case["day"] for case in store["cases"]} == {"22\u00a0november 2026"}
    assert store["link"].endswith("/cases?view=overdue")


@pytest.mark.each_database
async def test_two_processes_send_one_digest_and_plan_one(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    await telling.happen()
    await promise(telling, "ABCD2345", promised_at=telling.clock() - timedelta(days=1))
    other = Application(telling.context.settings, clock=telling.clock)
    processes = [Digest(telling.context), Digest(other.context)]
    await asyncio.gather(*[process.plan() for process in processes])
    (job,) = [row for row in await telling.rows(JobRow) if row.kind == JOB]
    telling.clock.go_to(local(2026, 11, 23, 7, 30))
    await asyncio.gather(*[process.send(job.reference) for process in processes])
    await other.context.database.close()
    assert await digests(telling) == [("utrecht@shop.example", 1)]
    assert await planned(telling) == [local(2026, 11, 24, 7, 30)]


@pytest.mark.parametrize("day", [(2026, 3, 28), (2026, 3, 29), (2026, 10, 24), (2026, 10, 25), (2026, 12, 31)])
async def test_the_next_digest_is_at_the_same_local_time_when_clocks_change(
    telling: Telling, day: tuple[int, int, int]
) -> None:
    telling.clock.go_to(local(*day, 6, 0))
    await Digest(telling.context).plan()
    telling.clock.go_to(local(*day, 7, 30))
    await only_digests(telling)
    (following,) = await planned(telling)
    assert (following.hour, following.minute) == (7, 30)
    assert following.date() == datetime(*day).date() + timedelta(days=1)


async def test_a_digest_that_is_late_by_a_day_is_left_out_and_the_next_is_planned(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    await telling.happen()
    await promise(telling, "ABCD2345", promised_at=telling.clock() - timedelta(days=1))
    await Digest(telling.context).plan()
    telling.clock.go_to(local(2026, 11, 25, 9, 0))
    await only_digests(telling)
    assert await digests(telling) == []
    assert await planned(telling) == [local(2026, 11, 26, 7, 30)]


async def test_a_digest_that_is_planned_stays_planned(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 9, 0))
    for _ in range(2):
        await Digest(telling.context).plan()
    assert await planned(telling) == [local(2026, 11, 24, 7, 30)]
