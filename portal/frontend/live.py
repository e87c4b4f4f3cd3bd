"""Live pages of customers: they show a change of the shop within about two seconds. A page declares its topics."""

import asyncio
import time
from typing import Any, ClassVar, Protocol

import reflex as rx

from portal.contract.common_api import LONGEST_WAIT, NEVER_ASKED, Changes, ChangesApi, Watch
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.frontend.load import LOADING, MISSING, READY, Loading
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.i18n import _, moment
from portal.kernel.days import now
from portal.ui import loading_block, skeleton
from portal.vocabulary.actions import Topic

SETTLED_SECONDS = 1.0
"""Delay before a page starts watching; shorter than `RECENT`, so that no change is missed."""

_LONGEST_PAUSE = 30.0


class Answer(Protocol):
    """What is known about changes: see `portal.contract.common_api.Changes`."""

    @property
    def mark(self) -> int:
        """Increases with every change."""
        ...

    @property
    def recent(self) -> bool:
        """Whether the last change is so recent that a page that has just loaded may have missed it."""
        ...


class Watching(Loading, mixin=True):
    """A page that loads its data again when they changed. A site defines `watch` and `_changes`.

    Attributes:
        news_at: time of the last update (ISO 8601, UTC); empty if there was none.
    """

    news: rx.Field[int] = rx.field(0)
    news_at: rx.Field[str] = rx.field("")

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> Answer:
        raise NotImplementedError

    async def _watch(self) -> None:
        await asyncio.sleep(SETTLED_SECONDS)
        token = await self._token()
        mark, pause = NEVER_ASKED, 1.0
        while token:
            started = time.monotonic()
            wait = 0 if mark == NEVER_ASKED else LONGEST_WAIT
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
    """Sleep, and return the next pause: twice as long, up to `_LONGEST_PAUSE`."""
    await asyncio.sleep(pause)
    return min(pause * 2, _LONGEST_PAUSE)


class Loadable(Loading, mixin=True):
    """A page that loads its data for the logged-in customer. A subclass defines `_question` and `_show`."""

    @rx.event(background=True)
    @customer
    async def load(self) -> Any:
        return (await self._exchange(opening=True))[1]

    def _session_token(self) -> str:
        return session_token(self)

    async def _session_ended(self) -> None:
        await session_ended(self)


class Live(Watching, Loadable, mixin=True):
    """A page that loads its data again when one of its `_topics` changed."""

    _topics: ClassVar[tuple[Topic, ...]] = ()
    """The topics that the page watches."""

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        await self._watch()

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> Changes:
        watched = Watch(topics=[*self._topics], since=mark, wait_seconds=wait_seconds)
        return await ask(ChangesApi).changes(token, watched)


def live_line(page: type[Live], news: rx.Var[str] | None = None, *, seen: bool = True) -> rx.Component:
    """A status line that announces an update politely, without moving the focus or the content."""
    updated = _("Updated on {moment}", moment=moment(page.news_at))
    text = [updated] if news is None else [news, " · ", updated]
    # A fixed height, so that nothing moves when the text appears.
    return rx.el.p(
        rx.cond(page.news > 0, rx.fragment(*text)),
        role="status",
        class_name="mt-2 min-h-6 text-sm text-ink-600" if seen else "sr-only",
    )


def request_loading(panel: str = "h-64") -> rx.Component:
    return loading_block(
        skeleton(f"{panel} w-full rounded-panel"),
        skeleton("mt-8 h-24 w-full"),
        rx.el.div(
            skeleton("h-72 w-full rounded-card"),
            skeleton("h-56 w-full rounded-card"),
            class_name="mt-10 grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12",
        ),
    )
