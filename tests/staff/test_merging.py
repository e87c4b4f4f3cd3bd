"""Two customers become one: every table of the inventory, in one transaction."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import UniqueConstraint, func, select

from portal.backend.database import Database
from portal.backend.mail import Template
from portal.contract.common_api import SessionApi
from portal.contract.errors import NotAuthenticated, Unavailable
from portal.orders.api import OrdersApi
from portal.privacy.provider.inventory import INVENTORY
from portal.staff.api.customers import CustomersApi, MergedSide, MergeEntry
from portal.staff.provider import customers
from portal.staff.provider.customers import ENDED
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow
from portal.tables.exchange import ImportedRow
from portal.tables.messages import OutboxMail
from tests.support.customers import JORIS, SANNE
from tests.support.living import Living
from tests.support.staff import ESRA, staff_token

OWNED = [stored.table for stored in INVENTORY if "customer_id" in stored.table.c]


async def customer(shop: Living, pair: tuple[str, str]) -> CustomerRow:
    return await shop.row(CustomerRow, email=pair[1])


async def counted(database: Database, customer_id: int | None) -> dict[str, int]:
    found: dict[str, int] = {}
    async with database.session() as session:
        connection = await session.connection()
        for table in OWNED:
            query = select(func.count()).select_from(table).where(table.c.customer_id == customer_id)
            found[table.name] = (await connection.execute(query)).scalar_one()
    return found


async def merged(shop: Living, kept: CustomerRow, other: CustomerRow) -> None:
    entry = MergeEntry(merged_id=other.public_id, reason="same person, two addresses")
    await shop.ask(CustomersApi).merge_customers(await staff_token(shop, ESRA), kept.public_id, entry)


@pytest.mark.each_database
async def test_everything_of_one_customer_moves_to_the_other(living: Living) -> None:
    kept, other = await customer(living, SANNE), await customer(living, JORIS)
    of_kept, of_other = await living.log_in(SANNE), await living.log_in(JORIS)
    async with living.context.database.transaction() as session:
        for row, number in ((kept, 1), (other, 2)):
            tomorrow = living.clock() + timedelta(days=1)
            moments: dict[str, Any] = dict.fromkeys(("created_at", "updated_at", "expires_at"), tomorrow)
            session.add(DraftRow(key=f"key-{number}", customer_id=row.id, flow="repair-request", **moments))
    before = [await counted(living.context.database, row.id) for row in (kept, other)]
    await merged(living, kept, other)
    after = await counted(living.context.database, kept.id)
    assert not any((await counted(living.context.database, other.id)).values())
    told = {"outbox_mails": 2}  # Both addresses are told which one remains.
    for name in after.keys() - ENDED - {"drafts"}:
        assert after[name] == before[0][name] + before[1][name] + told.get(name, 0), name
    assert before[1]["orders"] > 0
    assert before[1]["requests"] > 0
    assert after["drafts"] == before[0]["drafts"], "that of the customer who remains"
    # The session of the one who remains goes on.
    numbers = {each.order_number for each in (await living.ask(OrdersApi).orders(of_kept)).items}
    assert {SANNE[0], JORIS[0]} <= numbers
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).check_session(of_other)


async def test_the_chosen_name_address_and_email_stay_and_both_addresses_are_told(living: Living) -> None:
    kept, other = await customer(living, SANNE), await customer(living, JORIS)
    session_of_kept = await living.log_in(SANNE)
    entry = MergeEntry(
        merged_id=other.public_id,
        reason="same person",
        name_of=MergedSide.MERGED,
        email_of=MergedSide.MERGED,
        address_of=MergedSide.KEPT,
    )
    card = await living.ask(CustomersApi).merge_customers(await staff_token(living, ESRA), kept.public_id, entry)
    assert (card.customer_id, card.email, card.last_name) == (kept.public_id, JORIS[1], other.last_name)
    assert (card.address.street, card.address.post_code) == (kept.street, kept.post_code)
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).check_session(session_of_kept)
    told = await living.rows(OutboxMail, template=Template.EMAIL_CHANGED, customer_id=kept.id)
    assert sorted(mail.recipient for mail in told) == sorted({SANNE[1], JORIS[1]})
    assert await living.log_in((SANNE[0], JORIS[1]))


async def test_imports_and_cases_of_the_merged_customer_go_to_the_one_who_remains(living: Living) -> None:
    kept, other = await customer(living, SANNE), await customer(living, JORIS)
    await living.change(CustomerRow, {"source": "shop"}, id=kept.id)
    async with living.context.database.transaction() as session:
        values = {"source": "shop", "kind": "customers", "fingerprint": "x", "imported_at": living.clock()}
        session.add(ImportedRow(**values, external_id="J1", row_id=other.id, customer_id=other.id))
    await merged(living, kept, other)
    row = await living.row(ImportedRow, external_id="J1")
    assert (row.row_id, row.customer_id) == (kept.id, kept.id)
    assert {case.source for case in await living.rows(CaseRow, customer_id=kept.id)} == {"shop"}


async def test_a_merge_that_fails_changes_nothing(living: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, other = await customer(living, SANNE), await customer(living, JORIS)
    before = await counted(living.context.database, other.id)
    publish = customers.publish

    async def fail(*values: Any) -> None:
        await publish(*values)
        raise OSError("the disk is full")

    monkeypatch.setattr(customers, "publish", fail)
    with pytest.raises(Unavailable):
        await merged(living, kept, other)
    assert await counted(living.context.database, other.id) == before


def test_a_table_that_holds_something_once_a_customer_is_deleted_or_compared() -> None:
    once = {
        table.name
        for table in OWNED
        if [column.name for column in table.primary_key.columns] == ["customer_id"]
        or any(
            isinstance(each, UniqueConstraint) and [column.name for column in each.columns] == ["customer_id"]
            for each in table.constraints
        )
    }
    assert once <= ENDED, "a row a customer cannot move to a customer who has one"
    assert ENDED <= {table.name for table in OWNED}
