"""Files in an S3-compatible store, without blocking the event loop. Needs the package obstore."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import obstore
from obstore.store import S3Store

from portal.provider.files.store import PIECE, in_thread
from portal.settings import FileStore

_PART = 8 * 1024 * 1024
"""Bytes of one part; with two at once a file needs little memory, whatever its size."""


class Bucket:
    """A bucket."""

    def __init__(self, settings: FileStore) -> None:
        options: dict[str, Any] = {"region": settings.region}
        if settings.endpoint:
            options |= {"endpoint": settings.endpoint, "virtual_hosted_style_request": False}
        if settings.access_key:
            options |= {
                "access_key_id": settings.access_key,
                "secret_access_key": settings.secret_key.get_secret_value(),
            }
        self._prefix = settings.prefix
        plain = settings.endpoint.startswith("http://")
        retries = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}
        self._store = S3Store(
            settings.bucket,
            **options,
            client_options={"allow_http": plain, "connect_timeout": "3s", "timeout": "60s"},
            retry_config=retries,  # pyright: ignore[reportArgumentType]
        )

    async def keep(self, key: str, source: Path) -> None:
        """Send a file; it is there when all parts are."""
        await obstore.put_async(self._store, self._prefix + key, source, chunk_size=_PART, max_concurrency=2)
        await in_thread(source.unlink, missing_ok=True)

    async def read(self, key: str) -> AsyncGenerator[bytes, None]:
        """The bytes, piece by piece."""
        found = await obstore.get_async(self._store, self._prefix + key)
        async for piece in found.stream(min_chunk_size=PIECE):
            yield bytes(piece)

    async def remove(self, key: str) -> None:
        """Delete a file."""
        try:
            await obstore.delete_async(self._store, self._prefix + key)
        except FileNotFoundError:
            return

    async def keys(self) -> AsyncIterator[str]:
        """Names of files that are older than a day."""
        yesterday = datetime.now(UTC) - timedelta(days=1)
        async for page in obstore.list(self._store, prefix=self._prefix or None):
            for entry in page:
                if entry["last_modified"] < yesterday:
                    yield entry["path"].removeprefix(self._prefix)
