"""Migrations, and whether the tables of a database are those of this release."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from portal.backend.database import Database
from portal.backend.faults import CommandFailed
from portal.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

ROOT = Path(__file__).resolve().parents[2]

_LOCK = 7_160_461_902
"""Number of the PostgreSQL advisory lock for migrations; the value is arbitrary."""

_NAMED = 5


class SchemaState(StrEnum):
    """How the tables of a database compare with those of this release."""

    CURRENT = "current"
    OLDER = "older"
    NEWER = "newer"
    DIFFERENT = "different"
    """The revision is right, but tables or columns are missing."""


class Schema(NamedTuple):
    """The tables of a database compared with those of this release.

    `reason`: One line that names the revisions and what is missing; empty when the tables are current.
    """

    state: SchemaState
    reason: str = ""


_CURES = {
    SchemaState.OLDER: "run python -m portal.provider migrate",
    SchemaState.NEWER: "start the release that made them, or restore a backup from before its upgrade",
    SchemaState.DIFFERENT: "restore a backup; a demonstration can start anew with another PORTAL_DATA_DIR",
}


class UnusableSchema(CommandFailed):
    """This release cannot work with the tables of the database. The message says why and what to do."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(f"{schema.reason}; {_CURES[schema.state]}")


def config() -> Config:
    """The configuration of alembic.ini."""
    from alembic.config import Config

    # Otherwise it writes to what standard output was when Alembic was imported.
    return Config(ROOT / "alembic.ini", stdout=sys.stdout)


def migration_engine(url: str) -> Engine:
    """A synchronous engine without a connection pool, for a database URL from the settings."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address, poolclass=NullPool, connect_args={"connect_timeout": 5})
    if address.database:
        Path(address.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = create_engine(address.set(drivername="sqlite"), poolclass=NullPool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def migrate(url: str, revision: str = "head") -> None:
    """Migrate a database to a revision in one transaction. Concurrent migrations run one after the other.

    Raises `UnusableSchema`: The tables are newer than this release, or not those of their revision. Nothing was
    changed.
    """
    from alembic import command

    with migration_engine(url).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        settings = config()
        settings.attributes["connection"] = connection
        if revision == "base" or revision.startswith("-"):
            command.downgrade(settings, revision)
        elif revision != "head":
            command.upgrade(settings, revision)
        else:
            if (schema := schema_of(connection)).state is SchemaState.NEWER:
                raise UnusableSchema(schema)
            command.upgrade(settings, revision)
            if (schema := schema_of(connection)).state is not SchemaState.CURRENT:
                raise UnusableSchema(schema)
        _check_references(connection)


def is_known(revision: str) -> bool:
    """Whether this release knows a revision; a newer one it does not."""
    from alembic.script import ScriptDirectory

    return revision in {script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()}


def revision_of(connection: Connection) -> str:
    """The revision that the tables of a database say they have."""
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def schema_of(connection: Connection) -> Schema:
    """Compare the revision, tables and columns of a database with those of this release."""
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(config())
    heads = set(scripts.get_heads())
    found = set(MigrationContext.configure(connection).get_current_heads())
    revisions = f"revision {', '.join(sorted(found)) or 'none'} instead of {', '.join(sorted(heads))}"
    if found - {script.revision for script in scripts.walk_revisions()}:
        return Schema(SchemaState.NEWER, f"the tables of the database are newer than this release: {revisions}")
    missing = list(_missing(connection))
    named = "".join(f", no {name}" for name in missing[:_NAMED])
    if len(missing) > _NAMED:
        named += f" and {len(missing) - _NAMED} more"
    if found != heads:
        return Schema(SchemaState.OLDER, f"the tables of the database are older than this release: {revisions}{named}")
    if missing:
        return Schema(SchemaState.DIFFERENT, f"the tables of the database are not those of their revision{named}")
    return Schema(SchemaState.CURRENT)


async def schema_in(database: Database) -> Schema:
    """Compare the tables of an open database with those of this release."""
    async with database.session() as session:
        return await (await session.connection()).run_sync(schema_of)


def _missing(connection: Connection) -> Iterator[str]:
    read = cast("dict[tuple[str | None, str], list[dict[str, object]]]", inspect(connection).get_multi_columns())
    found = {table: {column["name"] for column in columns} for (_, table), columns in read.items()}
    for name, table in sorted(metadata.tables.items()):
        if name not in found:
            yield f"table {name}"
        else:
            yield from (f"column {name}.{column.name}" for column in table.columns if column.name not in found[name])


def _check_references(connection: Connection) -> None:
    """Check foreign keys before the commit, because SQLite migrations run with them disabled."""
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise RuntimeError(f"the migration left references to rows that do not exist: {broken[:3]}")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # The driver must neither begin transactions nor commit before DDL.
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute("PRAGMA secure_delete=ON")  # What a migration encrypts must not stay in free parts of the file.


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
