"""Inspects files in separate processes. At most two run at a time, and each is reused for a limited number of files.

Nobody's files wait long because of another customer's: customers take turns, `worker` limits the processor time of a
file, and bytes that were refused once are refused again without an inspection.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from portal.backend.files.checks import FileFindings
from portal.backend.files.kinds import BadFile
from portal.backend.files.store import in_thread
from portal.backend.files.turns import RefusedFiles, Turns
from portal.kernel.codes import Code

log = structlog.get_logger(__name__)
AT_ONCE = 2
SECONDS = 60
"""Time limit for one file. Large valid files take a few seconds, and the processor time is limited, too."""

GRACE_SECONDS = 5
"""A process whose output has ended ends within this time, or is killed."""

IDLE_SECONDS = 60
"""An unused process ends after this time."""

FILES_EACH = 50
"""Files per process. Parsers may leak memory, so a new process then takes over."""

_DUE_TO_FILE = frozenset({signal.SIGPROF, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL})
"""Signals by which a file ends the process: always when it is inspected. A machine without memory sends another."""

_ROOT = Path(__file__).resolve().parents[3]
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TZ", "TMPDIR")


class Inspection:
    """A pool of inspection processes."""

    def __init__(self) -> None:
        self._turns = Turns(AT_ONCE)
        self._refused = RefusedFiles()
        self._idle: list[_Inspector] = []

    async def look(self, customer_id: int, path: Path, kinds: Collection[str], preview: Path) -> FileFindings:
        """Check a file and remove its metadata in place; see `checks.inspect` for the other arguments.

        Args:
            customer_id: whose file it is; customers take turns.
            path: the file.
            kinds: the allowed kinds.
            preview: path for the preview.

        Raises:
            BadFile: the file cannot be used. The code is `file_damaged` if a parser crashed or timed out.
        """
        sha256 = await in_thread(_sha256, path)
        self._refuse_known(sha256)
        async with self._turns.turn(customer_id):
            # The same file may have been inspected while this one waited.
            self._refuse_known(sha256)
            found = await self._ask({"path": str(path), "kinds": sorted(kinds), "preview": str(preview)})
        if "code" not in found:
            return FileFindings(**found)
        code = Code(found["code"])
        if found.pop("lasting", True) and code not in {Code.FILE_EMPTY, Code.FILE_NOT_ALLOWED}:
            self._refused.add(sha256, code)
        if "fault" in found:
            log.warning("file could not be inspected", fault=found["fault"])
        raise BadFile(code)

    def _refuse_known(self, sha256: str) -> None:
        if code := self._refused.code(sha256):
            raise BadFile(code)

    async def _ask(self, question: dict[str, object]) -> dict[str, Any]:
        inspector = self._take()
        healthy = False
        try:
            found = await inspector.ask(question)
            healthy = inspector.left > 0
        finally:
            if healthy:
                self._idle.append(inspector)
                inspector.rest(self._dismiss)
            else:
                await inspector.end()
        return found

    def _take(self) -> _Inspector:
        while self._idle:
            if (inspector := self._idle.pop()).is_alive:
                return inspector
        return _Inspector()

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

    @property
    def is_alive(self) -> bool:
        """Whether its process has not ended, as it does when the machine is short of memory."""
        return self._process is None or self._process.returncode is None

    async def ask(self, question: dict[str, object]) -> dict[str, Any]:
        """Inspect one file. If the process gives no valid answer, the file counts as damaged.

        Returns:
            The findings, or a `code`. With a `fault`, `lasting` says whether the same bytes would fail again.
        """
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
        except TimeoutError:
            pass
        except (OSError, ValueError):
            # It ended, for example at a limit. Killing it now could take its return code before asyncio does, which
            # would then report 255.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE_SECONDS)
        self.left = 0
        await self.end()
        ended_by = -(self._process.returncode or 0)
        fault = signal.Signals(ended_by).name if ended_by > 0 else "process"
        return {"code": Code.FILE_DAMAGED.value, "fault": fault, "lasting": ended_by in _DUE_TO_FILE}

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


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def _started() -> Process:
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "portal.backend.files.worker", stdin=PIPE, stdout=PIPE, env=environment,
        cwd=_ROOT,
    )  # fmt: skip
