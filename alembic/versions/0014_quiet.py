"""Since when a restored installation is quiet."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("installation", sa.Column("quiet_since", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("installation", "quiet_since")
