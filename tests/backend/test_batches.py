"""Work that is done together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from portal.backend.database import Batches


async def test_what_is_asked_meanwhile_is_done_in_the_next_batch() -> None:
    done: list[list[int]] = []

    async def work(items: Sequence[int]) -> list[int]:
        await asyncio.sleep(0.01)
        done.append(list(items))
        return [item * 2 for item in items]

    batches = Batches(work, most=4)
    assert await asyncio.gather(*(batches.do(item) for item in range(10))) == [item * 2 for item in range(10)]
    assert done == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


async def test_one_that_fails_does_not_spoil_the_others() -> None:
    async def work(items: Sequence[int]) -> list[int | Exception]:
        return [ValueError(item) if item == 1 else item for item in items]

    results = await asyncio.gather(*map(Batches(work).do, range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [int, ValueError, int]


async def test_a_batch_that_fails_fails_for_all_and_the_next_one_is_done() -> None:
    failures = [RuntimeError("away")]

    async def work(items: Sequence[int]) -> Sequence[int]:
        if failures:
            raise failures.pop()
        return items

    batches = Batches(work)
    results = await asyncio.gather(batches.do(1), batches.do(2), return_exceptions=True)
    assert [type(result) for result in results] == [RuntimeError, RuntimeError]
    assert await batches.do(3) == 3


async def test_who_gave_up_before_the_work_began_is_left_out() -> None:
    seen: list[int] = []
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(items: Sequence[int]) -> Sequence[int]:
        seen.extend(items)
        begun.set()
        await go_on.wait()
        return items

    batches = Batches(work)
    first = asyncio.create_task(batches.do(1))
    await begun.wait()
    second, third = asyncio.create_task(batches.do(2)), asyncio.create_task(batches.do(3))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.sleep(0)
    go_on.set()
    assert await third == 3
    assert seen == [1, 3]
    with pytest.raises(asyncio.CancelledError):
        await first
    await batches.close()
