"""Refunds to pay are exported once, as CSV and for the bank, and a batch can be downloaded again."""

from __future__ import annotations

import asyncio
import csv
import io
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sepaxml
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update
from sqlmodel import col, select

from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.exports.api import BatchChoice, ExportsApi, RefundAccount
from portal.exports.provider.refunds import SCHEMA, as_payment, sepa_text
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import CustomerRow
from portal.tables.exports import RefundBatchRow, RefundPaymentRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import AuditRow
from portal.vocabulary.exports import RefundWay
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.exports.telling import Telling

IBAN = "BE71096123456769"
ACCOUNT = RefundAccount(holder="Zoë & Łukasz van den Bérg", iban="BE71 0961 2345 6769")
SPACE = f"{{urn:iso:std:iso:20022:tech:xsd:{SCHEMA}}}"


def exports_of(telling: Telling) -> ExportsApi:
    return telling.application.services.ask(ExportsApi)


def finance(telling: Telling) -> str:
    return telling.tokens[Role.FINANCE]


async def decided(telling: Telling, count: int = 2) -> list[str]:
    """So many returns whose refund was decided, and none else; their references."""
    async with telling.context.database.transaction() as session:
        await session.exec(update(ReturnRow).values(status=ReturnStatus.CANCELLED, refund_amount=None))
        rows = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)).limit(count))).all()
        for number, row in enumerate(rows, 1):
            row.status, row.refund_amount = ReturnStatus.CLOSED, Decimal(f"{number}99.05")
            row.updated_at = telling.clock()
    assert len(rows) == count
    return [row.reference for row in rows]


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


async def export(telling: Telling, way: RefundWay = RefundWay.ACCOUNT) -> Any:
    return await exports_of(telling).export_refunds(finance(telling), BatchChoice(way=way))


async def test_a_refund_is_listed_with_a_masked_account_until_it_is_exported(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), first, ACCOUNT)
    listed = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert {entry.reference: (entry.amount, entry.account) for entry in listed} == {
        first: (Decimal("199.05"), "BE71 … 6769"),
        second: (Decimal("299.05"), ""),
    }
    batch = await export(shop_telling)
    assert (batch.count, batch.total, batch.made_by) == (1, Decimal("199.05"), "Finance")
    listed = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert [entry.reference for entry in listed] == [second]


async def test_a_batch_is_listed_by_its_way(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), first, ACCOUNT)
    files = [
        await exports_of(shop_telling).refund_list(finance(shop_telling), (await export(shop_telling, way)).id)
        for way in (RefundWay.ACCOUNT, RefundWay.ORIGINAL)
    ]
    by_account, as_paid = (rows_of(file.content) for file in files)
    assert [(row["reference"], row["amount"], row["iban"]) for row in by_account] == [(first, "199,05", IBAN)]
    assert [(row["reference"], row["amount"], row["iban"]) for row in as_paid] == [(second, "299,05", "")]
    assert as_paid[0]["payment_method"]


async def test_the_payment_is_valid_and_pays_every_refund(shop_telling: Telling) -> None:
    references = await decided(shop_telling, 3)
    for reference in references:
        await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    batch = await export(shop_telling)
    file = await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    schema = Path(sepaxml.__file__).parent / "schemas" / f"{SCHEMA}.xsd"
    xmlschema.XMLSchema(schema).validate(file.content.decode())
    root = ET.fromstring(file.content)  # noqa: S314 - our own file
    assert [each.text for each in root.iter(f"{SPACE}EndToEndId")] == references
    assert [each.text for each in root.iter(f"{SPACE}InstdAmt")] == ["199.05", "299.05", "399.05"]
    assert {each.text for each in root.iter(f"{SPACE}CtrlSum")} == {"897.15"}
    assert [each.text for each in root.iter(f"{SPACE}IBAN")] == ["NL91ABNA0417164300", *[IBAN] * 3]
    assert {each.text for each in root.iter(f"{SPACE}Nm")} == {"Bovenbuis", "Zoe Lukasz van den Berg"}


async def test_a_payment_names_the_shop_that_its_customer_knows(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    for reference in (first, second):
        await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    settings = shop_telling.context.settings
    shop = {
        "brand": settings.brand.model_dump() | {"name": "Zadelpen"},
        "mail_from": "noreply@zadelpen.example",
        "public_url": "http://zadelpen.localhost",
    }
    batch = await export(shop_telling)
    async with shop_telling.context.database.transaction() as session:
        owner = (await session.exec(select(ReturnRow.customer_id).where(ReturnRow.reference == first))).one()
        await session.exec(update(CustomerRow).where(col(CustomerRow.id) == owner).values(source="zadelpen"))
        others = select(ReturnRow.customer_id).where(ReturnRow.reference == second)
        same = (await session.exec(others)).one() == owner
        row = (await session.exec(select(RefundBatchRow).where(RefundBatchRow.public_id == batch.id))).one()
        shops = settings.model_copy(update={"shops": {}}).model_dump() | {"shops": {"zadelpen": shop}}
        file = await as_payment(session, Settings.model_validate(shops), row)
    root = ET.fromstring(file.content)  # noqa: S314 - our own file
    said = [each.text or "" for each in root.iter(f"{SPACE}Ustrd")]
    assert [text.split()[0] for text in said] == ["Zadelpen", "Zadelpen" if same else "Bovenbuis"]


async def test_a_batch_downloaded_again_is_the_same_file(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    batch = await export(shop_telling)
    first = await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    await shop_telling.later(days=3)
    again = await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    assert again.content == first.content
    assert batch.id.encode() in again.content


@pytest.mark.each_database
async def test_two_exports_at_the_same_time_have_each_refund_once(shop_telling: Telling) -> None:
    await decided(shop_telling, 3)
    other = Telling(Application(shop_telling.context.settings, clock=shop_telling.clock), shop_telling.clock)
    other.tokens = shop_telling.tokens
    made = await asyncio.gather(
        *[export(each, RefundWay.ORIGINAL) for each in (shop_telling, other, shop_telling, other)],
        return_exceptions=True,
    )
    await other.context.database.close()
    batches = [each for each in made if not isinstance(each, BaseException)]
    refused = [each for each in made if isinstance(each, Conflict)]
    assert sum(batch.count for batch in batches) == 3
    assert len(batches) + len(refused) == 4
    assert {each.code for each in refused} == {Code.NOTHING_TO_EXPORT}
    assert len(await shop_telling.rows(RefundPaymentRow)) == 3
    assert len(await shop_telling.rows(RefundBatchRow)) == len(batches)


async def test_an_account_is_checked_and_cannot_change_after_the_export(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    enter = exports_of(shop_telling).enter_refund_account
    for iban in ("BE71 0961 2345 6760", "US00 1234", "BR1800360305000010009795493C1"):
        with pytest.raises(InvalidInput) as refusal:
            await enter(finance(shop_telling), reference, RefundAccount(holder="S. Bakker", iban=iban))
        assert refusal.value.fields == {"iban": Code.INVALID_IBAN}
    with pytest.raises(NotFound):
        await enter(finance(shop_telling), "ZZZZ9999", ACCOUNT)
    await enter(finance(shop_telling), reference, ACCOUNT)
    await export(shop_telling)
    with pytest.raises(Conflict) as conflict:
        await enter(finance(shop_telling), reference, ACCOUNT)
    assert conflict.value.code is Code.REFUND_EXPORTED


async def test_a_batch_that_is_not_paid_to_accounts_has_no_payment(shop_telling: Telling) -> None:
    await decided(shop_telling)
    batch = await export(shop_telling, RefundWay.ORIGINAL)
    with pytest.raises(NotFound):
        await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    with pytest.raises(NotFound):
        await exports_of(shop_telling).refund_list(finance(shop_telling), "ABCDEFGH23")


async def test_every_export_and_download_is_in_the_audit_without_the_account(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    batch = await export(shop_telling)
    await exports_of(shop_telling).refund_list(finance(shop_telling), batch.id)
    await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    written = [row for row in await shop_telling.rows(AuditRow) if row.actor == "Finance"]
    assert [(row.action, row.reference) for row in written] == [
        ("enter_refund_account", reference),
        ("export_refunds", batch.id),
        ("refund_list", batch.id),
        ("refund_payment", batch.id),
    ]
    assert IBAN not in str(written)


@pytest.mark.parametrize(
    "role", [role for role in Role if role not in {Role.FINANCE, Role.ADMINISTRATOR, Role.UNKNOWN}]
)
async def test_other_roles_find_no_refunds(shop_telling: Telling, role: Role) -> None:
    await decided(shop_telling)
    with pytest.raises(NotFound):
        await exports_of(shop_telling).refunds_to_pay(shop_telling.tokens[role])
    with pytest.raises(NotFound):
        await exports_of(shop_telling).export_refunds(shop_telling.tokens[role], BatchChoice(way=RefundWay.ORIGINAL))


@given(st.text(max_size=200), st.integers(min_value=5, max_value=140))
def test_texts_of_a_payment_have_only_characters_of_sepa(text: str, most: int) -> None:
    written = sepa_text(text, most)
    assert 1 <= len(written) <= most
    assert set(written) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ")
