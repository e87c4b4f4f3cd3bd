"""Inspection of files in separate processes, at most two at a time, which are reused for a while."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from portal.backend.files.checks import FileFindings
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code

log = structlog.get_logger(__name__)

AT_ONCE = 2

SECONDS = 60
"""For one file; the largest honest ones take a few."""

IDLE_SECONDS = 60
"""A process that nobody needs ends after this time."""

FILES_EACH = 50
"""A parser may leak: after so many files another process takes over."""

_ROOT = Path(__file__).resolve().parents[3]

_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TZ", "TMPDIR")


class Inspection:
    """Processes that look into files."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._idle: list[_Inspector] = []

    async def look(self, path: Path, kinds: Collection[str], preview: Path) -> FileFindings:
        """Look into a file; what is not meant for us is taken out of it in place.

        Raises:
            BadFile: why it cannot be used; `file_damaged` also when a parser failed over it.
        """
        async with self._slots:
            inspector = self._idle.pop() if self._idle else _Inspector()
            healthy = False
            try:
                found = await inspector.ask({"path": str(path), "kinds": sorted(kinds), "preview": str(preview)})
                healthy = inspector.left > 0
            finally:
                if healthy:
                    self._idle.append(inspector)
                    inspector.rest(self._dismiss)
                else:
                    await inspector.end()
        if "code" in found:
            if "fault" in found:
                log.warning("file could not be looked into", fault=found["fault"])
            raise BadFile(Code(found["code"]))
        return FileFindings(**found)

    async def close(self) -> None:
        """End all processes."""
        while self._idle:
            await self._idle.pop().end()

    def _dismiss(self, inspector: _Inspector) -> None:
        if inspector in self._idle:
            self._idle.remove(inspector)
            inspector.kill()


class _Inspector:
    """One process, started when it is first asked."""

    def __init__(self) -> None:
        self.left = FILES_EACH
        self._process: Process | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def ask(self, question: dict[str, object]) -> dict[str, Any]:
        """Ask about one file. A process that does not answer knows no file that we want."""
        if self._timer:
            self._timer.cancel()
        self.left -= 1
        if self._process is None:
            self._process = await _started()
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise AssertionError("started with pipes")
        try:
            stdin.write(json.dumps(question).encode() + b"\n")
            await stdin.drain()
            async with asyncio.timeout(SECONDS):
                line = await stdout.readline()
            return json.loads(line)
        except (TimeoutError, OSError, ValueError):
            # Too slow, or ended: killed for its memory, or by what it read.
            self.left = 0
            return {"code": Code.FILE_DAMAGED.value, "fault": "process"}

    def rest(self, dismiss: Callable[[_Inspector], None]) -> None:
        """Wait for the next file, but not for ever."""
        self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, dismiss, self)

    def kill(self) -> None:
        """End at once."""
        if self._timer:
            self._timer.cancel()
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """End, and wait for it."""
        self.kill()
        if self._process:
            await self._process.wait()


async def _started() -> Process:
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "portal.backend.files.worker", stdin=PIPE, stdout=PIPE, env=environment,
        cwd=_ROOT,
    )  # fmt: skip
