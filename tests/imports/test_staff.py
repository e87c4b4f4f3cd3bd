"""Staff see what became of imports, send files, correct rejected records, and settle differences."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlmodel import col, select

from portal.backend.staff import StaffSessions
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.imports.api import (
    LISTED,
    CorrectedRecord,
    DifferenceSearch,
    ImportRun,
    ImportsApi,
    ImportSearch,
    ImportStart,
    RejectedChoice,
    Settlement,
)
from portal.imports.provider.importer import Importer
from portal.imports.provider.runs import JOB, ImportRuns
from portal.imports.provider.service import import_records
from portal.imports.provider.staff_service import ImportsService
from portal.imports.rules.records import RECORDS
from portal.kernel.codes import Code
from portal.tables.customers import CustomerRow
from portal.tables.exchange import RejectedRecordRow
from portal.tables.staff import AuditRow
from portal.vocabulary.exchange import IMPORT_KINDS, ImportOutcome, ImportState, ImportWay, Rejection, Side
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.support.application import TestApplication
from tests.support.conversing import staff_token
from tests.support.delivery import work
from tests.support.shop_records import customer, order, raw


@pytest.fixture
async def administrator(application: TestApplication) -> str:
    """Session token of an administrator. The application of these tests runs the job of imports."""
    application.context.jobs.register(JOB, ImportRuns(application.context).run)
    return await staff_token(application.context, Role.ADMINISTRATOR)


def imports_of(application: TestApplication) -> ImportsApi:
    return ImportsService(application.context, StaffSessions(application.context))


def lines(*records: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode()


async def send(application: TestApplication, token: str, content: bytes, **start: Any) -> ImportRun:
    """Send a file, and let it be imported."""
    given: dict[str, Any] = {"kind": "customers", "source": "shop", "name": "customers.jsonl", "size": len(content)}
    entry = ImportStart(**(given | start))
    announced = await imports_of(application).begin_import(token, entry)
    await imports_of(application).receive_import(token, announced.import_id, flowing(content))
    await work(application.context)
    return (await imports_of(application).import_run(token, announced.import_id)).run


async def customers(application: TestApplication) -> list[str]:
    async with application.context.database.session() as session:
        return list(await session.exec(select(CustomerRow.last_name).where(CustomerRow.source == "shop")))


async def audited(application: TestApplication) -> list[str]:
    async with application.context.database.session() as session:
        return [row.action for row in await session.exec(select(AuditRow).order_by(col(AuditRow.id)))]


def test_every_kind_of_record_has_a_name() -> None:
    assert set(IMPORT_KINDS) == set(RECORDS)


async def test_a_file_is_imported_and_its_report_tells_what_was_rejected(
    application: TestApplication, administrator: str
) -> None:
    content = lines(customer(1), customer(2, email="nonsense"))
    done = await send(application, administrator, content)
    assert (done.state, done.read, done.created, done.rejected) == (ImportState.DONE, 2, 1, 1)
    assert (done.way, done.file, done.by) == (ImportWay.PAGE, "customers.jsonl", "Mila de Boer")
    report = await imports_of(application).import_run(administrator, done.import_id)
    assert [(each.line, each.external_id, each.field, each.code) for each in report.problems] == [
        (2, "c2", "email", "invalid_email")
    ]
    assert await customers(application) == ["Jansen 1"]
    listed = await imports_of(application).imports(administrator, ImportSearch())
    assert [run.import_id for run in listed.items] == [done.import_id]
    assert (await imports_of(application).imports(administrator, ImportSearch(kind="orders"))).items == []
    assert await audited(application) == ["import_file"]


async def csv_of(application: TestApplication, token: str, run: ImportRun) -> list[str]:
    """The lines of the report as a file."""
    content = await imports_of(application).import_report(token, run.import_id)
    return b"".join([part async for part in content.chunks]).decode("utf-8-sig").splitlines()


async def test_a_report_names_each_record_on_its_page_or_in_its_file(
    application: TestApplication, administrator: str
) -> None:
    heads = "Regel;Record;Aantal;Resultaat;Veld;Reden;Wat je kunt doen"
    small = await send(application, administrator, lines(customer(1), customer(2), customer(3, email="nonsense")))
    shown = await imports_of(application).import_run(administrator, small.import_id)
    assert [(each.line, each.external_id, each.outcome) for each in shown.records] == [
        (1, "c1", ImportOutcome.CREATED),
        (2, "c2", ImportOutcome.CREATED),
    ]
    assert await csv_of(application, administrator, small) == [
        heads,
        "1;c1;1;Nieuw;;;",
        "2;c2;1;Nieuw;;;",
        "3;c3;1;Afgewezen;email;Vul een geldig e-mailadres in, zoals naam@voorbeeld.nl.;"
        "Verbeter het in de webwinkel en importeer opnieuw, of verbeter het hier onder ‘Afgewezen’.",
    ]
    await send(application, administrator, lines(*(customer(number) for number in range(1, 121))))
    large = await send(
        application,
        administrator,
        lines(*(customer(each, city="Zeist" if each == 10 else "Utrecht") for each in range(1, 123))),
    )
    shown = await imports_of(application).import_run(administrator, large.import_id)
    assert (large.changed, large.created, large.unchanged) == (1, 2, 119)
    assert len(shown.records) == 1 + 2 + LISTED
    assert await csv_of(application, administrator, large) == [
        heads,
        "1–9;;9;Ongewijzigd;;;",
        "10;c10;1;Gewijzigd;;;",
        "11–120;;110;Ongewijzigd;;;",
        "121;c121;1;Nieuw;;;",
        "122;c122;1;Nieuw;;;",
    ]


async def test_a_report_says_how_many_records_did_not_fit(
    application: TestApplication, administrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.imports.provider.report.LARGEST", 1)
    monkeypatch.setattr("portal.imports.provider.importer.BATCH", 110)
    odd = [customer(each, phone="nonsense") if each == 150 else customer(each) for each in range(1, 231)]
    cut = await send(application, administrator, lines(*odd))
    found = await csv_of(application, administrator, cut)
    assert [line.split(";")[0] for line in found[1:-1]] == [str(line) for line in range(1, 111)]
    assert found[-1] == ";;120;;;Meer records dan in dit bestand passen. Ze zijn alleen geteld.;"


async def test_a_dry_run_stores_nothing(application: TestApplication, administrator: str) -> None:
    done = await send(application, administrator, lines(customer(1), customer(2, email="nonsense")), dry_run=True)
    assert (done.dry_run, done.created, done.rejected) == (True, 1, 1)
    assert (await csv_of(application, administrator, done))[-1].endswith("naam@voorbeeld.nl.;")
    assert await customers(application) == []
    assert (await imports_of(application).rejected_records(administrator, ImportSearch())).items == []


@pytest.mark.parametrize(
    ("content", "start", "why"),
    [
        (b"\x89PNG\r\n\x00\x00", {}, Rejection.NOT_UTF8),
        (b"{}", {"form": "woocommerce", "name": "answer.json"}, Rejection.NOT_A_LIST_OF_ANSWERS),
        (b"[" * 100_000, {"form": "woocommerce", "name": "answer.json"}, Rejection.NOT_A_LIST_OF_ANSWERS),
        (b"{}", {"form": "shopify", "kind": "tariffs"}, Rejection.KIND_NOT_IN_FORM),
    ],
)
async def test_a_file_that_cannot_be_read_says_why(
    application: TestApplication, administrator: str, content: bytes, start: dict[str, Any], why: Rejection
) -> None:
    done = await send(application, administrator, content, **start)
    assert (done.state, done.failure_code, done.read) == (ImportState.FAILED, why, 0)
    assert done.failure


@pytest.mark.parametrize(
    ("wrong", "field", "code"),
    [
        ({"kind": "secrets"}, "kind", Code.INVALID_CHOICE),
        ({"source": "My Shop"}, "source", Code.INVALID_CHOICE),
        ({"form": "again"}, "form", Code.INVALID_CHOICE),
        ({"name": "customers.exe"}, "file", Code.FILE_NOT_ALLOWED),
        ({"size": 0}, "file", Code.REQUIRED),
        ({"size": 10**9}, "file", Code.MAX_UPLOAD_SIZE_REACHED),
    ],
)
async def test_a_wrong_announcement_is_told_by_field(
    application: TestApplication, administrator: str, wrong: dict[str, Any], field: str, code: Code
) -> None:
    right: dict[str, Any] = {"kind": "customers", "source": "shop", "name": "a.csv", "size": 3}
    start = ImportStart(**(right | wrong))
    with pytest.raises(InvalidInput) as refused:
        await imports_of(application).begin_import(administrator, start)
    assert refused.value.fields == {field: code}


async def test_a_file_is_taken_once_from_the_person_who_announced_it(
    application: TestApplication, administrator: str
) -> None:
    start = ImportStart(kind="customers", source="shop", name="a.jsonl", size=2)
    announced = await imports_of(application).begin_import(administrator, start)
    other = await staff_token(application.context, Role.ADMINISTRATOR)
    with pytest.raises(NotFound):
        await imports_of(application).receive_import(other, announced.import_id, flowing(b"{}"))
    with pytest.raises(InvalidInput):
        await imports_of(application).receive_import(administrator, announced.import_id, flowing(b"{"))
    await imports_of(application).receive_import(administrator, announced.import_id, flowing(b"{}"))
    with pytest.raises(NotFound):
        await imports_of(application).receive_import(administrator, announced.import_id, flowing(b"{}"))


async def test_calls_of_the_api_are_listed_unless_nothing_changed(
    application: TestApplication, administrator: str
) -> None:
    for _ in range(2):
        await import_records(application.context, "customers", "shop", [customer(1)])
    (run,) = (await imports_of(application).imports(administrator, ImportSearch())).items
    assert (run.way, run.created, run.by) == (ImportWay.API, 1, "")


async def rejected(application: TestApplication, token: str) -> str:
    """Id of the rejected record of a customer whose address is wrong."""
    await import_records(application.context, "customers", "shop", [customer(1, email="nonsense")])
    (record,) = (await imports_of(application).rejected_records(token, ImportSearch(kind="customers"))).items
    assert (record.external_id, record.field, record.code) == ("c1", "email", "invalid_email")
    return record.record_id


async def test_a_rejected_record_is_corrected_and_stored(application: TestApplication, administrator: str) -> None:
    record = await rejected(application, administrator)
    found = await imports_of(application).rejected_record(administrator, record)
    values = json.loads(found.content)
    again = await imports_of(application).correct_record(
        administrator, record, CorrectedRecord(content=json.dumps({**values, "post_code": "x"}))
    )
    assert not again.stored
    assert again.record
    assert again.record.field == "email"
    values["email"] = "noor@example.com"
    done = await imports_of(application).correct_record(
        administrator, again.record.record_id, CorrectedRecord(content=json.dumps(values))
    )
    assert (done.stored, done.waiting, done.record) == (True, False, None)
    assert await customers(application) == ["Jansen 1"]
    assert (await imports_of(application).rejected_records(administrator, ImportSearch())).items == []
    assert await audited(application) == ["rejected_record", "correct_record", "correct_record"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", Code.INVALID_INPUT),
        ("[]", Code.INVALID_INPUT),
        ("[" * 30_000, Code.INVALID_INPUT),
        ('{"external_id": ""}', Code.REQUIRED),
        ("{}", Code.REQUIRED),
        ("x" * 40_001, Code.TOO_LONG),
    ],
)
async def test_what_is_no_record_is_refused_and_the_rejected_one_stays(
    application: TestApplication, administrator: str, content: str, code: Code
) -> None:
    record = await rejected(application, administrator)
    with pytest.raises(InvalidInput) as refused:
        await imports_of(application).correct_record(administrator, record, CorrectedRecord(content=content))
    assert refused.value.fields == {"content": code}
    assert (await imports_of(application).rejected_record(administrator, record)).record.external_id == "c1"


async def test_rejected_records_are_sent_again_together(application: TestApplication, administrator: str) -> None:
    await rejected(application, administrator)
    async with application.context.database.transaction() as session:
        row = (await session.exec(select(RejectedRecordRow))).one()
        row.record = customer(1)
    choice = RejectedChoice(source="shop", kind="customers")
    begun = await imports_of(application).send_rejected_again(administrator, choice)
    assert begun.state is ImportState.WAITING
    await work(application.context)
    assert (await imports_of(application).import_run(administrator, begun.import_id)).run.created == 1
    assert (await imports_of(application).rejected_records(administrator, ImportSearch())).items == []


async def test_a_rejected_record_is_forgotten(application: TestApplication, administrator: str) -> None:
    record = await rejected(application, administrator)
    await imports_of(application).discard_record(administrator, record)
    for unknown in (record, "x", "9" * 30):
        with pytest.raises(NotFound):
            await imports_of(application).discard_record(administrator, unknown)


async def test_a_record_that_waits_names_the_other_one(application: TestApplication, administrator: str) -> None:
    await Importer(application.context, "shop").store("orders", raw(order(1)))
    (found,) = (await imports_of(application).waiting_records(administrator, ImportSearch())).items
    assert (found.kind, found.external_id, found.needs_kind, found.needs_id) == ("orders", "o1", "customers", "c1")
    assert (await imports_of(application).waiting_records(administrator, ImportSearch(kind="bikes"))).items == []


async def test_a_difference_is_settled_once_and_audited(application: TestApplication, administrator: str) -> None:
    await Importer(application.context, "shop").store("customers", raw(customer()))
    async with application.context.database.transaction() as session:
        row = (await session.exec(select(CustomerRow).where(CustomerRow.source == "shop"))).one()
        row.city = "Zeist"
    await Importer(application.context, "shop").store("customers", raw(customer(city="Houten")))
    (found,) = (await imports_of(application).import_differences(administrator, DifferenceSearch())).items
    assert (found.shop_value, found.portal_value) == ("Houten", "Zeist")
    name = str(found.difference_id)
    await imports_of(application).settle_difference(administrator, name, Settlement(keep=Side.SHOP))
    with pytest.raises(Conflict):
        await imports_of(application).settle_difference(administrator, name, Settlement(keep=Side.PORTAL))
    assert (await imports_of(application).import_differences(administrator, DifferenceSearch())).items == []
    async with application.context.database.session() as session:
        assert (await session.exec(select(CustomerRow.city).where(CustomerRow.source == "shop"))).one() == "Houten"
    assert await audited(application) == ["import_differences", "settle_difference"]
