"""The id of the installation, which the file store holds, too."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "installation",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("installation", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_installation")),
    )


def downgrade() -> None:
    op.drop_table("installation")
