"""Sends events to states through Reflex' own pipeline, including the guard, without a browser or server."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, ClassVar, TypeVar

import pytest
import reflex as rx
from reflex.app_mixins.middleware import MiddlewareMixin
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor
from reflex_base.event.processor.future import EventFuture
from reflex_base.utils.format import format_event_handler

from portal.desk.session import STAFF
from portal.frontend.guard import Guard

S = TypeVar("S", bound=rx.State)


class Processor(BaseStateEventProcessor):
    """The server's event processor. It tracks which events only wait for changes in the shop."""

    names: ClassVar[dict[str, str]] = {}

    async def enqueue(self, token: str, event: Event, *further: Any, **named: Any) -> EventFuture:
        """Record the name of an event."""
        future = await super().enqueue(token, event, *further, **named)
        self.names[future.txid] = event.name
        return future

    def watches(self, future: EventFuture) -> bool:
        """Whether an event runs as long as the page is open."""
        return self.names.get(future.txid, "").endswith(".watch")

    async def settled(self, future: EventFuture) -> None:
        """Wait for an event and all events it caused, except those that run as long as the page is open."""
        await future
        for child in future.children:  # grows during the loop
            if not self.watches(child):
                with suppress(Exception, asyncio.CancelledError):
                    await self.settled(child)


class Tab:
    """One browser tab, as the server sees it.

    Attributes:
        cookie: The Cookie header of the browser.
        document: Counts the documents that the tab loaded; each has a socket of its own.
        deltas: Changes of the last event, by full state name.
        events: Events that the last event sent to the browser.
    """

    def __init__(self, processor: Processor, manager: StateManagerMemory, token: str) -> None:
        self._processor, self._manager = processor, manager
        self.token = token
        self.cookie = ""
        self.document = 1
        self.deltas: list[dict[str, dict[str, Any]]] = []
        self.events: list[Event] = []

    async def send(self, handler: Any, path: str = "/", **payload: Any) -> Tab:
        """Send one event and wait for it and all events it caused, except those that run as long as the page is open.

        Args:
            handler: The event handler, such as `Orders.load`, or its full name.
            path: Path and query of the page in the tab.
            payload: Arguments of the handler.
        """
        self.deltas.clear()
        self.events.clear()
        name = handler if isinstance(handler, str) else format_event_handler(handler)
        router = {
            "pathname": path.partition("?")[0],
            "asPath": path,
            "query": {},
            "token": self.token,
            "sid": f"socket-{self.document}-of-{self.token}",
            "ip": "127.0.0.1",
            "headers": {"cookie": self.cookie, "host": "localhost:8000", "origin": "http://localhost:8000"},
        }
        future = await self._processor.enqueue(self.token, Event(name=name, payload=payload, router_data=router))
        await self._processor.settled(future)
        return self

    def shown(self, state: type[rx.State], name: str) -> Any:
        """The value of a variable that the last event sent to the browser; None if it was not sent."""
        value = None
        for delta in self.deltas:
            value = delta.get(state.get_full_name(), {}).get(name + FIELD_MARKER, value)
        return value

    def stored(self, state: type[S]) -> S:
        """The state that the server stores for this tab."""
        return self._manager.states[self.token].get_substate(state.get_full_name().split("."))

    def held(self, state: type[rx.State], name: str) -> Any:
        """A variable of the stored state that is None until it is loaded."""
        return getattr(self.stored(state), name)

    @property
    def is_unchanged(self) -> bool:
        """Whether the last event sent nothing."""
        return not self.deltas and not self.events


def on_duty(tab: Tab, token: str) -> Tab:
    """Set the session cookie of a tab of the staff site."""
    tab.cookie = f"staff={token}"
    return tab


def signed_in(tab: Tab, token: str) -> Tab:
    """Set the session cookie of a tab."""
    tab.cookie = f"session={token}"
    return tab


class Pipeline:
    """The server's event processor, without stored states."""

    def __init__(self, processor: Processor, manager: StateManagerMemory) -> None:
        self._processor, self._manager = processor, manager
        self._tabs: dict[str, Tab] = {}

    def tab(self, token: str = "first-tab") -> Tab:  # noqa: S107 - a tab, not a secret
        """The tab with this client token."""
        return self._tabs.setdefault(token, Tab(self._processor, self._manager, token))


class StaffMiddleware(MiddlewareMixin):
    """The middleware of the staff site. A process has one app only, and in the tests that is the customers'."""

    def __init__(self) -> None:
        self._middlewares = [Guard(STAFF)]


@asynccontextmanager
async def running_pipeline(*, staff: bool = False) -> AsyncIterator[Pipeline]:
    """The pipeline of the real app with its guard, on the caller's event loop.

    Args:
        staff: whether it is that of the staff site.
    """
    from portal.portal import app

    processor = Processor(middleware=StaffMiddleware() if staff else app)
    manager = StateManagerMemory()
    processor.configure(state_manager=manager)
    opened = Pipeline(processor, manager)

    async def keep_delta(token: str, delta: Any) -> None:
        opened.tab(token).deltas.append({state: dict(values) for state, values in delta.items()})

    async def keep_events(token: str, *events: Event) -> None:
        opened.tab(token).events.extend(events)

    assert processor._root_context
    processor._root_context = dataclasses.replace(
        processor._root_context, emit_delta_impl=keep_delta, emit_event_impl=keep_events
    )
    async with processor:
        yield opened


@pytest.fixture
async def pipeline() -> AsyncIterator[Pipeline]:
    """The pipeline of the real app with its guard."""
    async with running_pipeline() as opened:
        yield opened
