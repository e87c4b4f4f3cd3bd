"""Connects portal and provider. The only module that knows both sides of the contract.

Embedded (no `PORTAL_API_ROOT`): the services of our own provider answer the portal directly, and the same services
answer other clients through the HTTP API. Remote: an HTTP client calls a provider elsewhere, and there is no database.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.models import PREFIX
from portal.contract.registry import connect, connected, disconnect
from portal.kernel.processes import NotConfined, check
from portal.logs import configure
from portal.settings import Settings, settings

if TYPE_CHECKING:
    from reflex import App

    from portal.provider.application import Application


_log = structlog.get_logger(__name__)
_applications: list[Application] = []


class NotReady(RuntimeError):
    """The database cannot be prepared, or belongs to other files; the message is one line."""


def prepare(options: Settings, site: str) -> None:
    """Claim the database for a site, and prepare its tables and demonstration data, before the first request."""
    try:
        check(required=options.confinement_required)
    except NotConfined as error:
        raise NotReady(str(error)) from error
    if options.api_root is not None:
        return
    from sqlalchemy.exc import SQLAlchemyError

    from portal.backend.faults import CommandFailed, claim, in_one_line
    from portal.provider.application import Application

    try:
        claim(options, site)
        Application.prepare(options)
    except CommandFailed as error:
        raise NotReady(str(error)) from error
    except (SQLAlchemyError, OSError) as error:
        raise NotReady(in_one_line(error)) from error


@asynccontextmanager
async def connect_provider(options: Settings | None = None) -> AsyncIterator[None]:
    """Connect a site to its provider for the lifetime of the server."""
    options = options or settings()
    opened = _remote(options) if options.api_root else _embedded(options)
    async with opened:
        try:
            yield
        finally:
            disconnect()


@asynccontextmanager
async def _embedded(options: Settings) -> AsyncIterator[None]:
    # Imported here so that a portal with a remote provider never loads the database code.
    from portal.provider.application import Application

    application = Application(options)
    await application.open(jobs=options.jobs)
    try:
        _applications.append(application)
        connect(application.services)
        yield
    finally:
        _applications.remove(application)
        await application.close()


@asynccontextmanager
async def _remote(options: Settings) -> AsyncIterator[None]:
    # Imported here so that a portal with an embedded provider never loads the client.
    from portal.client.caller import Limits
    from portal.client.remote import HttpProvider

    key = options.api_key.get_secret_value()
    if not key:
        _log.warning("no_api_key", meaning="the provider counts all customers as one network address")
    client = HttpProvider(str(options.api_root), api_key=key, limits=Limits(total_seconds=options.api_timeout_seconds))
    try:
        connect(client)
        yield
    finally:
        await client.close()


def api_app(options: Settings, *, staff: bool = False) -> ASGIApp | None:
    """The app of the provider API, served next to pages; None when the provider is remote."""
    if options.api_root is not None:
        return None
    # What answers requests is imported before they come.
    for name in ["application", *(["staff_registry"] if staff else [])]:
        import_module(f"portal.provider.{name}")
    return _ApiOnDemand(options, staff=staff)


class _ApiOnDemand:
    """The API, made in a thread when its first request comes: it takes half a second, and no page needs it."""

    def __init__(self, options: Settings, *, staff: bool) -> None:
        self._options, self._staff = options, staff
        self._making = asyncio.Lock()
        self._api: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._making:
            api = self._api = self._api or await asyncio.to_thread(self._make)
        await api(scope, receive, send)

    def _make(self) -> ASGIApp:
        from portal.provider.api import CUSTOMER_APIS, STAFF_APIS, create_api

        return create_api(
            lambda: _applications[-1].services,
            self._options,
            apis=STAFF_APIS if self._staff else CUSTOMER_APIS,
            back_office=None if self._staff else lambda: _applications[-1].back_office,
        )


def beside_api(rest: ASGIApp, options: Settings | None = None, *, staff: bool = False) -> ASGIApp:
    """Route the paths of the provider API to it, and all other requests to an app."""
    api = api_app(options or settings(), staff=staff)
    if api is None:
        return rest

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        ours = scope["type"] == "http" and (path == PREFIX or path.startswith(f"{PREFIX}/"))
        await (api if ours else rest)(scope, receive, send)

    return app


async def parts() -> dict[str, Mapping[str, object]]:
    """The state of each part of the provider, for `/ready`; nothing when it is remote."""
    if not _applications:
        return {}
    from portal.backend import health

    return await health.parts(_applications[-1].context)


async def figures() -> Mapping[str, Mapping[str, float]]:
    """What `/metrics` shows of the database, by figure and label."""
    from portal.backend import health

    return await health.figures(_applications[-1].context)


_EVENT_SECONDS = 5
"""How long events that run may take when the process ends. Their tabs read the result elsewhere, from the state."""


@asynccontextmanager
async def serving(app: App, *, staff: bool = False) -> AsyncIterator[None]:
    """Everything around a site while it is served: its log, its provider, its figures."""
    options = settings()
    metrics = import_module("portal.metrics") if options.metrics_port else None
    configure(*([metrics.count_line] if metrics else []))
    async with connect_provider(options):
        if metrics:
            connect(metrics.TimedProvider(connected()))
        tune_garbage_collector()
        port, measure = options.metrics_port + staff, figures if _applications else None
        with metrics.served(options.bind, port, measure) if metrics else nullcontext():
            try:
                yield
            finally:  # before the provider, which they ask
                await app.event_processor.stop(_EVENT_SECONDS)


def count_events(app: App) -> None:
    """Count the events of browsers, if figures are asked for."""
    if settings().metrics_port:
        from portal.metrics import CountedEvents

        app.add_middleware(CountedEvents())


_YOUNG_COLLECTION_THRESHOLD = 20_000
"""New objects before the collector looks at the youngest ones. A step in progress holds about a hundred of them: with
5,000, fifty customers who press Next at once start a collection every time, which takes 40 µs of each step and finds
nothing."""

_FULL_COLLECTION_THRESHOLD = 100
"""Collections of the middle generation before a full garbage collection. With 500 open tabs a full collection blocks
the process for more than a tenth of a second and finds almost nothing."""


def tune_garbage_collector() -> None:
    """Exclude everything loaded so far from garbage collection, because it lives as long as the process.

    What was loaded left almost no garbage: 1 % of the objects, less than 1 MB. Finding it would take 0.4 s.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG_COLLECTION_THRESHOLD, gc.get_threshold()[1], _FULL_COLLECTION_THRESHOLD)
    gc.enable()
