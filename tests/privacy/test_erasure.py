"""After an erasure nothing personal is left but what tax law keeps; and it needs a mailed code."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import col, select
from structlog.testing import capture_logs

from portal.backend.bike_names import bike_in_full
from portal.contract.common_api import SessionApi
from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, Refused, TooMany
from portal.contract.session import CodeRequest, Origin
from portal.contracts.api import ContractsApi, EndEntry
from portal.flow.provider.cleanup import clean_files
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.privacy.api import ErasureCode, PrivacyApi, Running
from portal.privacy.provider.erasure import delete_expired
from portal.privacy.provider.inventory import INVENTORY
from portal.setting_groups import Retention
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow, PrivacyEventRow
from portal.tables.drafts import UploadRow
from portal.tables.orders import OrderAddressRow, OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.customers import PrivacyActor, PrivacyEventKind, RunningKind
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.privacy.erasable import FILE, found, furnish, in_database, in_files, mark, run_jobs, settle
from tests.support.customers import JORIS, SANNE
from tests.support.living import Living

KEPT = {
    "orders.lease_reference",
    *(
        f"order_addresses.{name}"
        for name in ("name", "street", "house_number", "house_number_addon", "post_code", "city")
    ),
}
"""What tax law keeps: the invoices show it."""


async def erasable(living: Living, customer: tuple[str, str] = SANNE) -> tuple[str, int]:
    """A session of a customer with rows in every table, and the primary key."""
    token = await living.log_in(customer)
    customer_id = await furnish(living.context, customer[1])
    await settle(living.context, customer_id)
    return token, customer_id


async def code_for(living: Living, token: str, customer_id: int) -> str:
    """Ask for the code, and read it in the mail."""
    await living.ask(PrivacyApi).request_erasure(token)
    address = (await living.one(CustomerRow, id=customer_id)).email
    letter = (await living.mails(address))[0]
    code = re.search(r"^(\d{6})$", letter.text, re.MULTILINE)
    assert code
    return code[1]


async def refused(living: Living, token: str, code: str) -> Code:
    with pytest.raises((Conflict, InvalidInput, Refused)) as refusal:
        await living.ask(PrivacyApi).confirm_erasure(token, ErasureCode(code=code))
    return refusal.value.code


@pytest.mark.each_database
async def test_markers_in_every_personal_column_file_mail_and_log_are_gone_after_an_erasure(living: Living) -> None:
    data_dir = living.context.settings.data_dir
    token, customer_id = await erasable(living)
    await living.ask(PrivacyApi).ask_for_export(token)
    await run_jobs(living.context)
    places = await mark(living.context, customer_id)
    everything = {f"{stored.table.name}.{name}" for stored in INVENTORY for name in stored.personal | stored.tax}
    assert set(places.values()) == everything, "a personal column without a row to mark proves nothing"
    assert found(places, await in_database(living.context)) == everything
    assert FILE in in_files(data_dir)
    with capture_logs() as logs:
        code = await code_for(living, token, customer_id)
        assert found(places, in_files(data_dir)), "the mail with the code names the customer"
        living.clock.forward(seconds=5)
        await living.ask(PrivacyApi).confirm_erasure(token, ErasureCode(code=code))
        marked = [row.counts for row in await living.rows(PrivacyEventRow)][-1]
        living.clock.forward(seconds=5)
        last = data_dir / "mail"
        before = {path.name for path in last.iterdir()}
        await run_jobs(living.context)
        (confirmation,) = [path for path in last.iterdir() if path.name not in before]
    assert "zq0" in confirmation.read_text(), "the customer is told"
    confirmation.unlink()
    assert found(places, await in_database(living.context)) == KEPT
    assert found(places, in_files(data_dir)) == set()
    assert FILE not in in_files(data_dir)
    assert not [path for path in (data_dir / "files").rglob("*") if path.is_file()]
    assert found(places, str(logs)) == set()
    assert {"customers", "bikes", "uploads", "outbox_mails"} <= marked.keys()
    living.clock.forward(days=8.1 * 365.25)
    await delete_expired(living.context)
    assert found(places, await in_database(living.context)) == set()


async def test_an_erasure_ends_the_account_of_this_customer_only_and_is_in_the_audit_without_a_name(
    living: Living,
) -> None:
    token, customer_id = await erasable(living)
    other = await living.log_in(JORIS)
    before = await living.ask(SessionApi).customer_info(other), await living.ask(OrdersApi).orders(other)
    await living.ask(PrivacyApi).confirm_erasure(token, ErasureCode(code=await code_for(living, token, customer_id)))
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).customer_info(token)
    with pytest.raises(Refused) as refusal:
        await living.ask(LoginApi).request_code(CodeRequest(email=SANNE[1], order_number=SANNE[0]), Origin())
    assert refusal.value.code is Code.INVALID_CREDENTIALS
    await run_jobs(living.context)
    assert (await living.ask(SessionApi).customer_info(other), await living.ask(OrdersApi).orders(other)) == before
    (event,) = await living.rows(PrivacyEventRow)
    made = (event.kind, event.actor, event.customer_id)
    assert made == (PrivacyEventKind.ERASED, PrivacyActor.CUSTOMER, customer_id)
    assert event.counts["customers"] == 1
    assert all(isinstance(number, int) for number in event.counts.values())


@pytest.mark.each_database
async def test_nothing_is_erased_while_something_still_runs(living: Living) -> None:
    token = await living.log_in(JORIS)
    running = (await living.ask(PrivacyApi).personal_data(token)).running
    assert RunningKind.REQUEST in {entry.kind for entry in running}
    with pytest.raises(Conflict) as refusal:
        await living.ask(PrivacyApi).request_erasure(token)
    assert refusal.value.code is Code.ERASURE_NOT_POSSIBLE
    assert await living.mails(JORIS[1]) == []


@pytest.mark.each_database
async def test_a_contract_prevents_the_erasure_until_its_last_day_and_its_end_until_it_is_processed(
    living: Living,
) -> None:
    token, customer_id = await erasable(living)
    now = living.clock()
    async with living.context.database.transaction() as session:
        bike = (await session.exec(select(BikeRow).where(BikeRow.customer_id == customer_id))).first()
        assert bike
        bike.service_package = ServicePackage.SERVICE21
        session.add(bike)
        taken = PackageOrderRow(
            reference="ABCD2345", customer_id=customer_id, bike_id=bike.id, package=ServicePackage.SERVICE21,
            monthly=Decimal("7.95"), created_at=now - timedelta(days=90),
        )  # fmt: skip
        session.add(taken)
    assert await still(living, token) == [Running(kind=RunningKind.SERVICE_PACKAGE, name=bike_in_full(bike, "nl"))]
    ended = await living.ask(ContractsApi).end_contract(
        token, "ABCD2345", EndEntry(name="Sanne", ending=EndKind.CANCELLATION, key="pressed-once")
    )
    assert ended.end
    runs = Running(kind=RunningKind.SERVICE_PACKAGE, name=bike_in_full(bike, "nl"), until=ended.end.ends_on)
    processed = Running(kind=RunningKind.CONTRACT_END, name="ABCD2345")
    assert await still(living, token) == [runs, processed]
    await living.move("contract-end", ended.end.reference, "processed")
    assert await still(living, token) == [runs]
    living.clock.forward(days=40)
    await run_jobs(living.context)
    assert await still(living, await living.log_in(SANNE)) == []


async def still(living: Living, token: str) -> list[Running]:
    return (await living.ask(PrivacyApi).personal_data(token)).running


async def test_what_began_after_the_code_was_mailed_prevents_the_erasure(living: Living) -> None:
    token, customer_id = await erasable(living)
    code = await code_for(living, token, customer_id)
    await living.change(BikeRow, {"insurance": "Kettingzeker"}, customer_id=customer_id)
    assert await refused(living, token, code) is Code.ERASURE_NOT_POSSIBLE
    assert (await living.ask(SessionApi).customer_info(token)).customer.email == SANNE[1]


async def test_a_wrong_old_or_foreign_code_erases_nothing(living: Living) -> None:
    token, customer_id = await erasable(living)
    assert await refused(living, token, "123456") is Code.NO_CHALLENGE
    assert await refused(living, token, "") is Code.REQUIRED
    code = await code_for(living, token, customer_id)
    assert await refused(living, token, f"{(int(code) + 1) % 1_000_000:06}") is Code.INVALID_CODE
    elsewhere = await living.log_in(SANNE)
    assert await refused(living, elsewhere, code) is Code.NO_CHALLENGE, "the code belongs to the session that asked"
    living.clock.forward(minutes=11)
    assert await refused(living, token, code) is Code.CODE_EXPIRED
    first = await code_for(living, token, customer_id)
    await living.ask(PrivacyApi).request_erasure(token)
    assert await refused(living, token, first) is Code.INVALID_CODE, "a new code replaces the older one"
    refusals = [await refused(living, token, first) for _attempt in range(10)]
    assert refusals[-1] is Code.CODE_USED_UP
    assert (await living.ask(SessionApi).customer_info(token)).customer.email == SANNE[1]


async def test_codes_for_an_erasure_are_limited(living: Living) -> None:
    token, _customer_id = await erasable(living)
    limit = living.context.settings.codes_per_account_hour
    living.context.settings.codes_per_account_hour = 2
    try:
        for _number in range(2):
            await living.ask(PrivacyApi).request_erasure(token)
        with pytest.raises(TooMany) as refusal:
            await living.ask(PrivacyApi).request_erasure(token)
    finally:
        living.context.settings.codes_per_account_hour = limit
    assert refusal.value.retry_at
    assert refusal.value.retry_at <= living.clock() + timedelta(hours=1)


OF_REQUESTS = {
    *(f"requests.{name}" for name in ("description", "details")),
    "work_order_events.note",
    *(f"returns.{name}" for name in ("reason_text", "address", "phone", "remarks", "statement")),
    "return_events.note",
    *(f"insurance_requests.{name}" for name in ("key_number", "iban", "policy_number", "note")),
    "uploads.name",
    *(f"case_messages.{name}" for name in ("text", "author")),
}


async def change(living: Living, table: Any, customer_id: int, **values: Any) -> None:
    await living.change(table, {**values}, customer_id=customer_id)


@pytest.mark.each_database
async def test_answers_and_files_of_finished_requests_go_after_their_period(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await settle(living.context, customer_id)
    for table in (RequestRow, ReturnRow):
        await change(living, table, customer_id, updated_at=living.clock())
    await change(living, CaseRow, customer_id, closed_at=living.clock())
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
    assert [row for row in await living.rows(UploadRow) if row.customer_id == customer_id] == []


async def test_a_request_that_still_runs_keeps_its_answers(living: Living) -> None:
    customer_id = await furnish(living.context, SANNE[1])
    await change(living, RequestRow, customer_id, status=WorkOrderStatus.DONE)
    running = (await living.rows(RequestRow))[0]
    await living.change(
        RequestRow, {"status": WorkOrderStatus.NEW, "details": {"colour": "zqblue"}}, reference=running.reference
    )
    living.clock.forward(days=3 * 365)
    await delete_expired(living.context)
    kept = next(row for row in await living.rows(RequestRow) if row.reference == running.reference)
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
    await living.change(CustomerRow, {"created_at": living.clock()})
    living.clock.forward(days=8.1 * 365.25)
    await delete_expired(living.context)
    rows = {row.id: row for row in await living.rows(CustomerRow)}
    assert (rows[customer_id].email, rows[customer_id].last_name) == ("", "")
    assert rows[customer_id].erased_at
    erased = {
        event.customer_id: event.actor
        for event in await living.rows(PrivacyEventRow)
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
    await living.change(WorkOrderEventRow, {"note": "zqnote"})
    living.clock.forward(days=3 * 365)
    await delete_expired(living.context)
    first = await living.rows(PrivacyEventRow)
    assert first[0].kind is PrivacyEventKind.EXPIRED
    assert first[0].counts["work_order_events"] > 0
    living.clock.forward(hours=1)
    await delete_expired(living.context)
    assert await living.rows(PrivacyEventRow) == first, "nothing is deleted twice"
