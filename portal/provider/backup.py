"""The commands `backup`, `restore` and `go-live`.

A backup is a folder named after its moment, in which `SHA256SUMS` lists the copy of the database, and the files of
customers in the folder `files` beside it. All backups share these: a file never changes, so it is copied once.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import tomllib
from collections.abc import Collection, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, inspect, make_url
from sqlmodel import select, update

from portal.backend.context import Context
from portal.backend.faults import CommandFailed
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import LocalStore, Store, in_thread, store_of
from portal.backend.migrations import (
    ROOT,
    SchemaState,
    UnusableSchema,
    is_known,
    migrate,
    migration_engine,
    revision_of,
    schema_of,
)
from portal.backend.security import Purpose, fingerprints
from portal.flow.provider.cleanup import key_of
from portal.flow.provider.queries import STORED
from portal.flow.provider.service import check_owner
from portal.kernel.processes import file_lock
from portal.provider.cases import in_application
from portal.settings import Settings
from portal.tables.exchange import InstallationRow

SUMS = "SHA256SUMS"
FACTS = "backup.json"
_AT_ONCE = 8
"""Files copied at the same time: a bucket takes its time for each."""

_TRIES = 3
"""Copies of the database that are made when customers delete files before these are copied."""


def add_commands(commands: Any) -> None:
    save: argparse.ArgumentParser = commands.add_parser("backup", help="copy database and files into a folder")
    save.add_argument("folder", type=Path)
    save.add_argument("--keep-days", type=int, default=30, help="delete backups older than this; default: 30")
    save.set_defaults(run=backup)
    load: argparse.ArgumentParser = commands.add_parser("restore", help="restore a backup, quietly")
    load.add_argument("folder", type=Path, help="the folder of backups, of which the newest counts, or of one")
    load.add_argument(
        "--other-key", action="store_true", help="with another PORTAL_SECRET_KEY: ends sessions and codes"
    )
    load.set_defaults(run=restore)
    live = commands.add_parser("go-live", help="let a restored installation send and delete again")
    live.set_defaults(run=go_live)


def backup(options: Settings, asked: argparse.Namespace) -> None:
    folder: Path = asked.folder.absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with file_lock(folder / "lock"):
        print(in_application(options, partial(_save, folder=folder, keep=timedelta(days=asked.keep_days))))


def restore(options: Settings, asked: argparse.Namespace) -> None:
    print(in_application(options, partial(_load, folder=asked.folder.absolute(), other_key=asked.other_key)))


def go_live(options: Settings, _asked: argparse.Namespace) -> None:
    async def wake(context: Context) -> None:
        async with context.database.transaction() as session:
            await session.exec(update(InstallationRow).values(quiet_since=None))

    in_application(options, wake)
    print("Messages and events leave, and what is too old is deleted.")


async def _save(context: Context, *, folder: Path, keep: timedelta) -> str:
    """Copy the database first, then the files that this copy names; again, if one was deleted in between."""
    await check_owner(context)
    store, copies = store_of(context.settings), LocalStore(folder / "files")
    sums = {name: entry for run in _runs(folder) for name, entry in _sums(run).items()}
    moment = datetime.now(UTC)
    made = folder / f"{moment:%Y%m%dT%H%M%S}.partial"
    made.mkdir(mode=0o700)
    for _ in range(_TRIES):
        facts, named = _copy_database(context.settings, made)
        there = {file.name async for file in copies.names()}
        wanted = [file.name async for file in store.names() if key_of(file.name) in named and file.name not in there]
        sums |= await _copy(wanted, store, copies, folder / "incoming")
        held = [name for name in there.union(sums) if key_of(name) in named]
        if not (missing := named - set(map(key_of, held))):
            break
    for name in sorted(set(held) - sums.keys()):  # of a backup that was interrupted
        sums[name] = await in_thread(_sum, folder / "files" / name[:2] / name)
    facts |= {"made_at": moment.isoformat(), "files": len(held), "missing": sorted(missing)}
    (made / FACTS).write_text(json.dumps(facts, indent=2) + "\n")
    lines = {name: await in_thread(_sum, made / name) for name in (facts["database"], FACTS)}
    lines |= {f"../files/{name[:2]}/{name}": sums[name] for name in sorted(held)}
    (made / SUMS).write_text("".join(f"{entry}  {name}\n" for name, entry in lines.items()))
    os.sync()
    made.rename(done := made.with_suffix(""))
    await _forget_old(folder, copies, moment - keep)
    warning = f"; {len(missing)} files that the database names are not in the store" if missing else ""
    return f"{done}: {facts['release']}, {len(held)} files, {len(wanted)} of them new{warning}"


async def _load(context: Context, *, folder: Path, other_key: bool) -> str:
    """Copy the files first, then the database, in one step. If it is interrupted, the command goes on with the rest."""
    options, store = context.settings, store_of(context.settings)
    run = folder if (folder / FACTS).is_file() else next(iter(_runs(folder)), None)
    if run is None:
        raise CommandFailed(f"there is no backup in {folder}")
    facts: dict[str, Any] = json.loads((run / FACTS).read_text())
    _check(options, facts, other_key=other_key)
    lines = _lines(run)
    for name in (FACTS, facts["database"]):
        if lines.get(name) != await in_thread(_sum, run / name):
            raise CommandFailed(f"{run / name} is damaged")
    there = {file.name async for file in store.names()}
    if there and await store.owner() not in {"", facts["installation"]}:
        raise CommandFailed("the file store is that of another installation; choose an empty one")
    sums = {name: entry for name, entry in _sums(run).items() if name not in there}
    copied = await _copy(sums, LocalStore(run.parent / "files"), store, IncomingFiles(options.data_dir).directory, sums)
    await store.set_owner(facts["installation"])
    _load_database(options, run / facts["database"])
    migrate(options.database)
    return (
        f"Restored {run.name}, with {len(copied)} files. The installation is quiet: start it, look at it, and then "
        "run python -m portal.provider go-live."
    )


def _check(options: Settings, facts: Mapping[str, Any], *, other_key: bool) -> None:
    """Refuse before anything is written."""
    if not is_known(facts["revision"]):
        raise CommandFailed(f"the backup is of a newer release ({facts['release']}); restore it with that one")
    if missing := set(facts.get("data_keys", ())).difference(fingerprints(options, Purpose.DATA)):
        raise CommandFailed(
            f"PORTAL_DATA_KEY lacks keys of the backup ({', '.join(missing)}), without which it cannot be read"
        )
    if facts["key"] not in fingerprints(options) and not other_key:
        raise CommandFailed(
            "PORTAL_SECRET_KEY is not that of the backup; without it (--other-key), sessions and codes end"
        )
    url = make_url(options.database)
    if _file_of(url) != facts["database"]:
        raise CommandFailed("the backup is of the other kind of database; correct PORTAL_DATABASE_URL")
    if url.database and url.get_backend_name() == "sqlite":
        used = any(Path(f"{url.database}{suffix}").exists() for suffix in ("", "-wal"))
    else:
        with migration_engine(options.database).connect() as connection:
            used = bool(inspect(connection).get_table_names())
    if used:
        raise CommandFailed("the database is not empty; restore into an empty one")


def _file_of(url: URL) -> str:
    return "database.sqlite" if url.get_backend_name() == "sqlite" else "database.dump"


def _copy_database(options: Settings, folder: Path) -> tuple[dict[str, Any], set[str]]:
    """Copy the database at one moment; return what it is, and the keys of the files that it names."""
    url = make_url(options.database)
    place = folder / _file_of(url)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(url.database))) as source, closing(sqlite3.connect(place)) as target:
            source.backup(target)
        with migration_engine(f"sqlite:///{place}").connect() as connection:
            return _facts(options, connection)
    engine = migration_engine(options.database).execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection:
        snapshot = connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()
        found = _facts(options, connection)
        _run(url, "pg_dump", _address(url), "--format=custom", *_PLAIN, f"--snapshot={snapshot}", f"--file={place}")
    return found


def _facts(options: Settings, connection: Connection) -> tuple[dict[str, Any], set[str]]:
    if (schema := schema_of(connection)).state is not SchemaState.CURRENT:
        raise UnusableSchema(schema)
    named = {key for column, stored in STORED for key in connection.scalars(select(column).where(stored))}
    release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    installation = connection.scalars(select(InstallationRow.installation)).one()
    database = _file_of(make_url(options.database))
    facts = {"release": release, "revision": revision_of(connection), "installation": installation}
    keys = {"key": fingerprints(options)[0], "data_keys": fingerprints(options, Purpose.DATA)}
    return {**facts, **keys, "database": database}, named


_QUIET = "UPDATE installation SET quiet_since = CURRENT_TIMESTAMP"


def _load_database(options: Settings, copy: Path) -> None:
    """The database becomes visible when it is complete and quiet."""
    url = make_url(options.database)
    options.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    if url.get_backend_name() == "sqlite":
        place = Path(f"{url.database}.partial")
        shutil.copyfile(copy, place)
        with closing(sqlite3.connect(place)) as connection, connection:
            connection.execute(_QUIET)
        place.rename(str(url.database))
        return
    with tempfile.NamedTemporaryFile(dir=options.data_dir, suffix=".sql") as script:
        _run(url, "pg_restore", *_PLAIN, f"--file={script.name}", str(copy))
        in_one = ("--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", f"--file={script.name}")
        _run(url, "psql", _address(url), *in_one, "--command=RESET search_path", f"--command={_QUIET}")


_PLAIN = ("--no-owner", "--no-privileges")


def _address(url: URL) -> str:
    return f"--dbname={url.set(drivername='postgresql', password=None).render_as_string()}"


def _run(url: URL, program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL. The password is in its environment, where `ps` does not show it."""
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    try:
        subprocess.run([program, *arguments], env=environment, check=True, capture_output=True, text=True)  # noqa: S603 - our own
    except FileNotFoundError:
        raise CommandFailed(f"{program} is missing; install the client of PostgreSQL") from None
    except subprocess.CalledProcessError as error:
        raise CommandFailed(f"{program}: {error.stderr.strip().splitlines()[0]}") from None


async def _copy(
    names: Collection[str], source: Store, target: Store, incoming: Path, sums: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Copy files, and return their SHA-256; with `sums`, they have to be these. What is gone by now is left out."""
    turn, done = asyncio.Semaphore(_AT_ONCE), dict[str, str]()
    await in_thread(partial(incoming.mkdir, mode=0o700, parents=True, exist_ok=True))

    async def copy(name: str) -> None:
        digest, place = hashlib.sha256(), incoming / name
        async with turn:
            try:
                with await in_thread(place.open, "wb") as file:
                    async for piece in source.read(name):
                        digest.update(piece)
                        await in_thread(file.write, piece)
            except FileNotFoundError:
                place.unlink()
                if sums is None:
                    return
                raise CommandFailed(f"the file {name} is missing in the backup") from None
            if sums is not None and digest.hexdigest() != sums[name]:
                place.unlink()
                raise CommandFailed(f"the file {name} is damaged in the backup")
            await target.keep(name, place)
            done[name] = digest.hexdigest()

    await asyncio.gather(*map(copy, names))
    return done


async def _forget_old(folder: Path, copies: LocalStore, since: datetime) -> None:
    """Delete old backups and interrupted ones, and the files that no other one has: also what customers erased."""
    old = [run for run in _runs(folder)[1:] if run.name < f"{since:%Y%m%dT%H%M%S}"]
    for run in [*old, *folder.glob("*.partial")]:  # noqa: ASYNC240 - nothing else happens meanwhile
        shutil.rmtree(run)
    used = {name for run in _runs(folder) for name in _sums(run)}
    async for file in copies.names():
        if file.name not in used:
            await copies.remove(file.name)


def _runs(folder: Path) -> list[Path]:
    """Complete backups, the newest first."""
    return sorted((path.parent for path in folder.glob(f"*T*/{SUMS}") if not path.parent.suffix), reverse=True)


def _lines(run: Path) -> dict[str, str]:
    """What `sha256sum -c SHA256SUMS` checks: the SHA-256 of each file."""
    entries = (line.split("  ", 1) for line in (run / SUMS).read_text().splitlines())
    return {name: entry for entry, name in entries}


def _sums(run: Path) -> dict[str, str]:
    return {name.rpartition("/")[2]: entry for name, entry in _lines(run).items() if "/" in name}


def _sum(place: Path) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
