"""Lists for insurers and reports hold what their reader may see, and nothing that a spreadsheet runs."""

import csv
import io
from decimal import Decimal
from enum import StrEnum
from importlib import import_module
from pkgutil import iter_modules

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from portal import vocabulary
from portal.backend.spreadsheet import lines
from portal.cases.api import CaseFilter, CasesApi
from portal.cases.provider import queries
from portal.exports.api import BatchChoice, ExportsApi
from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM, in_working_days
from portal.staff.api.people import AuditSearch, PeopleApi
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import AuditRow
from portal.vocabulary.cases import CaseKind, CaseState, CaseView, due_of
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.insurance import INSURER_NAMES, InsuranceStatus
from portal.vocabulary.orders import PAYMENT_METHODS
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.exports.telling import Telling


def exports_of(telling: Telling) -> ExportsApi:
    return telling.application.services.ask(ExportsApi)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


async def cases_of(telling: Telling, role: Role, **wanted: object) -> list[dict[str, str]]:
    asked = CaseFilter.model_validate(wanted)
    file = await telling.application.services.ask(CasesApi).case_list(telling.tokens[role], asked)
    return rows_of(b"".join([chunk async for chunk in file.chunks]))


async def test_a_list_of_cases_has_those_that_the_person_sees(
    telling: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "AT_ONCE", 2)
    for number in range(5):
        await telling.happen(f"REPAIR{number}", status="accepted", store=1 + number % 2)
    await telling.happen("RETURN22", kind=CaseKind.RETURN, store=None)
    everything = await cases_of(telling, Role.ADMINISTRATOR)
    assert [row["reference"] for row in everything] == [*(f"REPAIR{number}" for number in range(5)), "RETURN22"]
    due = due_of(CaseKind.REPAIR, "accepted")
    assert due
    promised = in_working_days(telling.clock.now, due.days).astimezone(AMSTERDAM)
    assert everything[0] | {"opened_at": "", "changed_at": ""} == {
        "kind": "Repair",
        "reference": "REPAIR0",
        "state": "New",
        "status": "Accepted",
        "urgent": "",
        "store": "Winkel Utrecht",
        "assigned_to": "",
        "opened_at": "",
        "changed_at": "",
        "promised_at": f"{promised:%Y-%m-%d %H:%M}",
        "closed_at": "",
        "shop": "",
    }
    assert [row["reference"] for row in await cases_of(telling, Role.FINANCE)] == ["RETURN22"]
    # A manager gets the cases of the own store, and no other.
    own = await cases_of(telling, Role.STORE_MANAGER)
    assert [row["store"] for row in own] == ["Winkel Utrecht"] * 3
    # The words are those of the reader.
    assert [own[0][name] for name in ("kind", "state", "status")] == ["Reparatie", "Nieuw", "Geaccepteerd"]


async def test_a_list_of_cases_has_the_filters_of_the_queue(telling: Telling) -> None:
    await telling.happen("DONEDO22")
    await telling.happen("OPENOP22")
    await telling.happen("RETURN22", kind=CaseKind.RETURN, store=None)
    await telling.change(CaseRow, {"state": CaseState.DONE}, reference="DONEDO22")

    async def listed(**wanted: object) -> list[str]:
        return [row["reference"] for row in await cases_of(telling, Role.ADMINISTRATOR, **wanted)]

    assert await listed() == ["OPENOP22", "RETURN22"]
    assert await listed(view=CaseView.DONE) == ["DONEDO22"]
    assert await listed(kind=CaseKind.RETURN) == ["RETURN22"]
    assert await listed(days=2) == []
    entry = (await telling.rows(AuditRow))[1]
    assert (entry.action, entry.details) == ("case_list", {"view": "done"})


async def test_insurers_get_the_requests_that_wait_for_them(shop_telling: Telling) -> None:
    async with shop_telling.context.database.transaction() as session:
        waiting = (
            await session.exec(
                select(InsuranceRequestRow)
                .where(InsuranceRequestRow.status == InsuranceStatus.CREATED)
                .order_by(col(InsuranceRequestRow.id))
            )
        ).all()
        assert waiting
        customer = await session.get(CustomerRow, waiting[0].customer_id)
        assert customer
        customer.street = "=HYPERLINK(1)"
    file = await exports_of(shop_telling).insurance_list(shop_telling.tokens[Role.FINANCE])
    rows = rows_of(file.content)
    assert [row["reference"] for row in rows] == [row.reference for row in waiting]
    counted = await exports_of(shop_telling).waiting_exports(shop_telling.tokens[Role.FINANCE])
    assert counted.insurances == len(rows)
    assert (rows[0]["iban"], rows[0]["email"]) == (waiting[0].iban, customer.email)
    assert rows[0]["street"] == "'=HYPERLINK(1)"
    assert [row.action for row in await shop_telling.rows(AuditRow)] == ["insurance_list"]


def _codes() -> set[str]:
    """Every value of a vocabulary, as it is stored."""
    modules = [import_module(f"portal.vocabulary.{found.name}") for found in iter_modules(vocabulary.__path__)]
    kinds = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    values = {value.value for kind in kinds if issubclass(kind, StrEnum) for value in kind if not value.isdigit()}
    return values | {*PAYMENT_METHODS} | {country.value for country in Country}


async def test_no_column_of_a_file_has_a_stored_code(shop_telling: Telling) -> None:
    token, desk = shop_telling.tokens[Role.FINANCE], shop_telling.tokens[Role.ADMINISTRATOR]
    exports = exports_of(shop_telling)
    files = [await cases_of(shop_telling, Role.STORE_MANAGER), rows_of((await exports.insurance_list(token)).content)]
    await shop_telling.change(ReturnRow, {"status": ReturnStatus.CLOSED, "refund_amount": Decimal("50.00")})
    batch = await exports.export_refunds(token, BatchChoice(way=RefundWay.ORIGINAL))
    files.append(rows_of((await exports.refund_list(token, batch.id)).content))
    audit = await shop_telling.application.services.ask(PeopleApi).audit_export(desk, AuditSearch())
    files.append(rows_of(audit.content))
    assert all(files)
    raw = {(name, value) for rows in files for row in rows for name, value in row.items() if value in _codes()}
    assert raw == set()
    insurers = {row["insurer"] for row in files[1]}
    assert insurers <= set(INSURER_NAMES.values())
    assert {row["country"] for row in files[1]} <= {"Nederland", "België"}


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\0\r"), max_size=20), min_size=1, max_size=4))
def test_a_cell_reads_back_and_is_never_a_formula(values: list[str]) -> None:
    (read,) = csv.reader(io.StringIO(lines([values], "nl")), delimiter=";") if any(values) else [values]
    for written, value in zip(read, values, strict=True):
        assert written in {value, f"'{value}"}
        assert not written.startswith(("=", "+", "-", "@", "\t"))


def test_an_amount_is_written_with_a_comma() -> None:
    assert lines([[Decimal("1299.50"), None]], "nl") == "1299,50;\r\n"
