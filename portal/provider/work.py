"""Everything the house does by itself, in the background: delivering mails, throwing away what is not needed."""

from __future__ import annotations

import asyncio
import contextlib
from itertools import count

import structlog

from portal.provider.confirmations.letter import ConfirmationWriter
from portal.provider.context import Context
from portal.provider.files.cleaning import clean
from portal.provider.mail.texts import Template
from portal.provider.mail.transport import Transport, transport
from portal.provider.outbox import KIND, Postman
from portal.provider.retention import purge
from portal.provider.text_messages import KIND as TEXT_KIND
from portal.provider.text_messages import TextMessages

log = structlog.get_logger(__name__)

PURGE_SECONDS = 3600


class Work:
    """Starts and stops the background work of one process."""

    def __init__(self, context: Context, mail: Transport | None = None) -> None:
        """Work with the parts of the house; mails leave as the settings say, unless a transport is given."""
        self._context = context
        self._purging: asyncio.Task[None] | None = None
        writers = {Template.REQUEST_CONFIRMATION: ConfirmationWriter(context).write}
        context.jobs.register(KIND, Postman(context, mail or transport(context.settings), writers).deliver)
        context.jobs.register(TEXT_KIND, TextMessages(context).deliver)

    async def start(self) -> None:
        """Begin."""
        await self._context.jobs.start()
        self._purging = asyncio.create_task(self._purge(), name="retention")

    async def stop(self) -> None:
        """Let what is under way end, and stop."""
        if self._purging:
            self._purging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._purging
        await self._context.jobs.stop()

    async def _purge(self) -> None:
        for hours in count():
            # Not in the first moments, which belong to the first visitors.
            await asyncio.sleep(PURGE_SECONDS / 60)
            try:
                await purge(self._context)
                await clean(self._context, thoroughly=hours % 24 == 0)
            except Exception as error:
                log.warning("what is old could not be deleted", error=type(error).__name__)
            await asyncio.sleep(PURGE_SECONDS)
