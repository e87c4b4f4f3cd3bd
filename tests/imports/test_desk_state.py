"""The pages of imports, run through Reflex."""

from __future__ import annotations

import json

import pytest
from sqlmodel import col, select

import portal.imports.desk.pages
from portal.frontend.load import MISSING, READY
from portal.imports.desk.state import (
    DIFFERENCES,
    IMPORTS,
    REJECTED,
    WAITING,
    DifferencesPage,
    ImportRunPage,
    ImportsPage,
    RejectedPage,
    RejectedRecordPage,
    WaitingPage,
)
from portal.imports.provider.importer import Importer
from portal.imports.provider.service import import_records
from portal.kernel.codes import MESSAGES, Code
from portal.provider.application import Application
from portal.tables.customers import CustomerRow
from portal.vocabulary.staff import Role
from tests.support.conversing import staff_token
from tests.support.delivery import work
from tests.support.pipeline import Pipeline, Tab, on_duty
from tests.support.shop_records import customer, order, raw

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.imports.desk.pages


async def tab_of(tabs: Pipeline, office: Application, name: str, role: Role = Role.ADMINISTRATOR) -> Tab:
    """A tab of somebody with this role."""
    return on_duty(tabs.tab(name), await staff_token(office.context, role, name=name))


async def test_an_import_and_its_report_are_shown(desk_tabs: Pipeline, office: Application) -> None:
    await import_records(office.context, "customers", "report", [customer(11), customer(12, email="nonsense")])
    tab = await tab_of(desk_tabs, office, "Carla Kijkt")
    await tab.send(ImportsPage.load, path=f"{IMPORTS}?kind=customers")
    line = next(line for line in tab.stored(ImportsPage).lines if line.source == "report")
    assert (line.state, line.created, line.rejected) == ("done", 1, 1)
    await tab.send(ImportsPage.load, path=f"{IMPORTS}?kind=nonsense")
    assert tab.stored(ImportsPage).kind == ""
    await tab.send(ImportRunPage.load, path=f"{IMPORTS}/run/{line.import_id}")
    (problem,) = tab.stored(ImportRunPage).problems
    assert (problem.line, problem.external_id, problem.field, problem.why["en"]) == (
        2,
        "c12",
        "email",
        MESSAGES[Code.INVALID_EMAIL],
    )
    await tab.send(ImportRunPage.load, path=f"{IMPORTS}/run/UNKNOWN1")
    assert tab.stored(ImportRunPage).view_state == MISSING


async def test_a_refused_file_keeps_what_was_typed(desk_tabs: Pipeline, office: Application) -> None:
    tab = await tab_of(desk_tabs, office, "Carla Stuurt")
    query = "error=invalid_input&wrong-file=file_not_allowed&kind=orders&source=shop2&form=own"
    await tab.send(ImportsPage.load, path=f"{IMPORTS}?{query}")
    page = tab.stored(ImportsPage)
    assert (page.errors, page.refusal, page.kind) == ({"file": "file_not_allowed"}, "", "")
    assert (page.typed["kind"], page.typed["source"]) == ("orders", "shop2")
    await tab.send(ImportsPage.load, path=f"{IMPORTS}?error=network_error")
    assert (tab.stored(ImportsPage).errors, tab.stored(ImportsPage).refusal) == ({}, "network_error")


async def test_a_rejected_record_is_corrected_on_its_page(desk_tabs: Pipeline, office: Application) -> None:
    await import_records(office.context, "customers", "correct", [customer(21, email="nonsense")])
    tab = await tab_of(desk_tabs, office, "Carla Verbetert")
    await tab.send(RejectedPage.load, path=f"{REJECTED}?kind=customers")
    line = next(line for line in tab.stored(RejectedPage).lines if line.source == "correct")
    path = f"{REJECTED}/{line.record_id}"
    await tab.send(RejectedRecordPage.load, path=path)
    values = json.loads(tab.stored(RejectedRecordPage).content)
    assert values["email"] == "nonsense"
    await tab.send(RejectedRecordPage.correct, path=path, form={"content": "{"})
    assert tab.stored(RejectedRecordPage).errors == {"content": "invalid_input"}
    form = {"content": json.dumps({**values, "email": "a@b"})}
    await tab.send(RejectedRecordPage.correct, path=path, form=form)
    page = tab.stored(RejectedRecordPage)
    assert (page.errors, page.refusal, tab.held(RejectedRecordPage, "record").field) == ({}, "invalid_input", "email")
    form = {"content": json.dumps({**values, "email": "noor21@example.com"})}
    await tab.send(RejectedRecordPage.correct, path=path, form=form)
    assert f'"{REJECTED}"' in json.dumps([event.payload for event in tab.events], default=str)
    await tab.send(RejectedPage.load, path=REJECTED)
    assert "correct" not in {line.source for line in tab.stored(RejectedPage).lines}


async def test_all_rejected_records_of_a_kind_are_sent_again(desk_tabs: Pipeline, office: Application) -> None:
    await import_records(office.context, "products", "again", [{"external_id": "p1", "sku": "X"}])
    tab = await tab_of(desk_tabs, office, "Carla Herhaalt")
    await tab.send(RejectedPage.load, path=REJECTED)
    assert tab.stored(RejectedPage).source == ""
    await tab.send(RejectedPage.send_all, path=REJECTED)
    await tab.send(RejectedPage.load, path=f"{REJECTED}?kind=products")
    assert tab.stored(RejectedPage).source == "again"
    await tab.send(RejectedPage.send_all, path=f"{REJECTED}?kind=products")
    await work(office.context)
    await tab.send(ImportsPage.load, path=f"{IMPORTS}?kind=products")
    again = [line for line in tab.stored(ImportsPage).lines if line.form == "again"]
    assert [(line.source, line.rejected) for line in again] == [("again", 1)]


async def test_a_record_that_waits_is_listed(desk_tabs: Pipeline, office: Application) -> None:
    await Importer(office.context, "waits").store("orders", raw(order(31, 31)))
    tab = await tab_of(desk_tabs, office, "Carla Wacht")
    await tab.send(WaitingPage.load, path=f"{WAITING}?kind=orders")
    line = next(line for line in tab.stored(WaitingPage).lines if line.source == "waits")
    assert (line.external_id, line.needs_kind, line.needs_id) == ("o31", "customers", "c31")


async def test_a_difference_is_settled_and_a_second_decision_is_refused(
    desk_tabs: Pipeline, office: Application
) -> None:
    await Importer(office.context, "differs").store("customers", raw(customer(41)))
    async with office.context.database.transaction() as session:
        row = (await session.exec(select(CustomerRow).where(col(CustomerRow.source) == "differs"))).one()
        row.city = "Zeist"
    await Importer(office.context, "differs").store("customers", raw(customer(41, city="Houten")))
    tab, second = await tab_of(desk_tabs, office, "Carla Beslist"), await tab_of(desk_tabs, office, "Carla Twee")
    for each in (tab, second):
        await each.send(DifferencesPage.load, path=DIFFERENCES)
    line = next(line for line in tab.stored(DifferencesPage).lines if line.source == "differs")
    assert (line.field, line.shop_value, line.portal_value) == ("city", "Houten", "Zeist")
    await tab.send(DifferencesPage.settle, path=DIFFERENCES, difference_id=str(line.difference_id), keep="nobody")
    await tab.send(DifferencesPage.settle, path=DIFFERENCES, difference_id=str(line.difference_id), keep="portal")
    assert line not in tab.stored(DifferencesPage).lines
    await second.send(DifferencesPage.settle, path=DIFFERENCES, difference_id=str(line.difference_id), keep="shop")
    page = second.stored(DifferencesPage)
    assert (page.view_state, page.refusal) == (READY, "status_changed")
    assert line not in page.lines


async def test_a_role_without_the_right_sees_no_records(desk_tabs: Pipeline, office: Application) -> None:
    tab = await tab_of(desk_tabs, office, "Hans Kijkt", Role.FINANCE)
    for page, path in ((ImportsPage, IMPORTS), (RejectedPage, REJECTED), (DifferencesPage, DIFFERENCES)):
        await tab.send(page.load, path=path)
        assert tab.stored(page).view_state == MISSING
