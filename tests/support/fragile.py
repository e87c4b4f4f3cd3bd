"""`python -m tests.support.fragile PORT`: a provider that dies once at each moment that `FRAGILE_MOMENTS` names.

The worker that answers is ended by SIGKILL, as a power cut or the kernel would; the supervisor, which is the one of
production, starts another. The moments, separated by spaces, are `<operation>:<before|after>`: before or after the
commit of the operation with this name, for saving with its step as `save_step/step-2`; and `mail:<before|after>`, the
mail server's OK.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from granian.constants import Interfaces
from granian.server import Server

from portal.provider import jobs, server
from portal.provider.database import Database
from portal.provider.mail.transport import SmtpTransport
from portal.provider.services.all import Services
from portal.settings import settings

MOMENTS = "FRAGILE_MOMENTS"


def create_app() -> FastAPI:
    """The API of the provider, with the moment of its end prepared."""
    # A worker that died keeps its job for so long. One that lives renews it every third of this, on a busy machine too.
    jobs.LEASE = timedelta(seconds=4)
    for moment in os.environ.get(MOMENTS, "").split():
        what, _, when = moment.partition(":")
        if what == "mail":
            _end_at_mail(moment, after=when == "after")
        else:
            operation, _, step = what.partition("/")
            _end_at(moment, operation, step, after=when == "after")
    return server.create_app()


def deaths(data_dir: Path) -> set[str]:
    """The moments at which a provider with this directory has died."""
    return {mark.read_text() for mark in data_dir.glob("died-*")}


def _die(moment: str) -> None:
    """Once at every moment, whichever process it is."""
    mark = settings().data_dir / f"died-{re.sub(r'[^a-z0-9]', '-', moment)}"
    if not mark.exists():
        mark.write_text(moment)
        os.kill(os.getpid(), signal.SIGKILL)


def _end_at(moment: str, operation: str, step: str, *, after: bool) -> None:
    original: Callable[..., Awaitable[Any]] = getattr(Services, operation)
    doomed = False

    @wraps(original)
    async def ends(*arguments: Any) -> Any:
        nonlocal doomed
        meant = not step or getattr(arguments[-1], "step", "") == step
        doomed = meant and not after
        answer = await original(*arguments)
        if meant:
            _die(moment)
        return answer

    setattr(Services, operation, ends)
    transaction = Database.transaction

    @asynccontextmanager
    async def ends_before_the_commit(self: Database) -> AsyncIterator[Any]:
        async with transaction(self) as session:
            yield session
            if doomed:
                _die(moment)

    Database.transaction = ends_before_the_commit


def _end_at_mail(moment: str, *, after: bool) -> None:
    original = SmtpTransport.send

    async def ends(self: SmtpTransport, message: bytes, *more: Any) -> None:
        if not after:
            _die(moment)
        await original(self, message, *more)
        _die(moment)

    SmtpTransport.send = ends  # pyright: ignore[reportAttributeAccessIssue]


class _Forgetful(dict[int, float]):
    """When workers were started: the supervisor gives up on one that dies again at once, as these are meant to."""

    def __setitem__(self, worker: int, started: float) -> None:
        pass


if __name__ == "__main__":
    supervisor = Server(
        "tests.support.fragile:create_app",
        port=int(sys.argv[1]),
        interface=Interfaces.ASGI,
        factory=True,
        workers=1,
        respawn_failed_workers=True,
        websockets=False,
    )
    supervisor.respawned_wrks = _Forgetful()
    supervisor.serve()
