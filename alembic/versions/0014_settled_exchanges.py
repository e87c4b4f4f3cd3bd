"""What exchanges moved stands beside what was paid, too, also of those that were closed before bills had that column.

An exchange then called what came back 'paid' for its new order, and what was still owed 'paid' for the old one. How
much that was follows from what was agreed and from what the new order got of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

CLOSED = ("return_closed", "refund_processed")
RETURNS = sa.table(
    "returns",
    sa.column("id"),
    sa.column("customer_id"),
    sa.column("kind"),
    sa.column("status"),
    sa.column("order_number"),
    sa.column("created_at"),
    sa.column("settlement", sa.Text),
)
ORDERS = sa.table(
    "orders",
    *(sa.column(name) for name in ("id", "customer_id", "order_number", "ordered_at")),
    *(sa.column(name) for name in ("total", "paid", "settled", "payment_status")),
)


class Bill:
    """An order, in cents. `told`: what closed returns set off; `known`: what exchanges from it have settled."""

    def __init__(self, total: int, paid: int, settled: int) -> None:
        self.total, self.paid, self.settled = total, paid, settled
        self.told = self.known = 0

    @property
    def moved(self) -> int:
        """What exchanges have settled here and was not accounted for yet."""
        return self.settled - self.told - self.known

    def settle(self, amount: int) -> None:
        """Call an amount settled that was called paid."""
        self.paid -= amount
        self.settled += amount


def upgrade() -> None:
    bills = _bills()
    for before, after, worth in _exchanges():
        old, new = bills[before], bills[after]
        # The newest first. Once one is from before, so are all before it.
        if new.moved > 0 or old.moved > 0:
            old.known += worth - max(new.moved, 0)
            continue
        came = min(worth, new.paid)
        moved = min(worth - came, old.paid)
        new.settle(came)
        old.settle(moved)
        old.known += moved
    _keep(bills)


def downgrade() -> None:
    bills = _bills()
    for bill in bills.values():
        bill.settle(-max(bill.moved, 0))
    _keep(bills)


def _bills() -> dict[int, Bill]:
    """Every order by its id, with what returns have set off of it."""
    bills, numbers = {}, {}
    columns = (ORDERS.c.id, ORDERS.c.customer_id, ORDERS.c.order_number)
    for key, customer, number, *amounts in op.get_bind().execute(
        sa.select(*columns, ORDERS.c.total, ORDERS.c.paid, ORDERS.c.settled)
    ):
        bills[key] = Bill(*amounts)
        numbers[customer, number] = bills[key]
    for customer, settlement in op.get_bind().execute(
        sa.select(RETURNS.c.customer_id, sa.cast(RETURNS.c.settlement, sa.Text)).where(RETURNS.c.status.in_(CLOSED))
    ):
        for line in _lines(settlement):
            if line["kind"] == "not_paid" and (customer, line["item"]) in numbers:
                numbers[customer, line["item"]].told -= _cents(line["amount"])
    return bills


def _exchanges() -> Iterator[tuple[int, int, int]]:
    """Of every closed exchange, the newest first: id of the old and of the new order, and what came back is worth.

    The new order was made with the moment of the request and the price that was agreed.
    """
    old, new = ORDERS.alias("old"), ORDERS.alias("new")
    found = (
        sa.select(RETURNS.c.id, old.c.id, new.c.id, new.c.total, sa.cast(RETURNS.c.settlement, sa.Text))
        .join(old, sa.and_(old.c.customer_id == RETURNS.c.customer_id, old.c.order_number == RETURNS.c.order_number))
        .join(new, sa.and_(new.c.customer_id == old.c.customer_id, new.c.ordered_at == RETURNS.c.created_at))
        .where(RETURNS.c.kind == "exchange", RETURNS.c.status.in_(CLOSED), new.c.id > old.c.id)
        .order_by(new.c.id.desc())
    )
    taken = set()
    for exchange, before, after, total, settlement in op.get_bind().execute(found).all():
        sums: dict[str, int] = defaultdict(int)
        for line in _lines(settlement):
            sums[line["kind"]] += _cents(line["amount"])
        if -sums["new_item"] == total and not taken & {("return", exchange), ("order", after)}:
            taken |= {("return", exchange), ("order", after)}
            yield before, after, max(min(total, sums["item"] + sums["depreciation"]), 0)


def _keep(bills: dict[int, Bill]) -> None:
    """Write down what differs. A bill of which nothing is left is paid, whatever paid it."""
    columns = (ORDERS.c.id, ORDERS.c.paid, ORDERS.c.settled, ORDERS.c.payment_status)
    for key, *before in op.get_bind().execute(sa.select(*columns)).all():
        bill, status = bills[key], before[-1]
        if status in ("open", "partly_paid") and bill.settled:
            status = "paid" if bill.paid + bill.settled >= bill.total else "partly_paid"
        if before != [bill.paid, bill.settled, status]:
            values = {"paid": bill.paid, "settled": bill.settled, "payment_status": status}
            op.get_bind().execute(sa.update(ORDERS).where(ORDERS.c.id == key).values(**values))


def _lines(settlement: str) -> list[dict[str, Any]]:
    return json.loads(settlement or "{}").get("lines", [])


def _cents(amount: str) -> int:
    return int(Decimal(amount) * 100)
