"""Shipments of their own, wishes for another delivery day, insurances, service packages, mileages, passwords."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

PENDING = sa.text("status IN ('waiting_for_customer', 'waiting_for_retailer')")
OPEN = sa.text("status IN ('created', 'waiting_for_input')")


def _moment(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, length: int, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.String(length=length), nullable=nullable)


def _whole(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _belongs(table: str, column: str, other: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete=ondelete
    )


def upgrade() -> None:
    _shipments()
    _date_changes()
    _insurances()
    _bikes()


def _shipments() -> None:
    op.add_column("shipments", _text("status", 40, nullable=True))
    op.add_column("shipments", sa.Column("scheduled_day", sa.Date(), nullable=True))
    for name in ("scheduled_from", "scheduled_until"):
        op.add_column("shipments", sa.Column(name, sa.String(length=5), nullable=False, server_default=sa.text("''")))
    op.create_table(
        "delivery_events",
        _whole("id"),
        _whole("order_id"),
        _whole("shipment_id", nullable=True),
        _text("status", 40),
        _text("note", 500),
        _text("key", 100, nullable=True),
        _moment("happened_at"),
        _belongs("delivery_events", "order_id", "orders", "CASCADE"),
        _belongs("delivery_events", "shipment_id", "shipments", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery_events")),
    )
    op.create_index("ix_delivery_events_order_id", "delivery_events", ["order_id", "id"])
    op.create_index("uq_delivery_events_key", "delivery_events", ["key"], unique=True)


def _date_changes() -> None:
    op.create_table(
        "date_changes",
        _whole("id"),
        _text("reference", 20),
        _whole("customer_id"),
        _whole("order_id"),
        _text("status", 40),
        _text("country_code", 40),
        sa.Column("original_day", sa.Date(), nullable=False),
        sa.Column("new_day", sa.Date(), nullable=False),
        _text("from_time", 5),
        _text("until_time", 5),
        _moment("link_expires_at"),
        sa.Column("holds_place", sa.Boolean(), nullable=False),
        _text("note", 500),
        _moment("created_at"),
        _moment("confirmed_at", nullable=True),
        _moment("decided_at", nullable=True),
        _belongs("date_changes", "customer_id", "customers"),
        _belongs("date_changes", "order_id", "orders"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_date_changes")),
        sa.UniqueConstraint("reference", name=op.f("uq_date_changes_reference")),
    )
    op.create_index(op.f("ix_date_changes_customer_id"), "date_changes", ["customer_id"])
    op.create_index("ix_date_changes_order_id", "date_changes", ["order_id", "id"])
    op.create_index(
        "uq_date_changes_pending",
        "date_changes",
        ["order_id"],
        unique=True,
        sqlite_where=PENDING,
        postgresql_where=PENDING,
    )
    op.create_table(
        "delivery_days",
        _text("country_code", 40),
        sa.Column("day", sa.Date(), nullable=False),
        _whole("capacity"),
        _whole("taken"),
        sa.CheckConstraint("taken >= 0 AND taken <= capacity", name=op.f("ck_delivery_days_places")),
        sa.PrimaryKeyConstraint("country_code", "day", name=op.f("pk_delivery_days")),
    )


def _insurances() -> None:
    op.create_table(
        "insurance_tariffs",
        _whole("id"),
        _text("insurer", 40),
        _text("type", 40),
        _text("kind", 40),
        sa.Column("per_mille", sa.BigInteger(), nullable=False),
        sa.Column("minimum", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_tariffs")),
        sa.UniqueConstraint("insurer", "type", "kind", name=op.f("uq_insurance_tariffs_insurer_type_kind")),
    )
    op.create_table(
        "insurance_requests",
        _whole("id"),
        _text("reference", 20),
        _whole("customer_id"),
        _whole("bike_id"),
        _text("insurer", 40, nullable=True),
        _text("type", 40),
        sa.Column("premium", sa.BigInteger(), nullable=True),
        _text("key_number", 20),
        _text("iban", 34),
        _text("status", 40),
        sa.Column("waits_for_link", sa.Boolean(), nullable=False),
        _moment("link_expires_at", nullable=True),
        _text("policy_number", 40),
        sa.Column("starts_on", sa.Date(), nullable=True),
        _text("note", 500),
        _text("draft_key", 64, nullable=True),
        _moment("created_at"),
        _moment("updated_at"),
        _belongs("insurance_requests", "customer_id", "customers"),
        _belongs("insurance_requests", "bike_id", "bikes"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_requests")),
        sa.UniqueConstraint("reference", name=op.f("uq_insurance_requests_reference")),
    )
    op.create_index(op.f("ix_insurance_requests_bike_id"), "insurance_requests", ["bike_id"])
    op.create_index("ix_insurance_requests_customer_id", "insurance_requests", ["customer_id", "id"])
    op.create_index("uq_insurance_requests_draft_key", "insurance_requests", ["draft_key"], unique=True)
    op.create_index(
        "uq_insurance_requests_open",
        "insurance_requests",
        ["bike_id"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )


def _bikes() -> None:
    op.create_table(
        "package_orders",
        _whole("id"),
        _text("reference", 20),
        _whole("customer_id"),
        _whole("bike_id"),
        _text("package", 40),
        sa.Column("monthly", sa.BigInteger(), nullable=False),
        _text("draft_key", 64, nullable=True),
        _moment("created_at"),
        _belongs("package_orders", "customer_id", "customers"),
        _belongs("package_orders", "bike_id", "bikes"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_package_orders")),
        sa.UniqueConstraint("reference", name=op.f("uq_package_orders_reference")),
    )
    op.create_index("uq_package_orders_draft_key", "package_orders", ["draft_key"], unique=True)
    for column in ("customer_id", "bike_id"):
        op.create_index(op.f(f"ix_package_orders_{column}"), "package_orders", [column])
    op.create_table(
        "mileages",
        _whole("id"),
        _whole("customer_id"),
        _whole("bike_id"),
        sa.Column("km", sa.BigInteger(), nullable=False),
        _moment("read_at"),
        _belongs("mileages", "customer_id", "customers"),
        _belongs("mileages", "bike_id", "bikes"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mileages")),
    )
    op.create_index(op.f("ix_mileages_customer_id"), "mileages", ["customer_id"])
    op.create_index("ix_mileages_bike_id", "mileages", ["bike_id", "id"])
    op.create_table(
        "passwords",
        _whole("customer_id"),
        _text("password_hash", 200),
        _moment("changed_at"),
        _belongs("passwords", "customer_id", "customers", "CASCADE"),
        sa.PrimaryKeyConstraint("customer_id", name=op.f("pk_passwords")),
    )


def downgrade() -> None:
    for table in (
        "passwords",
        "mileages",
        "package_orders",
        "insurance_requests",
        "insurance_tariffs",
        "delivery_days",
        "date_changes",
        "delivery_events",
    ):
        op.drop_table(table)
    for column in ("scheduled_until", "scheduled_from", "scheduled_day", "status"):
        op.drop_column("shipments", column)
