"""Jobs are done at least once, and by one server only."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlmodel import col, select

from portal.backend import jobs
from portal.backend.context import Context
from portal.backend.database import Database
from portal.backend.jobs import AT_ONCE, LEASE, RESERVED, JobQueue, due
from portal.tables.messages import USUAL, JobRow
from tests.support.application import TestApplication
from tests.support.delivery import settled
from tests.support.waiting import until


async def test_what_is_not_urgent_is_tried_after_1_2_4_up_to_60_minutes_for_a_day(
    application: TestApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(jobs, "POLL_SECONDS", 0.01)
    times: list[float] = []
    start = application.clock()

    async def fails(_: int) -> None:
        times.append((application.clock() - start).total_seconds() / 60)
        raise ConnectionError

    application.context.jobs.register("try", fails)
    async with application.context.database.transaction() as session:
        await application.context.jobs.enqueue(session, "try", 1, give_up_at=start + timedelta(hours=24))
    await application.context.jobs.start()
    while left := await application.rows(JobRow):
        application.clock.now = max(application.clock.now, left[0].due_at)
        before = len(times)
        await until(lambda before=before: len(times) > before)
        await settled(application)
    await application.context.jobs.stop()
    waits = [later - earlier for earlier, later in pairwise(times)]
    expected = [1, 2, 4, 8, 16, 32, *[60] * (len(waits) - 6)]
    for wait, planned in zip(waits, expected, strict=True):
        assert 0.9 * planned <= wait <= 1.1 * planned
    assert 22 * 60 < times[-1] < 24 * 60


@pytest.mark.each_database
async def test_a_job_of_a_transaction_that_failed_does_not_exist(application: TestApplication) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        done.append(reference)

    application.context.jobs.register("note", note)

    async def fail() -> None:
        async with application.context.database.transaction() as session:
            await application.context.jobs.enqueue(
                session, "note", 1, give_up_at=application.clock() + timedelta(hours=1)
            )
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        await fail()
    await application.context.jobs.start()
    await asyncio.sleep(0.7)
    await application.context.jobs.stop()
    assert done == []
    assert await application.rows(JobRow) == []


@pytest.mark.each_database
async def test_two_servers_on_one_database_do_every_job_once(application: TestApplication) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        await asyncio.sleep(0.01)
        done.append(reference)

    databases = [Database(application.context.database.url) for _ in range(3)]
    queues = [Context(application.context.settings, database, application.clock).jobs for database in databases]
    for queue in queues:
        queue.register("note", note)
    async with application.context.database.transaction() as session:
        for reference in range(100):
            await queues[0].enqueue(session, "note", reference, give_up_at=application.clock() + timedelta(hours=1))
    for queue in queues:
        await queue.start()
    await until(lambda: len(done) >= 100)
    await asyncio.sleep(0.3)
    for queue in queues:
        await queue.stop()
    for database in databases:
        await database.close()
    assert sorted(done) == list(range(100))
    assert await application.rows(JobRow) == []


async def test_a_running_job_that_is_called_earlier_stays_with_its_worker(application: TestApplication) -> None:
    done: list[int] = []
    queue = application.context.jobs
    other = Context(application.context.settings, application.context.database, application.clock).jobs

    async def note(reference: int) -> None:
        async with application.context.database.transaction() as session:
            await jobs.bring_forward(session, "note", reference, application.clock())
        assert await other._take() == []
        done.append(reference)

    for each in (queue, other):
        each.register("note", note)
    async with application.context.database.transaction() as session:
        await queue.enqueue(session, "note", 7, give_up_at=application.clock() + timedelta(hours=1))
    (job,) = await queue._take()
    await queue._run(job)
    assert done == [7]
    assert await application.rows(JobRow) == []


@pytest.mark.each_database
async def test_a_job_whose_worker_vanished_is_taken_by_another_when_the_lease_is_over(
    application: TestApplication,
) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        done.append(reference)

    application.context.jobs.register("note", note)
    async with application.context.database.transaction() as session:
        await application.context.jobs.enqueue(session, "note", 7, give_up_at=application.clock() + timedelta(hours=1))
    await application.change(JobRow, {"lease": "somebody who was killed", "leased_until": application.clock() + LEASE})
    await application.context.jobs.start()
    await asyncio.sleep(0.7)
    assert done == []
    application.clock.forward(seconds=LEASE.total_seconds())
    await until(lambda: done == [7])
    await application.context.jobs.stop()


async def test_a_job_still_running_here_is_not_begun_again_when_its_lease_ran_out_in_a_stall(
    application: TestApplication,
) -> None:
    begun: list[int] = []
    goes_on = asyncio.Event()

    async def note(reference: int) -> None:
        begun.append(reference)
        await goes_on.wait()

    application.context.jobs.register("note", note)
    async with application.context.database.transaction() as session:
        await application.context.jobs.enqueue(session, "note", 7, give_up_at=application.clock() + timedelta(hours=1))
    await application.context.jobs.start()
    await until(lambda: begun == [7])
    application.clock.forward(seconds=LEASE.total_seconds())
    await asyncio.sleep(1)
    assert begun == [7]
    goes_on.set()
    await application.context.jobs.stop()
    assert await application.rows(JobRow) == []


@pytest.mark.each_database
async def test_who_is_woken_and_stopped_at_once_stops(application: TestApplication) -> None:
    queue = JobQueue(application.context.database, application.clock)
    for steps in range(6):
        await queue.start()
        await asyncio.sleep(0.1)
        queue._wake.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        stopping = asyncio.create_task(queue.stop())
        done, _ = await asyncio.wait({stopping}, timeout=60)
        assert done, f"after {steps} turns of the loop"


@pytest.mark.each_database
async def test_what_is_due_is_found_by_the_index_among_what_is_planned(application: TestApplication) -> None:
    start = application.clock()
    times = {"created_at": start, "give_up_at": start + timedelta(days=9)}
    async with application.context.database.transaction() as session:
        session.add_all(
            [JobRow(kind="note", reference=n, due_at=start + timedelta(minutes=n), **times) for n in range(2_000)]
        )
    query = select(JobRow).where(due(["note"], USUAL, start, [])).order_by(col(JobRow.due_at)).limit(8)
    engine = application.context.database.engine
    text = str(query.compile(engine.sync_engine, compile_kwargs={"literal_binds": True}))
    async with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            await connection.exec_driver_sql("ANALYZE jobs")
        explain = "EXPLAIN" if engine.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
        plan = str((await connection.exec_driver_sql(f"{explain} {text}")).all())
    assert "ix_jobs_priority_due_at" in plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan


async def test_usual_jobs_leave_room_for_urgent_ones(application: TestApplication) -> None:
    begun: list[int] = []
    goes_on = asyncio.Event()

    async def hold(reference: int) -> None:
        begun.append(reference)
        await goes_on.wait()

    queue, later = application.context.jobs, application.clock() + timedelta(hours=1)
    queue.register("hold", hold)
    async with application.context.database.transaction() as session:
        for number in range(AT_ONCE):
            await queue.enqueue(session, "hold", number, give_up_at=later)
    await queue.start()
    usual = list(range(AT_ONCE - RESERVED))
    await until(lambda: sorted(begun) == usual)
    async with application.context.database.transaction() as session:
        for number in range(100, 100 + AT_ONCE):
            await queue.enqueue(session, "hold", number, give_up_at=later, urgent=True)
    await until(lambda: sorted(begun) == [*usual, 100, 101])
    goes_on.set()
    await until(lambda: len(begun) == 2 * AT_ONCE)
    assert set(begun[AT_ONCE : 2 * AT_ONCE - RESERVED]) == set(range(102, 100 + AT_ONCE)), "urgent ones first"
    await queue.stop()
