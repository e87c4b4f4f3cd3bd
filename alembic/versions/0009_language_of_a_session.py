"""A session has a language of its own."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("sessions", "staff_sessions"):
        with op.batch_alter_table(name) as table:
            table.add_column(sa.Column("locale", sa.String(2), nullable=True))


def downgrade() -> None:
    for name in ("sessions", "staff_sessions"):
        with op.batch_alter_table(name) as table:
            table.drop_column("locale")
