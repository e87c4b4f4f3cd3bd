"""Migrations lead to the tables of the code and back, on both databases."""

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect
from sqlmodel import select

from alembic import command
from portal.backend.migrations import (
    ROOT,
    Schema,
    SchemaState,
    UnusableSchema,
    config,
    migrate,
    migration_engine,
    schema_of,
)
from portal.demo.stories import INSURANCES, RETURNS, WORK_ORDERS
from portal.provider.application import Application, load_demo
from portal.settings import Settings
from portal.tables.customers import CustomerRow

pytestmark = pytest.mark.each_database

FIRST = "ecec78b9b4018d0fcd21c2a0c9b89c0f5e142460f69429444104d1de5587e165"
"""Digest of the first migration."""


def _schema(url: str) -> Schema:
    with migration_engine(url).connect() as connection:
        return schema_of(connection)


def _change(url: str, statement: str) -> None:
    with migration_engine(url).begin() as connection:
        connection.exec_driver_sql(statement)


def _revisions() -> Iterator[str]:
    """All revisions, oldest first."""
    return reversed([script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()])


def test_every_step_can_be_taken_back_and_again_and_leads_to_the_tables_of_the_code(empty_url: str) -> None:
    for revision in _revisions():
        migrate(empty_url, revision)
        migrate(empty_url, "-1")
        migrate(empty_url, revision)
    assert _schema(empty_url).state is SchemaState.CURRENT
    settings = config()
    with migration_engine(empty_url).begin() as connection:
        settings.attributes["connection"] = connection
        command.check(settings)
    migrate(empty_url, "base")
    with migration_engine(empty_url).connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
    assert _schema(empty_url).state is SchemaState.OLDER


def test_migrating_twice_changes_nothing(loaded_url: str) -> None:
    assert _schema(loaded_url).state is SchemaState.CURRENT
    migrate(loaded_url)
    assert _schema(loaded_url).state is SchemaState.CURRENT


def test_a_database_of_a_newer_release_is_refused_as_it_is(empty_url: str) -> None:
    migrate(empty_url)
    _change(empty_url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnusableSchema, match=r"newer than this release: revision 9999 instead of .*; start"):
        migrate(empty_url)
    assert _schema(empty_url).state is SchemaState.NEWER


def test_a_database_without_a_column_of_its_revision_is_refused_and_named(empty_url: str) -> None:
    migrate(empty_url)
    _change(empty_url, "ALTER TABLE customers DROP COLUMN first_name")
    _change(empty_url, "DROP TABLE idempotency_keys")
    with pytest.raises(UnusableSchema, match=r"no column customers.first_name, no table idempotency_keys; restore a"):
        migrate(empty_url)


def test_a_table_that_a_later_release_added_disturbs_nobody(empty_url: str) -> None:
    migrate(empty_url)
    _change(empty_url, "CREATE TABLE later (id INTEGER)")
    assert _schema(empty_url) == (SchemaState.CURRENT, "")


def test_the_first_migration_is_frozen() -> None:
    """Databases of shops have it. A change of a table is a migration of its own (docs/patterns.md, a table)."""
    first = next(_revisions())
    text = ROOT.joinpath("alembic", "versions", f"{first}_tables.py").read_bytes()
    assert hashlib.sha256(text).hexdigest() == FIRST


def test_jobs_that_wait_get_the_usual_priority(empty_url: str) -> None:
    migrate(empty_url, "0005")
    values = "1, 'mail', 7, '2026-11-28 12:00:00', '2026-11-28 12:00:00', '2026-11-29 12:00:00', '', 2"
    columns = "id, kind, reference, created_at, due_at, give_up_at, lease, tries"
    with migration_engine(empty_url).begin() as connection:
        connection.exec_driver_sql(f"INSERT INTO jobs ({columns}) VALUES ({values})")
    migrate(empty_url)
    with migration_engine(empty_url).connect() as connection:
        found = connection.exec_driver_sql("SELECT reference, tries, priority FROM jobs").all()
    assert [tuple(row) for row in found] == [(7, 2, 1)]
    migrate(empty_url, "0005")
    with migration_engine(empty_url).connect() as connection:
        assert connection.exec_driver_sql("SELECT reference FROM jobs").scalar_one() == 7


def test_the_partial_index_is_there(empty_url: str) -> None:
    migrate(empty_url)
    with migration_engine(empty_url).connect() as connection:
        indexes: dict[str | None, Any] = {index["name"]: index for index in inspect(connection).get_indexes("requests")}
    index = indexes["uq_requests_open_bike"]
    assert index["unique"]
    assert "completed" in " ".join(str(option) for option in index["dialect_options"].values())


def test_two_processes_that_prepare_at_once_do_it_once(empty_url: str, tmp_path: Any) -> None:
    settings = Settings(database_url=empty_url, data_dir=tmp_path)
    errors: list[BaseException] = []

    def prepare() -> None:
        try:
            Application.prepare(settings)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=prepare) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert load_demo(settings) == "The database is not empty; nothing was loaded."


@pytest.mark.parametrize("reset", [True, False])
def test_the_command_says_what_it_did(tmp_path: Any, reset: bool) -> None:
    """On SQLite only: the test above prepares the same shop on both."""
    settings = Settings(data_dir=tmp_path)
    assert load_demo(settings, reset=reset) == "The demonstration shop is loaded."
    assert asyncio.run(_customers(settings)) == 16 + WORK_ORDERS + RETURNS + INSURANCES


async def _customers(settings: Settings) -> int:
    application = Application(settings)
    async with application.context.database.session() as session:
        count = (await session.exec(select(func.count()).select_from(CustomerRow))).one()
    await application.close()
    return count
