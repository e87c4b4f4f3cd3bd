"""The provider as one object with a lifetime, and its background work."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property, partial
from importlib import import_module
from itertools import count
from typing import TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from portal.backend.backoffice import BackOffice
from portal.backend.context import Context, database_of
from portal.backend.database import DatabaseClock, hold_hourly_work
from portal.backend.jobs import is_quiet
from portal.backend.mail import Template
from portal.backend.migrations import migrate
from portal.backend.outbox import KIND, MailDelivery
from portal.backend.text_messages import KIND as TEXT_KIND
from portal.backend.text_messages import TextMessages
from portal.backend.transports import Transport, mail_transport
from portal.contracts.provider import ends as contract_ends
from portal.conversations.provider.service import ANSWER_HANDLER
from portal.flow.provider.cleanup import clean_files, compare_with_rows
from portal.flow.provider.handler import HANDLERS
from portal.flow.provider.service import OtherInstallation, check_owner
from portal.insurance.provider.service import INSURANCE_HANDLER
from portal.kernel.processes import file_lock
from portal.locations.rules import places
from portal.pictures.provider.service import JOB as PICTURE_JOB
from portal.pictures.provider.service import PictureSizes, clean_pictures
from portal.privacy.provider.export import KIND as EXPORT_KIND
from portal.privacy.provider.export import Exports
from portal.privacy.provider.service import CLEANUP_KIND
from portal.provider.cases import back_office_cases, register_followers
from portal.provider.registry import Registry
from portal.returns.provider.handlers import RETURN_HANDLERS
from portal.service_packages.provider import SERVICE_PACKAGE_HANDLER
from portal.settings import Settings
from portal.work_orders.provider.confirmation import ConfirmationWriter
from portal.work_orders.provider.handlers import CLAIM_HANDLER, REPAIR_HANDLER, SERVICE_HANDLER

FLOW_HANDLERS = (
    REPAIR_HANDLER,
    SERVICE_HANDLER,
    CLAIM_HANDLER,
    *RETURN_HANDLERS,
    INSURANCE_HANDLER,
    SERVICE_PACKAGE_HANDLER,
)

UPLOAD_HANDLERS = (ANSWER_HANDLER,)
"""Handlers without pages, to which files are uploaded."""


log = structlog.get_logger(__name__)
PURGE_SECONDS = 3600

LATER: Mapping[str, str] = {
    "case event": "portal.exports.provider.cases:Distribution.tell",
    "digest of overdue cases": "portal.exports.provider.digest:Digest.send",
    "import": "portal.imports.provider.runs:ImportRuns.run",
    "invoice_document": "portal.imports.provider.fetching:DocumentFetching.fetch",
    "location_change": "portal.master_data.provider.locations:LocationChanges.write_on_its_day",
    "webhook": "portal.exports.provider.webhooks:WebhookSender.deliver",
}
"""Handlers by kind of job that are imported with the first job of this kind: a start does not wait for them."""


class BackgroundWorker:
    def __init__(self, context: Context, mail: Transport | None = None) -> None:
        """Register the job handlers; mails use the transport of the settings unless one is given."""
        self._context = context
        self._purging: asyncio.Task[None] | None = None
        writers = {Template.REQUEST_CONFIRMATION: ConfirmationWriter(context).write}
        context.jobs.register(KIND, MailDelivery(context, mail or mail_transport(context.settings), writers).deliver)
        context.jobs.register(TEXT_KIND, TextMessages(context).deliver)
        context.jobs.register(contract_ends.JOB, partial(contract_ends.end_on_its_day, context))
        context.jobs.register(EXPORT_KIND, Exports(context).make)
        context.jobs.register(CLEANUP_KIND, self._clean_erased)
        context.jobs.register(PICTURE_JOB, PictureSizes(context).make)
        for kind, path in LATER.items():
            context.jobs.register(kind, partial(self._run_later, path))

    async def start(self) -> None:
        await self._context.jobs.start()
        self._purging = asyncio.create_task(self._purge(), name="retention")

    async def stop(self) -> None:
        if self._purging:
            self._purging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._purging
        await self._context.jobs.stop()

    async def _run_later(self, path: str, reference: int) -> None:
        module, _, handler = path.partition(":")
        name, _, method = handler.partition(".")
        imported = await asyncio.to_thread(import_module, module)
        await getattr(getattr(imported, name)(self._context), method)(reference)

    async def _is_quiet(self) -> bool:
        async with self._context.database.session() as session:
            return await is_quiet(session)

    async def _clean_erased(self, _customer_id: int) -> None:
        await clean_files(self._context)

    async def _purge(self) -> None:
        for hours in count():
            # Not right after the start, so that the first requests are fast.
            await asyncio.sleep(PURGE_SECONDS / 60)
            try:
                async with hold_hourly_work(self._context.database) as first:
                    if first and not await self._is_quiet():
                        hourly = await asyncio.to_thread(import_module, "portal.provider.hourly")
                        await hourly.purge(self._context)
                        # Another store may be in its place since the start.
                        await check_owner(self._context)
                        await clean_pictures(self._context)
                        await clean_files(self._context)
                        if hours % 24 == 1:  # an hour after the start, in which a wrong setting shows
                            await compare_with_rows(self._context)
            except OtherInstallation as error:
                log.error("no file was deleted", reason=str(error))
            except Exception as error:
                log.warning("old data could not be deleted", error=type(error).__name__)
            await asyncio.sleep(PURGE_SECONDS)


T = TypeVar("T")


class Application:
    def __init__(
        self, settings: Settings, *, clock: Callable[[], datetime] | None = None, mail: Transport | None = None
    ) -> None:
        HANDLERS.register((*FLOW_HANDLERS, *UPLOAD_HANDLERS))
        register_followers()
        database = database_of(settings)
        self._clock = DatabaseClock(database)
        self.context = Context(settings, database, clock or self._clock)
        self.services = Registry(self.context)
        self._worker = BackgroundWorker(self.context, mail)

    @cached_property
    def back_office(self) -> BackOffice:
        return BackOffice(self.context, back_office_cases())

    async def open(self, *, jobs: bool = True) -> None:
        await asyncio.to_thread(places.load)
        await self._clock.start()
        if jobs:
            await self._worker.start()

    async def close(self) -> None:
        await self.services.close()
        await self._worker.stop()
        await self._clock.stop()
        await self.context.database.close()

    @staticmethod
    def prepare(settings: Settings) -> None:
        """Migrate the database; in the demonstration, load the shop or move its dates. Blocks."""
        _migrate(settings)
        if not settings.demonstration:
            return
        from portal import demo

        with _loading(settings):
            asyncio.run(_with_application(settings, demo.keep_young))
            asyncio.run(_with_application(settings, demo.add_pictures))
            if asyncio.run(_with_application(settings, demo.add_stories)):
                asyncio.run(_with_application(settings, demo.add_photos))


def _migrate(settings: Settings) -> None:
    migrate(settings.database)
    try:
        asyncio.run(_check_owner(Context(settings, database_of(settings))))
    except (OtherInstallation, SQLAlchemyError, OSError):
        raise
    except Exception as error:
        # A bucket out of reach: customers can be served without files, and the hourly cleanup compares again.
        log.warning("file store does not answer", error=type(error).__name__)


async def _check_owner(context: Context) -> None:
    try:
        await check_owner(context)
    finally:
        await context.database.close()


def _loading(settings: Settings) -> AbstractContextManager[None]:
    """One process at a time loads demonstration data: on a slow machine, others would not wait long enough to write."""
    return file_lock(settings.data_dir / "demonstration.lock")


def load_demo(settings: Settings, *, reset: bool = False) -> str:
    """Migrate, load the demonstration shop, and say what was done. Blocks."""
    from portal import demo

    _migrate(settings)

    async def load(application: Application) -> bool:
        if not await demo.load(application, reset=reset):
            return False
        await demo.add_pictures(application)
        await demo.add_stories(application)
        return await demo.add_photos(application)

    with _loading(settings):
        loaded = asyncio.run(_with_application(settings, load))
    return "The demonstration shop is loaded." if loaded else "The database is not empty; nothing was loaded."


async def _with_application(settings: Settings, act: Callable[[Application], Awaitable[T]]) -> T:
    application = Application(settings)
    try:
        return await act(application)
    finally:
        await application.context.database.close()
