"""A parser that was taken over by a file gets nothing but this file: not a secret, not a file, not the network."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from portal.backend.files import inspection
from portal.backend.files.inspection import Inspection
from portal.backend.files.kinds import BadFile
from portal.kernel import confinement
from portal.kernel.codes import Code
from tests.support import files
from tests.support.planted import MAGIC


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "PROGRAM", "tests.support.planted")


@pytest.fixture
def listening() -> Iterator[int]:
    """The port of a server of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def tried(folder: Path, name: str, **wanted: object) -> str:
    """What came of an attempt."""
    place = folder / "photo"
    place.write_bytes(MAGIC + json.dumps({"try": name, **wanted}).encode())
    with capture_logs() as logs, pytest.raises(BadFile) as refused:
        await Inspection().look(1, place, {"JPG"}, folder / "preview")
    assert refused.value.code is Code.FILE_DAMAGED
    (line,) = logs
    return str(line["fault"])


async def test_the_stand_in_works_where_it_may(tmp_path: Path) -> None:
    """Otherwise the other tests would prove nothing."""
    assert await tried(tmp_path, "read", path=confinement.__file__) == "refused"
    assert await tried(tmp_path, "read", path=os.__file__) == Path(os.__file__).read_bytes()[:20].hex()
    assert await tried(tmp_path, "kill", pid=os.getpid()) == "refused"


@pytest.mark.parametrize("name", ["read", "write", "truncate", "mode", "link", "hard link"])
async def test_it_reaches_no_other_file(tmp_path: Path, name: str) -> None:
    database = tmp_path / "portal.db"
    database.write_bytes(b"secret")
    database.chmod(0o600)
    assert await tried(tmp_path, name, path=str(database)) == "refused"
    assert database.read_bytes() == b"secret"
    assert database.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/proc/{pid}/environ", "/proc/{pid}/mem"])
async def test_it_reads_no_secret_of_the_machine_or_of_the_portal(tmp_path: Path, path: str) -> None:
    assert await tried(tmp_path, "read", path=path.format(pid=os.getpid())) == "refused"


@pytest.mark.parametrize("path", ["/", "/proc", "{folder}"])
async def test_it_lists_no_folder(tmp_path: Path, path: str) -> None:
    assert await tried(tmp_path, "list", path=path.format(folder=tmp_path)) == "refused"


@pytest.mark.parametrize("name", ["connect", "send"])
async def test_it_reaches_no_network(tmp_path: Path, listening: int, name: str) -> None:
    assert await tried(tmp_path, name, port=listening) == "refused"


@pytest.mark.parametrize("name", ["run", "become", "fork"])
async def test_it_starts_no_program(tmp_path: Path, name: str) -> None:
    assert await tried(tmp_path, name) == "refused"


@pytest.mark.parametrize("name", ["kill", "attach"])
async def test_it_reaches_no_other_process(tmp_path: Path, name: str) -> None:
    assert await tried(tmp_path, name, pid=os.getppid()) == "refused"


async def test_it_inherits_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_SECRET_KEY", "x" * 32)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x" * 32)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.set_inheritable(True)
        assert await tried(tmp_path, "inherited") == "[]"
    environment = (await tried(tmp_path, "environment")).split()
    assert set(environment) <= {*inspection._ENVIRONMENT, "LC_CTYPE"}


async def test_it_has_limits_of_memory_and_time_that_it_cannot_raise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await tried(tmp_path, "raise limit") in {"refused: ValueError", "refused"}
    assert await tried(tmp_path, "allocate") == "refused: MemoryError"
    assert await tried(tmp_path, "loop") == "SIGKILL"
    monkeypatch.setattr(inspection, "SECONDS", 2)
    assert await tried(tmp_path, "sleep") == "process"


async def test_what_it_leaves_behind_is_not_trusted(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"photo of somebody else")
    assert await tried(tmp_path, "swap", path=str(other)) == "PermissionError"
    assert await tried(tmp_path, "lie") == "answer"
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

    async def noted(folder: Path, way: str, kinds: Collection[str]) -> asyncio.subprocess.Process:
        process = await start(folder, way, kinds)
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
