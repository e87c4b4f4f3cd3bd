"""Receives uploads and streams them to disk."""

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import BinaryIO

from portal.backend.files.store import PIECE, in_thread
from portal.contract.errors import InvalidInput, Unavailable
from portal.kernel.codes import Code

STALL_SECONDS = 30
"""An upload fails if no data arrives for this long."""

MAX_SECONDS = 30 * 60
"""Time limit for a whole file: 100 MB at half a megabit per second."""

RENEW_SECONDS = 20
WRITING = 2
"""Maximum number of concurrent disk writes. Uploads take turns after each piece."""

REST_SECONDS = 0.008
"""Pause after each piece. It limits all uploads together to about 50 MB per second, so that fast connections do not
block the event loop for other customers."""

SPARE = 256 * 1024 * 1024
"""Bytes of disk space that uploads must leave free."""


class IncomingFiles:
    """The directory of unfinished uploads. It is on the same disk as the local store, so that storing is a move."""

    def __init__(self, data_dir: Path) -> None:
        self.directory = data_dir / "files" / "incoming"
        self._turn = asyncio.Semaphore(WRITING)

    async def has_space(self, size: int) -> bool:
        """Whether the disk has room for this many bytes, beyond `SPARE`."""
        return await in_thread(self._has_space, size)

    def place(self, key: str) -> Path:
        """The path of an upload in this directory."""
        return self.directory / key

    async def write(self, content: bytes, key: str = "") -> Path:
        """Write bytes that arrived otherwise; without a key, to a place of their own."""
        place = self.place(key or secrets.token_hex())
        await in_thread(self._write_bytes, place, content)
        return place

    async def receive(
        self, key: str, size: int, body: AsyncIterator[bytes], renew: Callable[[], Awaitable[None]]
    ) -> Path:
        """Write an upload to disk.

        `renew`: called every `RENEW_SECONDS` while data arrives.
        Raises `InvalidInput`: `upload_failed`, the upload stalled, took too long or has another size.
        Raises `Unavailable`: `upload_failed`, the disk reported an error.
        """
        place = self.place(key)
        try:
            async with asyncio.timeout(MAX_SECONDS):
                file = await in_thread(self._create, place)
                try:
                    await self._write(file, size, body, renew)
                finally:
                    file.close()
        except TimeoutError:
            raise InvalidInput(Code.UPLOAD_FAILED) from None
        except OSError as error:
            raise Unavailable(Code.UPLOAD_FAILED) from error
        return place

    async def forget(self, key: str) -> None:
        """Delete an upload and the files derived from it."""
        await in_thread(self._forget, key)

    async def forget_old(self, seconds: float) -> None:
        """Delete files not written to for this many seconds: their process ended before it could delete them."""
        await in_thread(self._forget_old, seconds)

    async def _write(
        self, file: BinaryIO, size: int, body: AsyncIterator[bytes], renew: Callable[[], Awaitable[None]]
    ) -> None:
        buffer = bytearray()
        received = 0
        renewed = time.monotonic()
        while True:
            async with asyncio.timeout(STALL_SECONDS):
                chunk = await anext(body, None)
            if chunk is None:
                break
            received += len(chunk)
            if received > size:
                raise InvalidInput(Code.UPLOAD_FAILED)
            buffer += chunk
            if len(buffer) >= PIECE:
                async with self._turn:
                    await in_thread(file.write, bytes(buffer))
                    await asyncio.sleep(REST_SECONDS)
                buffer.clear()
            if time.monotonic() - renewed > RENEW_SECONDS:
                await renew()
                renewed = time.monotonic()
        if buffer:
            await in_thread(file.write, bytes(buffer))
        if received != size:
            raise InvalidInput(Code.UPLOAD_FAILED)

    def _has_space(self, size: int) -> bool:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return shutil.disk_usage(self.directory).free > size + SPARE

    def _write_bytes(self, place: Path, content: bytes) -> None:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.write_bytes(content)

    def _create(self, place: Path) -> BinaryIO:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0)

    def _forget(self, key: str) -> None:
        for place in (self.place(key), *self.directory.glob(f"{key}.*")):
            _delete(place)

    def _forget_old(self, seconds: float) -> None:
        if self.directory.is_dir():
            for place in self.directory.iterdir():
                if place.stat().st_mtime < time.time() - seconds:
                    _delete(place)


def _delete(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)
