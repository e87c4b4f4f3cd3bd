"""Work that is cheaper done together: what is asked while a batch is under way is done in the next one.

A commit waits for the disk. Under load many customers share one; alone, nobody waits for others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Batches(Generic[T, R]):
    """Does items in batches, one batch at a time."""

    def __init__(self, work: Callable[[Sequence[T]], Awaitable[Sequence[R | Exception]]], most: int = 64) -> None:
        """Prepare.

        Args:
            work: does a batch; for each item, in the same order, what came of it, or the error to raise.
            most: items of one batch.
        """
        self._work = work
        self._most = most
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._running: asyncio.Task[None] | None = None

    async def do(self, item: T) -> R:
        """Do an item together with others that are waiting, and return what came of it."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="batches")
        return await future

    async def close(self) -> None:
        """Wait for what is under way."""
        if self._running is not None:
            await self._running

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
                # Who stopped waiting before the work began does not want it done.
                batch = [(item, future) for item, future in batch if not future.done()]
                if batch:
                    await self._one(batch)
        finally:
            self._running = None

    async def _one(self, batch: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            results = await self._work([item for item, _ in batch])
        except Exception as error:
            results = [error] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
