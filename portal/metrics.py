"""Figures for Prometheus, on a port of their own (`PORTAL_METRICS_PORT`). Loaded only where they are asked for."""

import asyncio
import inspect
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import reflex as rx
import structlog
from prometheus_client import REGISTRY, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from structlog.typing import EventDict, WrappedLogger
from typing_extensions import override

from portal.contract.errors import ProviderError
from portal.contract.registry import Provider
from portal.logs import known_request
from portal.reflex_adapter.events import Event
from portal.reflex_adapter.state import BaseState, StateUpdate

T = TypeVar("T")

LINES = Counter("portal_log_lines", "Lines of the log, by what they report.", ["event", "level"])
EVENTS = Counter("portal_events", "Events that browsers sent, by handler.", ["handler"])
CALLS = Histogram(
    "portal_provider_call_seconds",
    "Time of an operation of the provider; the outcome is `ok`, or the code of its refusal.",
    ["operation", "outcome"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

SCRAPE_SECONDS = 5.0
"""How long the figures of the database may take."""

Measure = Callable[[], Coroutine[Any, Any, Mapping[str, Mapping[str, float]]]]
"""Finds the numbers of the database, by figure and label."""


def count_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Count a line of our own log (a structlog processor). Our events are constants, so their number is small."""
    LINES.labels(event=event["event"], level=event["level"]).inc()
    return event


class CountedEvents(rx.Middleware):
    """Counts the events of browsers, and gives each an id for the lines of the log."""

    @override
    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        EVENTS.labels(handler=event.name.rpartition("state.")[2]).inc()
        # The task of an event ends with it.
        structlog.contextvars.bind_contextvars(request=known_request())
        return None


class TimedProvider:
    """A provider whose operations are timed."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._apis: dict[type[Any], Any] = {}

    def ask(self, api: type[T]) -> T:
        if api not in self._apis:
            self._apis[api] = _TimedApi(self._provider.ask(api), api.__name__)
        return self._apis[api]


class _TimedApi:
    def __init__(self, api: Any, name: str) -> None:
        self._api, self._name = api, name

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self._api, name)
        if not inspect.iscoroutinefunction(operation):
            return operation

        async def timed(*arguments: Any, **named: Any) -> Any:
            began, outcome = time.perf_counter(), "ok"
            try:
                return await operation(*arguments, **named)
            except BaseException as error:
                outcome = error.code.value if isinstance(error, ProviderError) else type(error).__name__
                raise
            finally:
                CALLS.labels(f"{self._name}.{name}", outcome).observe(time.perf_counter() - began)

        setattr(self, name, timed)
        return timed


FIGURES: Mapping[str, tuple[str, str]] = {
    "part_usable": ("part", "Whether a part does what customers need: 1 or 0."),
    "oldest_job_seconds": ("priority", "How long the oldest job of a priority is due."),
    "jobs_due": ("kind", "Jobs that are due."),
    "open_cases": ("which", "Open cases: those older than an age, those that are late, those with unread news."),
    "webhooks": ("state", "Webhooks that fail, and those that were paused."),
}
"""The label and the meaning of each figure of the database."""


class _Figures(Collector):
    """Figures of the database, asked for when Prometheus asks, in the loop of the server."""

    def __init__(self, measure: Measure, loop: asyncio.AbstractEventLoop) -> None:
        self._measure, self._loop = measure, loop

    @override
    def collect(self) -> Iterator[GaugeMetricFamily]:
        asked = asyncio.run_coroutine_threadsafe(self._measure(), self._loop)
        try:
            found = asked.result(SCRAPE_SECONDS)
        except Exception:
            asked.cancel()
            found = {"part_usable": {"database": 0.0}}
        for figure, values in found.items():
            label, meaning = FIGURES[figure]
            family = GaugeMetricFamily(f"portal_{figure}", meaning, labels=[label])
            for name, value in values.items():
                family.add_metric([name], value)
            yield family

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: Prometheus asks the figures themselves, also at the registration."""
        yield from ()


@contextmanager
def served(address: str, port: int, measure: Measure | None) -> Iterator[None]:
    """Serve the figures of this process while it runs."""
    figures = _Figures(measure, asyncio.get_running_loop()) if measure else None
    if figures:
        REGISTRY.register(figures)
    server, thread = start_http_server(port, address)
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        if figures:
            REGISTRY.unregister(figures)
