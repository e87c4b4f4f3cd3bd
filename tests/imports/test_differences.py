"""Fields that both the shop and a customer changed: the desk lists and settles them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select, update

from portal.contract.errors import Conflict, NotFound
from portal.imports.api import Difference
from portal.imports.provider import differences
from portal.imports.provider.importer import Importer
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.exchange import Side
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office
from tests.support.application import TestApplication
from tests.support.shop_records import bike, customer, order, raw

__all__ = ["office"]


async def put(application: TestApplication, kind: str, record: dict[str, Any]) -> None:
    """Import a record of the shop."""
    await Importer(application.context, "shop").store(kind, raw(record))


async def changed_twice(application: TestApplication, **shop: Any) -> list[Difference]:
    """Import a customer whose city and address the customer changed meanwhile; return what is open."""
    await put(application, "customers", customer())
    async with application.context.database.transaction() as session:
        own = {"city": "Zeist", "email": "own@example.com", "email_key": "own@example.com"}
        await session.exec(update(CustomerRow).where(col(CustomerRow.email) == "noor1@example.com").values(own))
    await put(application, "customers", customer(**shop))
    return await listed(application)


async def listed(application: TestApplication, **where: Any) -> list[Difference]:
    """The open differences."""
    async with application.context.database.session() as session:
        return (await differences.open_differences(session, **where)).items


async def settle(application: TestApplication, found: Difference, keep: Side) -> None:
    """Decide."""
    async with application.context.database.transaction() as session:
        await differences.settle(application.context, session, found.difference_id, keep)


async def stored(application: TestApplication) -> CustomerRow:
    """The customer of the shop."""
    async with application.context.database.session() as session:
        return (await session.exec(select(CustomerRow).where(CustomerRow.last_name == "Jansen 1"))).one()


async def test_a_difference_names_both_values(application: TestApplication) -> None:
    (found,) = await changed_twice(application, city="Houten")
    assert (found.source, found.kind, found.external_id, found.field) == ("shop", "customers", "c1", "city")
    assert (found.shop_value, found.portal_value) == ("Houten", "Zeist")
    assert (found.customer_id, found.customer) == ((await stored(application)).public_id, "Noor Jansen 1")
    assert await listed(application, source="other") == await listed(application, kind="orders") == []
    assert await listed(application, after=found.difference_id) == []


async def test_the_value_of_the_shop_is_taken_with_what_follows_from_it(application: TestApplication) -> None:
    (found,) = await changed_twice(application, email="Noor.New@example.com")
    await settle(application, found, Side.SHOP)
    row = await stored(application)
    assert (row.email, row.email_key, row.city) == ("Noor.New@example.com", "noor.new@example.com", "Zeist")
    assert await listed(application) == []
    for address in ("own@example.com", "Noor.New@example.com"):
        (mail,) = await application.mails(address)
        assert "Noor.New@example.com" in mail.text
    await put(application, "customers", customer(email="third@example.com"))
    assert (await stored(application)).email == "third@example.com"


async def test_the_value_of_the_customer_is_kept_until_the_shop_sends_another(application: TestApplication) -> None:
    (found,) = await changed_twice(application, city="Houten")
    await settle(application, found, Side.PORTAL)
    await put(application, "customers", customer(city="Houten", first_name="Noortje"))
    assert ((await stored(application)).city, await listed(application)) == ("Zeist", [])
    await put(application, "customers", customer(city="Bunnik"))
    assert [entry.shop_value for entry in await listed(application)] == ["Bunnik"]


async def test_a_decision_is_made_once(application: TestApplication) -> None:
    (found,) = await changed_twice(application, city="Houten")
    await settle(application, found, Side.PORTAL)
    await settle(application, found, Side.PORTAL)
    with pytest.raises(Conflict):
        await settle(application, found, Side.SHOP)
    with pytest.raises(NotFound):
        await settle(application, found.model_copy(update={"difference_id": 99}), Side.SHOP)


async def test_what_the_customer_changed_once_more_is_not_overwritten(application: TestApplication) -> None:
    (found,) = await changed_twice(application, city="Houten")
    async with application.context.database.transaction() as session:
        await session.exec(update(CustomerRow).where(col(CustomerRow.city) == "Zeist").values(city="Doorn"))
    with pytest.raises(Conflict):
        await settle(application, found, Side.SHOP)
    assert (await stored(application)).city == "Doorn"


async def test_a_line_of_an_order_takes_the_value_of_the_shop(application: TestApplication) -> None:
    await put(application, "customers", customer())
    await put(application, "orders", order())
    async with application.context.database.transaction() as session:
        await session.exec(update(OrderLineRow).where(col(OrderLineRow.position) == 2).values(name="Ringslot"))
        await session.exec(
            update(OrderRow).where(col(OrderRow.order_number) == "870000001").values(payment_method="pin")
        )
    bike, lock = order()["lines"]
    await put(application, "orders", order(lines=[bike, {**lock, "name": "Kabelslot"}], payment_method="cash"))
    found = {entry.field: entry for entry in await listed(application)}
    assert set(found) == {"payment_method", "lines.2.name"}
    await settle(application, found["lines.2.name"], Side.SHOP)
    async with application.context.database.session() as session:
        names = (await session.exec(select(OrderLineRow.name).order_by(col(OrderLineRow.position)))).all()
    assert names[1] == "Kabelslot"
    assert [entry.field for entry in await listed(application)] == ["payment_method"]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_back_office_lists_and_settles(office: ApiShop) -> None:
    path = "/backoffice/imports/differences"
    assert (await office.http.get(path)).status_code == 401
    listed = (await office.http.get(path, headers=bearer())).json()["data"]
    assert (len(listed["items"]), listed["next_after"]) == (3, None)
    first = listed["items"][0]["difference_id"]
    for number, keep, status in (
        (7, "shop", 404),
        (first, "nobody", 422),
        (first, "shop", 200),
        (first, "portal", 409),
    ):
        answer = await office.http.post(f"{path}/{number}", json={"keep": keep}, headers=bearer())
        assert answer.status_code == status
    assert len((await office.http.get(path, headers=bearer())).json()["data"]["items"]) == 2


async def test_staff_find_a_customer_by_what_an_import_changed(application: TestApplication) -> None:
    async def text() -> str:
        async with application.context.database.session() as session:
            query = select(CustomerRow.search_text)
            return (await session.exec(query.where(CustomerRow.email == customer()["email"]))).one()

    await put(application, "customers", customer(first_name="Élodie", last_name="Özdemir", phone="06 12345601"))
    assert await text() == " ozdemir elodie 31612345601 "
    await put(application, "orders", order())
    await put(application, "bikes", bike(name="Kuststreek"))
    await put(application, "customers", customer(first_name="Zoë", last_name="Özdemir", phone=""))
    assert await text() == " ozdemir zoe kuststreek "
    await put(application, "bikes", bike(name="Duinpad"))
    assert await text() == " ozdemir zoe duinpad "
