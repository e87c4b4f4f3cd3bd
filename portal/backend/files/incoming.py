"""Receiving files: an upload is streamed to disk, and deleted if it is interrupted."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import BinaryIO

from portal.backend.files.store import PIECE, in_thread
from portal.contract.errors import InvalidInput, Unavailable
from portal.kernel.codes import Code

STALL_SECONDS = 30
"""A sender who is silent for so long is gone."""

LONGEST_SECONDS = 30 * 60
"""For a whole file; 100 MB at half a megabit a second."""

RENEW_SECONDS = 20

WRITING = 2
"""Files that are written to at the same time; the others wait for their turn, piece by piece."""

REST_SECONDS = 0.008
"""After each piece. All files together come in at some 50 MB a second at most, so that those who come over a fast
line do not keep the event loop from everybody else."""

SPARE = 256 * 1024 * 1024
"""Bytes of the disk that uploads leave to everything else."""


class IncomingFiles:
    """The directory of files on their way; on the same disk as the local store, so that keeping one is a move."""

    def __init__(self, data_dir: Path) -> None:
        self.directory = data_dir / "files" / "incoming"
        self._turn = asyncio.Semaphore(WRITING)

    async def has_space(self, size: int) -> bool:
        """Whether the disk holds so much more."""
        return await in_thread(self._has_space, size)

    def place(self, key: str) -> Path:
        """Where a file is while it arrives."""
        return self.directory / key

    async def receive(
        self, key: str, size: int, body: AsyncIterator[bytes], renew: Callable[[], Awaitable[None]]
    ) -> Path:
        """Write a file down.

        Args:
            key: of our own making.
            size: bytes that were announced.
            body: the bytes.
            renew: called now and then while they come.

        Raises:
            InvalidInput: `upload_failed`, it broke off or has another size.
            Unavailable: `upload_failed`, the disk is full.
        """
        place = self.place(key)
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
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
        """Delete what is there of a file, and what was made of it."""
        await in_thread(self._forget, key)

    async def forget_old(self, seconds: float) -> None:
        """Delete what nobody has written to for so long: its process ended in between."""
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

    def _create(self, place: Path) -> BinaryIO:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0)

    def _forget(self, key: str) -> None:
        for place in (self.place(key), *self.directory.glob(f"{key}.*")):
            place.unlink(missing_ok=True)

    def _forget_old(self, seconds: float) -> None:
        if self.directory.is_dir():
            for place in self.directory.iterdir():
                if place.stat().st_mtime < time.time() - seconds:
                    place.unlink(missing_ok=True)
