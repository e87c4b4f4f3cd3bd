"""Service products with their prices; locations that do not take bikes any more."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "service_products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("drive", sa.String(length=40), nullable=False),
        sa.Column("half_price", sa.Boolean(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_products")),
        sa.UniqueConstraint("job", "drive", "half_price", name=op.f("uq_service_products_job_drive_half_price")),
        sa.UniqueConstraint("sku", name=op.f("uq_service_products_sku")),
    )
    with op.batch_alter_table("partners") as partners:
        partners.add_column(sa.Column("closed", sa.Boolean(), nullable=False, server_default=sa.false()))
    # New rows say it themselves; SQLite copies the table for this, which is why it is a step of its own.
    with op.batch_alter_table("partners") as partners:
        partners.alter_column("closed", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("partners") as partners:
        partners.drop_column("closed")
    op.drop_table("service_products")
