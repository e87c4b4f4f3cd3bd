"""A job has the id of the request that caused it, for the log."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs") as table:
        table.add_column(sa.Column("request", sa.String(64), server_default="", nullable=False))
    with op.batch_alter_table("jobs") as table:
        table.alter_column("request", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("jobs") as table:
        table.drop_column("request")
