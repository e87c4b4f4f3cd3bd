"""Fairness between customers whose files wait for inspection, and the files that need no second inspection."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portal.kernel.codes import Code

MOST_REFUSED = 1_000
REFUSED_SECONDS = 60 * 60


class Turns:
    """Hands out slots: one at a time per customer, to customers in turn, and to files of a customer in order.

    So whatever one customer sends, another one waits for a file of each customer before them, never for all files.
    """

    def __init__(self, slots: int) -> None:
        """Share this many slots."""
        self._free = slots
        self._busy: set[int] = set()
        self._waiting: OrderedDict[int, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, customer_id: int) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        granted = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(customer_id, deque()).append(granted)
        self._grant()
        try:
            await granted
        except asyncio.CancelledError:
            # A slot that was granted in the same moment is handed on; otherwise `_grant` drops the cancelled file.
            if not granted.cancelled():
                self._release(customer_id)
            raise
        try:
            yield
        finally:
            self._release(customer_id)

    def _release(self, customer_id: int) -> None:
        self._busy.discard(customer_id)
        self._free += 1
        if customer_id in self._waiting:
            self._waiting.move_to_end(customer_id)
        self._grant()

    def _grant(self) -> None:
        for customer_id, files in list(self._waiting.items()):
            while files and files[0].cancelled():
                files.popleft()
            if files and self._free and customer_id not in self._busy:
                self._busy.add(customer_id)
                self._free -= 1
                files.popleft().set_result(None)
            if not files:
                del self._waiting[customer_id]


class RefusedFiles:
    """Hashes of refused files with the reason, so that the same bytes cost no second inspection.

    At most `MOST_REFUSED`, each for `REFUSED_SECONDS`: an update of a library may accept what its predecessor refused.
    """

    def __init__(self) -> None:
        self._codes: OrderedDict[str, tuple[Code, float]] = OrderedDict()

    def code(self, sha256: str) -> Code | None:
        """Why these bytes were refused; None if that is not known."""
        code, until = self._codes.get(sha256, (None, 0.0))
        return code if until > time.monotonic() else None

    def add(self, sha256: str, code: Code) -> None:
        """Remember a refusal; the oldest one gives way."""
        self._codes[sha256] = (code, time.monotonic() + REFUSED_SECONDS)
        self._codes.move_to_end(sha256)
        if len(self._codes) > MOST_REFUSED:
            self._codes.popitem(last=False)
