"""Live pages: they show a change of the shop within about two seconds.

A page declares its topics. Each open tab runs one background event that waits for changes. The framework cancels it
when the tab opens another page or loses its connection. The event does not lock the state while it waits.
"""

import asyncio
import time
from typing import Any, ClassVar

import reflex as rx

from portal.contract.changes import LONGEST_WAIT, NEVER_ASKED, ChangesApi, Watch
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.frontend.session import customer, session_ended, session_token
from portal.frontend.state import LOADING, MISSING, READY, Loadable
from portal.i18n import _, moment
from portal.kernel.days import now
from portal.ui import skeleton
from portal.vocabulary.actions import Topic

SETTLED_SECONDS = 1.0
"""Delay before a page starts watching; shorter than `RECENT`, so that no change is missed."""

_LONGEST_PAUSE = 30.0


class Live(Loadable, mixin=True):
    """A page that loads its data again when one of its `_topics` changed.

    Attributes:
        news: number of updates while the page was open.
        news_at: time of the last update (ISO 8601, UTC); empty if there was none.
    """

    news: rx.Field[int] = rx.field(0)
    news_at: rx.Field[str] = rx.field("")
    _topics: ClassVar[tuple[Topic, ...]] = ()
    """The topics that the page watches."""

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        """Load the data again whenever one of the topics changed, while the page is open."""
        await asyncio.sleep(SETTLED_SECONDS)
        token = await self._token()
        mark, pause = NEVER_ASKED, 1.0
        while token:
            started = time.monotonic()
            wait = 0 if mark == NEVER_ASKED else LONGEST_WAIT
            try:
                watched = Watch(topics=[*self._topics], since=mark, wait_seconds=wait)
                found = await ask(ChangesApi).changes(token, watched)
            except NotAuthenticated:
                await self._ended()
                return
            except ProviderError:
                pause = await _rest(pause)
                continue
            changed = found.recent if mark == NEVER_ASKED else found.mark != mark
            if changed and not await self._again(token):
                # With the old mark, the next request returns at once and the page is tried again.
                pause = await _rest(pause)
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
        """The values that the page shows, without those about loading."""
        return [getattr(self, name) for name in sorted(self.__class__.base_vars) if name not in _OF_LOADING]

    async def _token(self) -> str:
        async with self:
            try:
                return session_token(self)
            except NotAuthenticated:
                await session_ended(self)
                return ""

    async def _ended(self) -> None:
        async with self:
            await session_ended(self)


_OF_LOADING = frozenset({"view_state", "busy", "problem", "subject", "news", "news_at"})


async def _rest(pause: float) -> float:
    """Sleep, and return the next pause: twice as long, up to `_LONGEST_PAUSE`."""
    await asyncio.sleep(pause)
    return min(pause * 2, _LONGEST_PAUSE)


def live_line(page: type[Live], news: rx.Var[str] | None = None, *, seen: bool = True) -> rx.Component:
    """A status line that announces an update politely, without moving the focus or the content.

    Args:
        page: a `Live` state.
        news: what is new, in a word or two.
        seen: whether the line is visible; otherwise only screen readers announce it.
    """
    updated = _("Updated on {moment}", moment=moment(page.news_at))
    text = [updated] if news is None else [news, " · ", updated]
    # A fixed height, so that nothing moves when the text appears.
    return rx.el.p(
        rx.cond(page.news > 0, rx.fragment(*text)),
        role="status",
        class_name="mt-2 min-h-6 text-sm text-ink-600" if seen else "sr-only",
    )


def request_loading() -> rx.Component:
    """The placeholder of a page about one request."""
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-64 w-full rounded-panel"),
        skeleton("mt-8 h-24 w-full"),
        rx.el.div(
            skeleton("h-72 w-full rounded-card"),
            skeleton("h-56 w-full rounded-card"),
            class_name="mt-10 grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12",
        ),
        class_name="mt-8 appear",
        custom_attrs={"aria-busy": "true"},
    )
