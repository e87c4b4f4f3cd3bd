"""The battery question of a withdrawal: on its receipt, on its page, and on the page of the mailed link."""

from __future__ import annotations

import asyncio

import pytest

from portal.kernel.codes import Code
from portal.links.pages import MailedLink
from portal.returns.pages.state import ReturnPage
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from portal.withdrawals.pages.state import GuestWithdrawalState, Withdrawal
from tests.support.connections import Shop
from tests.support.mailbox import text_of
from tests.support.people import ROOS
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.withdrawals.test_state import GUEST, customer, forget, guest

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    assert (anybody.shown(MailedLink, "facts")["battery"], anybody.shown(MailedLink, "wrong") or "") == (battery, "")
    later = tabs.tab(f"later-{battery}")
    await later.send(MailedLink.load, path=path)
    assert (later.shown(MailedLink, "view_state"), later.shown(MailedLink, "facts")["battery"]) == (
        LinkState.USED,
        battery,
    )
