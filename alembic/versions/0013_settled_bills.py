"""What returns and exchanges took off a bill stands with its order, beside what was paid."""

from __future__ import annotations

import json
from collections import defaultdict
from decimal import Decimal

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

CLOSED = ("return_closed", "refund_processed")


def upgrade() -> None:
    op.add_column("orders", sa.Column("settled", sa.BigInteger(), nullable=False, server_default="0"))
    returns = sa.table("returns", sa.column("customer_id"), sa.column("status"), sa.column("settlement", sa.Text))
    orders = sa.table("orders", sa.column("customer_id"), sa.column("order_number"), sa.column("settled"))
    connection = op.get_bind()
    amounts: dict[tuple[int, str], int] = defaultdict(int)
    closed = sa.select(returns.c.customer_id, sa.cast(returns.c.settlement, sa.Text)).where(
        returns.c.status.in_(CLOSED)
    )
    for customer, settlement in connection.execute(closed):
        for line in json.loads(settlement or "{}").get("lines", []):
            if line["kind"] == "not_paid":
                amounts[customer, line["item"]] -= int(Decimal(line["amount"]) * 100)
    for (customer, number), cents in amounts.items():
        own = sa.and_(orders.c.customer_id == customer, orders.c.order_number == number)
        connection.execute(sa.update(orders).where(own).values(settled=cents))


def downgrade() -> None:
    op.drop_column("orders", "settled")
