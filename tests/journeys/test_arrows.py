"""What one side does shows on the open page of the other, in two browsers.

| kind | staff to customer | customer to staff |
|---|---|---|
| repair | message, day, statuses: `test_story` | request, answer: `test_story` |
| service, claim | question, status: here | answer: here |
| insurance | question, status: here; message: `test_staff_files` | taken back: here; answer: `test_staff_files` |
| delivery day | question, status: here | taken back: here |
| end of a contract | question, status: here | taken back: here |
| return | status: here | taken back: here |
| withdrawal | status: here | declared, battery: here |
| withdrawal that was declared without a login | confirmed, taken back: here | declared, taken back: here |
| battery alarm | collected: here | reported: here |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.vocabulary.cases import CASE_LABELS, STEP_ACTIONS, CaseKind, status_label
from portal.vocabulary.contracts import EndStatus
from portal.vocabulary.conversations import ASKED_STATUS
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import BATTERY_INSTRUCTIONS, BATTERY_NAMES, BatteryState, ReturnStatus
from tests.journeys.desk_steps import assert_well_made, at_desk
from tests.journeys.test_conversations import at_the_back
from tests.support.browser import Visitor
from tests.support.conversing import ON_REQUEST_PAGE, CaseName, case_on_request_page
from tests.support.people import ROOS
from tests.support.returning import BUNDLE
from tests.support.server import DeskServer
from tests.support.stored import execute

ESRA = "esra@example.com"
ORDER = "SELECT o.order_number FROM date_changes d JOIN orders o ON o.id = d.order_id WHERE d.reference = ?"
_say = gettext_for("nl")


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
        lambda *_: "/contracts", "Keep my contract", "Keep the contract", EndStatus.TAKEN_BACK, EndStatus.PROCESSED
    ),
}  # fmt: skip


def _case(server: DeskServer, kind: CaseKind) -> CaseName:
    # The end of the demonstration has been carried out; it is only asked for here.
    execute(server, "UPDATE contract_ends SET ended_at = NULL, processed_at = NULL")
    return at_the_back(server, lambda portal: case_on_request_page(portal.context, kind))


def _desk(server: DeskServer, visit: Callable[..., Visitor], case: CaseName) -> Page:
    page = at_desk(visit, server, ESRA, f"/cases/{case.kind}/{case.reference}")
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    return page


def _queue(server: DeskServer, visit: Callable[..., Visitor], path: str) -> Page:
    page = at_desk(visit, server, ESRA, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    return page


def _row(desk: Page, reference: str) -> Locator:
    return desk.locator("[data-row]").filter(has_text=in_groups(reference))


def _status(desk: Page, kind: CaseKind, status: str) -> None:
    expect(desk.locator("h1 + div")).to_contain_text(gettext_for("nl")(status_label(kind, status)))


def _step(desk: Page, status: str, tick: str = "") -> None:
    """Bring the case to this status: with the likeliest step, or after choosing another; `tick` names a box in it."""
    name = gettext_for("nl")(STEP_ACTIONS[status])
    send = desk.locator("form", has=desk.locator("#move-note")).get_by_role("button", name=name, exact=True)
    expect(desk.get_by_role("button", name=name, exact=True)).to_be_visible()
    if not send.count():
        desk.get_by_role("button", name=name, exact=True).click()
    if tick:
        desk.get_by_role("checkbox", name=tick).check()
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


@pytest.fixture
def lent(desk_server: DeskServer) -> Iterator[DeskServer]:
    """The server, whose shop is then as it was."""
    yield desk_server
    desk_server.renew_shop()


def test_a_withdrawal_reaches_staff_and_its_unsafe_battery_stands_on_top_until_it_is_collected(
    lent: DeskServer, visit: Callable[..., Visitor]
) -> None:
    desk = _queue(lent, visit, "/cases?kind=withdrawal")
    customer = visit(server=lent)
    customer.log_in(*ROOS)
    page = customer.page()
    page.goto(f"/withdrawal/{BUNDLE}")
    main = page.get_by_role("main")
    main.get_by_role("radio", name="De hele bestelling").check()
    main.get_by_role("button", name="Verder").click()
    main.get_by_role("button", name="Herroeping bevestigen").click()
    expect(page.get_by_role("heading", name="We hebben je herroeping ontvangen")).to_be_visible()
    [(reference,)] = execute(lent, "SELECT reference FROM returns WHERE kind = 'withdrawal'")
    expect(_row(desk, reference)).to_be_visible()
    page.get_by_role("link", name="Bekijk je retour").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Herroeping")

    desk.goto("/cases?view=open")
    rows, urgent = desk.locator("[data-row]"), _say("Urgent")
    expect(rows.first).to_be_visible()
    before = rows.filter(has_text=urgent).count()
    main.get_by_role("radio", name=gettext_for("nl")(BATTERY_NAMES[BatteryState.SWOLLEN])).check()
    main.get_by_role("button", name="Antwoord versturen").click()
    unsafe = main.get_by_text(gettext_for("nl")(BATTERY_INSTRUCTIONS[0]))
    expect(unsafe).to_be_visible()
    # Alarms stand above everything else; the oldest promise comes first among them.
    expect(rows.nth(before)).to_contain_text(urgent)
    alarm = rows.filter(has_text=urgent).filter(has_text=in_groups(reference))
    expect(alarm).to_contain_text(gettext_for("nl")(CASE_LABELS[CaseKind.BATTERY_ALARM]))

    alarm.get_by_role("link").click()
    _step(desk, ReturnStatus.PICKUP_REQUEST_CREATED, tick=_say("A specialist has collected the battery"))
    _status(desk, CaseKind.BATTERY_ALARM, ReturnStatus.PICKUP_REQUEST_CREATED)
    expect(unsafe).to_have_count(0)
    expect(page.locator("main .badge").first).to_have_text(
        gettext_for("nl")(status_label(CaseKind.RETURN, ReturnStatus.PICKUP_REQUEST_CREATED))
    )
