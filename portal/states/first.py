"""The first data of a page, for a browser that has just asked for the document (design: performance).

The page itself asks over the socket, which opens when its scripts have come. Its first data are asked beside the
scripts: the same question, for the session of the cookie, answered as the same change of state that the socket would
send. The browser shows it until the socket has brought its own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex.state import BaseState, State
from reflex_base.constants import RouteVar
from reflex_base.event import Event
from reflex_base.utils.format import json_dumps

from portal.contract.street import provider
from portal.states.credential import fingerprint
from portal.states.flow_display import FlowDisplay
from portal.states.guard import describe
from portal.states.page import READY, Loadable, PageState
from portal.states.session import Session
from portal.states.session_checks import Checked

_FIRST_EVENT = f"{State.get_full_name()}.hydrate_and_load"


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
    root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]
    root._update_router_vars(
        {
            RouteVar.PATH: asked.route,
            RouteVar.ORIGIN: asked.address,
            RouteVar.HEADERS: {"host": asked.host},
        },
        {},
    )
    session, shown = _part(root, Session), _part(root, page)
    answer = await shown._question()(provider(), token)
    describe(session, asked.host, fingerprint(token), checked)
    shown.subject = shown._about()
    shown._show(answer)
    shown.face = READY
    return json_dumps({part.get_full_name(): part.get_delta()[part.get_full_name()] for part in (session, shown)})


def _part(root: rx.State, kind: type[Any]) -> Any:
    return root.get_substate(kind.get_full_name().split("."))


class Arrival(rx.Middleware):
    """Empties the page of a tab whose document is new, before anything of it is sent.

    The document is empty or shows its first data; what the tab showed before may be older, or about something else.
    What was found wrong with a form is not known of a form that is new. Stands after the guard.
    """

    def __init__(self, pages: Collection[type[Loadable]], forms: Collection[type[FlowDisplay]] = ()) -> None:
        """Empty these pages, and forget what was found in these forms; all else stays."""
        self._pages = {page.get_full_name(): page for page in pages}
        self._forms = forms

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:  # noqa: ARG002
        """Look at an event; it always goes on.

        Args:
            app: The app.
            state: The state tree of the tab.
            event: What is to be run.
        """
        # Only the first event of a document says what the compiled page begins with.
        if event.name != _FIRST_EVENT or not event.payload.get("hashes"):
            return
        root = state._get_root_state()
        room = await root.get_state(PageState)
        if (page := self._pages.get(room._holder)) is not None:
            (await root.get_state(page)).reset()
            room._holder = ""
        for form in self._forms:
            (await root.get_state(form))._forget_findings()
