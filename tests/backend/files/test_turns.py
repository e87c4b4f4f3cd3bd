"""Customers take turns, a file has a limit of processor time, and refused bytes are not inspected again."""

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from portal.backend.files import inspection
from portal.backend.files.checks import BadFile
from portal.backend.files.inspection import Inspection, RefusedFiles, Turns
from portal.kernel.codes import Code
from tests.support import files, pdfs

EAGER, OTHER, THIRD = 1, 2, 3


class _Files:
    """Files of customers that wait for a turn and hold it until they are told to finish."""

    def __init__(self, slots: int) -> None:
        self.turns = Turns(slots)
        self.started: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._end: dict[str, asyncio.Event] = {}

    async def wait(self, customer: int, *names: str) -> None:
        for name in names:
            self._end[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._hold(customer, name))
            await asyncio.sleep(0)

    async def finish(self, name: str) -> None:
        self._end[name].set()
        await self.tasks[name]
        await asyncio.sleep(0)

    async def _hold(self, customer: int, name: str) -> None:
        async with self.turns.turn(customer):
            self.started.append(name)
            await self._end[name].wait()


async def test_a_customer_with_many_files_leaves_a_slot_to_others() -> None:
    queue = _Files(slots=2)
    await queue.wait(EAGER, "a1", "a2", "a3")
    assert queue.started == ["a1"]
    await queue.wait(OTHER, "b1")
    assert queue.started == ["a1", "b1"]
    await queue.finish("b1")
    await queue.finish("a1")
    assert queue.started == ["a1", "b1", "a2"]
    await queue.finish("a2")
    await queue.finish("a3")


async def test_customers_get_slots_in_turn() -> None:
    queue = _Files(slots=1)
    await queue.wait(EAGER, "a1", "a2", "a3")
    await queue.wait(OTHER, "b1", "b2")
    await queue.wait(THIRD, "c1")
    for name in ("a1", "b1", "c1", "a2", "b2", "a3"):
        assert queue.started[-1] == name
        await queue.finish(name)


async def test_a_slot_is_not_lost_with_a_cancelled_upload() -> None:
    queue = _Files(slots=1)
    await queue.wait(EAGER, "held")
    await queue.wait(OTHER, "waiting")
    queue.tasks["waiting"].cancel()
    queue.tasks["held"].cancel()
    await asyncio.gather(*queue.tasks.values(), return_exceptions=True)
    await queue.wait(THIRD, "next")
    assert queue.started == ["held", "next"]
    # A slot that is granted in the same moment in which the upload is cancelled.
    await queue.wait(OTHER, "granted")
    queue._end["next"].set()
    await asyncio.sleep(0)
    queue.tasks["granted"].cancel()
    await asyncio.gather(*queue.tasks.values(), return_exceptions=True)
    await queue.wait(EAGER, "last")
    assert queue.started[-1] == "last"
    await queue.finish("last")


def test_refusals_are_remembered_for_a_time_and_in_a_limited_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MAX_REFUSED", 2)
    known = RefusedFiles()
    for name in ("first", "second", "third"):
        known.add(name, Code.FILE_DAMAGED)
    assert [known.code(name) for name in ("first", "second", "third")] == [None, Code.FILE_DAMAGED, Code.FILE_DAMAGED]
    monkeypatch.setattr(inspection, "REFUSED_SECONDS", 0)
    known.add("third", Code.FILE_DAMAGED)
    assert known.code("third") is None


async def _refused(looking: Inspection, path: Path, content: bytes, kind: str = "PDF", customer: int = EAGER) -> Code:
    path.write_bytes(content)
    with pytest.raises(BadFile) as caught:
        await looking.look(customer, path, {kind}, path.with_suffix(".preview"))
    return caught.value.code


@pytest.mark.timeout(400)
async def test_a_file_that_takes_too_much_processor_time_is_refused_once_and_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "SECONDS", 300)  # a busy machine needs a minute for seconds of processor time
    looking, content = Inspection(), pdfs.expensive(1_300_000, groups=5)
    assert len(content) < 25_000
    with capture_logs() as logs:
        assert await _refused(looking, tmp_path / "file", content) is Code.FILE_DAMAGED
        assert await _refused(looking, tmp_path / "file", content, customer=OTHER) is Code.FILE_DAMAGED
    assert [line["fault"] for line in logs] == ["SIGPROF"], "the second one was not inspected"


async def test_a_kind_that_is_not_allowed_here_is_not_remembered_for_elsewhere(tmp_path: Path) -> None:
    looking, place = Inspection(), tmp_path / "file"
    assert await _refused(looking, place, files.jpg(), kind="PDF") is Code.FILE_NOT_ALLOWED
    place.write_bytes(files.jpg())
    assert (await looking.look(EAGER, place, {"JPG"}, tmp_path / "preview")).kind == "JPG"
