"""The first data of a page, for a browser that has just asked for the document (decision 0015).

The page itself asks over the socket, which opens when its scripts have come. Its first data are asked beside the
scripts: the same question, for the session of the cookie, answered as the same change of state that the socket would
send. The browser shows it until the socket has brought its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.reflex_adapter.events import FIRST_EVENT, Event
from portal.reflex_adapter.state import BaseState, as_json, new_tree, root_of
from portal.states.credential import fingerprint
from portal.states.guard import describe
from portal.states.page import READY, Loadable, PageState
from portal.states.session import Session
from portal.states.session_checks import Checked


@dataclass(frozen=True, slots=True)
class Asked:
    """A document that a browser asked for.

    Attributes:
        route: The route of the page, as the router names it.
        address: Path and query.
        host: The host that the browser asked.
    """

    route: str
    address: str
    host: str


async def first_data(page: type[Loadable], asked: Asked, token: str, checked: Checked) -> str:
    """What the page will show, as JSON: for each state the variables that are not as they were compiled.

    Args:
        page: The state of the page.
        asked: What the browser asked for.
        token: The session token.
        checked: What is known of the session; it is alive.

    Raises:
        ProviderError: The provider did not answer, or not with data; the page will find out by itself.
    """
    # A tree of nobody's tab: it is never stored, and gone when the answer is.
    root = new_tree(asked.route, asked.address, asked.host)
    session, shown = _part(root, Session), _part(root, page)
    answer = await shown._question()(token)
    describe(session, asked.host, fingerprint(token), checked)
    shown.subject = shown._about()
    shown._show(answer)
    shown.face = READY
    return as_json(session, shown)


def _part(root: BaseState, kind: type[Any]) -> Any:
    return root.get_substate(kind.get_full_name().split("."))


class Arrival(rx.Middleware):
    """Empties the page of a tab whose document is new, before anything of it is sent.

    The document is empty or shows its first data; what the tab showed before may be older, or about something else.
    Stands after the guard.
    """

    def __init__(self, pages: Collection[type[Loadable]], *more: Callable[[BaseState], Awaitable[None]]) -> None:
        """Empty these pages; all else stays.

        Args:
            pages: The states of the pages.
            more: What else is done in the state tree of the tab.
        """
        self._pages = {page.get_full_name(): page for page in pages}
        self._more = more

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:  # noqa: ARG002
        """Look at an event; it always goes on.

        Args:
            app: The app.
            state: The state tree of the tab.
            event: What is to be run.
        """
        # Only the first event of a document says what the compiled page begins with.
        if event.name != FIRST_EVENT or not event.payload.get("hashes"):
            return
        root = root_of(state)
        room = await root.get_state(PageState)
        if (page := self._pages.get(room._holder)) is not None:
            (await root.get_state(page)).reset()
            room._holder = ""
        for forget in self._more:
            await forget(root)
