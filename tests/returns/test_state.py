"""The states of the list and of the page of a return, in Reflex's event pipeline (part-2 §2, §4, §8)."""

from typing import Any

import pytest

from portal.frontend.load import MISSING, READY
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.returns.api import ReturnsApi
from portal.returns.pages.state import ReturnPage, Returns
from portal.vocabulary.returns import ReturnStatus
from tests.support.connections import Shop
from tests.support.people import EVA, ROOS
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.returning import ACCESSORIES, PARTLY, accessories, facts, send

pytestmark = pytest.mark.asyncio(loop_scope="module")
WAITS = "UPDATE returns SET status = 'pending_confirmation' WHERE kind = 'order_return'"


async def returns_of(shop: Shop) -> dict[str, Any]:
    """Roos's returns in the demonstration data, by status."""
    return {entry.status: entry for entry in (await shop.ask(ReturnsApi).returns(await shop.token(*ROOS))).items}


async def opened(tabs: Pipeline, shop: Shop, name: str, status: ReturnStatus) -> tuple[Tab, str]:
    """Open the page of the return with this status; the tab and the path."""
    path = f"/returns/{(await returns_of(shop))[status].return_id}"
    tab = signed_in(tabs.tab(name), await shop.token(*ROOS))
    await tab.send(ReturnPage.load, path=path)
    return tab, path


async def test_the_list_separates_open_and_finished_returns(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("list"), await shop.token(*ROOS))
    await tab.send(Returns.load, path="/returns")
    assert (tab.shown(Returns, "view_state"), tab.shown(Returns, "total")) == (READY, 3)
    under_way = {row.status: row for row in tab.shown(Returns, "under_way")}
    assert under_way[ReturnStatus.PENDING_CONFIRMATION].can_resend
    assert not under_way[ReturnStatus.PICKUP_CONFIRMED].can_resend
    assert [row.status for row in tab.shown(Returns, "earlier")] == [ReturnStatus.REFUND_PROCESSED]


async def test_the_page_of_a_return_shows_everything(tabs: Pipeline, shop: Shop) -> None:
    tab, _ = await opened(tabs, shop, "whole", ReturnStatus.REFUND_PROCESSED)
    view = tab.shown(ReturnPage, "shown")
    found = await shop.ask(ReturnsApi).return_detail(await shop.token(*ROOS), view.return_id)
    assert (view.reference, view.order_number, view.account.phase) == (found.reference, found.order_number, 4)
    assert view.account == found.account
    assert view.timeline[-1].label == view.account.status
    assert (view.can_cancel, view.has_label, view.pending, view.closed) == (False, False, None, True)
    on_its_way, _ = await opened(tabs, shop, "on-its-way", ReturnStatus.PICKUP_CONFIRMED)
    view = on_its_way.shown(ReturnPage, "shown")
    assert (view.can_cancel, view.has_label, view.account.phase) == (True, True, 2)
    assert (view.account.handover.country.en, len(view.account.handover.place)) == ("Netherlands", 3)


async def test_an_account_for_the_refund_is_named_on_the_page(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await opened(tabs, shop, "account", ReturnStatus.PICKUP_CONFIRMED)
    assert tab.shown(ReturnPage, "shown").account_wanted
    for form, errors in (
        ({"holder": " ", "iban": ""}, {"holder": "required", "iban": "required"}),
        ({"holder": "R" * 71, "iban": "N" * 51}, {"holder": "too_long", "iban": "invalid_iban"}),
        ({"holder": "R. de Groot", "iban": "NL00"}, {"iban": "invalid_iban"}),
    ):
        await tab.send(ReturnPage.name_account, path=path, form=form)
        assert (tab.shown(ReturnPage, "errors"), tab.shown(ReturnPage, "refusal") or "") == (errors, "")
    form = {"holder": "R. de Groot", "iban": "NL91 ABNA 0417 1643 00"}
    await tab.send(ReturnPage.name_account, path=path, form=form)
    assert not tab.shown(ReturnPage, "errors")
    facts = tab.shown(ReturnPage, "shown").account.facts
    assert any("… 4300" in str(fact) for fact in facts)


async def test_a_return_of_another_customer_is_missing_and_cannot_be_changed(tabs: Pipeline, shop: Shop) -> None:
    foreign = (await returns_of(shop))[ReturnStatus.PICKUP_CONFIRMED].return_id
    tab = signed_in(tabs.tab("foreign-return"), await shop.token(*EVA))
    await tab.send(ReturnPage.load, path=f"/returns/{foreign}")
    assert tab.shown(ReturnPage, "view_state") == MISSING
    await tab.send(ReturnPage.cancel, path=f"/returns/{foreign}")
    assert tab.shown(ReturnPage, "refusal") == Code.ITEM_RETURN_DOES_NOT_EXIST
    await tab.send(Returns.resend, path="/returns", form={"return": foreign})
    assert tab.shown(Returns, "refusal") == Code.ITEM_RETURN_DOES_NOT_EXIST
    assert ReturnStatus.PICKUP_CONFIRMED in await returns_of(shop)


async def test_an_unconfirmed_return_has_no_status_but_its_link_can_be_resent(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(WAITS)
    tab, path = await opened(tabs, shop, "waits", ReturnStatus.PENDING_CONFIRMATION)
    view = tab.shown(ReturnPage, "shown")
    assert (view.timeline, view.account.phase, view.pending.email) == ([], 0, "roos@example.com")
    await tab.send(ReturnPage.resend, path=path, form={})
    assert (tab.shown(ReturnPage, "sent_to"), tab.shown(ReturnPage, "answered")) == ("roos@example.com", 1)
    await shop.alter("UPDATE outbox_mails SET dropped_at = created_at WHERE template = 'confirm_return'")
    await tab.send(ReturnPage.load, path=path)
    assert tab.shown(ReturnPage, "shown").pending.failed
    other = signed_in(tabs.tab("waits-in-list"), await shop.token(*ROOS))
    await other.send(Returns.load, path="/returns")
    await other.send(Returns.resend, path="/returns", form={"return": view.return_id})
    assert (other.shown(Returns, "asked"), other.shown(Returns, "sent_to")) == (view.return_id, "roos@example.com")


async def test_a_return_can_be_cancelled_until_it_is_picked_up(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps = await accessories(shop.provider, token, f"{PARTLY}-1*1")
    receipt = await send(shop.provider, token, ACCESSORIES, steps)
    path, tab = f"/returns/{receipt.summary['return_id']}", signed_in(tabs.tab("cancel"), token)
    await tab.send(ReturnPage.load, path=path)
    await tab.send(ReturnPage.cancel, path=path)
    view = tab.shown(ReturnPage, "shown")
    assert (view.status, view.can_cancel, view.account.phase) == (ReturnStatus.CANCELLED, False, None)
    assert tab.shown(Toasts, "items")[-1]["kind"] == "success"
    await shop.alter("UPDATE returns SET status = 'RMA_order_received_at_DC' WHERE reference = ?", receipt.reference)
    await tab.send(ReturnPage.cancel, path=path)
    assert tab.shown(ReturnPage, "refusal") == Code.RETURN_NOT_CANCELLABLE


async def test_up_to_three_items_of_a_return_are_pictured_in_the_list(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    tab = signed_in(tabs.tab("pictured"), token)
    offered = [
        entry["id"]
        for entry in (await facts(shop.provider, token, ACCESSORIES))["items"]
        if not entry["refusal"] and not entry.get("battery")
    ]
    steps = await accessories(shop.provider, token, *(f"{name}*1" for name in offered[:4]))
    receipt = await send(shop.provider, token, ACCESSORIES, steps)
    await tab.send(Returns.load, path="/returns")
    (row,) = [row for row in tab.shown(Returns, "under_way") if row.return_id == receipt.summary["return_id"]]
    detail = await shop.ask(ReturnsApi).return_detail(token, row.return_id)
    assert len(detail.items) == 4
    assert [row.picture, *row.others] == [item.picture for item in detail.items[:3]]
    await shop.ask(ReturnsApi).cancel_return(token, row.return_id)


async def test_a_return_that_is_cancelled_before_the_server_has_it_is_cancelled(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(WAITS)
    path = f"/returns/{(await returns_of(shop))[ReturnStatus.PENDING_CONFIRMATION].return_id}"
    tab = signed_in(tabs.tab("cancelled-early"), await shop.token(*ROOS))
    await tab.send(ReturnPage.cancel, path=path)
    assert tab.stored(ReturnPage).refusal == ""
    assert tab.shown(ReturnPage, "shown").status is ReturnStatus.CANCELLED


async def test_an_expired_return_can_be_requested_again_unless_its_day_is_past(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(WAITS)
    await shop.alter(
        "UPDATE returns SET confirm_until = '2020-01-01 00:00:00.000000', pickup_day = '2020-01-06'"
        " WHERE kind = 'order_return'"
    )
    tab, path = await opened(tabs, shop, "late", ReturnStatus.EXPIRED)
    mail = tab.shown(ReturnPage, "shown").pending
    assert (mail.expired, mail.can_resend) == (True, False)
    listed = signed_in(tabs.tab("late-in-list"), await shop.token(*ROOS))
    await listed.send(Returns.load, path="/returns")
    assert ReturnStatus.EXPIRED in [row.status for row in listed.shown(Returns, "earlier")]
    await tab.send(ReturnPage.resend, path=path, form={})
    assert tab.shown(ReturnPage, "refusal") == Code.INVALID_TIME
    await shop.alter("UPDATE returns SET pickup_day = NULL WHERE kind = 'order_return'")
    await tab.send(ReturnPage.resend, path=path, form={})
    assert tab.shown(ReturnPage, "sent_to") == "roos@example.com"
    assert not tab.shown(ReturnPage, "shown").pending.expired
