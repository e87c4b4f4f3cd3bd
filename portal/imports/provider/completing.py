"""Addresses that a shop leaves out: a customer has that of the newest order, and an order that of its customer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import insert, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.provider.kind import Stored, execute
from portal.imports.provider.merging import table_of
from portal.kernel.address import PARTS
from portal.tables.customers import CustomerRow
from portal.tables.orders import AddressRole, OrderAddressRow, OrderRow

_customers, _orders, _addresses = (table_of(row) for row in (CustomerRow, OrderRow, OrderAddressRow))
_COLUMNS = (*PARTS, "country_code")


async def unaddressed(session: AsyncSession, stored: Sequence[Stored]) -> set[int]:
    """The customers of orders of whom no address is known."""
    owners = {entry.customer_id for entry in stored}
    query = select(_customers.c.id).where(
        _customers.c.id.in_(owners),
        _customers.c.street == "",
        _customers.c.city == "",
        _customers.c.erased_at.is_(None),
    )
    return set((await execute(session, query)).scalars())


async def address_customers(session: AsyncSession, keys: Collection[int]) -> None:
    """Give each of these customers the address of the newest order."""
    for key in sorted(keys):
        query = (
            select(*(_addresses.c[name] for name in _COLUMNS))
            .join(_orders, _orders.c.id == _addresses.c.order_id)
            .where(_orders.c.customer_id == key, _addresses.c.role == AddressRole.SHIPPING)
            .order_by(_orders.c.ordered_at.desc(), _orders.c.id.desc())
            .limit(1)
        )
        if found := (await execute(session, query)).mappings().first():
            await execute(session, update(_customers).where(_customers.c.id == key).values(dict(found)))


async def address_orders(session: AsyncSession, stored: Sequence[Stored]) -> None:
    """Give each new order without an address that of its customer."""
    bare = {
        entry.row_id: entry.customer_id
        for entry in stored
        if entry.changes is None and not (entry.record.shipping_address or entry.record.billing_address)
    }
    if not bare:
        return
    people = await execute(session, select(_customers).where(_customers.c.id.in_(bare.values())))
    found: dict[int, Any] = {row["id"]: row for row in people.mappings()}
    names = ("first_name", "prefix", "last_name")
    await execute(
        session,
        insert(_addresses),
        [
            {
                "order_id": order,
                "role": role,
                "name": " ".join(found[owner][name] for name in names if found[owner][name]),
                **{name: found[owner][name] for name in _COLUMNS},
            }
            for order, owner in bare.items()
            for role in AddressRole
        ],
    )
