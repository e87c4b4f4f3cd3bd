"""Send events to states through the framework's own pipeline, guard included, without browser or server."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, ClassVar, TypeVar

import pytest
import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor
from reflex_base.event.processor.future import EventFuture
from reflex_base.utils.format import format_event_handler

S = TypeVar("S", bound=rx.State)


class Processor(BaseStateEventProcessor):
    """The server's event processor; it knows which of its events only wait for a change of the shop."""

    names: ClassVar[dict[str, str]] = {}

    async def enqueue(self, token: str, event: Event, *further: Any, **named: Any) -> EventFuture:
        """Note what an event is called."""
        future = await super().enqueue(token, event, *further, **named)
        self.names[future.txid] = event.name
        return future

    def watches(self, future: EventFuture) -> bool:
        """Whether an event lasts as long as the page is open."""
        return self.names.get(future.txid, "").endswith(".watch")

    async def settled(self, future: EventFuture) -> None:
        """Wait for an event and everything that it caused. A page that watches is not waited for."""
        await future
        for child in future.children:  # grows while it is walked
            if not self.watches(child):
                with suppress(Exception, asyncio.CancelledError):
                    await self.settled(child)


class Tab:
    """One browser tab, as the server sees it.

    Attributes:
        cookie: What the browser sends as its Cookie header.
        deltas: What the last event changed, by full state name.
        events: What the last event asked the browser to do.
    """

    def __init__(self, processor: Processor, manager: StateManagerMemory, token: str) -> None:
        self._processor, self._manager = processor, manager
        self.token = token
        self.cookie = ""
        self.deltas: list[dict[str, dict[str, Any]]] = []
        self.events: list[Event] = []

    async def send(self, handler: Any, path: str = "/", **payload: Any) -> Tab:
        """Send one event and wait until everything that it caused is done, but for pages that watch.

        Args:
            handler: The event handler, as `Orders.load`, or its full name.
            path: The page that the tab shows, with its query.
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
            "sid": f"socket-of-{self.token}",
            "ip": "127.0.0.1",
            "headers": {"cookie": self.cookie, "host": "localhost:8000", "origin": "http://localhost:8000"},
        }
        future = await self._processor.enqueue(self.token, Event(name=name, payload=payload, router_data=router))
        await self._processor.settled(future)
        return self

    def shown(self, state: type[rx.State], name: str) -> Any:
        """The value of a variable that the last event sent to the browser; None when it sent none."""
        value = None
        for delta in self.deltas:
            value = delta.get(state.get_full_name(), {}).get(name + FIELD_MARKER, value)
        return value

    def stored(self, state: type[S]) -> S:
        """The state as the server keeps it for this tab."""
        return self._manager.states[self.token].get_substate(state.get_full_name().split("."))

    @property
    def is_unchanged(self) -> bool:
        """Whether the last event sent nothing at all."""
        return not self.deltas and not self.events


def signed_in(tab: Tab, token: str) -> Tab:
    """Give the browser of a tab a session."""
    tab.cookie = f"session={token}"
    return tab


class Pipeline:
    """The server's event processor with an empty memory."""

    def __init__(self, processor: Processor, manager: StateManagerMemory) -> None:
        self._processor, self._manager = processor, manager
        self._tabs: dict[str, Tab] = {}

    def tab(self, token: str = "first-tab") -> Tab:  # noqa: S107 - a tab, not a secret
        """The tab with this client token."""
        return self._tabs.setdefault(token, Tab(self._processor, self._manager, token))


@asynccontextmanager
async def running_pipeline() -> AsyncIterator[Pipeline]:
    """The pipeline of the real app, with its guard, on the event loop of the caller."""
    from portal.portal import app

    processor = Processor(middleware=app)
    manager = StateManagerMemory()
    processor.configure(state_manager=manager)
    opened = Pipeline(processor, manager)

    async def keep_delta(token: str, delta: Any) -> None:
        opened.tab(token).deltas.append({state: dict(values) for state, values in delta.items()})

    async def keep_events(token: str, *events: Event) -> None:
        opened.tab(token).events.extend(events)

    assert processor._root_context
    processor._root_context = dataclasses.replace(
        processor._root_context,
        emit_delta_impl=keep_delta,
        emit_event_impl=keep_events,
    )
    async with processor:
        yield opened


@pytest.fixture
async def pipeline() -> AsyncIterator[Pipeline]:
    """The pipeline of the real app, with its guard."""
    async with running_pipeline() as opened:
        yield opened
