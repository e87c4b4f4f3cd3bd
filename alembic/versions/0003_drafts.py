"""Requests that are being filled in, and what was asked for in those that were sent."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NOT_SENT = sa.text("sent_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("flow", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("completed", sa.JSON(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("receipt", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_drafts_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drafts")),
        sa.UniqueConstraint("key", name=op.f("uq_drafts_key")),
        sa.UniqueConstraint("public_id", name=op.f("uq_drafts_public_id")),
    )
    with op.batch_alter_table("drafts", schema=None) as batch_op:
        batch_op.create_index(
            "uq_drafts_open",
            ["customer_id", "flow", "subject"],
            unique=True,
            sqlite_where=NOT_SENT,
            postgresql_where=NOT_SENT,
        )
        batch_op.create_index(batch_op.f("ix_drafts_expires_at"), ["expires_at"], unique=False)
    op.add_column("requests", sa.Column("details", sa.JSON(), nullable=True))
    op.add_column("requests", sa.Column("draft_key", sa.String(length=64), nullable=True))
    op.create_index("uq_requests_draft_key", "requests", ["draft_key"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_requests_draft_key", "requests")
    op.drop_column("requests", "draft_key")
    op.drop_column("requests", "details")
    op.drop_table("drafts")
