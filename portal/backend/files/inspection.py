"""Inspects files in separate processes. At most two run at a time, and each is reused for a limited number of files."""

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
"""Time limit for one file. Large valid files take a few seconds."""

IDLE_SECONDS = 60
"""An unused process ends after this time."""

FILES_EACH = 50
"""Files per process. Parsers may leak memory, so a new process then takes over."""

_ROOT = Path(__file__).resolve().parents[3]
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TZ", "TMPDIR")


class Inspection:
    """A pool of inspection processes."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._idle: list[_Inspector] = []

    async def look(self, path: Path, kinds: Collection[str], preview: Path) -> FileFindings:
        """Check a file and remove its metadata in place; see `checks.inspect` for the arguments.

        Raises:
            BadFile: the file cannot be used. The code is `file_damaged` if a parser crashed or timed out.
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
    """One process, started with its first file."""

    def __init__(self) -> None:
        self.left = FILES_EACH
        self._process: Process | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def ask(self, question: dict[str, object]) -> dict[str, Any]:
        """Inspect one file. If the process gives no valid answer, the file counts as damaged."""
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
            # The process timed out or ended, for example at its memory limit.
            self.left = 0
            return {"code": Code.FILE_DAMAGED.value, "fault": "process"}

    def rest(self, dismiss: Callable[[_Inspector], None]) -> None:
        """Call `dismiss` if no file comes within `IDLE_SECONDS`."""
        self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, dismiss, self)

    def kill(self) -> None:
        """Kill the process without waiting for its end."""
        if self._timer:
            self._timer.cancel()
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """Kill the process and wait until it has ended."""
        self.kill()
        if self._process:
            await self._process.wait()


async def _started() -> Process:
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "portal.backend.files.worker", stdin=PIPE, stdout=PIPE, env=environment,
        cwd=_ROOT,
    )  # fmt: skip
