"""What one side does shows on the open page of the other, in two browsers: insurance, a delivery day, a contract's end.

| kind | staff to customer | customer to staff |
|---|---|---|
| repair; service and claim go the same way | message, day, statuses: `test_story` | request, answer: `test_story` |
| insurance | question, status: here; message: `test_staff_files` | taken back: here; answer: `test_staff_files` |
| delivery day | question, status: here | taken back: here |
| end of a contract | question, status: here | taken back: here |
| return | status: here | taken back: here |
| withdrawal | by the tests of returns and withdrawals, without two browsers | the same |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from portal.kernel.texts import gettext_for
from portal.provider.application import Application
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import STEP_ACTIONS, CaseKind, status_label
from portal.vocabulary.contracts import EndStatus
from portal.vocabulary.conversations import ASKED_STATUS
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnStatus
from tests.journeys.desk_steps import assert_well_made, log_in_at_desk
from tests.journeys.test_conversations import at_the_back
from tests.journeys.test_returns import STATUS, reference_of
from tests.support.browser import Visitor
from tests.support.conversing import ON_REQUEST_PAGE, CaseName, case_of_return, case_on_request_page
from tests.support.people import ROOS
from tests.support.server import DeskServer
from tests.support.stored import execute

ESRA = ("Esra Yilmaz", "esra@example.com")
ORDER = "SELECT o.order_number FROM date_changes d JOIN orders o ON o.id = d.order_id WHERE d.reference = ?"
_say = gettext_for("nl", "portal")


@dataclass(frozen=True)
class Arrow:
    """A kind of request.

    Attributes:
        listed: finds the customer's page with the list, by the reference.
        act, sure: buttons with which the customer takes it back.
        taken_back: the status then.
        moved: the status to which staff move it.
    """

    listed: Callable[[DeskServer, str], str]
    act: str
    sure: str
    taken_back: str
    moved: str


def _delivery_date(server: DeskServer, reference: str) -> str:
    return f"/delivery-date/{execute(server, ORDER, reference)[0][0]}"


ARROWS = {
    CaseKind.INSURANCE: Arrow(
        lambda *_: "/insurance-package", "Cancel request", "Cancel request",
        InsuranceStatus.CANCELLED, InsuranceStatus.CANCELLED,
    ),
    CaseKind.DATE_CHANGE: Arrow(
        _delivery_date, "Cancel the request", "Yes, cancel it", DateChangeStatus.CANCELLED, DateChangeStatus.REFUSED
    ),
    CaseKind.CONTRACT_END: Arrow(
        lambda *_: "/contracts", "Take back", "Keep the contract", EndStatus.TAKEN_BACK, EndStatus.PROCESSED
    ),
}  # fmt: skip


def _case(server: DeskServer, kind: CaseKind) -> CaseName:
    # The end of the demonstration has been carried out; it is only asked for here.
    execute(server, "UPDATE contract_ends SET ended_at = NULL, processed_at = NULL")
    return at_the_back(server, lambda portal: case_on_request_page(portal.context, kind))


def _desk(server: DeskServer, visit: Callable[..., Visitor], case: CaseName) -> Page:
    page = visit(width=1440, server=server, address=server.desk_url).page()
    page.goto(f"/cases/{case.kind}/{case.reference}")
    log_in_at_desk(page, server, *ESRA)
    page.wait_for_url(f"**/{case.reference}")
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    return page


def _status(desk: Page, kind: CaseKind, status: str) -> None:
    expect(desk.locator("h1 + div")).to_contain_text(gettext_for("nl")(status_label(kind, status)))


def _step(desk: Page, status: str) -> None:
    """Bring the case to this status: with the likeliest step, or after choosing another."""
    name = gettext_for("nl")(STEP_ACTIONS[status])
    send = desk.locator("form", has=desk.locator("#move-note")).get_by_role("button", name=name, exact=True)
    expect(desk.get_by_role("button", name=name, exact=True)).to_be_visible()
    if not send.count():
        desk.get_by_role("button", name=name, exact=True).click()
    send.click()


@pytest.mark.parametrize("kind", ARROWS)
def test_what_one_side_does_shows_on_the_open_page_of_the_other(
    desk_server: DeskServer, visit: Callable[..., Visitor], kind: CaseKind
) -> None:
    arrow, case = ARROWS[kind], _case(desk_server, kind)
    desk = _desk(desk_server, visit, case)
    customer = visit(server=desk_server)
    customer.log_in(*ON_REQUEST_PAGE[kind].customer)
    page = customer.page()
    page.goto(arrow.listed(desk_server, case.reference))
    asked = page.get_by_text(re.compile(gettext_for("nl")(ASKED_STATUS), re.IGNORECASE))
    expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    expect(asked).to_have_count(0)
    desk.get_by_role("textbox", name=re.compile("^Bericht aan")).fill("Klopt dit zo?")
    desk.get_by_role("button", name=_say("Ask for an answer"), exact=True).click()
    desk.get_by_role("button", name=_say("Send and wait for the customer")).click()
    expect(asked.first).to_be_visible()
    assert_well_made(page)

    entry = page.get_by_role("main")
    if kind is CaseKind.INSURANCE:
        entry = page.get_by_role("listitem").filter(has=asked)
    elif kind is CaseKind.CONTRACT_END:
        page.get_by_role("listitem").filter(has=asked).locator("a[href^='/contracts/']").click()
    entry.get_by_role("button", name=_say(arrow.act), exact=True).click()
    page.get_by_role("alertdialog").get_by_role("button", name=_say(arrow.sure), exact=True).click()
    _status(desk, kind, arrow.taken_back)
    expect(asked).to_have_count(0)

    # The same request once more, as if it had not been taken back.
    case = _case(desk_server, kind)
    desk.goto(f"/cases/{case.kind}/{case.reference}")
    page.goto(f"/requests/{case.reference}")
    told = gettext_for("nl")(status_label(kind, arrow.moved))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text(told)
    _step(desk, arrow.moved)
    _status(desk, kind, arrow.moved)
    expect(page.get_by_role("main")).to_contain_text(told)


def test_a_return_goes_both_ways(desk_server: DeskServer, visit: Callable[..., Visitor]) -> None:
    return_id, reference = reference_of(desk_server, "accessories", 1)
    execute(desk_server, STATUS, ReturnStatus.PICKUP_REQUEST_CREATED, reference)
    at_the_back(desk_server, lambda portal: _recorded(portal, reference))
    desk = _desk(desk_server, visit, CaseName("return", reference, 0))
    customer = visit(server=desk_server)
    customer.log_in(*ROOS)
    page = customer.page()
    page.goto(f"/returns/{return_id}")
    status = page.locator("main .badge").first
    expect(status).to_have_text("Retour aangemeld")
    _step(desk, ReturnStatus.PICKUP_CONFIRMED)
    expect(status).to_have_text("Bevestigd")
    page.get_by_role("button", name="Retour annuleren").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Retour annuleren").click()
    _status(desk, CaseKind.RETURN, ReturnStatus.CANCELLED)


async def _recorded(portal: Application, reference: str) -> CaseName:
    async with portal.context.database.session() as session:
        row = (await session.exec(select(ReturnRow).where(ReturnRow.reference == reference))).one()
    return await case_of_return(portal.context, row)
