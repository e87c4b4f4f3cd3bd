"""Whether something changed that a page shows."""

from __future__ import annotations

from typing import Protocol

from portal.contract.changes import Changes, Watch
from portal.contract.operations import Token, operation


class ChangesApi(Protocol):
    """Waiting for a change."""

    @operation("GET", "/changes", waits="wait_seconds")
    async def changes(self, token: Token, watch: Watch) -> Changes:
        """Whether something changed since the last answer; waits for it as long as is asked.

        Asking does not count as use of the session: a page that nobody touches does not keep it alive.
        """
        ...
