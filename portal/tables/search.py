"""Keeps the text in which staff find a customer, in the transaction of every change of a row.

Statements that pass by the rows, such as those of an import, call `write_search_texts` themselves.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, bindparam, event, inspect, select, update

from portal.kernel.search import search_text
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow

_CUSTOMERS, _BIKES = CustomerRow.__table__, BikeRow.__table__
_SEARCHED = ("last_name", "first_name", "prefix", "phone")
AT_ONCE = 500
"""Customers of one statement."""


def write_search_texts(connection: Connection, keys: Collection[int], without: int = 0) -> None:
    """Write the texts of some customers anew; an erased one has none.

    `without`: key of a bike that is about to go to somebody else.
    """
    ordered = sorted(set(keys))
    for start in range(0, len(ordered), AT_ONCE):
        part = ordered[start : start + AT_ONCE]
        names: dict[int, list[str]] = defaultdict(list)
        own = select(_BIKES.c.customer_id, _BIKES.c.name, _BIKES.c.name_en)
        own = own.where(_BIKES.c.customer_id.in_(part), _BIKES.c.id != without)
        for key, *both in connection.execute(own.order_by(_BIKES.c.name, _BIKES.c.name_en)):
            names[key] += both
        query = select(_CUSTOMERS.c.id, _CUSTOMERS.c.search_text, *(_CUSTOMERS.c[name] for name in _SEARCHED))
        changed = [
            {"key": key, "text": text}
            for key, before, *words in connection.execute(
                query.where(_CUSTOMERS.c.id.in_(part), _CUSTOMERS.c.erased_at.is_(None))
            )
            if (text := search_text(words[0], words[1], words[2], words[3], names[key])) != before
        ]
        if changed:
            statement = update(_CUSTOMERS).where(_CUSTOMERS.c.id == bindparam("key"))
            connection.execute(statement.values(search_text=bindparam("text")), changed)


def _has_changed(row: Any, *names: str) -> bool:
    attributes = inspect(row).attrs
    return any(attributes[name].history.has_changes() for name in names)


@event.listens_for(CustomerRow, "after_update")
def _customer_changed(_mapper: Any, connection: Connection, row: CustomerRow) -> None:
    if _has_changed(row, *_SEARCHED):
        write_search_texts(connection, [row.id])


@event.listens_for(BikeRow, "after_insert")
@event.listens_for(BikeRow, "after_update")
def _bike_changed(_mapper: Any, connection: Connection, row: BikeRow) -> None:
    if _has_changed(row, "name", "name_en", "customer_id"):
        before = inspect(row).attrs["customer_id"].history.deleted or ()
        write_search_texts(connection, {row.customer_id, *before})
