"""The first tables: customers, orders, bikes, invoices, requests, partners, logging in, jobs and mail."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "customers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("first_name", sa.String(length=60), nullable=False),
        sa.Column("prefix", sa.String(length=60), nullable=False),
        sa.Column("last_name", sa.String(length=60), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customers")),
        sa.UniqueConstraint("public_id", name=op.f("uq_customers_public_id")),
    )
    with op.batch_alter_table("customers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_customers_email_key"), ["email_key"], unique=False)

    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reference", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("give_up_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(length=32), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("kind", "reference", name=op.f("uq_jobs_kind_reference")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index("ix_jobs_due_at", ["due_at"], unique=False)

    op.create_table(
        "limit_windows",
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("moments", sa.JSON(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_limit_windows")),
    )
    with op.batch_alter_table("limit_windows", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_limit_windows_ends_at"), ["ends_at"], unique=False)

    op.create_table(
        "partners",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("location_type", sa.String(length=40), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("travel_cost", sa.BigInteger(), nullable=True),
        sa.Column("vacation_from", sa.Date(), nullable=True),
        sa.Column("vacation_until", sa.Date(), nullable=True),
        sa.Column("recommended", sa.Boolean(), nullable=False),
        sa.Column("waiting_weeks", sa.Integer(), nullable=False),
        sa.Column("customer_rating", sa.Numeric(precision=3, scale=1), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partners")),
        sa.UniqueConstraint("public_id", name=op.f("uq_partners_public_id")),
    )
    op.create_table(
        "email_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_email_changes_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_changes")),
    )
    with op.batch_alter_table("email_changes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_email_changes_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_email_changes_customer_id"), ["customer_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_email_changes_jti"), ["jti"], unique=False)

    op.create_table(
        "login_challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("challenge_hash", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("order_number", sa.String(length=9), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["customers.id"],
            name=op.f("fk_login_challenges_customer_id_customers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_challenges")),
        sa.UniqueConstraint("challenge_hash", name=op.f("uq_login_challenges_challenge_hash")),
    )
    with op.batch_alter_table("login_challenges", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_challenges_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_login_challenges_customer_id"), ["customer_id"], unique=False)

    op.create_table(
        "orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.String(length=9), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("is_lease", sa.Boolean(), nullable=False),
        sa.Column("lease_reference", sa.String(length=20), nullable=True),
        sa.Column("features", sa.JSON(), nullable=False),
        sa.Column("ordered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invoiced_at", sa.Date(), nullable=True),
        sa.Column("delivery_status", sa.String(length=40), nullable=True),
        sa.Column("payment_status", sa.String(length=40), nullable=False),
        sa.Column("payment_method", sa.String(length=60), nullable=False),
        sa.Column("delivery_method", sa.String(length=60), nullable=False),
        sa.Column("preferred_week", sa.String(length=10), nullable=False),
        sa.Column("scheduled_day", sa.Date(), nullable=True),
        sa.Column("scheduled_from", sa.String(length=5), nullable=False),
        sa.Column("scheduled_until", sa.String(length=5), nullable=False),
        sa.Column("service_package", sa.String(length=40), nullable=True),
        sa.Column("insurance", sa.String(length=60), nullable=False),
        sa.Column("subtotal", sa.BigInteger(), nullable=False),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("shipping_costs", sa.BigInteger(), nullable=False),
        sa.Column("service_costs", sa.BigInteger(), nullable=False),
        sa.Column("insurance_costs", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_orders_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("lease_reference", name=op.f("uq_orders_lease_reference")),
        sa.UniqueConstraint("order_number", name=op.f("uq_orders_order_number")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index("ix_orders_customer_id_ordered_at", ["customer_id", "ordered_at"], unique=False)

    op.create_table(
        "outbox_mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=120), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("sealed", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_outbox_mails_customer_id_customers"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox_mails")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_mails_message_id")),
    )
    with op.batch_alter_table("outbox_mails", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_mails_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_mails_customer_id"), ["customer_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.String(length=9), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_sessions_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("jti", name=op.f("uq_sessions_jti")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_customer_id"), ["customer_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_sessions_expires_at"), ["expires_at"], unique=False)

    op.create_table(
        "invoices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("invoice_date", sa.Date(), nullable=False),
        sa.Column("expire_date", sa.Date(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("subtotal", sa.BigInteger(), nullable=False),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("shipping_costs", sa.BigInteger(), nullable=False),
        sa.Column("service_costs", sa.BigInteger(), nullable=False),
        sa.Column("insurance_costs", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_invoices_customer_id_customers")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_invoices_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoices")),
        sa.UniqueConstraint("number", name=op.f("uq_invoices_number")),
        sa.UniqueConstraint("public_id", name=op.f("uq_invoices_public_id")),
    )
    with op.batch_alter_table("invoices", schema=None) as batch_op:
        batch_op.create_index("ix_invoices_customer_id_invoice_date", ["customer_id", "invoice_date"], unique=False)
        batch_op.create_index(batch_op.f("ix_invoices_order_id"), ["order_id"], unique=False)

    op.create_table(
        "order_addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=180), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_order_addresses_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_addresses")),
        sa.UniqueConstraint("order_id", "role", name=op.f("uq_order_addresses_order_id_role")),
    )
    op.create_table(
        "order_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_order_lines_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_lines")),
        sa.UniqueConstraint("order_id", "position", name=op.f("uq_order_lines_order_id_position")),
    )
    op.create_table(
        "shipments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("carrier", sa.String(length=60), nullable=False),
        sa.Column("tracking_code", sa.String(length=60), nullable=False),
        sa.Column("tracking_url", sa.String(length=500), nullable=False),
        sa.Column("shipped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_shipments_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipments")),
    )
    with op.batch_alter_table("shipments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_shipments_order_id"), ["order_id"], unique=False)

    op.create_table(
        "bikes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("brand", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("color", sa.String(length=60), nullable=False),
        sa.Column("color_code", sa.String(length=7), nullable=False),
        sa.Column("size", sa.String(length=20), nullable=False),
        sa.Column("frame_number", sa.String(length=20), nullable=True),
        sa.Column("engine_brand", sa.String(length=60), nullable=False),
        sa.Column("engine_system", sa.String(length=60), nullable=False),
        sa.Column("battery_number", sa.String(length=40), nullable=False),
        sa.Column("imei_number", sa.String(length=15), nullable=False),
        sa.Column("key_number_1", sa.String(length=20), nullable=False),
        sa.Column("key_number_2", sa.String(length=20), nullable=False),
        sa.Column("key_number_3", sa.String(length=20), nullable=False),
        sa.Column("service_card", sa.String(length=40), nullable=False),
        sa.Column("service_package", sa.String(length=40), nullable=True),
        sa.Column("insurance", sa.String(length=60), nullable=False),
        sa.Column("policy_number", sa.String(length=40), nullable=False),
        sa.Column("insurance_start", sa.Date(), nullable=True),
        sa.Column("mileage", sa.Integer(), nullable=True),
        sa.Column("mileage_at", sa.Date(), nullable=True),
        sa.Column("pin_code", sa.String(length=10), nullable=True),
        sa.Column("delivered_on", sa.Date(), nullable=True),
        sa.Column("warranty_until", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_bikes_customer_id_customers")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_bikes_order_id_orders")),
        sa.ForeignKeyConstraint(["order_line_id"], ["order_lines.id"], name=op.f("fk_bikes_order_line_id_order_lines")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bikes")),
        sa.UniqueConstraint("public_id", name=op.f("uq_bikes_public_id")),
    )
    with op.batch_alter_table("bikes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bikes_customer_id"), ["customer_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_bikes_frame_number"), ["frame_number"], unique=False)
        batch_op.create_index(batch_op.f("ix_bikes_order_id"), ["order_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_bikes_order_line_id"), ["order_line_id"], unique=False)

    op.create_table(
        "invoice_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("invoice_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("vat_rate", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.ForeignKeyConstraint(["invoice_id"], ["invoices.id"], name=op.f("fk_invoice_lines_invoice_id_invoices")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoice_lines")),
        sa.UniqueConstraint("invoice_id", "position", name=op.f("uq_invoice_lines_invoice_id_position")),
    )
    op.create_table(
        "requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("bike_id", sa.Integer(), nullable=False),
        sa.Column("partner_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("description", sa.String(length=4000), nullable=False),
        sa.Column("planned_date", sa.Date(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bike_id"], ["bikes.id"], name=op.f("fk_requests_bike_id_bikes")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_requests_customer_id_customers")),
        sa.ForeignKeyConstraint(["partner_id"], ["partners.id"], name=op.f("fk_requests_partner_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
        sa.UniqueConstraint("reference", name=op.f("uq_requests_reference")),
    )
    with op.batch_alter_table("requests", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_requests_bike_id"), ["bike_id"], unique=False)
        batch_op.create_index("ix_requests_customer_id_created_at", ["customer_id", "created_at"], unique=False)
        batch_op.create_index(
            "uq_requests_open_bike",
            ["bike_id"],
            unique=True,
            sqlite_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
            postgresql_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
        )


def downgrade() -> None:
    with op.batch_alter_table("requests", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_requests_open_bike",
            sqlite_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
            postgresql_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
        )
        batch_op.drop_index("ix_requests_customer_id_created_at")
        batch_op.drop_index(batch_op.f("ix_requests_bike_id"))

    op.drop_table("requests")
    op.drop_table("invoice_lines")
    with op.batch_alter_table("bikes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bikes_order_line_id"))
        batch_op.drop_index(batch_op.f("ix_bikes_order_id"))
        batch_op.drop_index(batch_op.f("ix_bikes_frame_number"))
        batch_op.drop_index(batch_op.f("ix_bikes_customer_id"))

    op.drop_table("bikes")
    with op.batch_alter_table("shipments", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_shipments_order_id"))

    op.drop_table("shipments")
    op.drop_table("order_lines")
    op.drop_table("order_addresses")
    with op.batch_alter_table("invoices", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_invoices_order_id"))
        batch_op.drop_index("ix_invoices_customer_id_invoice_date")

    op.drop_table("invoices")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_expires_at"))
        batch_op.drop_index(batch_op.f("ix_sessions_customer_id"))

    op.drop_table("sessions")
    with op.batch_alter_table("outbox_mails", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_mails_customer_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_mails_created_at"))

    op.drop_table("outbox_mails")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index("ix_orders_customer_id_ordered_at")

    op.drop_table("orders")
    with op.batch_alter_table("login_challenges", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_challenges_customer_id"))
        batch_op.drop_index(batch_op.f("ix_login_challenges_created_at"))

    op.drop_table("login_challenges")
    with op.batch_alter_table("email_changes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_email_changes_jti"))
        batch_op.drop_index(batch_op.f("ix_email_changes_customer_id"))
        batch_op.drop_index(batch_op.f("ix_email_changes_created_at"))

    op.drop_table("email_changes")
    op.drop_table("partners")
    with op.batch_alter_table("limit_windows", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_limit_windows_ends_at"))

    op.drop_table("limit_windows")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_jobs_due_at")

    op.drop_table("jobs")
    with op.batch_alter_table("customers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_customers_email_key"))

    op.drop_table("customers")
