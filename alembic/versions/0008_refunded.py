"""An order knows what the shop refunded of it."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("orders") as table:
        table.add_column(sa.Column("refunded", sa.BigInteger(), server_default="0", nullable=False))
        table.add_column(sa.Column("refunded_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE orders SET refunded = paid, refunded_at = CURRENT_TIMESTAMP WHERE payment_status = 'refunded'")


def downgrade() -> None:
    with op.batch_alter_table("orders") as table:
        table.drop_column("refunded_at")
        table.drop_column("refunded")
