"""Live pages of customers: they show a change of the shop within about two seconds. A page declares its topics."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.common_api import Changes, ChangesApi, Watch
from portal.contract.registry import ask
from portal.frontend.load import Loading
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.watch import Watching
from portal.i18n import _, moment
from portal.vocabulary.actions import Topic


class Loadable(Loading, mixin=True):
    @rx.event(background=True)
    @customer
    async def load(self) -> Any:
        return (await self._exchange(opening=True))[1]

    def _session_token(self) -> str:
        return session_token(self)

    async def _session_ended(self) -> None:
        await session_ended(self)


class Live(Watching, Loadable, mixin=True):
    _topics: ClassVar[tuple[Topic, ...]] = ()

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
        ui.when(page.news > 0, *text),
        role="status",
        class_name="mt-2 min-h-6 text-sm text-ink-600" if seen else "sr-only",
    )


def request_loading(panel: str = "h-64") -> rx.Component:
    return ui.loading_block(
        ui.skeleton(f"{panel} w-full rounded-panel"),
        ui.skeleton("mt-8 h-24 w-full"),
        rx.el.div(
            ui.skeleton("h-72 w-full rounded-card"),
            ui.skeleton("h-56 w-full rounded-card"),
            class_name="mt-10 grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12",
        ),
    )
