"""How migrations run: on a connection they are given, or on one of their own."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Connection
from sqlalchemy.types import TypeDecorator

from alembic import context
from portal.backend.migrations import migration_engine
from portal.settings import Settings
from portal.tables import metadata


def plain_type(kind: str, element: Any, _autogen_context: Any) -> str | Literal[False]:
    """Write a column type of ours as the type it is kept as: a migration must not change when our code does."""
    if kind == "type" and isinstance(element, TypeDecorator):
        return f"sa.{element.impl_instance!r}"
    return False


def run(connection: Connection) -> None:
    """Migrate this database."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        render_item=plain_type,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")

if given is not None:
    run(given)
else:
    with migration_engine(Settings().database).begin() as own:
        run(own)
