"""The page on which staff receive a return, in Reflex's event pipeline."""

import pytest

from portal.cases.api import CasesApi
from portal.flow.api import StaffFilesApi, UploadStart
from portal.frontend.load import READY
from portal.kernel.codes import Code
from portal.returns.api import ReceivingApi, ReturnsApi
from portal.returns.desk.state import CODE, ITEMS, RECEIVE, ReceivePage, unit_field
from portal.vocabulary.returns import ReturnStatus, UnitCondition, UnitDecision
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.support import files
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.people import ROOS
from tests.support.pipeline import Pipeline, Tab, on_duty
from tests.support.returning import ACCESSORIES, PARTLY, accessories, send

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def opened(tabs: Pipeline, shop: Shop, name: str, role: Role = Role.WAREHOUSE) -> tuple[Tab, str]:
    """Send a return of one unit, and open its page as somebody with this role. The tab and the reference."""
    token = await shop.token(*ROOS)
    steps = await accessories(shop.provider, token, f"{PARTLY}-1*1")
    reference = (await send(shop.provider, token, ACCESSORIES, steps)).reference
    tab = on_duty(tabs.tab(name), await hire(shop, role))
    await tab.send(ReceivePage.load, path=f"{RECEIVE}/{reference}")
    return tab, reference


async def status_of(shop: Shop, reference: str) -> str:
    """Status of the return, as the customer sees it."""
    entries = (await shop.ask(ReturnsApi).returns(await shop.token(*ROOS))).items
    return next(entry.status for entry in entries if entry.reference == reference)


async def test_a_scanned_label_opens_its_return(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = on_duty(desk_tabs.tab("scan"), await hire(shop, Role.WAREHOUSE))
    await tab.send(ReceivePage.open, path=RECEIVE, form={"code": "https://balie.shop.example/receive/22SD ELLF\n"})
    assert f"{RECEIVE}/22SDELLF" in str(tab.events)


@pytest.mark.parametrize(
    ("scanned", "code"),
    [(" \n", Code.REQUIRED), ("https://balie.shop.example/", Code.REQUIRED), ("8712345678906-ÿ", Code.INVALID_CHOICE)],
)  # fmt: skip
async def test_what_is_no_code_of_a_return_is_refused_beside_the_field(
    desk_tabs: Pipeline, shop: Shop, scanned: str, code: Code
) -> None:
    tab = on_duty(desk_tabs.tab(f"scan {scanned}"), await hire(shop, Role.WAREHOUSE))
    await tab.send(ReceivePage.open, path=RECEIVE, form={CODE: scanned})
    page = tab.stored(ReceivePage)
    assert (page.errors, page.attempt, page.answered) == ({CODE: code}, 1, 1)
    await tab.send(ReceivePage.open, path=RECEIVE, form={CODE: "22sd ellf"})
    assert f"{RECEIVE}/22SDELLF" in str(tab.events)
    assert tab.stored(ReceivePage).errors == {}


async def test_what_staff_find_changes_the_refund_before_it_is_stored(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, reference = await opened(desk_tabs, shop, "preview")
    assert (tab.shown(ReceivePage, "view_state"), len(tab.shown(ReceivePage, "units"))) == (READY, 1)
    agreed = tab.shown(ReceivePage, "outcome").refund
    await tab.send(ReceivePage.set_condition, number="1", condition=UnitCondition.SIGNS_OF_USE.value)
    outcome = tab.shown(ReceivePage, "outcome")
    assert outcome.less
    assert float(outcome.refund) < float(agreed)
    assert await status_of(shop, reference) == ReturnStatus.REQUEST_RECEIVED


async def test_sending_back_without_a_message_is_refused_beside_the_field(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, reference = await opened(desk_tabs, shop, "refused")
    await tab.send(ReceivePage.set_decision, number="1", decision=UnitDecision.SEND_BACK.value)
    await tab.send(ReceivePage.receive, form={"message": "  "})
    assert tab.shown(ReceivePage, "errors") == {"message": Code.REQUIRED}
    assert await status_of(shop, reference) == ReturnStatus.REQUEST_RECEIVED
    await tab.send(ReceivePage.receive, form={"message": "De helm is beschadigd; hij komt naar je terug."})
    assert (tab.shown(ReceivePage, "received"), tab.shown(ReceivePage, "errors")) == (True, {})
    assert await status_of(shop, reference) == ReturnStatus.REJECTED


async def test_nothing_arrived_is_said_at_once_and_stores_nothing(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, reference = await opened(desk_tabs, shop, "nothing")
    await tab.send(ReceivePage.set_arrived, number="1", arrived=False)
    page = tab.stored(ReceivePage)
    assert (page.errors, page.attempt) == ({ITEMS: Code.REQUIRED}, 0)
    assert page.outcome
    assert page.outcome.refund is None
    await tab.send(ReceivePage.receive, form={"message": ""})
    page = tab.stored(ReceivePage)
    assert (page.errors, page.attempt, page.received) == ({ITEMS: Code.REQUIRED}, 1, False)
    assert await status_of(shop, reference) == ReturnStatus.REQUEST_RECEIVED
    await tab.send(ReceivePage.set_arrived, number="1", arrived=True)
    page = tab.stored(ReceivePage)
    assert page.errors == {}
    assert page.outcome
    assert (page.outcome.refund or 0) > 0
    # Sent back, the unit can be returned again by the next test.
    await tab.send(ReceivePage.set_decision, number="1", decision=UnitDecision.SEND_BACK.value)
    await tab.send(ReceivePage.receive, form={"message": "De helm komt naar je terug."})
    assert tab.shown(ReceivePage, "received")


async def test_a_photo_of_a_unit_is_kept_with_the_return(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, reference = await opened(desk_tabs, shop, "photo", Role.SERVICE_DESK)
    token, content = tab.cookie.removeprefix("staff="), files.jpg()
    start = UploadStart(field=unit_field("1"), name="IMG_1.jpg", size=len(content))
    place = await shop.ask(ReceivingApi).begin_unit_photo(token, reference, start)
    await shop.ask(StaffFilesApi).receive_staff_file(token, place.upload_id, flowing(content))
    await tab.send(ReceivePage.photos_changed)
    (unit,) = tab.shown(ReceivePage, "units")
    assert unit.files[0].id == place.upload_id
    await tab.send(ReceivePage.load, path=f"{RECEIVE}/{reference}")
    assert tab.shown(ReceivePage, "units")[0].files[0].id == place.upload_id, "a reload keeps it"
    await tab.send(ReceivePage.receive, form={"message": ""})
    assert tab.shown(ReceivePage, "received")
    case = await shop.ask(CasesApi).case(token, "return", reference)
    assert [(file.name, file.by_staff, file.has_preview) for file in case.files] == [(f"{unit.name}.jpg", True, True)]


async def test_values_that_the_page_does_not_offer_are_ignored(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await opened(desk_tabs, shop, "made-up")
    await tab.send(ReceivePage.set_condition, number="1", condition="brand new")
    await tab.send(ReceivePage.set_decision, number="9", decision=UnitDecision.SEND_BACK.value)
    (unit,) = tab.shown(ReceivePage, "units")
    assert (unit.condition, unit.decision) == (UnitCondition.AS_STATED, UnitDecision.ACCEPT)
