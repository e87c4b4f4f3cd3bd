"""Storing imported records: repeated, out of order, rejected, and beside changes of the portal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import col, select, update

from portal.backend.context import Context
from portal.imports.provider.importer import Importer
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.report import Report
from portal.privacy.provider.erasure import erase
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DeliveryDayRow, DeliveryEventRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow
from portal.vocabulary.customers import PrivacyActor
from tests.support.application import TestApplication
from tests.support.furnished import Furnished
from tests.support.shop_records import bike, customer, order, raw


async def put(context: Context, kind: str, *records: dict[str, Any]) -> Report:
    """Import records of the shop."""
    return await Importer(context, "shop").store(kind, raw(*records))


async def rows(context: Context, table: type[Any]) -> list[Any]:
    """All rows of a table, the oldest first."""
    async with context.database.session() as session:
        first = next(iter(table.__table__.primary_key))
        return list((await session.exec(select(table).order_by(first))).all())


async def imported(context: Context) -> CustomerRow:
    """The customer that was imported last."""
    return [row for row in await rows(context, CustomerRow) if row.email.startswith("noor")][-1]


@pytest.mark.each_database
async def test_a_customer_with_order_and_bike_stands_in_the_tables(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    assert (await put(context, "orders", order())).counts() == Report(read=1, created=1).counts()
    await put(context, "bikes", bike())
    row = await imported(context)
    assert (row.phone, row.house_number, row.house_number_addon) == ("+31612345678", "38", "2 hoog")
    placed = [entry for entry in await rows(context, OrderRow) if entry.customer_id == row.id]
    assert [(entry.order_number, entry.subtotal, entry.total) for entry in placed] == [
        ("870000001", Decimal("1049.90"), Decimal("1049.90"))
    ]
    lines = await rows(context, OrderLineRow)
    assert [(line.position, line.quantity, line.price) for line in lines] == [
        (1, 1, Decimal("999.00")),
        (2, 2, Decimal("50.90")),
    ]
    contents = await rows(context, ShipmentLineRow)
    assert [(entry.order_line_id, entry.quantity) for entry in contents] == [(lines[0].id, 1), (lines[1].id, 2)]
    (stored,) = await rows(context, BikeRow)
    assert (stored.customer_id, stored.order_line_id) == (row.id, lines[0].id)


async def test_an_equal_record_is_skipped(application: TestApplication) -> None:
    await put(application.context, "customers", customer())
    report = await put(application.context, "customers", customer())
    assert report.counts() == Report(read=1, unchanged=1).counts()


async def test_a_record_waits_for_the_one_it_refers_to(application: TestApplication) -> None:
    context = application.context
    report = await put(context, "bikes", bike())
    assert (report.waiting, report.problems[0].reason) == (1, "It’s waiting for o1 of orders.")
    await put(context, "orders", order())
    assert await rows(context, BikeRow) == []
    report = await put(context, "customers", customer())
    assert (report.created, report.joined) == (1, 2)
    assert len(await rows(context, BikeRow)) == 1
    assert await rows(context, WaitingRecordRow) == []


async def test_a_bad_record_is_reported_and_kept_and_the_others_are_stored(application: TestApplication) -> None:
    context = application.context
    bad = customer(2, email="no address")
    report = await put(context, "customers", customer(1), bad, customer(3))
    assert (report.created, report.rejected) == (2, 1)
    problem = report.problems[0]
    assert (problem.line, problem.external_id, problem.field, problem.code) == (2, "c2", "email", "invalid_email")
    (kept,) = await rows(context, RejectedRecordRow)
    assert (kept.record, kept.field) == (bad, "email")
    await put(context, "customers", customer(2))
    assert await rows(context, RejectedRecordRow) == []


async def test_a_rejected_record_is_sent_again_as_it_was(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer(1))
    await put(context, "orders", order(1), order(2, order_number="870000001"))
    (kept,) = await rows(context, RejectedRecordRow)
    assert (kept.external_id, kept.field) == ("o2", "order_number")
    await put(context, "orders", order(1, order_number="870000009"))
    report = await Importer(context, "shop").again("orders")
    assert (report.created, await rows(context, RejectedRecordRow)) == (1, [])


async def test_records_without_an_id_are_looked_up_once_and_kept_once(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, nameless = furnished.context, [{**customer(each), "external_id": ""} for each in range(1, 8)]
    monkeypatch.setattr("portal.imports.provider.importer.BATCH", 2)
    for city in ("Utrecht", "Zeist"):
        with furnished.statements() as statements:
            sent = raw(*({**record, "city": city} for record in nameless), customer(8))
            await Importer(context, "shop").store("customers", sent, "customers.jsonl")
        asked = [each for each in statements if "import_rejected" in each and not each.startswith("INSERT")]
        assert len([each for each in asked if each.startswith("SELECT")]) == 2
        assert not [each for each in asked if each.startswith("DELETE") and ".line" in each]
        assert [row.record["city"] for row in await rows(context, RejectedRecordRow)] == [city] * 7
    assert (await Importer(context, "shop").again("customers")).rejected == 7
    assert len(await rows(context, RejectedRecordRow)) == 7
    await Importer(context, "shop").store("customers", raw(*map(customer, range(1, 9))), "customers.jsonl")
    assert await rows(context, RejectedRecordRow) == []


async def test_a_change_of_the_portal_is_not_overwritten(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    async with context.database.transaction() as session:
        changed = {"house_number_addon": "A", "city": "Zeist"}
        await session.exec(update(CustomerRow).where(col(CustomerRow.email) == "noor1@example.com").values(changed))
    report = await put(context, "customers", customer(street="Gracht", house_number_addon="B"))
    row = await imported(context)
    assert (row.street, row.house_number_addon, row.city) == ("Gracht", "A", "Zeist")
    (difference,) = await rows(context, ImportDifferenceRow)
    assert report.differences == 1
    assert (difference.field, difference.shop_value, difference.portal_value) == ("house_number_addon", "B", "A")
    await put(context, "customers", customer(street="Gracht", house_number_addon="A"))
    assert await rows(context, ImportDifferenceRow) == []


async def test_a_changed_order_changes_its_lines_and_its_history(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    await put(context, "orders", order())
    lines = [*order()["lines"][:1], {"name": "Bell", "sku": "B-1", "kind": "accessory", "unit_price": "9.95"}]
    await put(
        context, "orders", order(lines=lines, delivery_status="order_delivered", shipments=[{"carrier": "Kwiekpost"}])
    )
    assert [(line.name, line.price) for line in await rows(context, OrderLineRow)] == [
        ("Kuststreek", Decimal("999.00")),
        ("Bell", Decimal("9.95")),
    ]
    assert [event.status.value for event in await rows(context, DeliveryEventRow)] == ["order_delivered"]


async def test_a_line_that_a_bike_needs_is_not_removed(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    await put(context, "orders", order(shipments=[]))
    await put(context, "bikes", bike(position=2))
    report = await put(context, "orders", order(shipments=[], lines=order()["lines"][:1]), order(2))
    assert (report.rejected, report.created) == (1, 1)
    assert len([line for line in await rows(context, OrderLineRow) if line.order_id == 4]) == 2


async def test_the_later_of_two_versions_in_one_file_wins(application: TestApplication) -> None:
    report = await put(application.context, "customers", customer(), customer(city="Zeist"))
    assert (report.created, report.changed, (await imported(application.context)).city) == (1, 1, "Zeist")


async def test_a_day_is_stored_under_country_and_day(application: TestApplication) -> None:
    context = application.context
    day = {"external_id": "nl-1", "country_code": "NL", "day": "2026-12-01", "capacity": 5}
    await put(context, "delivery-days", day)
    await put(context, "delivery-days", {**day, "capacity": 7})
    assert [row.capacity for row in await rows(context, DeliveryDayRow)] == [7]


async def test_a_dry_run_tells_the_same_and_stores_nothing(application: TestApplication) -> None:
    context = application.context
    dry = Importer(context, "shop", dry_run=True)
    told = [
        await dry.store("customers", raw(customer(1), customer(2, email="x"))),
        await dry.store("orders", raw(order(1), order(2, 9))),
    ]
    assert [(report.created, report.waiting, report.rejected) for report in told] == [(1, 0, 1), (1, 1, 0)]
    assert await rows(context, RejectedRecordRow) == []
    assert all(not row.email.startswith("noor") for row in await rows(context, CustomerRow))


def test_every_kind_has_a_schema() -> None:
    for kind in KINDS.values():
        assert "external_id" in kind.record.model_json_schema()["required"]


async def test_a_customer_who_was_erased_does_not_come_back(application: TestApplication) -> None:
    context = application.context
    await put(context, "customers", customer())
    await put(context, "orders", order())
    row = await imported(context)
    async with context.database.transaction() as session:
        await erase(session, row.id, context.clock(), PrivacyActor.CUSTOMER)
    report = await put(context, "customers", customer(city="Zeist"))
    assert (report.unchanged, report.changed) == (1, 0)
    assert {"Noor", "Zeist"}.isdisjoint({row.first_name for row in await rows(context, CustomerRow)})
    assert all(entry.values == {} for entry in await rows(context, ImportedRow))
