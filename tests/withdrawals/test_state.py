"""The states of a withdrawal and of its battery question, of a customer and of a guest, in Reflex's event pipeline."""

import asyncio
from typing import Any

import pytest

from portal.declarations.pages import CHECK, DECLARE, FIND, RECEIPT
from portal.frontend import watch
from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.links.pages import MailedLink
from portal.returns.api import ReturnsApi
from portal.returns.pages.state import ReturnPage
from portal.tables.bikes import BikeRow
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from portal.vocabulary.returns import ReturnKind
from portal.withdrawals.api import WithdrawalsApi
from portal.withdrawals.pages.state import CLOSED, GuestWithdrawalState, Withdrawal
from tests.client.fault_server import fault_server, refuses
from tests.frontend.test_live import begin
from tests.links.test_state import elsewhere
from tests.support.channels import view_text
from tests.support.connections import Shop
from tests.support.mailbox import text_of
from tests.support.people import EVA, ROOS
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.returning import BUNDLE, OLD
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORGET = (
    "DELETE FROM withdrawal_declarations",
    "DELETE FROM return_units WHERE return_id IN (SELECT id FROM returns WHERE kind = 'withdrawal')",
    "DELETE FROM return_events WHERE return_id IN (SELECT id FROM returns WHERE kind = 'withdrawal')",
    "DELETE FROM returns WHERE kind = 'withdrawal'",
)

GUEST = "/withdrawal"


async def forget(shop: Shop) -> None:
    """Delete all withdrawals."""
    for statement in FORGET:
        await shop.alter(statement)


async def customer(tabs: Pipeline, shop: Shop, name: str, number: str = BUNDLE) -> tuple[Tab, str]:
    """Roos opens the withdrawal page of an order; the tab and its path."""
    tab, path = signed_in(tabs.tab(name), await shop.token(*ROOS)), f"/withdrawal/{number}"
    await tab.send(Withdrawal.load, path=path)
    return tab, path


async def guest(tabs: Pipeline, name: str, **typed: str) -> Tab:
    """A guest fills in the form that finds an order."""
    tab = tabs.tab(name)
    form = {"order_number": BUNDLE, "email": ROOS[1]} | typed
    await tab.send(GuestWithdrawalState.again, path=GUEST)
    return await tab.send(GuestWithdrawalState.find, path=GUEST, form=form)


async def test_a_customer_withdraws_from_the_whole_order_in_two_steps(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    tab, path = await customer(tabs, shop, "whole-order")
    assert (tab.shown(Withdrawal, "view_state"), tab.shown(Withdrawal, "order_number")) == (READY, BUNDLE)
    assert [item.most for item in tab.shown(Withdrawal, "offered")] == [1, 1, 2]
    assert tab.shown(Withdrawal, "until")
    await tab.send(Withdrawal.declare, path=path, form={"scope": "whole", "name": " Roos de Wit "})
    assert (tab.shown(Withdrawal, "step"), len(tab.shown(Withdrawal, "lines"))) == (CHECK, 3)
    await tab.send(Withdrawal.confirm, path=path, form={})
    receipt = tab.shown(Withdrawal, "receipt")
    assert tab.shown(Withdrawal, "step") == RECEIPT
    assert (receipt.name, receipt.order_number, receipt.email) == ("Roos de Wit", BUNDLE, "roos@example.com")
    assert (len(receipt.lines), bool(receipt.received_at), bool(receipt.return_id)) == (3, True, True)
    # After a second press or a lost connection the receipt stays, and there is one declaration.
    await tab.send(Withdrawal.confirm, path=path, form={})
    await tab.send(Withdrawal.load, path=path)
    assert tab.shown(Withdrawal, "step") in (None, RECEIPT)
    kinds = [entry.kind for entry in (await shop.ask(ReturnsApi).returns(await shop.token(*ROOS))).items]
    assert kinds.count(ReturnKind.WITHDRAWAL) == 1
    again, _ = await customer(tabs, shop, "nothing-left")
    assert (again.shown(Withdrawal, "step"), again.shown(Withdrawal, "refusal")) == (CLOSED, Code.NOTHING_FOUND)


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ({}, {"scope": "required", "name": "required"}),
        ({"scope": "part", "name": "Roos", "item": "900000001-1"}, {"item": "required"}),
        ({"scope": "whole", "name": "x" * 181}, {"name": "too_long"}),
    ],
)
async def test_an_incomplete_declaration_stays_on_its_step(
    tabs: Pipeline, shop: Shop, form: dict[str, Any], wrong: dict[str, str]
) -> None:
    await forget(shop)
    tab, path = await customer(tabs, shop, f"incomplete-{sorted(form.items())}"[:60])
    await tab.send(Withdrawal.declare, path=path, form=form)
    assert tab.shown(Withdrawal, "errors") == wrong
    assert tab.shown(Withdrawal, "failures") == 1
    await tab.send(Withdrawal.confirm, path=path, form={})
    assert tab.shown(Withdrawal, "step") is None, "an incomplete declaration cannot be confirmed"


async def equal_bikes(shop: Shop, position: int) -> None:
    """The units of a line are two bikes of which only the frame numbers differ."""
    names = [column.name for column in BikeRow.__table__.columns if column.name != "id"]
    order = f"(SELECT id FROM orders WHERE order_number = '{BUNDLE}')"
    for place in (1, 2):
        own = {
            "public_id": f"'EQUAL{place}'",
            "frame_number": f"'BB700000{place}'",
            "customer_id": f"(SELECT customer_id FROM orders WHERE id = {order})",
            "order_id": order,
            "order_line_id": f"(SELECT id FROM order_lines WHERE order_id = {order} AND position = {position})",
        }
        values = ", ".join(own.get(name, name) for name in names)
        await shop.alter(f"INSERT INTO bikes ({', '.join(names)}) SELECT {values} FROM bikes ORDER BY id LIMIT 1")


async def test_of_equal_bikes_the_customer_says_which(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    await equal_bikes(shop, 3)
    try:
        tab, path = await customer(tabs, shop, "equal-bikes")
        item = tab.shown(Withdrawal, "offered")[2]
        assert [bike.bike_id for bike in item.bikes] == ["EQUAL1", "EQUAL2"]
        form = {"scope": "part", "name": "Roos", "item": item.item_id}
        for bikes in ([], "NOBODYS", ["NOBODYS"]):
            await tab.send(Withdrawal.declare, path=path, form={**form, "bikes": bikes})
            assert tab.shown(Withdrawal, "errors") == {"bikes": "required"}
        await tab.send(Withdrawal.declare, path=path, form={**form, "bikes": "EQUAL2"})
        assert tab.shown(Withdrawal, "step") == CHECK
        (line,) = tab.shown(Withdrawal, "lines")
        assert line.startswith("1 × ")
        assert line.endswith("BB7000002")
        await tab.send(Withdrawal.back, path=path)
        assert tab.shown(Withdrawal, "offered")[2].picked == ["EQUAL2"]
    finally:
        await shop.alter("DELETE FROM bikes WHERE public_id LIKE 'EQUAL%'")


async def test_single_items_can_be_withdrawn_in_any_offered_count(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    tab, path = await customer(tabs, shop, "single-items")
    bag = tab.shown(Withdrawal, "offered")[2].item_id
    form = {"scope": "part", "name": "Roos", "item": bag, f"count-{bag}": "99"}
    await tab.send(Withdrawal.declare, path=path, form=form)
    assert tab.shown(Withdrawal, "lines")[0].startswith("2 × ")
    await tab.send(Withdrawal.back, path=path)
    assert tab.shown(Withdrawal, "step") == DECLARE
    assert tab.shown(Withdrawal, "offered")[2].count == 2
    await tab.send(Withdrawal.declare, path=path, form=form | {f"count-{bag}": "1"})
    await tab.send(Withdrawal.confirm, path=path, form={})
    assert [line[:4] for line in tab.shown(Withdrawal, "receipt").lines] == ["1 × "]


async def test_an_order_that_is_too_old_and_one_of_nobody(tabs: Pipeline, shop: Shop) -> None:
    late, _ = await customer(tabs, shop, "too-late", OLD)
    assert (late.shown(Withdrawal, "step"), late.shown(Withdrawal, "refusal")) == (CLOSED, Code.WITHDRAWAL_PERIOD_OVER)
    tab = await guest(tabs, "late-guest", order_number=OLD)
    found = tab.shown(GuestWithdrawalState, "step"), tab.shown(GuestWithdrawalState, "refusal")
    assert found == (CLOSED, Code.WITHDRAWAL_PERIOD_OVER)
    foreign, _ = await customer(tabs, shop, "no-order", "900000001")
    assert foreign.shown(Withdrawal, "view_state") == MISSING


async def test_an_item_taken_by_a_return_is_refused_and_can_be_changed(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    slow, path = await customer(tabs, shop, "slow")
    fast, _ = await customer(tabs, shop, "fast")
    bag = fast.shown(Withdrawal, "offered")[2].item_id
    for tab, count in ((slow, "2"), (fast, "1")):
        form = {"scope": "part", "name": "Roos", "item": bag, f"count-{bag}": count}
        await tab.send(Withdrawal.declare, path=path, form=form)
    await fast.send(Withdrawal.confirm, path=path, form={})
    await slow.send(Withdrawal.confirm, path=path, form={})
    assert slow.shown(Withdrawal, "refusal") == Code.RETURN_REQUEST_ALREADY_EXISTS
    await slow.send(Withdrawal.back, path=path)
    assert (slow.shown(Withdrawal, "step"), slow.shown(Withdrawal, "offered")[2].most) == (DECLARE, 1)


async def test_a_guest_withdraws_by_number_and_address(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    tab = await guest(tabs, "guest", email=f" {ROOS[1].upper()} ", order_number="900 000 721")
    assert (tab.shown(GuestWithdrawalState, "step"), len(tab.shown(GuestWithdrawalState, "offered"))) == (DECLARE, 3)
    assert ROOS[1] not in repr(tab.deltas).lower(), "the e-mail address must not be sent to the browser"
    await tab.send(GuestWithdrawalState.declare, path=GUEST, form={"scope": "whole", "name": "Roos"})
    await tab.send(GuestWithdrawalState.confirm, path=GUEST, form={})
    receipt = tab.shown(GuestWithdrawalState, "receipt")
    told = view_text(receipt.account, "nl")
    assert BUNDLE in told
    assert "Verklaard door Roos" in told
    assert receipt.email == ROOS[1].upper(), "as it was typed in this browser"
    await tab.send(GuestWithdrawalState.again, path=GUEST)
    assert tab.shown(GuestWithdrawalState, "step") == FIND
    assert tab.shown(GuestWithdrawalState, "receipt") is None


@pytest.mark.parametrize(
    ("typed", "errors", "refusal"),
    [
        ({"email": ""}, {"email": Code.MISSING_EMAIL_ADDRESS}, ""),
        ({"order_number": ""}, {"order_number": Code.REQUIRED}, ""),
        ({"order_number": "12"}, {"order_number": Code.INVALID_ORDER_ID}, ""),
        ({"email": EVA[1]}, {}, Code.ORDER_ID_NOT_FOUND),
        ({"order_number": "900000001"}, {}, Code.ORDER_ID_NOT_FOUND),
    ],
)
async def test_a_guest_does_not_learn_which_of_number_and_address_is_wrong(
    tabs: Pipeline, shop: Shop, typed: dict[str, str], errors: dict[str, Code], refusal: str
) -> None:
    assert shop
    tab = await guest(tabs, f"guest-{typed}", **typed)
    assert (tab.shown(GuestWithdrawalState, "errors") or {}) == errors
    assert (tab.shown(GuestWithdrawalState, "refusal") or "") == refusal
    assert tab.shown(GuestWithdrawalState, "step") in (None, FIND)


async def test_a_guest_can_retry_after_a_limit_or_a_failure(tabs: Pipeline, shop: Shop) -> None:
    for code, status in ((Code.TOO_MANY_REQUESTS, 429), (Code.GENERAL_ERROR, 500)):
        async with fault_server(refuses(code.value, status)) as server, elsewhere(shop, server.address):
            tab = await guest(tabs, f"too-often-{code}")
        assert (tab.shown(GuestWithdrawalState, "refusal"), tab.shown(GuestWithdrawalState, "failures")) == (code, 1)
        await tab.send(GuestWithdrawalState.find, path=GUEST, form={"order_number": BUNDLE, "email": ROOS[1]})
        assert tab.shown(GuestWithdrawalState, "step") in (DECLARE, CLOSED)


async def test_what_a_guest_declared_is_confirmed_or_taken_back_at_the_order(tabs: Pipeline, shop: Shop) -> None:
    await forget(shop)
    tab = await guest(tabs, "declares", email=ROOS[1])
    await tab.send(GuestWithdrawalState.declare, path=GUEST, form={"scope": "whole", "name": "Roos"})
    await tab.send(GuestWithdrawalState.confirm, path=GUEST, form={})
    own, path = await customer(tabs, shop, "answers")
    (entry,) = own.shown(Withdrawal, "declared")
    items = next(fact.lines for fact in entry.account.facts if fact.label.en == "Items")
    assert (len(items), own.shown(Withdrawal, "step") or DECLARE) == (3, DECLARE)
    assert "Roos" in view_text(entry.account, "nl")
    await own.send(Withdrawal.take_back, path=path, form={"reference": entry.reference})
    assert own.shown(Withdrawal, "declared") == []
    await own.send(Withdrawal.confirm_declared, path=path, form={"reference": entry.reference})
    assert own.shown(Withdrawal, "declared_problem") == Code.STATUS_CHANGED
    await tab.send(GuestWithdrawalState.again, path=GUEST)
    await tab.send(GuestWithdrawalState.find, path=GUEST, form={"order_number": BUNDLE, "email": ROOS[1]})
    await tab.send(GuestWithdrawalState.declare, path=GUEST, form={"scope": "whole", "name": "Roos"})
    await tab.send(GuestWithdrawalState.confirm, path=GUEST, form={})
    await own.send(Withdrawal.load, path=path)
    (entry,) = own.shown(Withdrawal, "declared")
    await own.send(Withdrawal.confirm_declared, path=path, form={"reference": entry.reference})
    assert own.shown(Withdrawal, "step") == RECEIPT
    assert own.shown(Withdrawal, "receipt").reference == entry.reference
    await forget(shop)


async def test_what_comes_in_leaves_a_declaration_that_is_checked_and_a_receipt_as_they_are(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    await forget(shop)
    own, path = await customer(tabs, shop, "checks")
    await own.send(Withdrawal.declare, path=path, form={"scope": "whole", "name": "Roos de Wit"})
    watching = await begin(own, Withdrawal.watch, path)
    await asyncio.sleep(0.3)  # it watches from here on
    await declared_by_a_guest(tabs, "meanwhile")
    await until(lambda: len(own.stored(Withdrawal).declared) == 1)
    assert (own.stored(Withdrawal).step, len(own.stored(Withdrawal).lines)) == (CHECK, 3)
    await own.send(Withdrawal.confirm, path=path, form={})
    receipt = own.stored(Withdrawal).receipt
    await shop.ask(WithdrawalsApi).take_back_declared(
        await shop.token(*ROOS), own.stored(Withdrawal).declared[0].reference
    )
    await until(lambda: own.stored(Withdrawal).declared == [])
    assert (own.stored(Withdrawal).step, own.stored(Withdrawal).receipt) == (RECEIPT, receipt)
    watching.cancel()
    await forget(shop)


async def declared_by_a_guest(tabs: Pipeline, name: str) -> None:
    """A guest withdraws from both bags of an order."""
    tab = await guest(tabs, name)
    bag = tab.shown(GuestWithdrawalState, "offered")[2].item_id
    form = {"scope": "part", "name": "Roos", "item": bag, f"count-{bag}": "2"}
    await tab.send(GuestWithdrawalState.declare, path=GUEST, form=form)
    await tab.send(GuestWithdrawalState.confirm, path=GUEST, form={})


async def link_after(shop: Shop, seen: int, purpose: LinkPurpose = LinkPurpose.BATTERY) -> str:
    """The path of the link in the next mail to Roos that has one, after so many mails."""
    start = PATHS[purpose]
    while True:
        await asyncio.to_thread(shop.mailbox.wait_for, ROOS[1], after=seen)
        for mail in shop.mailbox.mails_to(ROOS[1])[seen:]:
            if start in (text := text_of(mail)):
                return start + text.partition(start)[2].split()[0]
        seen += 1


async def received(tabs: Pipeline, shop: Shop, name: str) -> tuple[Tab, str]:
    """Roos withdraws the whole order and sees the receipt; the tab and its path."""
    await forget(shop)
    tab, path = await customer(tabs, shop, name)
    await tab.send(Withdrawal.declare, path=path, form={"scope": "whole", "name": "Roos de Wit"})
    await tab.send(Withdrawal.confirm, path=path, form={})
    receipt = tab.shown(Withdrawal, "receipt")
    assert (receipt.battery, receipt.unsafe) == (True, False)
    return tab, path


async def test_the_receipt_asks_the_battery_question_and_shows_the_result(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await received(tabs, shop, "receipt")
    await tab.send(Withdrawal.answer_battery, path=path, form={})
    assert tab.shown(Withdrawal, "battery_error") == Code.REQUIRED
    await tab.send(Withdrawal.answer_battery, path=path, form={"battery": "swollen"})
    given = tab.shown(Withdrawal, "receipt")
    assert (given.battery, given.unsafe) == (False, True)
    # A different answer in another tab, or a second press, does not change the first answer.
    await tab.send(Withdrawal.answer_battery, path=path, form={"battery": "wet"})
    given = tab.shown(Withdrawal, "receipt") or given
    assert (given.battery, given.unsafe, tab.shown(Withdrawal, "refusal") or "") == (False, True, "")


async def test_the_page_of_the_return_asks_until_the_question_is_answered(tabs: Pipeline, shop: Shop) -> None:
    first, path = await received(tabs, shop, "page-of-it")
    name = first.shown(Withdrawal, "receipt").return_id
    token = await shop.token(*ROOS)
    tab, other = (signed_in(tabs.tab(f"page-{place}"), token) for place in "ab")
    for one in (tab, other):
        await one.send(ReturnPage.load, path=f"/returns/{name}")
        view = one.shown(ReturnPage, "shown")
        assert (view.battery_asked, view.has_label) == (True, False)
    await tab.send(ReturnPage.answer_battery, path=f"/returns/{name}", form={})
    assert tab.shown(ReturnPage, "battery_error") == Code.REQUIRED
    await tab.send(ReturnPage.answer_battery, path=f"/returns/{name}", form={"battery": "fine"})
    view = tab.shown(ReturnPage, "shown")
    assert (view.battery_asked, view.has_label, tab.shown(ReturnPage, "battery_error") or "") == (False, True, "")
    # An outdated tab shows the first answer, and that its own answer was refused.
    await other.send(ReturnPage.answer_battery, path=f"/returns/{name}", form={"battery": "hot"})
    view = other.shown(ReturnPage, "shown")
    assert (view.instructions, other.shown(ReturnPage, "refusal")) == (False, "status_changed")
    await first.send(Withdrawal.answer_battery, path=path, form={"battery": "hot"})
    assert not first.shown(Withdrawal, "receipt").unsafe


async def test_a_guest_answers_on_the_page_of_the_mailed_link(tabs: Pipeline, shop: Shop) -> None:
    battery = "fallen"
    await forget(shop)
    seen = len(shop.mailbox.mails_to(ROOS[1]))
    tab = await guest(tabs, f"guest-{battery}")
    await tab.send(GuestWithdrawalState.declare, path=GUEST, form={"scope": "whole", "name": "Roos"})
    await tab.send(GuestWithdrawalState.confirm, path=GUEST, form={})
    anybody, confirmation = tabs.tab(f"anybody-{battery}"), await link_after(shop, seen, LinkPurpose.WITHDRAWAL)
    await anybody.send(MailedLink.load, path=confirmation)
    await anybody.send(MailedLink.confirm, path=confirmation, form={"declaration": "confirm"})
    assert anybody.shown(MailedLink, "view_state") == LinkState.CONFIRMED
    path = await link_after(shop, seen)
    await anybody.send(MailedLink.load, path=path)
    assert anybody.shown(MailedLink, "view_state") == LinkState.VALID
    await anybody.send(MailedLink.confirm, path=path, form={})
    assert (anybody.shown(MailedLink, "wrong"), anybody.shown(MailedLink, "view_state") or "valid") == (
        "required",
        "valid",
    )
    await anybody.send(MailedLink.confirm, path=path, form={"battery": battery})
    assert anybody.shown(MailedLink, "view_state") == LinkState.CONFIRMED
    assert (anybody.shown(MailedLink, "about").battery, anybody.shown(MailedLink, "wrong") or "") == (battery, "")
    later = tabs.tab(f"later-{battery}")
    await later.send(MailedLink.load, path=path)
    assert (later.shown(MailedLink, "view_state"), later.shown(MailedLink, "about").battery) == (
        LinkState.USED,
        battery,
    )
