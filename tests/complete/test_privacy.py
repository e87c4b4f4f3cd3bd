"""The inventory of personal data is complete: nothing is stored about a customer that it does not name."""

import pytest
from sqlalchemy import Table

from portal.privacy.provider.inventory import (
    BY_TABLE,
    INVENTORY,
    NOT_PERSONAL,
    OnErasure,
    StoredData,
    empty_value,
    holds_text,
)
from portal.tables import metadata

TABLES = list(metadata.sorted_tables)
_WHERE = "portal/privacy/provider/inventory.py"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_is_in_the_inventory_or_not_personal(table: Table) -> None:
    assert (table.name in BY_TABLE) != (table.name in NOT_PERSONAL), (
        f"name {table.name} once in {_WHERE}: in INVENTORY with its columns, or in NOT_PERSONAL"
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_that_leads_to_a_customer_is_in_the_inventory(table: Table) -> None:
    leads = {key.column.table.name for key in table.foreign_keys} & {"customers", "orders", "returns", "requests"}
    assert not leads or table.name in BY_TABLE, f"{table.name} leads to a customer: add it to INVENTORY in {_WHERE}"


@pytest.mark.parametrize("stored", INVENTORY, ids=lambda stored: stored.table.name)
def test_every_text_of_a_table_is_named_once(stored: StoredData) -> None:
    texts = {column.name for column in stored.table.columns if holds_text(column)}
    named = [*stored.personal, *stored.tax, *stored.plain, *stored.hidden]
    missing, unknown = sorted(texts - set(named)), sorted(set(named) - texts)
    place = f"the row of {stored.table.name} in INVENTORY of {_WHERE}"
    assert not missing, f"add {missing} to personal, tax, plain or hidden in {place}"
    assert not unknown, f"take {unknown} out of {place}"
    assert len(named) == len(set(named))


@pytest.mark.parametrize("stored", INVENTORY, ids=lambda stored: stored.table.name)
def test_an_emptied_column_does_not_collide_with_another_row(stored: StoredData) -> None:
    unique = {column.name for column in stored.table.columns if column.unique}
    unique |= {column.name for index in stored.table.indexes if index.unique for column in index.columns}
    stays = set() if stored.on_erasure is OnErasure.DELETES else (stored.personal | stored.tax) & unique
    for name in stays:
        assert empty_value(stored.table.c[name]) is None


def test_the_inventory_names_no_table_twice() -> None:
    assert len(BY_TABLE) == len(INVENTORY)
