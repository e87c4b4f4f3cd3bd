"""A database beside a file store that is not its own deletes nothing, on a disk and in a bucket."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from portal.backend.context import Context
from portal.backend.database import Database
from portal.backend.files.store import store_of
from portal.backend.migrations import migrate
from portal.flow.provider.cleanup import compare_with_rows
from portal.flow.provider.service import OtherInstallation, check_owner
from portal.kernel.days import now
from portal.provider import application
from portal.provider.__main__ import main
from portal.provider.application import Application, BackgroundWorker
from portal.setting_groups import FileStore
from portal.settings import Settings
from portal.tables.bikes import PictureRow
from portal.tables.exchange import InstallationRow
from portal.wiring import NotReady, prepare
from tests.support.bucket import s3_server
from tests.support.waiting import until

KEYS = [f"{number:032x}" for number in range(20)]


@pytest.fixture(scope="module")
def server() -> Iterator[FileStore]:
    with s3_server() as settings:
        yield settings


@pytest.fixture(params=["local", "s3"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The settings of a shop with an empty store and no database."""
    files = FileStore()
    if request.param == "s3":
        files = request.getfixturevalue("server").model_copy(update={"prefix": f"{tmp_path.name}/"})
    return _settings(tmp_path, "shop", files)


def _settings(folder: Path, database: str, files: FileStore) -> Settings:
    changes = {
        "env": "production",  # so that no demonstration shop is loaded
        "secret_key": SecretStr("s" * 32),
        "database_url": f"sqlite+aiosqlite:///{folder}/{database}.db",
    }
    return Settings(data_dir=folder, files=files).model_copy(update=changes)


def _beside(settings: Settings, database: str) -> Settings:
    return _settings(settings.data_dir, database, settings.files)


@asynccontextmanager
async def _opened(settings: Settings, *, hours: float = 2) -> AsyncIterator[Context]:
    context = Context(settings, Database(settings.database), lambda: now() + timedelta(hours=hours))
    yield context
    await context.database.close()


async def _store(settings: Settings, keys: list[str]) -> None:
    for key in keys:
        source = settings.data_dir / "incoming"
        source.write_bytes(key.encode())
        await store_of(settings).keep(key, source)


async def _furnish(settings: Settings, keys: list[str]) -> None:
    """Put files with their rows into the store and the database."""
    migrate(settings.database)
    await _store(settings, keys)
    async with _opened(settings) as context, context.database.transaction() as session:
        session.add_all([PictureRow(key=key, created_at=now()) for key in keys])


async def _check(settings: Settings) -> None:
    migrate(settings.database)
    async with _opened(settings) as context:
        await check_owner(context)


async def _compare(settings: Settings, *, hours: float = 2) -> list[dict[str, object]]:
    with capture_logs() as logs:
        async with _opened(settings, hours=hours) as context:
            await compare_with_rows(context)
    return [dict(line) for line in logs]


async def _names(settings: Settings, *, trash: bool = False) -> list[str]:
    return sorted([file.name async for file in store_of(settings).names(trash=trash)])


async def test_an_empty_store_and_a_new_database_get_the_same_id(settings: Settings) -> None:
    await _check(settings)
    owner = await store_of(settings).owner()
    assert len(owner) == 32
    async with _opened(settings) as context, context.database.session() as session:
        row = await session.get(InstallationRow, 1)
    assert row
    assert row.installation == owner
    await _check(settings)
    assert await store_of(settings).owner() == owner


async def test_an_installation_without_an_id_that_is_upgraded_gets_one(settings: Settings) -> None:
    await _furnish(settings, KEYS)
    await _check(settings)
    assert await store_of(settings).owner()
    assert await _compare(settings) == []
    assert await _names(settings) == KEYS


@pytest.mark.parametrize("known", [False, True])
async def test_an_empty_database_beside_the_files_of_a_shop_is_refused(settings: Settings, known: bool) -> None:
    await _furnish(settings, KEYS)
    if known:
        await _check(settings)
    with pytest.raises(OtherInstallation, match="nothing was deleted") as refused:
        await _check(_beside(settings, "empty"))
    assert "\n" not in str(refused.value)
    assert "python -m portal.provider adopt-files" in str(refused.value)
    assert await _names(settings) == KEYS


async def test_another_database_is_refused_even_if_it_names_all_files(settings: Settings) -> None:
    await _furnish(settings, KEYS)
    await _check(settings)
    other = _settings(settings.data_dir, "other", settings.files)
    migrate(other.database)
    async with _opened(other) as context, context.database.transaction() as session:
        session.add_all([PictureRow(key=key, created_at=now()) for key in KEYS])
        session.add(InstallationRow(number=1, installation="f" * 32))
    with pytest.raises(OtherInstallation):
        await _check(other)
    assert await _names(settings) == KEYS


async def test_an_older_database_moves_none_of_the_many_files_that_it_does_not_know(settings: Settings) -> None:
    await _furnish(settings, KEYS[:10])
    await _check(settings)
    older = _beside(settings, "older")
    shutil.copy(settings.data_dir / "shop.db", settings.data_dir / "older.db")
    await _furnish(settings, KEYS[10:])
    await _check(older)
    (line,) = await _compare(older)
    assert (line["log_level"], line["unknown"], line["files"]) == ("error", 10, 20)
    assert await _names(settings) == KEYS
    assert await _names(settings, trash=True) == []


async def test_an_older_database_without_an_id_is_refused(settings: Settings) -> None:
    await _furnish(settings, KEYS[:10])
    older = _beside(settings, "older")
    shutil.copy(settings.data_dir / "shop.db", settings.data_dir / "older.db")
    await _furnish(settings, KEYS[10:])
    await _check(settings)
    with pytest.raises(OtherInstallation):
        await _check(older)


async def test_a_few_files_without_a_row_wait_in_the_trash_and_come_back_with_their_row(settings: Settings) -> None:
    await _furnish(settings, KEYS)
    await _check(settings)
    strays: list[str] = ["a" * 32, "b" * 32]
    await _store(settings, strays)
    assert await _compare(settings, hours=0.9) == [], "a file without a row may be one that is being received"
    assert await _names(settings) == sorted(KEYS + strays)
    (line,) = await _compare(settings, hours=1.1)
    assert (line["log_level"], line["moved"], line["files"]) == ("warning", 2, 22)
    assert await _names(settings) == KEYS
    assert await _names(settings, trash=True) == strays
    async with _opened(settings) as context, context.database.transaction() as session:
        session.add(PictureRow(key=strays[0], created_at=now()))
    await _compare(settings, hours=24 * 13)
    assert await _names(settings) == sorted([*KEYS, strays[0]])
    assert await _names(settings, trash=True) == [strays[1]]
    (line,) = await _compare(settings, hours=24 * 15)
    assert (line["erased"], line["restored"]) == (1, 0)
    assert await _names(settings, trash=True) == []
    assert b"".join([piece async for piece in store_of(settings).read(strays[0])]) == strays[0].encode()


async def test_the_share_of_files_without_a_row_is_a_setting(settings: Settings) -> None:
    settings.files = settings.files.model_copy(update={"most_unknown_percent": 40})
    await _furnish(settings, KEYS[:12])
    await _store(settings, KEYS[12:])
    (line,) = await _compare(settings)
    assert line["moved"] == 8
    assert await _names(settings, trash=True) == KEYS[12:]


async def test_a_store_that_is_exchanged_while_the_portal_runs_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = _settings(tmp_path, "shop", FileStore())
    await _furnish(settings, KEYS)
    await _check(settings)
    await store_of(settings).set_owner("f" * 32)
    monkeypatch.setattr(application, "PURGE_SECONDS", 0.05)
    with capture_logs() as logs:
        async with _opened(settings, hours=24 * 40) as context:
            worker = BackgroundWorker(context)
            await worker.start()
            await until(lambda: len([line for line in logs if line["event"] == "no file was deleted"]) > 2)
            await worker.stop()
    assert await _names(settings) == KEYS


def test_a_start_beside_the_files_of_another_shop_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "files" / "00").mkdir(parents=True)
    file = tmp_path / "files" / "00" / KEYS[0]
    file.write_bytes(b"invoice")
    os.utime(file, (0, 0))
    settings = Settings(data_dir=tmp_path)
    with pytest.raises(NotReady, match="adopt-files") as refused:
        prepare(settings, "customers")
    assert "\n" not in str(refused.value)
    assert file.read_bytes() == b"invoice"


def test_the_files_are_adopted_on_purpose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "files" / "00" / KEYS[0]
    file.parent.mkdir(parents=True)
    file.write_bytes(b"invoice")
    monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path))
    assert main(["migrate"]) == 0
    assert main(["adopt-files"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "The file store belongs to this database now. Of the first 1 files, 1 have no row in it."
    )
    Application.prepare(Settings(data_dir=tmp_path))
    assert file.read_bytes() == b"invoice"


def test_a_bucket_that_does_not_answer_does_not_prevent_a_start(tmp_path: Path, server: FileStore) -> None:
    files = server.model_copy(update={"endpoint": "http://127.0.0.1:9"})
    Application.prepare(_settings(tmp_path, "shop", files))
