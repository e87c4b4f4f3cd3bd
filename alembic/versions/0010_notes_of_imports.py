"""Imports keep notes on what they could not read, and know what staff repaired."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("imported") as table:
        table.add_column(sa.Column("notes", sa.JSON(), server_default="[]", nullable=False))
    # PostgreSQL cannot compare JSON, so no default stays.
    with op.batch_alter_table("imported") as table:
        table.alter_column("notes", existing_type=sa.JSON(), existing_nullable=False, server_default=None)
    with op.batch_alter_table("import_rejected") as table:
        table.add_column(sa.Column("repaired", sa.String(64), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("import_rejected") as table:
        table.drop_column("repaired")
    with op.batch_alter_table("imported") as table:
        table.drop_column("notes")
