"""A film of 100 MB passes without being held: written as it comes, looked into by another process, read in pieces."""

import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from portal.backend.files import inspection
from portal.backend.files.checks import BadFile
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import Inspection
from portal.backend.files.store import LocalStore
from portal.kernel.codes import Code
from portal.vocabulary.files import LARGEST_FILE
from tests.support import files


def _memory() -> float:
    """MB of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1024**2


async def _film(size: int) -> AsyncIterator[bytes]:
    start = files.film()
    yield start + struct.pack(">I4s", size - len(start), b"free")
    left, piece = size - len(start) - 8, bytes(65_536)
    while left:
        yield piece[:left]
        left -= min(left, len(piece))


async def _nothing() -> None:
    return


async def test_a_hundred_megabytes_take_little_memory(tmp_path: Path) -> None:
    spool, store, looking = IncomingFiles(tmp_path), LocalStore(tmp_path / "files"), Inspection()
    before = highest = _memory()
    place = await spool.receive("film", LARGEST_FILE, _film(LARGEST_FILE), _nothing)
    highest = max(highest, _memory())
    found = await looking.look(1, place, {"MP4"}, tmp_path / "preview")
    assert found.kind == "MP4"
    assert found.size < 10_000, "free space goes"
    place = await spool.receive("again", LARGEST_FILE, _film(LARGEST_FILE), _nothing)
    await store.keep("abcdef", place)
    read = 0
    async for piece in store.read("abcdef"):
        read += len(piece)
        highest = max(highest, _memory())
    assert read == LARGEST_FILE
    assert highest - before < 20


async def test_a_process_that_does_not_answer_is_ended_and_the_next_file_gets_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = Inspection()
    place = tmp_path / "photo"
    place.write_bytes(files.jpg())
    monkeypatch.setattr(inspection, "SECONDS", 0.0001)
    with pytest.raises(BadFile) as caught:
        await looking.look(1, place, {"JPG"}, tmp_path / "preview")
    assert caught.value.code is Code.FILE_DAMAGED
    monkeypatch.undo()
    place.write_bytes(files.jpg())
    assert (await looking.look(1, place, {"JPG"}, tmp_path / "preview")).kind == "JPG"
