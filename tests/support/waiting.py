"""Waiting for what comes by itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable


async def until(holds: Callable[[], bool | Awaitable[bool]], seconds: float = 60) -> float:
    """Wait until something holds, and return the seconds that it took.

    Raises:
        TimeoutError: it did not hold in time.
    """
    start = time.monotonic()
    async with asyncio.timeout(seconds):
        while not await _answered(holds()):
            await asyncio.sleep(0.02)
    return time.monotonic() - start


async def _answered(answer: bool | Awaitable[bool]) -> bool:
    return await answer if isinstance(answer, Awaitable) else answer


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds, where no event loop runs.

    Raises:
        TimeoutError: it did not hold in time.
    """
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)
