"""Where files are kept: a port, and the local disk behind it by default."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from portal.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

PIECE = 256 * 1024
"""Bytes that are read or written at once."""
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="files")


async def in_thread(act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Do something with a disk, beside the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: act(*arguments, **named))


class Store(Protocol):
    """Keeps files under keys of our own making."""

    async def keep(self, key: str, source: Path) -> None:
        """Keep a file under a key; durable when it returns, whole or not at all. The source is used up."""
        ...

    def read(self, key: str) -> AsyncGenerator[bytes, None]:
        """The bytes under a key, piece by piece.

        Raises:
            FileNotFoundError: there is nothing.
        """
        ...

    async def remove(self, key: str) -> None:
        """Forget a key; silent when there is nothing."""
        ...

    def keys(self) -> AsyncIterator[str]:
        """All keys whose file is older than a day: whoever has no row by then never gets one."""
        ...


class LocalStore:
    """A directory on the disk of this server."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def keep(self, key: str, source: Path) -> None:
        """Move a file to its place."""
        await in_thread(self._keep, self._place(key), source)

    async def read(self, key: str) -> AsyncGenerator[bytes, None]:
        """The bytes, piece by piece."""
        file = await in_thread(self._place(key).open, "rb")
        try:
            while piece := await in_thread(file.read, PIECE):
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
            raise ValueError("not a key of ours")
        return self._directory / key[:2] / key

    @staticmethod
    def _keep(place: Path, source: Path) -> None:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with source.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(source, place)
        # The entry of the directory has to survive as well.
        directory = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def _old(self) -> list[str]:
        return [path.name for path in self._directory.glob("??/*") if is_old(path)]


def is_old(path: Path, seconds: float = 86_400) -> bool:
    """Whether a file was last written so long ago."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime < time.time() - seconds
    return False


def store_of(settings: Settings) -> Store:
    """The store that the settings name."""
    if settings.files.store == "s3":
        from portal.provider.files.bucket import Bucket

        return Bucket(settings.files)
    return LocalStore(settings.data_dir / "files")
