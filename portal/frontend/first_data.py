"""The first data of a page, which its document holds (decision 0105).

A page loads its data over the socket, which opens after its scripts are loaded. The first data are the state update
that the socket will send: the answer to the question of the page, for the session of the cookie. The browser shows it
until the socket sends its own.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

import reflex as rx
from typing_extensions import override

from portal.contract.session import SessionCheck
from portal.frontend.load import READY, Loading, PageState
from portal.frontend.session import SessionState, describe
from portal.reflex_adapter.events import FIRST_EVENT, Event
from portal.reflex_adapter.state import BaseState, as_json, new_tree, root_of
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    route: str
    address: str
    host: str
    cookies: str = ""


@dataclass(frozen=True, slots=True)
class DocumentData:
    """What a document is made of.

    `data`: the first data as JSON: for each state the variables that differ from their compiled values; empty if the
    page has none now.
    `elsewhere`: address to redirect to instead; empty if the page will do.
    """

    data: str = ""
    elsewhere: str = ""


async def first_data(
    page: type[Loading], request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]
) -> DocumentData:
    # A state tree that belongs to no tab: it is never stored.
    root = new_tree(request.route, request.address, request.host)
    session, page_state = _substate(root, SessionState), _substate(root, page)
    answer = await page_state._question()(token)
    describe(session, request.host, fingerprint(token), checked)
    page_state.subject = page_state._about()
    page_state._show(answer)
    page_state.view_state = READY
    return DocumentData(as_json(session, page_state))


async def first_session(request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]) -> DocumentData:
    """The first data of a page for everybody that shows customers something of their own: that they are logged in."""
    session = _substate(new_tree(request.route, request.address, request.host), SessionState)
    describe(session, request.host, fingerprint(token), checked)
    return DocumentData(as_json(session))


def _substate(root: BaseState, kind: type[Any]) -> Any:
    return root.get_substate(kind.get_full_name().split("."))


class FirstDataMiddleware(rx.Middleware):
    """Resets the page state of a tab that loaded a new document, before any of it is sent. Runs after the guard.

    The document is empty or shows its first data. The state of the tab may be older or about another subject.
    """

    def __init__(self, pages: Collection[type[Loading]], *more: Callable[[BaseState], Awaitable[None]]) -> None:
        self._pages = {page.get_full_name(): page for page in pages}
        self._more = more

    @override
    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:
        """Reset the page state if the event is the first of a new document. Every event continues."""
        # Only the first event of a document has the hashes of the compiled state.
        if event.name != FIRST_EVENT or not event.payload.get("hashes"):
            return
        root = root_of(state)
        held = await root.get_state(PageState)
        if (page := self._pages.get(held._holder)) is not None:
            (await root.get_state(page)).reset()
            held._holder = ""
        for forget in self._more:
            await forget(root)
