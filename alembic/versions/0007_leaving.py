"""The refund of a contract is paid by finance, and a unit of a return knows its bike."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("contract_ends") as table:
        table.add_column(sa.Column("refund_batch_id", sa.Integer(), nullable=True))
        table.add_column(sa.Column("refund_confirmed_by", sa.Integer(), nullable=True))
        table.add_column(sa.Column("refunded_at", sa.DateTime(timezone=True), nullable=True))
        table.create_foreign_key(
            op.f("fk_contract_ends_refund_batch_id_refund_batches"), "refund_batches", ["refund_batch_id"], ["id"]
        )
        table.create_foreign_key(
            op.f("fk_contract_ends_refund_confirmed_by_staff"), "staff", ["refund_confirmed_by"], ["id"]
        )
    # What staff processed before was paid with it.
    op.execute("UPDATE contract_ends SET refunded_at = processed_at WHERE status = 'processed'")
    with op.batch_alter_table("return_units") as table:
        table.add_column(sa.Column("bike_id", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_return_units_bike_id_bikes"), "bikes", ["bike_id"], ["id"])
        table.create_index(op.f("ix_return_units_bike_id"), ["bike_id"])


def downgrade() -> None:
    with op.batch_alter_table("return_units") as table:
        table.drop_index(op.f("ix_return_units_bike_id"))
        table.drop_constraint(op.f("fk_return_units_bike_id_bikes"), type_="foreignkey")
        table.drop_column("bike_id")
    with op.batch_alter_table("contract_ends") as table:
        table.drop_constraint(op.f("fk_contract_ends_refund_confirmed_by_staff"), type_="foreignkey")
        table.drop_constraint(op.f("fk_contract_ends_refund_batch_id_refund_batches"), type_="foreignkey")
        for name in ("refunded_at", "refund_confirmed_by", "refund_batch_id"):
            table.drop_column(name)
