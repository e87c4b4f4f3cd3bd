"""The provider as one object with a lifetime, and its background work."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import TypeVar

import structlog
from sqlmodel import col, delete, or_

from portal import demo
from portal.backend.backoffice import BackOffice
from portal.backend.context import Context
from portal.backend.database import Database, migrate
from portal.backend.mail import Template, Transport, transport
from portal.backend.outbox import KIND, MailDelivery
from portal.backend.text_messages import KIND as TEXT_KIND
from portal.backend.text_messages import TextMessages
from portal.contracts.provider import ends as contract_ends
from portal.flow.provider.cleanup import clean_files
from portal.flow.provider.handler import HANDLERS
from portal.kernel.days import now
from portal.locations.rules import places
from portal.provider.handlers import FLOW_HANDLERS
from portal.provider.registry import BACK_OFFICE_CASES, Registry
from portal.returns.provider.transitions import expire
from portal.settings import Settings
from portal.tables.customers import EmailChangeRow, LimitWindow, LoginChallenge, SessionRow
from portal.tables.drafts import DraftRow
from portal.tables.messages import ConfirmationLinkRow, OutboxMail, TextMessageRow
from portal.work_orders.provider.confirmation_mail import ConfirmationWriter

DAY = timedelta(days=1)
SESSIONS = timedelta(days=30)
"""Retention of sessions after their end."""

LINKS = timedelta(days=30)
"""Retention of links after their end; until then their page shows the outcome."""

MAILS = timedelta(days=90)
"""Retention of the records of sent mails; their content is erased at once."""


async def purge(context: Context) -> None:
    """Expire returns that were not confirmed in time, and delete old rows.

    Codes go after a day, links 30 days and sessions 30 days after their end, mails and text messages after 90 days,
    limits and drafts when over.
    """
    now = context.clock()
    finished = or_(col(OutboxMail.sent_at).is_not(None), col(OutboxMail.dropped_at).is_not(None))
    async with context.database.transaction() as session:
        await expire(context, session)
        for statement in (
            delete(LoginChallenge).where(col(LoginChallenge.created_at) < now - DAY),
            delete(EmailChangeRow).where(col(EmailChangeRow.created_at) < now - DAY),
            delete(SessionRow).where(col(SessionRow.expires_at) < now - SESSIONS),
            delete(LimitWindow).where(col(LimitWindow.ends_at) < now),
            delete(DraftRow).where(col(DraftRow.expires_at) < now),
            delete(ConfirmationLinkRow).where(col(ConfirmationLinkRow.expires_at) < now - LINKS),
            delete(TextMessageRow).where(col(TextMessageRow.due_at) < now - MAILS),
            delete(OutboxMail).where(finished, col(OutboxMail.created_at) < now - MAILS),
            delete(OutboxMail).where(finished, col(OutboxMail.recipient) == "", col(OutboxMail.created_at) < now - DAY),
        ):
            await session.exec(statement)


log = structlog.get_logger(__name__)
PURGE_SECONDS = 3600


class BackgroundWorker:
    """Starts and stops the background work of one process."""

    def __init__(self, context: Context, mail: Transport | None = None) -> None:
        """Register the job handlers; mails use the transport of the settings unless one is given."""
        self._context = context
        self._purging: asyncio.Task[None] | None = None
        writers = {Template.REQUEST_CONFIRMATION: ConfirmationWriter(context).write}
        context.jobs.register(KIND, MailDelivery(context, mail or transport(context.settings), writers).deliver)
        context.jobs.register(TEXT_KIND, TextMessages(context).deliver)
        context.jobs.register(contract_ends.JOB, partial(contract_ends.end_on_its_day, context))

    async def start(self) -> None:
        """Begin."""
        await self._context.jobs.start()
        self._purging = asyncio.create_task(self._purge(), name="retention")

    async def stop(self) -> None:
        """Wait for running work, then stop."""
        if self._purging:
            self._purging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._purging
        await self._context.jobs.stop()

    async def _purge(self) -> None:
        for hours in count():
            # Not right after the start, so that the first requests are fast.
            await asyncio.sleep(PURGE_SECONDS / 60)
            try:
                await purge(self._context)
                await clean_files(self._context, whole_store=hours % 24 == 0)
            except Exception as error:
                log.warning("what is old could not be deleted", error=type(error).__name__)
            await asyncio.sleep(PURGE_SECONDS)


T = TypeVar("T")


class Application:
    """Database, services and background work of one process.

    Attributes:
        context: shared by all services.
        services: the implementations of the APIs.
        back_office: operations for staff.
    """

    def __init__(
        self, settings: Settings, *, clock: Callable[[], datetime] = now, mail: Transport | None = None
    ) -> None:
        """Create the services; nothing is opened yet.

        Args:
            settings: of this process.
            clock: the current moment, aware, in UTC.
            mail: how mails leave; by default as the settings say.
        """
        HANDLERS.register(FLOW_HANDLERS)
        self.context = Context(settings, Database(settings.database), clock)
        self.services = Registry(self.context)
        self.back_office = BackOffice(self.context, BACK_OFFICE_CASES)
        self._worker = BackgroundWorker(self.context, mail)

    async def open(self) -> None:
        """Start the background work, even while the database is unavailable."""
        await asyncio.to_thread(places.load)
        await self._worker.start()

    async def close(self) -> None:
        """Wait for running work and close the database."""
        await self.services.close()
        await self._worker.stop()
        await self.context.database.close()

    @staticmethod
    def prepare(settings: Settings) -> None:
        """Migrate the database; in the demonstration, load the shop or move its dates.

        Blocks; from async code use a thread.
        """
        migrate(settings.database)
        if settings.demonstration:
            asyncio.run(_with_application(settings, demo.keep_young))


def load_demo(settings: Settings, *, reset: bool = False) -> str:
    """Migrate, load the demonstration shop, and say what was done. Blocks.

    Args:
        settings: of this process.
        reset: throw away what is in the database first.
    """
    migrate(settings.database)

    async def load(application: Application) -> bool:
        return await demo.load(application, reset=reset)

    loaded = asyncio.run(_with_application(settings, load))
    return "The demonstration shop is loaded." if loaded else "The database is not empty; nothing was loaded."


async def _with_application(settings: Settings, act: Callable[[Application], Awaitable[T]]) -> T:
    application = Application(settings)
    try:
        return await act(application)
    finally:
        await application.context.database.close()
