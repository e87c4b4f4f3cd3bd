"""The migrations lead to the tables of the code."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from portal.backend.migrations import config, migrate, migration_engine
from portal.tables import metadata


def test_there_is_one_newest_revision() -> None:
    heads = ScriptDirectory.from_config(config()).get_heads()
    assert len(heads) == 1, f"chain {heads} in alembic/versions: one of them is the `down_revision` of the other"


def test_an_upgrade_makes_exactly_the_tables_of_the_code(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}"
    migrate(url)
    with migration_engine(url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        found = compare_metadata(context, metadata)
    assert not found, f"write a migration with `alembic revision --autogenerate` (docs/patterns.md): {found}"
