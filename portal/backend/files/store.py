"""Stores customers' files: the `Store` interface and its implementations for the local disk and S3 buckets."""

from __future__ import annotations

import asyncio
import os
import re
import time
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from portal.kernel.ranges import Part
from portal.settings import FileStore, Settings

if TYPE_CHECKING:
    from obstore import GetOptions

P = ParamSpec("P")
T = TypeVar("T")
PIECE = 256 * 1024
"""Bytes per read or write."""

_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="files")


async def in_thread(act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run a blocking disk operation in a thread."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: act(*arguments, **named))


class Store(Protocol):
    """Stores files under generated keys."""

    async def keep(self, key: str, source: Path) -> None:
        """Store a file under a key. The write is atomic, and durable on return. The source file is removed."""
        ...

    def read(self, key: str, part: Part | None = None) -> AsyncGenerator[bytes, None]:
        """The file under a key, or a part of it that it has, in pieces.

        Raises:
            FileNotFoundError: there is no file under the key.
        """
        ...

    async def remove(self, key: str) -> None:
        """Delete the file under a key. A missing file is not an error."""
        ...

    def keys(self) -> AsyncIterator[str]:
        """The keys of all files older than a day. A file without a database row by then is an orphan."""
        ...


class LocalStore:
    """A directory on the disk of this server."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def keep(self, key: str, source: Path) -> None:
        """Move a file into the store."""
        await in_thread(self._keep, self._place(key), source)

    async def read(self, key: str, part: Part | None = None) -> AsyncGenerator[bytes, None]:
        """The bytes, piece by piece."""
        file = await in_thread(self._place(key).open, "rb")
        try:
            if part is None:
                while piece := await in_thread(file.read, PIECE):
                    yield piece
                return
            await in_thread(file.seek, part.first)
            left = part.length
            while left and (piece := await in_thread(file.read, min(PIECE, left))):
                left -= len(piece)
                yield piece
        finally:
            file.close()

    async def remove(self, key: str) -> None:
        """Delete a file."""
        await in_thread(self._place(key).unlink, missing_ok=True)

    async def keys(self) -> AsyncIterator[str]:
        """Names of files that are older than a day."""
        for name in await in_thread(self._old):
            yield name

    def _place(self, key: str) -> Path:
        if not key.replace("-", "").isalnum():
            raise ValueError("not a valid storage key")
        return self._directory / key[:2] / key

    @staticmethod
    def _keep(place: Path, source: Path) -> None:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with source.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(source, place)
        # The directory entry must be durable as well.
        directory = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def _old(self) -> list[str]:
        return [path.name for path in self._directory.glob("??/*") if is_old(path)]


def is_old(path: Path, seconds: float = 86_400) -> bool:
    """Whether a file was last written more than `seconds` ago; False if it does not exist."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime < time.time() - seconds
    return False


def store_of(settings: Settings) -> Store:
    """Create the store that the settings select."""
    if settings.files.store == "s3":
        return Bucket(settings.files)
    return LocalStore(settings.data_dir / "files")


_PART = 8 * 1024 * 1024
"""Bytes per part of an upload to S3. Two parts are sent at once, so memory use does not depend on the file size."""


class Bucket:
    """A bucket of an S3-compatible store."""

    def __init__(self, settings: FileStore) -> None:
        from obstore.store import S3Store

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
            retry_config=retries,
        )

    async def keep(self, key: str, source: Path) -> None:
        """Upload a file in parts. It becomes visible when all parts are complete."""
        import obstore

        await obstore.put_async(self._store, self._prefix + key, source, chunk_size=_PART, max_concurrency=2)
        await in_thread(source.unlink, missing_ok=True)

    async def read(self, key: str, part: Part | None = None) -> AsyncGenerator[bytes, None]:
        """The bytes, piece by piece."""
        import obstore

        if part is not None and not part.length:
            return  # a bucket refuses an empty range
        options: GetOptions = {} if part is None else {"range": (part.first, part.first + part.length)}
        found = await obstore.get_async(self._store, self._prefix + key, options=options)
        async for piece in found.stream(min_chunk_size=PIECE):
            yield bytes(piece)

    async def remove(self, key: str) -> None:
        """Delete a file."""
        import obstore

        try:
            await obstore.delete_async(self._store, self._prefix + key)
        except FileNotFoundError:
            return

    async def keys(self) -> AsyncIterator[str]:
        """Names of files that are older than a day."""
        import obstore

        yesterday = datetime.now(UTC) - timedelta(days=1)
        async for page in obstore.list(self._store, prefix=self._prefix or None):
            for entry in page:
                if entry["last_modified"] < yesterday:
                    yield entry["path"].removeprefix(self._prefix)


LONGEST = 120


def tidy_name(name: str) -> str:
    """A file name for display: no folders or invisible characters, at most `LONGEST` characters, extension kept."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    seen = "".join(sign for sign in last if sign.isprintable() and sign not in ':*?"<>|').strip(" .")
    if not seen:
        return "bestand"
    if len(seen) <= LONGEST:
        return seen
    stem, point, ending = seen.rpartition(".")
    if not point or len(ending) > 8:
        return seen[:LONGEST]
    return f"{stem[: LONGEST - len(ending) - 1]}.{ending}"
