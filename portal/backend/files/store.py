"""Stores customers' files: the `Store` interface and its implementations for the local disk and S3 buckets."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from portal.kernel.ranges import Part
from portal.setting_groups import FileStore
from portal.settings import Settings

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


_OWN = re.compile(r"[0-9a-f]{32,64}(?:-[a-z0-9-]+)?")
"""Form of the names that the portal gives its files. Everything else in the folder or bucket belongs to others."""

_OWNER = "installation"
_TRASH = "trash"


@dataclass(frozen=True, slots=True)
class StoredName:
    """The name of a file in the store, and the moment when it was written or put into the trash."""

    name: str
    since: datetime


class Store(Protocol):
    """Stores files under generated keys."""

    async def keep(self, key: str, source: Path) -> None:
        """Store a file under a key. The write is atomic, and durable on return. The source file is removed."""

    def read(self, key: str, part: Part | None = None) -> AsyncGenerator[bytes, None]:
        """The file under a key, or a part of it that it has, in pieces."""

    async def remove(self, key: str) -> None:
        """Delete the file under a key. A missing file is not an error."""

    def names(self, *, trash: bool = False) -> AsyncIterator[StoredName]:
        """The names of all files of the portal, without those in the trash; or only of those."""

    async def discard(self, name: str) -> None:
        """Move a file into the trash."""

    async def restore(self, name: str) -> None:
        """Move a file out of the trash."""

    async def erase(self, name: str) -> None:
        """Delete a file in the trash."""

    async def owner(self) -> str:
        """The id of the installation whose files these are; empty if none has been written."""

    async def set_owner(self, installation: str) -> None:
        """Write the id of the installation."""


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

    async def names(self, *, trash: bool = False) -> AsyncIterator[StoredName]:
        """All files, or those in the trash."""
        for found in await in_thread(self._names, f"{_TRASH}/*" if trash else "??/*"):
            yield found

    async def discard(self, name: str) -> None:
        """Move a file into the trash."""
        with suppress(FileNotFoundError):
            await in_thread(self._discard, name)

    async def restore(self, name: str) -> None:
        """Move a file out of the trash."""
        with suppress(FileNotFoundError):
            await in_thread(self._keep, self._place(name), self._trashed(name))

    async def erase(self, name: str) -> None:
        """Delete a file in the trash."""
        await in_thread(self._trashed(name).unlink, missing_ok=True)

    async def owner(self) -> str:
        """The id, or nothing."""
        try:
            return (await in_thread((self._directory / _OWNER).read_text)).strip()
        except FileNotFoundError:
            return ""

    async def set_owner(self, installation: str) -> None:
        """Write the id in one step."""
        await in_thread(self._set_owner, installation)

    def _place(self, key: str) -> Path:
        return self._directory / key[:2] / _checked(key)

    def _trashed(self, name: str) -> Path:
        return self._directory / _TRASH / _checked(name)

    def _discard(self, name: str) -> None:
        place = self._trashed(name)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.replace(self._place(name), place)
        os.utime(place)

    def _set_owner(self, installation: str) -> None:
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._directory / f"{_OWNER}.{os.getpid()}.{threading.get_ident()}"
        written.write_text(f"{installation}\n")
        self._keep(self._directory / _OWNER, written)

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

    def _names(self, pattern: str) -> list[StoredName]:
        found = []
        for path in self._directory.glob(pattern):
            if _OWN.fullmatch(path.name):
                with suppress(FileNotFoundError):
                    found.append(StoredName(path.name, datetime.fromtimestamp(path.stat().st_mtime, UTC)))
        return found


def _checked(name: str) -> str:
    if not name.replace("-", "").isalnum():
        raise ValueError("not a valid storage key")
    return name


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

        options: dict[str, object] = {"region": settings.region}
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

    async def names(self, *, trash: bool = False) -> AsyncIterator[StoredName]:
        """All files, or those in the trash."""
        import obstore

        start = f"{self._prefix}{_TRASH}/" if trash else self._prefix
        # The store lists folders only, and a prefix need not be one.
        async for page in obstore.list(self._store, prefix=start.rpartition("/")[0] or None):
            for entry in page:
                name = entry["path"][len(start) :]
                if entry["path"].startswith(start) and _OWN.fullmatch(name):
                    yield StoredName(name, entry["last_modified"])

    async def discard(self, name: str) -> None:
        """Move a file into the trash."""
        await self._move(self._prefix + name, self._trashed(name))

    async def restore(self, name: str) -> None:
        """Move a file out of the trash."""
        await self._move(self._trashed(name), self._prefix + name)

    async def erase(self, name: str) -> None:
        """Delete a file in the trash."""
        await self.remove(f"{_TRASH}/{name}")

    async def owner(self) -> str:
        """The id, or nothing."""
        try:
            return b"".join([piece async for piece in self.read(_OWNER)]).decode().strip()
        except FileNotFoundError:
            return ""

    async def set_owner(self, installation: str) -> None:
        """Write the id."""
        import obstore

        await obstore.put_async(self._store, self._prefix + _OWNER, f"{installation}\n".encode())

    def _trashed(self, name: str) -> str:
        return f"{self._prefix}{_TRASH}/{name}"

    async def _move(self, origin: str, place: str) -> None:
        import obstore

        with suppress(FileNotFoundError):
            await obstore.rename_async(self._store, origin, place)


MAX_NAME_LENGTH = 120


def tidy_name(name: str) -> str:
    """A file name for display: no folders, nothing invisible, at most `MAX_NAME_LENGTH` characters, extension kept."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    seen = "".join(sign for sign in last if sign.isprintable() and sign not in ':*?"<>|').strip(" .")
    if not seen:
        return "bestand"
    if len(seen) <= MAX_NAME_LENGTH:
        return seen
    stem, point, ending = seen.rpartition(".")
    if not point or len(ending) > 8:
        return seen[:MAX_NAME_LENGTH]
    return f"{stem[: MAX_NAME_LENGTH - len(ending) - 1]}.{ending}"
