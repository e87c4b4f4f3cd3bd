"""The operation that waits for changes. What only records them, such as a command, needs `live` alone."""

from __future__ import annotations

from datetime import timedelta

from typing_extensions import override

from portal.backend.context import Context
from portal.backend.live import EVERY_SECONDS, ChangeHub, mark
from portal.backend.service import Service
from portal.backend.sessions import Sessions
from portal.contract.changes import RECENT, Changes, ChangesApi, Watch


class ChangesService(Service, ChangesApi):
    """Implements the operation that waits for changes."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._hub = ChangeHub(context.database, EVERY_SECONDS)

    @override
    async def changes(self, token: str, watch: Watch) -> Changes:
        owner = await self._sessions.owner(token, use=False)
        async with self._context.database.session() as session:
            found = await mark(session, owner.customer_id, watch.topics)
        if found.number == watch.since and watch.wait_seconds:
            number = await self._hub.wait(owner.customer_id, watch.topics, found.number, watch.wait_seconds)
            return Changes(mark=number, recent=number != found.number)
        since = self._context.clock() - timedelta(seconds=RECENT)
        return Changes(mark=found.number, recent=found.changed_at is not None and found.changed_at >= since)

    @override
    async def close(self) -> None:
        """Complete all waiting requests."""
        await self._hub.close()
        await super().close()
