"""A withdrawal reaches staff, and what staff do shows on the open page of the customer (repairs: `test_story`)."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.vocabulary.cases import CASE_LABELS, STEP_ACTIONS, CaseKind, status_label
from portal.vocabulary.returns import BATTERY_INSTRUCTIONS, BATTERY_NAMES, BatteryState, ReturnStatus
from tests.journeys.desk_steps import at_desk
from tests.support.browser import Visitor
from tests.support.people import ROOS
from tests.support.returning import BUNDLE
from tests.support.server import DeskServer
from tests.support.stored import execute

ESRA = "esra@example.com"
_say = gettext_for("nl")


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
