"""Service locations on the map, with their opening hours."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("partners") as partners:
        partners.add_column(sa.Column("latitude", sa.Float(), nullable=True))
        partners.add_column(sa.Column("longitude", sa.Float(), nullable=True))
        partners.add_column(sa.Column("opening_hours", sa.String(length=200), nullable=True))
        partners.create_index("ix_partners_latitude", ["latitude"])


def downgrade() -> None:
    with op.batch_alter_table("partners") as partners:
        partners.drop_index("ix_partners_latitude")
        partners.drop_column("opening_hours")
        partners.drop_column("longitude")
        partners.drop_column("latitude")
