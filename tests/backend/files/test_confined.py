"""A parser that was taken over by a file gets nothing but this file: not a secret, not a file, not the network."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvloop
from structlog.testing import capture_logs

from portal.backend.context import Context
from portal.backend.files import inspection
from portal.backend.files.checks import BadFile, Version
from portal.backend.files.inspection import Inspection, redrawn
from portal.contract.errors import InvalidInput
from portal.imports.provider.attachments import check_picture
from portal.imports.provider.invoice_documents import check_document
from portal.imports.provider.record_files import DocumentRefused
from portal.kernel.codes import Code
from portal.recalls.provider import prepared
from tests.support import files
from tests.support.application import TestApplication

_PLANTED, _UNCONFINED = "tests.support.planted", "tests.support.unconfined"
_JPEG = b"\xff\xd8\xff"
_PERMIT_ANYBODY = "import ctypes, sys; ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_long(-1)); print(flush=True)"
_SECONDS = 40
"""After which an attempt has failed that nothing ends; the longest one takes 2 seconds of processor time."""

ATTEMPTS = [
    ("read", "{database}", b"secret".hex()),
    ("write", "{database}", "written"),
    ("truncate", "{database}", "truncated"),
    ("mode", "{database}", "changed"),
    ("link", "{database}", "linked"),
    ("hard link", "{database}", "linked"),
    ("read", "/etc/passwd", b"root:".hex()),
    ("read", "/proc/self/environ", ""),
    ("read", "/proc/{victim}/environ", ""),
    ("open", "/proc/{victim}/mem", "opened"),
    ("list", "/", "["),
    ("list", "/proc", "["),
    ("list", "{folder}", "["),
    ("connect", "", "connected"),
    ("send", "", "7"),
    ("run", "", "CompletedProcess"),
    ("become", "", "process"),
    ("fork", "", ""),
    ("kill", "", "reached"),
    ("attach", "", "attached"),
]
"""What is tried, with which path, and how the answer begins where nothing protects."""


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "PROGRAM", _PLANTED)


@pytest.fixture
def listening() -> Iterator[int]:
    """The port of a server of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def victim() -> Iterator[int]:
    """A process that any other one of the same user may reach, unless that one is confined."""
    command = [sys.executable, "-c", f"{_PERMIT_ANYBODY}; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.stdin.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A file of the portal."""
    place = tmp_path / "portal.db"
    place.write_bytes(b"secret")
    place.chmod(0o600)
    return place


@pytest.fixture
def targets(tmp_path: Path, database: Path, listening: int, victim: int) -> dict[str, object]:
    """What an attempt may be about."""
    return {"folder": str(tmp_path), "database": str(database), "port": listening, "victim": victim}


async def tried(home: Path, name: str, **wanted: object) -> str:
    """What came of an attempt."""
    place = home / "photo"
    place.write_bytes(_JPEG + json.dumps({"try": name, **wanted}).encode())
    with capture_logs() as logs, pytest.raises(BadFile) as refused:
        async with asyncio.timeout(_SECONDS):
            await Inspection().look(1, place, {"JPG"}, home / "preview")
    assert refused.value.code is Code.FILE_DAMAGED
    (line,) = logs
    return str(line["fault"])


@pytest.mark.parametrize(("name", "path", "success"), ATTEMPTS)
async def test_each_way_out_is_closed(
    tmp_path: Path, database: Path, targets: dict[str, object], name: str, path: str, success: str
) -> None:
    wanted = {**targets, "path": path.format(**targets)}
    assert await tried(tmp_path, name, **wanted) == "refused"
    assert database.read_bytes() == b"secret"
    assert database.stat().st_mode & 0o777 == 0o600


async def test_it_can_read_libraries(tmp_path: Path) -> None:
    assert await tried(tmp_path, "read", path=os.__file__) == Path(os.__file__).read_bytes()[:20].hex()


@pytest.mark.parametrize("program", [_PLANTED, _UNCONFINED])
def test_it_inherits_no_descriptor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """The loop of production starts processes with every inheritable descriptor; the one of the tests closes them."""
    monkeypatch.setattr(inspection, "PROGRAM", program)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.set_inheritable(True)
        found = json.loads(uvloop.run(tried(tmp_path, "inherited")))
        assert (server.fileno() in found) is (program == _UNCONFINED)
        assert program == _UNCONFINED or found == []


@pytest.mark.parametrize("inherited", [False, True])
async def test_it_inherits_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inherited: bool) -> None:
    monkeypatch.setenv("AAA_SECRET", "x" * 32)
    allowed = inspection._ENVIRONMENT
    if inherited:
        monkeypatch.setattr(inspection, "_ENVIRONMENT", tuple(os.environ))
    environment = (await tried(tmp_path, "environment")).split()
    assert (set(environment) <= {*allowed, "LC_CTYPE"}) is not inherited
    assert ("AAA_SECRET" in environment) is inherited


async def test_it_has_limits_of_memory_and_time_that_it_cannot_raise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await tried(tmp_path, "raise limit") == "refused"
    assert await tried(tmp_path, "allocate") == "refused"
    assert await tried(tmp_path, "loop") == "SIGKILL"
    monkeypatch.setattr(inspection, "SECONDS", 2)
    assert await tried(tmp_path, "sleep") == "process"


@pytest.mark.parametrize(
    ("check", "magic", "refusal"),
    [
        (check_picture, b"", DocumentRefused),
        (prepared, b"", InvalidInput),
        (check_document, b"%PDF-1.7\n", DocumentRefused),
    ],
    ids=["image of a product", "picture of a recall", "invoice"],
)
async def test_files_of_the_shop_are_parsed_as_those_of_customers(
    application: TestApplication,
    database: Path,
    check: Callable[[Context, bytes], Awaitable[object]],
    magic: bytes,
    refusal: type[Exception],
) -> None:
    content = magic + json.dumps({"try": "read", "path": str(database)}).encode()
    with capture_logs() as logs, pytest.raises(refusal):
        await check(application.context, content)
    assert [line["fault"] for line in logs] == ["refused"]


async def test_what_it_leaves_behind_is_not_trusted(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"photo of somebody else")
    assert await tried(tmp_path, "swap", path=str(other)) == "PermissionError"
    assert await tried(tmp_path, "lie") == "answer"
    place = tmp_path / "image"
    place.write_bytes(b'{"try": "lie"}')
    with capture_logs() as logs, pytest.raises(BadFile):
        await redrawn(place, [Version("JPEG", 100, {})])
    assert [line["fault"] for line in logs] == ["answer"]
    assert other.read_bytes() == b"photo of somebody else"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]


@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_a_link_is_no_result(tmp_path: Path, link: str) -> None:
    other, place = tmp_path / "other", tmp_path / "file"
    other.write_bytes(b"photo of somebody else")
    place.symlink_to(other) if link == "symbolic" else place.hardlink_to(other)
    assert not inspection._is_plain(place)
    assert not inspection._is_plain(tmp_path / "none")


async def test_each_file_has_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    start = inspection._started

    async def noted(folder: Path, way: str, *words: str) -> asyncio.subprocess.Process:
        process = await start(folder, way, *words)
        started.append(process.pid)
        return process

    monkeypatch.undo()
    monkeypatch.setattr(inspection, "_started", noted)
    looking = Inspection()
    for number in range(2):
        place = tmp_path / f"photo{number}"
        place.write_bytes(files.jpg())
        assert (await looking.look(1, place, {"JPG"}, tmp_path / "preview")).kind == "JPG"
    assert len(set(started)) == 2
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, signal.SIG_DFL)
