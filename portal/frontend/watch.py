"""How a page that is open loads its data again when they change, for customers' pages and for staff pages.

Each open tab runs one background event that waits for changes. The framework cancels it when the tab opens another page
or loses its connection. The event does not lock the state while it waits.
"""

import asyncio
import time
from typing import Any, Protocol

import reflex as rx

from portal.contract.common_api import MAX_WAIT_SECONDS, NEVER_ASKED
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.frontend.load import LOADING, MISSING, READY, Loading
from portal.kernel.days import now

SETTLED_SECONDS = 1.0
"""Delay before a page starts watching; shorter than `RECENT`, so that no change is missed."""

_MAX_PAUSE = 30.0


class MarkedAnswer(Protocol):
    """What is known about changes: see `portal.contract.common_api.Changes`."""

    @property
    def mark(self) -> int:
        """Increases with every change."""

    @property
    def recent(self) -> bool:
        """Whether the last change is so recent that a page that has just loaded may have missed it."""


class Watching(Loading, mixin=True):
    """A page that loads its data again when they changed. A site defines `watch` and `_changes`.

    `news_at`: time of the last update (ISO 8601, UTC); empty if there was none.
    """

    news: rx.Field[int] = rx.field(0)
    news_at: rx.Field[str] = rx.field("")

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> MarkedAnswer:
        raise NotImplementedError

    async def _watch(self) -> None:
        await asyncio.sleep(SETTLED_SECONDS)
        token = await self._token()
        mark, pause = NEVER_ASKED, 1.0
        while token:
            started = time.monotonic()
            wait = 0 if mark == NEVER_ASKED else MAX_WAIT_SECONDS
            try:
                found = await self._changes(token, mark, wait)
            except NotAuthenticated:
                await self._ended()
                return
            except ProviderError:
                pause = await rest(pause)
                continue
            changed = found.recent if mark == NEVER_ASKED else found.mark != mark
            if changed and not await self._again(token):
                # With the old mark, the next request returns at once and the page is tried again.
                pause = await rest(pause)
                continue
            if found.mark == mark and time.monotonic() - started < 1:
                await asyncio.sleep(1)  # Limits the requests to a provider that does not wait for changes.
            mark, pause = found.mark, 1.0

    async def _again(self, token: str) -> bool:
        """Load and show the data; return whether that is settled. False means that it should be tried again."""
        async with self:
            visit, view_state, question = self._visit, self.view_state, self._question()
        if view_state == LOADING:
            return False
        try:
            answer = await question(token)
        except NotAuthenticated:
            await self._ended()
            return True
        except ProviderError as problem:
            async with self:
                if isinstance(problem, NotFound) and self._visit == visit:
                    self.view_state = MISSING
            return isinstance(problem, NotFound)
        async with self:
            if self._visit == visit:
                before = self._contents()
                self._show(answer)
                self.view_state, self.problem = READY, ""
                if self._contents() != before:
                    self.news += 1
                    self.news_at = now().isoformat()
        return True

    def _contents(self) -> list[Any]:
        return [getattr(self, name) for name in sorted(self.__class__.base_vars) if name not in _OF_LOADING]

    async def _token(self) -> str:
        async with self:
            return await self._token_or_end()

    async def _ended(self) -> None:
        async with self:
            await self._session_ended()


_OF_LOADING = frozenset({"view_state", "busy", "problem", "subject", "news", "news_at"})


async def rest(pause: float) -> float:
    """Sleep, and return the next pause: twice as long, up to `_MAX_PAUSE`."""
    await asyncio.sleep(pause)
    return min(pause * 2, _MAX_PAUSE)
