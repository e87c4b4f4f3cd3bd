"""What every service of the retailer's side has."""

from __future__ import annotations

from portal.backend.context import Context
from portal.backend.sessions import Sessions


class Service:
    """Implements the operations of a subject; what each does is said in its API."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._settings = context.settings
        self._sessions = sessions

    async def close(self) -> None:
        """Let what is under way end."""
