"""A provider that crashes once at each moment in `FRAGILE_MOMENTS`. `tests.support.worker_pool` starts it.

The process is ended by SIGKILL, which simulates a power failure or the kernel's out-of-memory killer, and started
again, as a service manager does. The moments are separated by spaces:

- `<operation>:<before|after>`: before or after the commit of an operation. Saving a step includes the step, as in
  `save_step/step-2`.
- `mail:<before|after>`: before or after the mail server accepts a mail.
- `webhook:<before|after>`: before or after a receiver accepts an event.
- `event:<before|after>`: before or after the commit that makes deliveries and mails of an event.
"""

import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from portal.backend import jobs
from portal.backend.database import Database
from portal.backend.outgoing import OutgoingAnswer
from portal.backend.transports import OutgoingMessage, SmtpTransport
from portal.exports.provider import webhooks
from portal.exports.provider.cases import Distribution
from portal.kernel.processes import end_with
from portal.provider import api as server
from portal.provider import registry
from portal.reflex_adapter.worker import leave, serve
from portal.settings import settings

MOMENTS = "FRAGILE_MOMENTS"

_DOOMED = ContextVar("doomed", default="")
"""The moment at which the running operation crashes, before its commit."""


def create_app() -> FastAPI:
    """The API of the provider, prepared to crash at the moments."""
    # A dead worker keeps its job for this long. A live one renews the lease every third of it, even on a busy machine.
    jobs.LEASE = timedelta(seconds=4)
    _end_before_commits()
    for moment in os.environ.get(MOMENTS, "").split():
        what, _, when = moment.partition(":")
        if what == "mail":
            _end_at_mail(moment, after=when == "after")
        elif what == "webhook":
            _end_at_webhook(moment, after=when == "after")
        elif what == "event":
            _end_at_event(moment, after=when == "after")
        else:
            operation, _, step = what.partition("/")
            _end_at(moment, operation, step, after=when == "after")
    return server.create_app()


def deaths(data_dir: Path) -> set[str]:
    """The moments at which a provider with this directory has crashed."""
    return {mark.read_text() for mark in data_dir.glob("died-*")}


def _die(moment: str) -> None:
    """Crash, once per moment across all processes."""
    mark = settings().data_dir / f"died-{re.sub(r'[^a-z0-9]', '-', moment)}"
    if not mark.exists():
        mark.write_text(moment)
        os.kill(os.getpid(), signal.SIGKILL)


def _end_at(moment: str, operation: str, step: str, *, after: bool) -> None:
    dispatched = registry.dispatched

    def ending(name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(method)
        async def ends(**given: Any) -> Any:
            if step and getattr(given.get("entry"), "step", "") != step:
                return await method(**given)
            doomed = None if after else _DOOMED.set(moment)
            answer = await method(**given)
            if doomed:
                _DOOMED.reset(doomed)
            else:
                _die(moment)
            return answer

        return dispatched(name, ends if name == operation else method)

    registry.dispatched = ending


def _end_before_commits() -> None:
    transaction = Database.transaction

    @asynccontextmanager
    async def ends(self: Database) -> AsyncIterator[Any]:
        async with transaction(self) as session:
            yield session
            if moment := _DOOMED.get():
                _die(moment)

    Database.transaction = ends


def _end_at_mail(moment: str, *, after: bool) -> None:
    original = SmtpTransport.send

    async def ends(self: SmtpTransport, message: OutgoingMessage) -> None:
        if not after:
            _die(moment)
        await original(self, message)
        _die(moment)

    SmtpTransport.send = ends


def _end_at_webhook(moment: str, *, after: bool) -> None:
    original = webhooks.post

    async def ends(*arguments: Any, **named: Any) -> OutgoingAnswer:
        if not after:
            _die(moment)
        answer = await original(*arguments, **named)
        _die(moment)
        return answer

    webhooks.post = ends


def _end_at_event(moment: str, *, after: bool) -> None:
    original = Distribution.tell

    async def ends(self: Distribution, event_id: int) -> None:
        doomed = None if after else _DOOMED.set(moment)
        await original(self, event_id)
        if doomed:
            _DOOMED.reset(doomed)
        else:
            _die(moment)

    Distribution.tell = ends


def main(arguments: Sequence[str]) -> int:
    """Serve on the port given as the only argument, in a process that is forked again when it was killed."""
    while True:
        parent = os.getpid()
        process = os.fork()
        if not process:
            end_with(parent)
            leave(serve("tests.support.fragile:create_app", "127.0.0.1", int(arguments[0]), websockets=False))
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if status >= 0:
            return status
