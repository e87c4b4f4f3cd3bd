"""Who entered the account of a refund, the second person who confirms it, and the payment reference of an order."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "orders", sa.Column("payment_reference", sa.String(length=100), server_default=sa.text("''"), nullable=False)
    )
    with op.batch_alter_table("refund_accounts") as table:
        table.add_column(sa.Column("entered_by", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_refund_accounts_entered_by_staff"), "staff", ["entered_by"], ["id"])
    op.create_table(
        "refund_confirmations",
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["return_id"], ["returns.id"], name=op.f("fk_refund_confirmations_return_id_returns"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_refund_confirmations_staff_id_staff")),
        sa.PrimaryKeyConstraint("return_id", name=op.f("pk_refund_confirmations")),
    )


def downgrade() -> None:
    op.drop_table("refund_confirmations")
    with op.batch_alter_table("refund_accounts") as table:
        table.drop_constraint(op.f("fk_refund_accounts_entered_by_staff"), type_="foreignkey")
        table.drop_column("entered_by")
    op.drop_column("orders", "payment_reference")
