"""Staff find a customer in one text of names, phone number and bikes."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from portal.kernel.search import folded, search_text

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_AT_ONCE = 2_000
_KEYS = ("first_name_key", "last_name_key")
_CUSTOMERS = sa.table(
    "customers",
    *(sa.column(name, sa.String()) for name in ("last_name", "first_name", "prefix", "phone", "search_text", *_KEYS)),
    sa.column("id", sa.Integer()),
    sa.column("erased_at", sa.DateTime(timezone=True)),
)
_BIKES = sa.table(
    "bikes",
    *(sa.column(name, sa.String()) for name in ("name", "name_en")),
    *(sa.column(name, sa.Integer()) for name in ("id", "customer_id")),
)


def upgrade() -> None:
    kind = sa.String(600).with_variant(sa.String(600, collation="C"), "postgresql")
    with op.batch_alter_table("customers") as table:
        for name in _KEYS:
            table.drop_index(f"ix_customers_{name}")
            table.drop_column(name)
        table.add_column(sa.Column("search_text", kind, server_default="", nullable=False))
    with op.batch_alter_table("customers") as table:
        table.alter_column("search_text", server_default=None)
    connection, last = op.get_bind(), 0
    rows = sa.select(*(_CUSTOMERS.c[name] for name in ("id", "last_name", "first_name", "prefix", "phone")))
    while True:
        query = rows.where(_CUSTOMERS.c.id > last, _CUSTOMERS.c.erased_at.is_(None)).order_by(_CUSTOMERS.c.id)
        part = connection.execute(query.limit(_AT_ONCE)).all()
        if not part:
            break
        names: dict[int, list[str]] = {}
        own = sa.select(_BIKES.c.customer_id, _BIKES.c.name, _BIKES.c.name_en).order_by(_BIKES.c.id)
        for key, *both in connection.execute(own.where(_BIKES.c.customer_id.between(part[0].id, part[-1].id))):
            names.setdefault(key, []).extend(both)
        values = [{"key": key, "text": search_text(*words, names.get(key, ()))} for key, *words in part]
        _write(connection, {"search_text": sa.bindparam("text")}, values)
        last = part[-1].id
    op.create_index("ix_customers_search_text", "customers", ["search_text", "id"])


def downgrade() -> None:
    op.drop_index("ix_customers_search_text", table_name="customers")
    with op.batch_alter_table("customers") as table:
        table.drop_column("search_text")
        for name in _KEYS:
            table.add_column(sa.Column(name, sa.String(60), server_default="", nullable=False))
    with op.batch_alter_table("customers") as table:
        for name in _KEYS:
            table.alter_column(name, server_default=None)
    connection = op.get_bind()
    rows = connection.execute(sa.select(_CUSTOMERS.c.id, _CUSTOMERS.c.first_name, _CUSTOMERS.c.last_name)).all()
    values = [{"key": row.id, "first": folded(row.first_name)[:60], "last": folded(row.last_name)[:60]} for row in rows]
    if values:
        _write(connection, dict(zip(_KEYS, (sa.bindparam("first"), sa.bindparam("last")), strict=True)), values)
    for name in _KEYS:
        op.create_index(f"ix_customers_{name}", "customers", [name], postgresql_ops={name: "text_pattern_ops"})


def _write(connection: sa.Connection, columns: dict[str, object], values: list[dict[str, object]]) -> None:
    # pyrefly: ignore[bad-argument-type]  # a column may be named by its text
    connection.execute(_CUSTOMERS.update().where(_CUSTOMERS.c.id == sa.bindparam("key")).values(columns), values)
