"""Store: whatever goes wrong with a record costs that record, the others join, and staff repair things once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select, update

from portal.backend.context import Context
from portal.backend.staff import StaffSessions
from portal.imports.api import CorrectedRecord, ImportSearch
from portal.imports.provider.importer import Importer
from portal.imports.provider.report import Report
from portal.imports.provider.service import import_records
from portal.imports.provider.staff_service import ImportsService
from portal.staff.provider.cards import shop_values
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderAddressRow, OrderRow
from portal.vocabulary.exchange import ImportOutcome, Rejection
from portal.vocabulary.staff import Role
from tests.support.application import TestApplication
from tests.support.conversing import staff_token
from tests.support.shop_records import bike, customer, order, raw

NEVER = "0001-01-01T00:00:00+01:00"


async def put(context: Context, kind: str, *records: dict[str, Any]) -> Report:
    """Import records of the shop."""
    return await Importer(context, "shop").store(kind, raw(*records))


async def found(context: Context, column: Any, *where: Any) -> list[Any]:
    """The values of a column of rows that imports made, sorted."""
    async with context.database.session() as session:
        return sorted((await session.exec(select(column).where(*where))).all())


async def emails(context: Context) -> list[str]:
    return await found(context, col(CustomerRow.email), CustomerRow.source == "shop")


@pytest.mark.each_database
async def test_signs_that_no_database_stores_are_cleaned(application: TestApplication) -> None:
    context = application.context
    odd = [customer(1, city="Ut\x00recht"), customer(2, email="x\x00"), customer(3, first_name="\ud800Noor")]
    report = await put(context, "customers", *odd, {"external_id": "c\x004", "note": float("nan")})
    assert (report.created, report.rejected) == (2, 2)
    assert await emails(context) == ["noor1@example.com", "noor3@example.com"]
    assert await found(context, RejectedRecordRow.external_id) == ["c 4", "c2"]


@pytest.mark.each_database
async def test_whatever_goes_wrong_in_the_database_costs_one_record(application: TestApplication) -> None:
    context = application.context
    engine = context.database.engine.sync_engine

    def break_down(_c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: Any) -> None:
        if statement.startswith("INSERT INTO customers") and "noor4@" in str(parameters):
            raise OverflowError("as of a date before there were years")

    event.listen(engine, "before_cursor_execute", break_down)
    try:
        report = await put(context, "customers", *(customer(number) for number in range(1, 8)))
    finally:
        event.remove(engine, "before_cursor_execute", break_down)
    assert (report.created, report.rejected, report.problems[0].line) == (6, 1, 4)
    assert report.problems[0].code == Rejection.NOT_STORED
    assert len(await emails(context)) == 6


@pytest.mark.each_database
@pytest.mark.parametrize("way", ["file", "api"])
async def test_good_records_join_beside_a_bad_one(application: TestApplication, way: str) -> None:
    context = application.context

    async def send(kind: str, *records: dict[str, Any]) -> Any:
        return await (import_records(context, kind, "shop", records) if way == "api" else put(context, kind, *records))

    # By the rules of an earlier version it was right.
    await send("orders", order(1), order(2), order(3))
    async with context.database.transaction() as session:
        bad = update(WaitingRecordRow).where(col(WaitingRecordRow.external_id) == "o2")
        await session.exec(bad.values(record=order(2, ordered_at=NEVER)))
    report = await send("customers", customer())
    assert (report.created, report.joined, report.rejected) == (1, 2, 1)
    assert (report.problems[0].external_id, report.problems[0].field) == ("o2", "ordered_at")
    numbers = await found(context, OrderRow.order_number, col(OrderRow.order_number).in_(["870000001", "870000003"]))
    assert numbers == ["870000001", "870000003"]
    assert await found(context, WaitingRecordRow.external_id) == []


async def test_a_sweep_joins_what_waits_for_something_that_is_there(application: TestApplication) -> None:
    context = application.context
    await put(context, "orders", order(1))
    async with context.database.transaction() as session:
        # As if another import had stored the customer at the same moment.
        await session.exec(update(WaitingRecordRow).values(needs_id="c2"))
    await put(context, "customers", customer())
    assert await found(context, WaitingRecordRow.external_id) == ["o1"]
    async with context.database.transaction() as session:
        await session.exec(update(WaitingRecordRow).values(needs_id="c1"))
    report = await put(context, "products")
    assert (report.read, report.joined) == (0, 1)


async def test_what_staff_repaired_stays_while_the_shop_says_the_same(application: TestApplication) -> None:
    context = application.context
    bad = customer(1, email="noor at example")
    await put(context, "customers", bad, customer(2))
    token = await staff_token(context, Role.ADMINISTRATOR)
    desk = ImportsService(context, StaffSessions(context))
    (kept,) = (await desk.rejected_records(token, ImportSearch())).items
    repaired = CorrectedRecord(content='{"external_id": "c1", "last_name": "Jansen", "email": "noor1@example.nl"}')
    assert (await desk.correct_record(token, kept.record_id, repaired)).stored
    for _hour in range(2):
        report = await put(context, "customers", bad, customer(2))
        assert (report.unchanged, report.rejected) == (2, 0)
    assert await emails(context) == ["noor1@example.nl", "noor2@example.com"]
    assert (await desk.rejected_records(token, ImportSearch())).items == []
    # Once the shop says something else, that counts.
    assert (await put(context, "customers", customer(1, email="none"))).rejected == 1
    assert (await put(context, "customers", customer(1, city="Zeist"))).changed == 1


async def test_a_field_that_staff_filled_in_is_not_emptied_an_hour_later(application: TestApplication) -> None:
    context = application.context
    odd = customer(1, phone="geen")
    report = await put(context, "customers", odd)
    assert (report.created, report.noted) == (1, 1)
    assert [(line.outcome, line.field) for line in report.problems] == [(ImportOutcome.NOTED, "phone")]
    (notes,) = await found(context, ImportedRow.notes)
    assert [(note["field"], note["sent"]) for note in notes] == [("phone", "geen")]
    async with context.database.transaction() as session:
        await session.exec(update(CustomerRow).where(col(CustomerRow.source) == "shop").values(phone="+31612345678"))
    assert (await put(context, "customers", odd)).problems == []
    for sent in (odd, {**odd, "city": "Zeist"}):
        await put(context, "customers", sent)
        assert await found(context, CustomerRow.phone, CustomerRow.source == "shop") == ["+31612345678"]


async def test_a_customer_without_an_address_has_that_of_the_last_order(application: TestApplication) -> None:
    context = application.context
    bare = {name: value for name, value in customer().items() if name in {"external_id", "last_name", "email"}}
    moved = {**order()["shipping_address"], "street": "Singel"}
    await put(context, "orders", order(2, ordered_at="2026-04-01T10:00:00Z", shipping_address=moved), order(1))
    report = await put(context, "customers", bare)
    assert (report.created, report.joined, report.noted) == (1, 2, 0)
    assert await found(context, CustomerRow.street, CustomerRow.source == "shop") == ["Singel"]
    await put(context, "customers", {**bare, "phone": "0612345678"})
    assert await found(context, CustomerRow.street, CustomerRow.source == "shop") == ["Singel"]


async def test_an_order_without_an_address_has_that_of_its_customer(application: TestApplication) -> None:
    context = application.context
    bare = order()
    del bare["shipping_address"]
    await put(context, "customers", customer(street="Lange Gracht"))
    assert (await put(context, "orders", bare)).created == 1
    assert await found(context, OrderAddressRow.name, OrderAddressRow.street == "Lange Gracht") == ["Noor Jansen 1"] * 2
    assert (await put(context, "orders", {**bare, "paid": "1.00"})).changed == 1
    assert len(await found(context, OrderAddressRow.name, OrderAddressRow.street == "Lange Gracht")) == 2


async def test_what_does_not_add_up_is_stored_and_named(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    report = await put(context, "orders", order(total="999.00"), order(2))
    assert (report.created, report.mismatched) == (2, 1)
    assert [(line.outcome, line.external_id) for line in report.problems] == [(ImportOutcome.MISMATCHED, "o1")]


async def test_the_page_of_a_customer_says_what_could_not_be_read_until_it_is_filled_in(
    application: TestApplication,
) -> None:
    context = application.context
    await put(context, "customers", customer(1, phone="geen", post_code="?"))

    async def said() -> list[tuple[str, str, str]]:
        async with context.database.session() as session:
            row = (await session.exec(select(CustomerRow).where(CustomerRow.source == "shop"))).one()
            return [(value.field, value.shop, value.portal) for value in await shop_values(session, row)]

    assert sorted(await said()) == [("phone", "geen", ""), ("post_code", "?", "")]
    async with context.database.transaction() as session:
        await session.exec(update(CustomerRow).where(col(CustomerRow.source) == "shop").values(phone="+31612345678"))
    assert await said() == [("post_code", "?", "")]


async def test_the_page_of_a_customer_says_what_could_not_be_read_of_orders_and_bikes(
    application: TestApplication,
) -> None:
    context = application.context
    await put(context, "customers", customer())
    await put(context, "orders", order(scheduled_day="volgende week"))
    report = await put(context, "bikes", bike(imei_number="12", delivered_on="gisteren"))
    assert report.noted == 1
    expected = [
        ("870000001", "scheduled_day", "volgende week"),
        ("Kuststreek", "delivered_on", "gisteren"),
        ("Kuststreek", "imei_number", "12"),
    ]

    async def said() -> list[tuple[str, str, str]]:
        async with context.database.session() as session:
            row = (await session.exec(select(CustomerRow).where(CustomerRow.source == "shop"))).one()
            values = await shop_values(session, row)
            return sorted((value.about, value.field, value.shop) for value in values)

    assert await said() == expected
    async with context.database.transaction() as session:
        await session.exec(update(BikeRow).values(imei_number="123456789012345"))
    assert await said() == expected[:2]
