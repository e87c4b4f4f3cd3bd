"""The base class of all services of the provider."""

from __future__ import annotations

from portal.backend.context import Context
from portal.backend.sessions import Sessions


class Service:
    """Base class of a service. The `api` module of each subject documents its operations."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._settings = context.settings
        self._sessions = sessions

    async def close(self) -> None:
        """Wait for running work to finish."""
