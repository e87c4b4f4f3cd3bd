"""Inspects each file in a process of its own. At most two run at a time.

Nobody's files wait long because of another customer's: customers take turns, `worker` limits the processor time of a
file, and bytes that were refused once are refused again without an inspection.

The process sees a folder with its file and nothing else. What it answers and leaves behind is checked, too: a parser
that was taken over must not pass a link to the file of somebody else on to us.
"""

import asyncio
import hashlib
import json
import os
import shutil
import signal
import stat
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from portal.backend.files.checks import BadFile, FileFindings, Version
from portal.backend.files.store import in_thread
from portal.backend.files.worker import CLEAN, FILE, JUDGE, PREVIEW, REDRAW
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

MAX_REFUSED = 1_000
REFUSED_SECONDS = 60 * 60


class Turns:
    """Hands out slots: one at a time per customer, to customers in turn, and to files of a customer in order.

    So whatever one customer sends, another one waits for a file of each customer before them, never for all files.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._busy: set[int] = set()
        self._waiting: OrderedDict[int, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, customer_id: int) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        granted = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(customer_id, deque()).append(granted)
        self._grant()
        try:
            await granted
        except asyncio.CancelledError:
            # A slot that was granted in the same moment is handed on; otherwise `_grant` drops the cancelled file.
            if not granted.cancelled():
                self._release(customer_id)
            raise
        try:
            yield
        finally:
            self._release(customer_id)

    def _release(self, customer_id: int) -> None:
        self._busy.discard(customer_id)
        self._free += 1
        if customer_id in self._waiting:
            self._waiting.move_to_end(customer_id)
        self._grant()

    def _grant(self) -> None:
        for customer_id, files in list(self._waiting.items()):
            while files and files[0].cancelled():
                files.popleft()
            if files and self._free and customer_id not in self._busy:
                self._busy.add(customer_id)
                self._free -= 1
                files.popleft().set_result(None)
            if not files:
                del self._waiting[customer_id]


class RefusedFiles:
    """Hashes of refused files with the reason, so that the same bytes cost no second inspection.

    At most `MAX_REFUSED`, each for `REFUSED_SECONDS`: an update of a library may accept what its predecessor refused.
    """

    def __init__(self) -> None:
        self._codes: OrderedDict[str, tuple[Code, float]] = OrderedDict()

    def code(self, sha256: str) -> Code | None:
        """Why these bytes were refused; None if that is not known."""
        code, until = self._codes.get(sha256, (None, 0.0))
        return code if until > time.monotonic() else None

    def add(self, sha256: str, code: Code) -> None:
        """Remember a refusal; the oldest one gives way."""
        self._codes[sha256] = (code, time.monotonic() + REFUSED_SECONDS)
        self._codes.move_to_end(sha256)
        if len(self._codes) > MAX_REFUSED:
            self._codes.popitem(last=False)


log = structlog.get_logger(__name__)
AT_ONCE = 2
SECONDS = 60
"""Time limit for one file. Large valid files take a few seconds, and the processor time is limited, too."""

GRACE_SECONDS = 5
"""A process whose output has ended ends within this time, or is killed."""

MAX_VERSION_BYTES = 4 * 1024 * 1024
"""Bytes of an image that was drawn anew."""

_MAX_FAULT_LENGTH = 200
PROGRAM = "portal.backend.files.worker"

_DUE_TO_FILE = frozenset({signal.SIGPROF, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL})
"""Signals by which a file ends the process: always when it is inspected. A machine without memory sends another."""

_MEDIA_TYPES = frozenset(kind.media_type for kind in FileKind)
_ROOT = Path(__file__).resolve().parents[3]
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TZ")


class Inspection:
    """Inspects files, a limited number at a time."""

    def __init__(self) -> None:
        self._turns = Turns(AT_ONCE)
        self._refused = RefusedFiles()

    async def look(self, customer_id: int, path: Path, kinds: Collection[str], preview: Path) -> FileFindings:
        """Check a file and remove its metadata in place; see `checks.inspect` for the other arguments.

        `path`: the file. It is gone when it is refused.
        Raises `BadFile`: the file cannot be used. The code is `file_damaged` if a parser crashed or timed out.
        """
        sha256 = await in_thread(_sha256, path)
        self._refuse_known(sha256)
        async with self._turns.turn(customer_id):
            # The same file may have been inspected while this one waited.
            self._refuse_known(sha256)
            found = await _inspected(path, kinds, preview)
        if isinstance(found, FileFindings):
            return found
        code = _refusal(found)
        if found.get("lasting", True) and code not in {Code.FILE_EMPTY, Code.FILE_NOT_ALLOWED}:
            self._refused.add(sha256, code)
        raise BadFile(code)

    def _refuse_known(self, sha256: str) -> None:
        if code := self._refused.code(sha256):
            raise BadFile(code)


async def judge_document(path: Path) -> None:
    """Check a PDF of the shop, which is gone afterwards: it is stored as it came, and not as a process left it.

    Raises `BadFile`: it cannot be used; `file_protected` if it asks for a password or contains scripts or actions.
    """
    try:
        found = await _inspected(path, {FileKind.PDF}, path, way=JUDGE)
    finally:
        await in_thread(path.unlink, missing_ok=True)
    if not isinstance(found, FileFindings):
        raise BadFile(_refusal(found))


class Redrawn(NamedTuple):
    """An image in its versions, and whether one can see through it."""

    versions: list[bytes]
    clear: bool


async def redrawn(path: Path, versions: Sequence[Version] = ()) -> Redrawn:
    """Draw an image anew: a JPEG, PNG, WebP or AVIF, which is gone afterwards. Without versions it is only decoded.

    Raises `BadFile`: it cannot be used; `file_too_detailed` if it has too many pixels.
    """
    async with _answered(path, REDRAW, json.dumps(versions)) as (found, folder):
        places = [folder / str(number) for number in range(len(versions))]
        if "code" not in found and not await in_thread(_are_versions, places):
            found = {"code": Code.FILE_DAMAGED.value, "fault": "answer"}
        if "code" in found:
            raise BadFile(_refusal(found))
        return Redrawn([await in_thread(place.read_bytes) for place in places], bool(found.get("clear")))


def _are_versions(places: Sequence[Path]) -> bool:
    return all(_is_plain(place) and place.stat().st_size <= MAX_VERSION_BYTES for place in places)


def _refusal(found: dict[str, Any]) -> Code:
    if "fault" in found:
        log.warning("file could not be inspected", fault=str(found["fault"])[:_MAX_FAULT_LENGTH])
    return Code(found["code"])


async def _inspected(
    path: Path, kinds: Collection[str], preview: Path, way: str = CLEAN
) -> FileFindings | dict[str, Any]:
    """The findings of a process, or a `code`. With a `fault`, `lasting` says whether these bytes would fail again."""
    async with _answered(path, way, *sorted(kinds)) as (found, folder):
        return found if "code" in found else await in_thread(_accepted, found, kinds, folder, path, preview)


@asynccontextmanager
async def _answered(path: Path, way: str, *words: str) -> AsyncIterator[tuple[dict[str, Any], Path]]:
    folder = await in_thread(_separated, path)
    try:
        process = await _started(folder, way, *words)
        try:
            found = await _answer(process)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        yield found, folder
    finally:
        await in_thread(shutil.rmtree, folder, ignore_errors=True)


async def _answer(process: Process) -> dict[str, Any]:
    if process.stdout is None:
        raise AssertionError("started with a pipe")
    try:
        async with asyncio.timeout(SECONDS):
            found = json.loads(await process.stdout.readline())
        if isinstance(found, dict) and found.get("code", Code.FILE_DAMAGED) in list(Code):
            return found
    except TimeoutError:
        pass
    except ValueError:
        # It ended, for example at a limit. Killing it now could take its return code before asyncio does, which
        # would then report 255.
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE_SECONDS)
    ended_by = -(process.returncode or 0)
    fault = signal.Signals(ended_by).name if ended_by > 0 else "process"
    return {"code": Code.FILE_DAMAGED.value, "fault": fault, "lasting": ended_by in _DUE_TO_FILE}


async def _started(folder: Path, way: str, *words: str) -> Process:
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", PROGRAM, str(folder), way, *words),
        stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=environment, cwd=_ROOT,
    )  # fmt: skip


def _separated(path: Path) -> Path:
    """Move a file into a folder of its own, beside its place."""
    folder = path.absolute().with_name(f"{path.name}.own")
    folder.mkdir(mode=0o700)
    path.replace(folder / FILE)
    return folder


def _accepted(
    found: dict[str, Any], kinds: Collection[str], folder: Path, path: Path, preview: Path
) -> FileFindings | dict[str, Any]:
    kind, media_type, file = str(found.get("kind")), str(found.get("media_type")), folder / FILE
    small = folder / PREVIEW if found.get("preview") else None
    if not (kind in kinds and media_type in _MEDIA_TYPES and _is_plain(file) and (small is None or _is_plain(small))):
        return {"code": Code.FILE_DAMAGED.value, "fault": "answer"}
    sha256, size = _sha256(file), file.stat().st_size
    file.replace(path)
    if small is not None:
        small.replace(preview)
    return FileFindings(kind, media_type, size, sha256, small is not None)


def _is_plain(path: Path) -> bool:
    """Whether it is a file, and no link to another one."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
