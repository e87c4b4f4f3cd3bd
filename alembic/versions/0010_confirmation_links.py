"""Links that are mailed to have a request confirmed."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "confirmation_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_confirmation_links_customer_id_customers")
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["outbox_mails.id"],
            name=op.f("fk_confirmation_links_mail_id_outbox_mails"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_confirmation_links")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_confirmation_links_link_hash")),
    )
    op.create_index("ix_confirmation_links_purpose_subject", "confirmation_links", ["purpose", "subject"])
    for column in ("customer_id", "expires_at", "mail_id"):
        op.create_index(op.f(f"ix_confirmation_links_{column}"), "confirmation_links", [column])


def downgrade() -> None:
    op.drop_table("confirmation_links")
