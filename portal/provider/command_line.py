"""What commands share: the database of the provider, and their refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from portal.backend.context import Context
from portal.backend.database import Database
from portal.backend.faults import CommandFailed
from portal.provider.cases import register_followers
from portal.settings import Settings

T = TypeVar("T")


class TransitionRefused(CommandFailed):
    """The status was not changed; the message is one line."""


def in_application(options: Settings, act: Callable[[Context], Awaitable[T]]) -> T:
    """Do something with the database of the provider. The services are not made: a command needs none."""
    if options.api_root is not None:
        raise TransitionRefused("the provider is elsewhere (PORTAL_API_ROOT); do it there")

    register_followers()

    async def run() -> T:
        context = Context(options, Database(options.database))
        try:
            return await act(context)
        finally:
            await context.database.close()

    return asyncio.run(run())
