"""Each kind of data is deleted when its period is over, by setting, and not before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import col, select

from portal.flow.provider.cleanup import clean_files
from portal.privacy.provider.erasure import delete_expired
from portal.settings import Retention
from portal.tables.customers import CustomerRow, PrivacyEventRow
from portal.tables.drafts import UploadRow
from portal.tables.orders import OrderAddressRow, OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.customers import PrivacyActor, PrivacyEventKind
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.privacy.erasable import furnish, settle
from tests.privacy.markers import found, in_database, mark
from tests.support.customers import SANNE
from tests.support.living import Living

OF_REQUESTS = {
    *(f"requests.{name}" for name in ("description", "details")),
    "work_order_events.note",
    *(f"returns.{name}" for name in ("reason_text", "address", "phone", "remarks", "statement")),
    "return_events.note",
    *(f"insurance_requests.{name}" for name in ("key_number", "iban", "policy_number", "note")),
    "uploads.name",
    *(f"case_messages.{name}" for name in ("text", "author")),
}


async def only(living: Living, table: Any) -> list[Any]:
    async with living.context.database.session() as session:
        return list((await session.exec(select(table))).all())


async def change(living: Living, table: Any, customer_id: int, **values: Any) -> None:
    async with living.context.database.transaction() as session:
        await session.exec(update(table).where(col(table.customer_id) == customer_id).values(**values))


@pytest.mark.each_database
async def test_answers_and_files_of_finished_requests_go_after_their_period(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await settle(living.context, customer_id)
    for table in (RequestRow, ReturnRow):
        await change(living, table, customer_id, updated_at=living.clock())
    places = await mark(living.context, customer_id)
    living.clock.forward(days=2 * 365.25 - 1)
    await delete_expired(living.context)
    assert OF_REQUESTS <= found(places, await in_database(living.context))
    living.clock.forward(days=2)
    await delete_expired(living.context)
    await clean_files(living.context)
    left = found(places, await in_database(living.context))
    assert left & OF_REQUESTS == set()
    assert {"customers.last_name", "order_addresses.street", "bikes.frame_number"} <= left
    files = living.context.settings.data_dir / "files"
    assert not [path for path in files.rglob("*") if path.is_file()]
    assert [row for row in await only(living, UploadRow) if row.customer_id == customer_id] == []


async def test_a_request_that_still_runs_keeps_its_answers(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await change(living, RequestRow, customer_id, status=WorkOrderStatus.DONE)
    running = (await only(living, RequestRow))[0]
    await living.change(
        RequestRow, {"status": WorkOrderStatus.NEW, "details": {"colour": "zqblue"}}, reference=running.reference
    )
    living.clock.forward(days=3 * 365)
    await delete_expired(living.context)
    kept = next(row for row in await only(living, RequestRow) if row.reference == running.reference)
    assert kept.details == {"colour": "zqblue"}


@pytest.mark.parametrize(
    ("now", "kept"),
    [(datetime(2033, 12, 31, 22, 59, tzinfo=UTC), True), (datetime(2033, 12, 31, 23, 1, tzinfo=UTC), False)],
)
async def test_addresses_of_orders_go_seven_years_after_the_end_of_the_year(
    living: Living, now: datetime, kept: bool
) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await change(living, OrderRow, customer_id, ordered_at=datetime(2026, 2, 3, 12, tzinfo=UTC))
    living.clock.go_to(now)
    await delete_expired(living.context)
    async with living.context.database.session() as session:
        orders = select(OrderRow.id).where(OrderRow.customer_id == customer_id)
        query = select(OrderAddressRow.street).where(col(OrderAddressRow.order_id).in_(orders))
        streets = (await session.exec(query)).all()
    assert streets
    assert all(bool(street) == kept for street in streets)


async def test_a_customer_without_an_order_in_the_tax_period_is_erased(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await settle(living.context, customer_id)
    async with living.context.database.transaction() as session:
        await session.exec(update(CustomerRow).values(created_at=living.clock()))
    living.clock.forward(days=8.1 * 365.25)
    await delete_expired(living.context)
    rows = {row.id: row for row in await only(living, CustomerRow)}
    assert (rows[customer_id].email, rows[customer_id].last_name) == ("", "")
    assert rows[customer_id].erased_at
    erased = {
        event.customer_id: event.actor
        for event in await only(living, PrivacyEventRow)
        if event.kind is PrivacyEventKind.ERASED
    }
    assert erased[customer_id] is PrivacyActor.PORTAL
    assert any(row.erased_at is None for row in rows.values()), "what still runs keeps its customer"


async def test_periods_are_settings(living: Living) -> None:
    living.context.settings.retention = Retention(request_years=1)
    customer_id = await furnish(living.context, SANNE[1])
    await settle(living.context, customer_id)
    await change(living, RequestRow, customer_id, description="zqtext", updated_at=living.clock())
    living.clock.forward(days=367)
    await delete_expired(living.context)
    assert "zqtext" not in await in_database(living.context)


async def test_what_was_deleted_is_in_the_audit_once(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await settle(living.context, customer_id)
    async with living.context.database.transaction() as session:
        await session.exec(update(WorkOrderEventRow).values(note="zqnote"))
    living.clock.forward(days=3 * 365)
    await delete_expired(living.context)
    first = await only(living, PrivacyEventRow)
    assert first[0].kind is PrivacyEventKind.EXPIRED
    assert first[0].counts["work_order_events"] > 0
    living.clock.forward(hours=1)
    await delete_expired(living.context)
    assert await only(living, PrivacyEventRow) == first, "nothing is deleted twice"


def test_the_period_of_codes_is_longer_than_the_codes_work() -> None:
    assert timedelta(days=Retention().code_days) > timedelta(hours=1)
