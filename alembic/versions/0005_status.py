"""History of work orders, and what changed last for pages that change by themselves."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("requests", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "work_order_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("request_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("planned_date", sa.Date(), nullable=True),
        sa.Column("key", sa.String(length=100), nullable=True),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["request_id"],
            ["requests.id"],
            name=op.f("fk_work_order_events_request_id_requests"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_order_events")),
    )
    op.create_index("ix_work_order_events_request_id", "work_order_events", ["request_id", "id"])
    op.create_index("uq_work_order_events_key", "work_order_events", ["key"], unique=True)
    op.create_table(
        "changes",
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_changes_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("customer_id", "topic", name=op.f("pk_changes")),
    )
    # Requests that are there already: their history begins when they were made, and ends where they are.
    op.execute(
        "INSERT INTO work_order_events (request_id, status, actor, note, happened_at)"
        " SELECT id, 'new', 'customer', '', created_at FROM requests"
    )
    op.execute(
        "INSERT INTO work_order_events (request_id, status, actor, note, planned_date, happened_at)"
        " SELECT id, status, 'back_office', '', planned_date, updated_at FROM requests WHERE status <> 'new'"
    )


def downgrade() -> None:
    op.drop_table("changes")
    op.drop_table("work_order_events")
    op.drop_column("requests", "version")
