"""Returns unit by unit, what left in which shipment, articles for exchange, text messages."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

HELD = sa.text("released_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("color_code", sa.String(length=7), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("on_sale", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("public_id", name=op.f("uq_products_public_id")),
    )
    op.create_table(
        "returns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("order_number", sa.String(length=9), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("reason_text", sa.String(length=4000), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=True),
        sa.Column("mileage", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=40), nullable=True),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("store_id", sa.Integer(), nullable=True),
        sa.Column("pickup_day", sa.Date(), nullable=True),
        sa.Column("pickup_window", sa.String(length=40), nullable=True),
        sa.Column("address", sa.JSON(), nullable=True),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("remarks", sa.String(length=1000), nullable=False),
        sa.Column("exchange_type", sa.String(length=40), nullable=True),
        sa.Column("product", sa.JSON(), nullable=True),
        sa.Column("settlement", sa.JSON(), nullable=False),
        sa.Column("refund_amount", sa.BigInteger(), nullable=True),
        sa.Column("refunded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("statement", sa.JSON(), nullable=True),
        sa.Column("draft_key", sa.String(length=64), nullable=True),
        sa.Column("confirm_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_returns_customer_id_customers")),
        sa.ForeignKeyConstraint(["store_id"], ["partners.id"], name=op.f("fk_returns_store_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_returns")),
        sa.UniqueConstraint("public_id", name=op.f("uq_returns_public_id")),
        sa.UniqueConstraint("reference", name=op.f("uq_returns_reference")),
    )
    op.create_index("ix_returns_customer_id_created_at", "returns", ["customer_id", "created_at"], unique=False)
    op.create_index("ix_returns_status_confirm_until", "returns", ["status", "confirm_until"], unique=False)
    op.create_index("uq_returns_draft_key", "returns", ["draft_key"], unique=True)
    op.create_table(
        "text_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.String(length=60), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_text_messages_customer_id_customers"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text_messages")),
    )
    op.create_index(op.f("ix_text_messages_created_at"), "text_messages", ["created_at"], unique=False)
    op.create_index(op.f("ix_text_messages_customer_id"), "text_messages", ["customer_id"], unique=False)
    op.create_index("ix_text_messages_subject", "text_messages", ["subject"], unique=False)
    op.create_table(
        "return_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("note", sa.String(length=1000), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["return_id"], ["returns.id"], name=op.f("fk_return_events_return_id_returns")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_return_events")),
    )
    op.create_index(op.f("ix_return_events_return_id"), "return_events", ["return_id"], unique=False)
    op.create_table(
        "return_units",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("package", sa.BigInteger(), nullable=False),
        sa.Column("insurance", sa.BigInteger(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_line_id"], ["order_lines.id"], name=op.f("fk_return_units_order_line_id_order_lines")
        ),
        sa.ForeignKeyConstraint(["return_id"], ["returns.id"], name=op.f("fk_return_units_return_id_returns")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_return_units")),
        sa.UniqueConstraint(
            "return_id", "order_line_id", "number", name=op.f("uq_return_units_return_id_order_line_id_number")
        ),
    )
    op.create_index(op.f("ix_return_units_order_line_id"), "return_units", ["order_line_id"], unique=False)
    op.create_index(
        "uq_return_units_held",
        "return_units",
        ["order_line_id", "number"],
        unique=True,
        sqlite_where=HELD,
        postgresql_where=HELD,
    )
    op.create_table(
        "shipment_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shipment_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_line_id"], ["order_lines.id"], name=op.f("fk_shipment_lines_order_line_id_order_lines")
        ),
        sa.ForeignKeyConstraint(
            ["shipment_id"], ["shipments.id"], name=op.f("fk_shipment_lines_shipment_id_shipments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipment_lines")),
        sa.UniqueConstraint("shipment_id", "order_line_id", name=op.f("uq_shipment_lines_shipment_id_order_line_id")),
    )
    op.create_index(op.f("ix_shipment_lines_order_line_id"), "shipment_lines", ["order_line_id"], unique=False)
    op.add_column("order_lines", sa.Column("bundle", sa.String(length=120), nullable=True))


def downgrade() -> None:
    op.drop_column("order_lines", "bundle")
    for table in ("shipment_lines", "return_units", "return_events", "text_messages", "returns", "products"):
        op.drop_table(table)
