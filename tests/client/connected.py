"""A client of one address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portal.client.caller import Limits
from portal.client.remote import HttpProvider

LIMITS = Limits(total_seconds=1, connect_seconds=0.3, file_seconds=1)
"""Impatient."""
PATIENT = Limits(total_seconds=8, connect_seconds=5, file_seconds=8)
"""For what is not about time: a machine that is busy for a moment must not look like a provider that is down."""


@asynccontextmanager
async def connected(address: str, limits: Limits = PATIENT, *, api_key: str = "") -> AsyncIterator[HttpProvider]:
    """A client that is closed at the end."""
    client = HttpProvider(address, limits=limits, api_key=api_key)
    try:
        yield client
    finally:
        await client.close()
