"""An order says why it costs what it costs, and what came back of each line."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_COLUMNS = {
    "orders": (
        ("adjustments", sa.JSON(), sa.text("'[]'")),
        ("unexplained", sa.BigInteger(), "0"),
    ),
    "order_lines": (
        ("returned", sa.Integer(), "0"),
        ("refunded", sa.BigInteger(), "0"),
    ),
}


def upgrade() -> None:
    for name, columns in _COLUMNS.items():
        with op.batch_alter_table(name) as table:
            for column, kind, default in columns:
                table.add_column(sa.Column(column, kind, server_default=default, nullable=False))
    # PostgreSQL cannot compare JSON, so no default stays.
    with op.batch_alter_table("orders") as table:
        table.alter_column("adjustments", existing_type=sa.JSON(), existing_nullable=False, server_default=None)


def downgrade() -> None:
    for name, columns in _COLUMNS.items():
        with op.batch_alter_table(name) as table:
            for column, _, _ in columns:
                table.drop_column(column)
