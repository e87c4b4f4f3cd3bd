"""The retailer's house: everything of it, opened and closed together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

from portal.domain import places
from portal.domain.dates import now
from portal.provider import demo
from portal.provider.backoffice.movables import MOVABLES
from portal.provider.backoffice.office import BackOffice
from portal.provider.context import Context
from portal.provider.database import Database
from portal.provider.flows.desk import HANDLERS
from portal.provider.handlers import FLOW_HANDLERS
from portal.provider.mail.transport import Transport
from portal.provider.migrations import migrate
from portal.provider.registry import Registry
from portal.provider.work import Work
from portal.settings import Settings

T = TypeVar("T")


class House:
    """Database, services and background work of one process.

    Attributes:
        context: the parts that the services share.
        services: what answers the operations.
        back_office: what the shop itself may do.
    """

    def __init__(
        self, settings: Settings, *, clock: Callable[[], datetime] = now, mail: Transport | None = None
    ) -> None:
        """Build the house; nothing is opened yet.

        Args:
            settings: of this process.
            clock: the current moment, aware, in UTC.
            mail: how mails leave; by default as the settings say.
        """
        HANDLERS.register(FLOW_HANDLERS)
        self.context = Context(settings, Database(settings.database), clock)
        self.services = Registry(self.context)
        self.back_office = BackOffice(self.context, MOVABLES)
        self._work = Work(self.context, mail)

    async def open(self) -> None:
        """Begin with the work in the background. A database that is away is waited for."""
        await asyncio.to_thread(places.load)
        await self._work.start()

    async def close(self) -> None:
        """Let what is under way end, and close the database."""
        await self.services.close()
        await self._work.stop()
        await self.context.database.close()

    @staticmethod
    def prepare(settings: Settings) -> None:
        """Bring the database to the tables of this version; in the demonstration, load or re-date the shop.

        Blocks; from async code use a thread.
        """
        migrate(settings.database)
        if settings.demonstration:
            asyncio.run(_with_house(settings, demo.keep_young))


def load_demo(settings: Settings, *, reset: bool = False) -> str:
    """Migrate, load the demonstration shop, and say what was done. Blocks.

    Args:
        settings: of this process.
        reset: throw away what is in the database first.
    """
    migrate(settings.database)

    async def load(house: House) -> bool:
        return await demo.load(house, reset=reset)

    loaded = asyncio.run(_with_house(settings, load))
    return "The demonstration shop is loaded." if loaded else "The database is not empty; nothing was loaded."


async def _with_house(settings: Settings, act: Callable[[House], Awaitable[T]]) -> T:
    house = House(settings)
    try:
        return await act(house)
    finally:
        await house.context.database.close()
