"""A backup is made while customers work, is restored elsewhere, and stays quiet until it goes live."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import subprocess
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select as rows_of

from portal.backend import health, jobs, outbox
from portal.backend.context import Context
from portal.backend.database import Database
from portal.backend.faults import CommandFailed
from portal.backend.files.store import store_of
from portal.backend.migrations import migrate
from portal.backend.transports import SmtpTransport
from portal.contract.session import CodeRequest, Origin
from portal.exports.api import WebhookEntry, WebhooksApi
from portal.flow.api import FlowApi, UploadStart
from portal.kernel.days import now
from portal.login.api import LoginApi
from portal.provider import application
from portal.provider import backup as module
from portal.provider.application import Application, BackgroundWorker
from portal.provider.backup import backup, go_live, restore
from portal.setting_groups import FileStore, Smtp
from portal.settings import DEMO_DATA_KEY, Settings
from portal.staff.api.people import StaffApi
from portal.tables import metadata
from portal.tables.bikes import PictureRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.messages import OutboxMail
from portal.vocabulary.staff import Role
from tests.flow.test_service_uploads import begun, send
from tests.support import files
from tests.support.bucket import s3_server
from tests.support.customers import SANNE
from tests.support.furnished import Furnished
from tests.support.receiver import Receiver
from tests.support.smtp import MailServer
from tests.support.waiting import until

KEY = {"secret_key": "s" * 40}


@pytest.fixture(scope="module")
def server() -> Iterator[FileStore]:
    with s3_server() as settings:
        yield settings


@pytest.fixture
def mail() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


def _back_up(settings: Settings, folder: Path, **options: Any) -> str:
    backup(settings, Namespace(folder=folder, **{"keep_days": 30, **options}))
    return max(path.name for path in folder.glob("*T*"))


def _restore(settings: Settings, folder: Path, *, other_key: bool = False) -> None:
    restore(settings, Namespace(folder=folder, other_key=other_key))


async def _rows(context: Any) -> dict[str, list[Any]]:
    async with context.database.session() as session:
        connection = await session.connection()
        tables = metadata.sorted_tables
        found = {table.name: [tuple(row) for row in await connection.execute(rows_of(table))] for table in tables}
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


async def _files(settings: Settings) -> dict[str, bytes]:
    store = store_of(settings)
    names = [file.name async for file in store.names()]
    return {name: b"".join([piece async for piece in store.read(name)]) for name in names}


@dataclass
class _Places:
    """Two installations: one that is lost, and another database and store, into which it is restored."""

    lost: Settings
    found: Settings
    backups: Path


@pytest.fixture
def places(
    loaded_url: str, database_kind: str, request: pytest.FixtureRequest, tmp_path: Path, mail: MailServer
) -> _Places:
    url, files_of = f"sqlite+aiosqlite:///{tmp_path}/new/portal.db", [FileStore(), FileStore()]
    if database_kind == "postgresql":
        server: FileStore = request.getfixturevalue("server")
        url = request.getfixturevalue("postgres_url")
        files_of = [server.model_copy(update={"prefix": f"{name}/"}) for name in ("lost", "found")]
    smtp = Smtp(host="127.0.0.1", port=mail.port, security="none")
    return _Places(
        Settings(data_dir=tmp_path, database_url=loaded_url, files=files_of[0], **KEY),
        Settings(data_dir=tmp_path / "new", database_url=url, files=files_of[1], smtp=smtp, **KEY),
        tmp_path / "backups",
    )


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Furnished]:
    shop = Furnished(Application(settings))
    yield shop
    await shop.context.database.close()


async def _back_up_while_customers_work(
    shop: Furnished, places: _Places, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A customer deletes a file that the first copy of the database names, and sends another one."""
    token, draft = await begun(shop)
    removed, _ = [await send(shop, token, draft, files.jpg(width)) for width in (64, 65)]
    announced = UploadStart(field="photos", name="x.jpg", size=9)
    left = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, announced)
    await shop.change(UploadRow, {"state": UploadState.REMOVED}, public_id=left.upload_id)
    staff = await shop.log_in_staff(Role.ADMINISTRATOR)
    await shop.ask(WebhooksApi).add_webhook(staff, WebhookEntry(url=receiver.url))

    async def meanwhile() -> None:
        await shop.ask(FlowApi).remove_upload(token, removed.upload_id)
        await send(shop, token, draft, files.jpg(66))
        await shop.ask(LoginApi).request_code(CodeRequest(email=SANNE[1], order_number=SANNE[0]), Origin())
        async with shop.context.database.transaction() as session:
            now = shop.context.clock()
            await outbox.send(session, "case.opened", "repair ABCD2345", {"case": {"reference": "ABCD2345"}}, now)

    copy, loop, copies = module._copy_database, asyncio.get_running_loop(), []

    def copied(*arguments: Any) -> Any:
        copies.append(copy(*arguments))
        if len(copies) == 1:
            asyncio.run_coroutine_threadsafe(meanwhile(), loop).result()
        return copies[-1]

    monkeypatch.setattr(module, "_copy_database", copied)
    await asyncio.to_thread(_back_up, places.lost, places.backups)
    assert len(copies) == 2
    return staff


@pytest.mark.each_database
async def test_nothing_is_lost_and_nothing_leaves_before_it_goes_live(
    places: _Places, mail: MailServer, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _opened(places.lost) as shop:
        staff = await _back_up_while_customers_work(shop, places, receiver, monkeypatch)
        before, stored = await _rows(shop.context), await _files(places.lost)
    await asyncio.to_thread(_restore, places.found, places.backups)
    async with _opened(places.found) as shop:
        after, restored = await _rows(shop.context), await _files(places.found)
        assert [row[:2] for row in after.pop("installation")] == [row[:2] for row in before.pop("installation")]
        assert after == before
        assert restored.items() <= stored.items()
        complete = {row.key for row in await shop.rows(UploadRow, state=UploadState.COMPLETE)}
        assert len(complete) >= 2
        assert {name.partition("-")[0] for name in restored} >= complete
        assert (await health.parts(shop.context))["outgoing"]["state"] == "quiet"
        assert (await shop.ask(StaffApi).member(staff)).quiet
        worker = BackgroundWorker(shop.context, SmtpTransport(places.found))
        asked = _count_polls(monkeypatch)
        await worker.start()
        await until(lambda: len(asked) > 20)
        assert (mail.answers.tries, receiver.received) == ([], [])
        assert (await _rows(shop.context))["uploads"] == before["uploads"]
        await asyncio.to_thread(go_live, places.found, Namespace())
        await until(lambda: len(mail.answers.taken) > 0 and len(receiver.received) > 0)
        while UploadState.REMOVED in {row.state for row in await shop.rows(UploadRow)}:
            await asyncio.sleep(0.02)
        await worker.stop()
        sent = [message["Message-ID"] for message in mail.answers.taken]
        mails = await shop.rows(OutboxMail)
        assert sorted(sent) == sorted(row.message_id for row in mails if row.sent_at and row.template == "login_code")
        assert [hook.reference for hook in receiver.received] == ["ABCD2345"]
        assert (await health.parts(shop.context))["outgoing"] == health.CURRENT


def _count_polls(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Let the worker look for jobs and for old data all the time, and note each time."""
    monkeypatch.setattr(jobs, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(application, "PURGE_SECONDS", 0.01)
    asked, is_due = list[None](), jobs.is_due

    async def noted(*arguments: Any, **named: Any) -> bool:
        asked.append(None)
        return await is_due(*arguments, **named)

    monkeypatch.setattr(jobs, "is_due", noted)
    return asked


def test_a_backup_is_checked_by_sha256sum(small: Settings, tmp_path: Path) -> None:
    run = tmp_path / "backups" / _back_up(small, tmp_path / "backups")
    checked = subprocess.run(["sha256sum", "--check", "--strict", module.SUMS], cwd=run, check=False)
    assert checked.returncode == 0


@pytest.fixture
async def small(tmp_path: Path) -> Settings:
    """An installation with one file."""
    settings = Settings(data_dir=tmp_path / "shop", **KEY)
    migrate(settings.database)
    await _store(settings, "a")
    return settings


async def _store(settings: Settings, sign: str) -> None:
    context = Context(settings, Database(settings.database))
    source = settings.data_dir / "source"
    source.write_text(sign)
    await store_of(settings).keep(sign * 32, source)
    async with context.database.transaction() as session:
        session.add(PictureRow(key=sign * 32, created_at=now()))
    await context.database.close()


def test_a_file_is_copied_once_and_forgotten_with_the_last_backup_that_has_it(
    small: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "backups"
    _back_up(small, folder)
    place = folder / "files" / "aa" / ("a" * 32)
    inode = place.stat().st_ino
    asyncio.run(_store(small, "b"))
    first = min(folder.glob("*T*"))
    first.rename(folder / "20260101T000000")
    (folder / "20260102T000000.partial").mkdir()
    _back_up(small, folder, keep_days=100_000)
    assert "2 files, 1 of them new" in capsys.readouterr().out
    assert (place.stat().st_ino, len(list(folder.glob("*T*")))) == (inode, 2)
    with closing(sqlite3.connect(small.data_dir / "portal.db")) as connection, connection:
        connection.execute("DELETE FROM pictures WHERE key LIKE 'a%'")
    newest = max(folder.glob("*T*"))
    newest.rename(folder / "20260103T000000")
    _back_up(small, folder)
    assert len(list(folder.glob("*T*"))) == 1
    assert [path.name for path in (folder / "files").glob("??/*")] == ["b" * 32]


def test_a_file_that_is_not_in_the_store_is_named(
    small: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small.data_dir / "files" / "aa" / ("a" * 32)).unlink()
    run = _back_up(small, tmp_path / "backups")
    assert "1 files that the database names are not in the store" in capsys.readouterr().out
    assert "a" * 32 in (tmp_path / "backups" / run / "backup.json").read_text()


def test_what_cannot_be_restored_is_refused_and_changes_nothing(small: Settings, tmp_path: Path) -> None:
    folder, new = tmp_path / "backups", Settings(data_dir=tmp_path / "new", **KEY)
    with pytest.raises(CommandFailed, match="no backup"):
        _restore(new, tmp_path)
    run = folder / _back_up(small, folder)
    with pytest.raises(CommandFailed, match="not empty"):
        _restore(small, folder)
    other = Settings(data_dir=tmp_path / "new", secret_key="o" * 40, data_key=f"{'n' * 40} {DEMO_DATA_KEY}")
    with pytest.raises(CommandFailed, match="PORTAL_SECRET_KEY"):
        _restore(other, folder)
    with pytest.raises(CommandFailed, match="PORTAL_DATA_KEY"):
        _restore(Settings(data_dir=tmp_path / "new", data_key="o" * 40, **KEY), folder, other_key=True)
    postgres = Settings(data_dir=tmp_path / "new", database_url="postgresql+psycopg://portal@127.0.0.1:9/x", **KEY)
    with pytest.raises(CommandFailed, match="PORTAL_DATABASE_URL"):
        _restore(postgres, folder)
    facts = (run / "backup.json").read_text()
    (run / "backup.json").write_text(facts.replace('"revision": "', '"revision": "9'))
    with pytest.raises(CommandFailed, match="newer release"):
        _restore(new, folder)
    (run / "backup.json").write_text(facts + " ")
    with pytest.raises(CommandFailed, match="is damaged"):
        _restore(new, folder)
    (run / "backup.json").write_text(facts)
    file = folder / "files" / "aa" / ("a" * 32)
    file.write_text("x")
    with pytest.raises(CommandFailed, match="damaged in the backup"):
        _restore(new, folder)
    assert not (new.data_dir / "portal.db").exists()
    file.write_text("a")
    _restore(other, folder, other_key=True)
    assert (
        hashlib.sha256((other.data_dir / "files" / "aa" / ("a" * 32)).read_bytes()).hexdigest()
        in (run / "SHA256SUMS").read_text()
    )
