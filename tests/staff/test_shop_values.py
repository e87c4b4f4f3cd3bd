"""Where the shop says something else of a customer: staff read both values, and what they enter holds."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import select

from portal.cases.api import CasesApi
from portal.imports.provider import differences
from portal.imports.provider.importer import Importer
from portal.staff.api import AddressEntry, CustomerCard, CustomersApi, EmailEntry, ShopValue
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.exchange import Side
from portal.vocabulary.work_orders import RequestKind
from tests.support.living import Living
from tests.support.shop_records import customer, raw
from tests.support.staff import CARLA, staff_token, with_case

OWN = {"city": "Zeist", "email": "own@example.com", "email_key": "own@example.com"}
"""What the customer changed in the portal."""


async def sent(shop: Living, **changes: Any) -> CustomerRow:
    """The customer after the shop sent its record."""
    await Importer(shop.context, "shop").store("customers", raw(customer(**changes)))
    async with shop.context.database.session() as session:
        return (await session.exec(select(CustomerRow).where(CustomerRow.last_name == "Jansen 1"))).one()


async def differing(shop: Living) -> CustomerRow:
    """A customer who changed city and e-mail address, which the shop changed as well."""
    row = await sent(shop)
    await shop.change(CustomerRow, OWN, id=row.id)
    return await sent(shop, city="Houten", email="shop@example.com")


async def card(shop: Living, row: CustomerRow) -> CustomerCard:
    """What the service desk sees of the customer."""
    return await shop.ask(CustomersApi).customer_card(await staff_token(shop, CARLA), row.public_id)


async def test_staff_read_both_values_on_the_page_of_the_customer_and_in_a_case(living: Living) -> None:
    row = await differing(living)
    assert (await card(living, row)).shop_values == [
        ShopValue(field="email", shop="shop@example.com", portal="own@example.com"),
        ShopValue(field="city", shop="Houten", portal="Zeist"),
    ]
    async with living.context.database.session() as session:
        request = (await session.exec(select(RequestRow).where(RequestRow.kind == RequestKind.REPAIR))).first()
    assert request
    case = await with_case(living, CaseKind.REPAIR, request.reference, row.id, request.status)
    await living.change(CaseRow, {"customer_id": row.id}, id=case.id)
    detail = await living.ask(CasesApi).case(await staff_token(living, CARLA), CaseKind.REPAIR, case.reference)
    assert detail.customer
    assert detail.customer.shop_values == (await card(living, row)).shop_values
    await living.change(CustomerRow, {"city": "Houten"}, id=row.id)
    (found,) = (await card(living, row)).shop_values
    assert found.field == "email", "what agrees by now is left out"


@pytest.mark.parametrize(("city", "after_another_import"), [("Houten", "Bunnik"), ("Utrecht", "Utrecht")])
async def test_what_staff_enter_holds_until_the_shop_sends_another_value(
    living: Living, city: str, after_another_import: str
) -> None:
    row = await differing(living)
    token = await staff_token(living, CARLA)
    address = {name: getattr(row, name) for name in AddressEntry.model_fields if name != "reason"}
    entry = AddressEntry(**{**address, "city": city})
    corrected = await living.ask(CustomersApi).correct_address(token, row.public_id, entry)
    assert [value.field for value in corrected.shop_values] == ["email"]
    entry = EmailEntry(email="shop@example.com", reason="Gebeld")
    assert (await living.ask(CustomersApi).correct_email(token, row.public_id, entry)).shop_values == []
    async with living.context.database.session() as session:
        assert (await differences.open_differences(session, source="shop")).items == []
    again = await sent(living, city="Houten", email="shop@example.com", first_name="Noortje")
    assert (again.city, (await card(living, row)).shop_values) == (city, [])
    assert (await sent(living, city="Bunnik", email="shop@example.com")).city == after_another_import


async def test_the_differences_of_the_demonstration_can_be_decided_for_the_shop(living: Living) -> None:
    async with living.context.database.transaction() as session:
        found = (await differences.open_differences(session)).items
        for difference in found:
            await differences.settle(living.context, session, difference.difference_id, Side.SHOP)
    async with living.context.database.session() as session:
        for difference in found:
            query = select(CustomerRow).where(CustomerRow.public_id == difference.customer_id)
            row = (await session.exec(query)).one()
            assert getattr(row, difference.field) == difference.shop_value
    assert len(found) == 3
