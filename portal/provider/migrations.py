"""Bringing the database to the tables of this version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from alembic import command

ROOT = Path(__file__).resolve().parents[2]
_LOCK = 7_160_461_902
"""Number of the PostgreSQL lock that one migrating process holds; any number nobody else uses."""


def config() -> Config:
    """The configuration of alembic.ini."""
    return Config(ROOT / "alembic.ini")


def migration_engine(url: str) -> Engine:
    """A blocking engine for a database address of the settings, for one connection at a time."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address, poolclass=NullPool)
    if address.database:
        Path(address.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = create_engine(address.set(drivername="sqlite"), poolclass=NullPool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def migrate(url: str, revision: str = "head") -> None:
    """Bring a database to a revision, all of it or nothing. Two processes that try at once do it one after the other.

    Args:
        url: address of the database, as in the settings.
        revision: 'head', or a revision of alembic/versions.
    """
    with migration_engine(url).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        settings = config()
        settings.attributes["connection"] = connection
        if revision == "base" or revision.startswith("-"):
            command.downgrade(settings, revision)
        else:
            command.upgrade(settings, revision)
        _check_references(connection)


def is_current(url: str) -> bool:
    """Whether the database has the tables of this version."""
    with migration_engine(url).connect() as connection:
        found = MigrationContext.configure(connection).get_current_heads()
    return set(found) == set(ScriptDirectory.from_config(config()).get_heads())


def _check_references(connection: Connection) -> None:
    """Foreign keys are off while SQLite copies tables; what they guard is checked before the commit instead."""
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise RuntimeError(f"the migration left references to rows that do not exist: {broken[:3]}")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # The driver must not begin, nor commit before a change of tables.
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=OFF")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
