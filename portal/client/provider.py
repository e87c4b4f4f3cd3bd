"""The entry point of the client: `HttpProvider`, a provider reached over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

import httpx

from portal.client.caller import Caller, Limits
from portal.client.remote import Connection, remote
from portal.contract.common_api import LONGEST_WAIT
from portal.contract.models import PREFIX

T = TypeVar("T")

_PENDING = 2000
"""Connections for pages that wait for changes."""


class HttpProvider:
    """A provider that is reached over HTTP. Implements `portal.contract.registry.Provider`."""

    def __init__(
        self,
        api_root: str,
        *,
        api_key: str = "",
        limits: Limits | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Create the callers; nothing is sent yet."""
        limits = limits or Limits()
        patient = replace(limits, total_seconds=limits.total_seconds + LONGEST_WAIT, connections=_PENDING)
        root, headers = api_root.rstrip("/") + PREFIX, {"Accept": "application/json, application/pdf, text/calendar"}
        self._caller = Caller(root, headers=headers, limits=limits, transport=transport)
        # Waiting requests hold a connection each, so they have a pool of their own.
        self._pending = Caller(root, headers=headers, limits=patient, transport=transport)
        self._connection = Connection(self._caller, self._pending, api_key)
        self._remote: dict[type, Any] = {}

    def ask(self, api: type[T]) -> T:
        if api not in self._remote:
            self._remote[api] = remote(api, self._connection)
        return cast(T, self._remote[api])

    async def close(self) -> None:
        await self._pending.close()
        await self._caller.close()
