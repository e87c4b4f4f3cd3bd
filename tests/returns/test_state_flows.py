"""The state of the return flows: items, orders, days, amounts and refusals."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from portal.contract.account import Direction
from portal.flow.api import Draft
from portal.flow.journey import FLOWS
from portal.flow.pages.display import SENT
from portal.flow.pages.state import FlowRun
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.returns.api import ReturnsApi
from portal.returns.pages.flow_state import ReturnFlowState
from tests.links.test_state import elsewhere
from tests.support.connections import Shop
from tests.support.flows import BIKE, PINNED, PUMP, ROOS, STRAPS, WHY
from tests.support.form_versions import form_version
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.ports import free_port
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    NOT_SENT,
    OLD,
    ORDER_RETURN,
    PARTLY,
    PENDING,
    RETURN,
    RETURNED,
    accessories,
    begin,
    bike,
    facts,
    fill,
    full_van,
    order_return,
    send,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _at(
    tabs: Pipeline, shop: Shop, flow: str, step: str, steps: Mapping[str, Any] | None = None
) -> tuple[Tab, str, Draft]:
    """Roos's tab at a step, with these answers."""
    token = await shop.token(*ROOS)
    draft = await begin(shop.provider, token, flow)
    draft = await fill(shop.provider, token, draft, steps or {})
    tab = signed_in(tabs.tab(f"{flow} {step} {len(steps or {})}"), token)
    await tab.send(FlowRun.enter, FLOWS[flow].url(step))
    return tab, token, draft


async def test_the_first_step_lists_the_items_and_the_introduction_leaves_them(tabs: Pipeline, shop: Shop) -> None:
    first = FLOWS[RETURN].first_step.name
    tab, *_ = await _at(tabs, shop, RETURN, first)
    items = tab.stored(ReturnFlowState).items
    assert items
    assert all(not item.refusal and item.max for item in items)
    await tab.send(FlowRun.enter, f"/{RETURN}")
    assert tab.stored(ReturnFlowState).items == items, "they are there when the customer comes back"


@pytest.mark.parametrize("flow", [RETURN, ACCESSORIES])
async def test_the_introduction_lists_reasons(tabs: Pipeline, shop: Shop, flow: str) -> None:
    tab = signed_in(tabs.tab(f"first page of {flow}"), await shop.token(*ROOS))
    await tab.send(FlowRun.enter, f"/{flow}")
    assert not tab.stored(ReturnFlowState).items
    refused = {item.id: item.refusal for item in tab.shown(ReturnFlowState, "refused")}
    assert refused[f"{OLD}-1" if flow != ACCESSORIES else f"{OLD}-2"] == "older_than_100_days"
    if flow == ACCESSORIES:
        assert refused[f"{NOT_SENT}-1"] == "order_not_shipped"
    assert {BUNDLE, OLD} & {entry.id for entry in tab.shown(ReturnFlowState, "withdraw")} == {BUNDLE}


async def test_orders_list_their_products_and_one_that_waits_its_mail_address(tabs: Pipeline, shop: Shop) -> None:
    tab, *_ = await _at(tabs, shop, ORDER_RETURN, FLOWS[ORDER_RETURN].first_step.name)
    orders = {order.id: order for order in tab.stored(ReturnFlowState).orders}
    assert [item.id for item in orders[BUNDLE].products] == [f"{BUNDLE}-{place}" for place in (1, 2, 3)]
    helmet, phone = orders[RETURNED].products
    assert (helmet.max, phone.refusal) == (1, "")
    await tab.send(FlowRun.enter, f"/{ORDER_RETURN}")
    assert {BUNDLE, OLD} & {entry.id for entry in tab.stored(ReturnFlowState).withdraw} == {BUNDLE}
    refused = {order.id: order for order in tab.stored(ReturnFlowState).refused_orders}
    assert refused[NOT_SENT].refusal == "order_not_shipped"
    waiting = refused[PENDING]
    assert waiting.refusal == "return_request_already_exists"
    assert (waiting.action, waiting.href[:9]) == ("return", "/returns/")
    assert waiting.pending
    assert waiting.pending.email == ROOS[1]


async def test_the_amounts_are_those_of_the_server(tabs: Pipeline, shop: Shop) -> None:
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "used_with_signs_of_use", "mileage": "3"},
        "method": {"method": "pick_up"},
    }
    tab, *_ = await _at(tabs, shop, RETURN, "pickup", steps)
    shown = tab.shown(ReturnFlowState, "amounts")
    assert str(shown.lines[-1].amount) == "-39.95"
    assert (shown.direction, shown.total) == (Direction.CUSTOMER_PAYS, Decimal("39.95"))


async def test_another_item_says_which_answers_are_gone(tabs: Pipeline, shop: Shop) -> None:
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "unused", "mileage": "3"},
    }
    tab, _, draft = await _at(tabs, shop, RETURN, "item", steps)
    address = FLOWS[RETURN].url("item")
    await tab.send(FlowRun.next, address, form={**form_version(draft), "item": PINNED})
    assert [label["en"] for label in tab.shown(FlowRun, "dropped")] == ["Mileage"]


async def test_days_follow_the_country_that_is_chosen(tabs: Pipeline, shop: Shop) -> None:
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "unused", "mileage": "3"},
        "method": {"method": "pick_up"},
    }
    tab, _, draft = await _at(tabs, shop, RETURN, "pickup", steps)
    offered: dict[str, list[str]] = dict(draft.facts["pickup_days"])
    assert [day.isoformat() for week in tab.shown(ReturnFlowState, "weeks") for day in week.days] == offered["NL"]
    for place, country in (("SE", "SE"), ("known", "NL"), ("other", "SE"), ("XX", "NL")):
        await tab.send(ReturnFlowState.select_place, FLOWS[RETURN].url("pickup"), place=place)
        weeks = tab.shown(ReturnFlowState, "weeks")
        # No delta is sent when both countries have the same days.
        assert weeks is None or [day.isoformat() for week in weeks for day in week.days] == offered[country]
    assert set(offered) == {"NL", "BE", "DE", "DK", "SE", "NO"}


async def test_the_pin_code_is_asked_when_the_bike_has_one(tabs: Pipeline, shop: Shop) -> None:
    tab, _, _ = await _at(tabs, shop, RETURN, "reason", {"item": {"item": PINNED}})
    assert "pincode" in tab.shown(FlowRun, "path")
    assert tab.shown(ReturnFlowState, "withdraw")[0].id == BUNDLE


async def test_an_article_shows_its_price_difference_and_a_bike_is_exchanged_for_a_bike(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, token, _ = await _at(tabs, shop, EXCHANGE, "product", {"item": {"item": BIKE}})
    catalogue = {entry["id"]: entry for entry in (await facts(shop.provider, token, EXCHANGE))["catalogue"]}
    item = next(entry for entry in (await facts(shop.provider, token, EXCHANGE))["items"] if entry["id"] == BIKE)
    products = tab.shown(ReturnFlowState, "products")
    assert products
    assert all(product.is_bike for product in products)
    assert [bool(product.refusal) for product in products] == sorted(bool(product.refusal) for product in products)
    for product in products:
        difference = float(catalogue[product.id]["price"]) - float(item["worths"][0][0])
        dearer_by = float(product.dearer or 0) - float(product.cheaper or 0)
        assert dearer_by == pytest.approx(difference)


async def test_a_sent_return_shows_its_amounts_and_its_page(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps = await accessories(shop.provider, token, f"{STRAPS}*1", f"{PUMP}*1")
    tab, token, draft = await _at(tabs, shop, ACCESSORIES, "check", steps)
    before = tab.shown(ReturnFlowState, "amounts")
    await tab.send(FlowRun.send, FLOWS[ACCESSORIES].url("check"), form=form_version(draft))
    receipt = tab.shown(FlowRun, "receipt")
    assert tab.shown(FlowRun, "view_state") == SENT
    money = receipt.account.money
    assert [str(line.amount) for line in money.lines] == [str(line.amount) for line in before.lines]
    assert str(money.total) == str(before.total)
    assert not tab.stored(ReturnFlowState).unsafe
    assert receipt.summary["return_id"]
    assert "settlement" not in receipt.summary


async def test_units_taken_meanwhile_are_refused_with_the_required_message(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps = await accessories(shop.provider, token, f"{RETURNED}-2*1")
    tab, token, draft = await _at(tabs, shop, ACCESSORIES, "check", steps)
    await send(
        shop.provider, token, ORDER_RETURN, await order_return(shop.provider, token, RETURNED, f"{RETURNED}-2*1")
    )
    await tab.send(FlowRun.send, FLOWS[ACCESSORIES].url("check"), form=form_version(draft))
    assert tab.shown(FlowRun, "refusal")
    assert "Return could not be registered." in str(tab.shown(Toasts, "items")[-1])


async def test_a_failed_submit_shows_the_required_message_and_can_be_repeated(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps, check = await bike(shop.provider, token, BIKE, EXCHANGE), FLOWS[EXCHANGE].url("check")
    tab, token, draft = await _at(tabs, shop, EXCHANGE, "check", steps)
    async with elsewhere(shop, f"http://127.0.0.1:{free_port()}"):
        await tab.send(FlowRun.send, check, form=form_version(draft))
    assert "'nl': 'Omruilen kon niet worden aangemeld.'" in str(tab.shown(Toasts, "items")[-1])
    await tab.send(FlowRun.send, check, form=form_version(draft))
    assert tab.shown(FlowRun, "view_state") == SENT
    await shop.ask(ReturnsApi).cancel_return(token, tab.shown(FlowRun, "receipt").summary["return_id"])


async def test_a_full_van_is_reported_and_no_day_is_accepted(tabs: Pipeline, shop: Shop) -> None:
    token, items = await shop.token(*ROOS), f"{PARTLY}-1*1"
    day = {name: str(value) for name, value in (await order_return(shop.provider, token, PARTLY, items))["day"].items()}
    steps = {**await accessories(shop.provider, token, items), "method": {"method": "pick_up"}}
    async with full_van(shop):
        tab, _, draft = await _at(tabs, shop, ACCESSORIES, "pickup", steps)
        assert not tab.shown(ReturnFlowState, "weeks"), "the page must show no days"
        # The form sends a day that was just filled, or no day.
        for given in (day, {}):
            form = {**form_version(draft), **given, "address": "known", "phone": "06 12345611"}
            await tab.send(FlowRun.next, FLOWS[ACCESSORIES].url("pickup"), form=form)
            assert tab.shown(FlowRun, "errors") == {"pickup_day": Code.NO_DELIVERY_OPTIONS}
    assert MESSAGES[Code.NO_DELIVERY_OPTIONS] in repr(tab.shown(Toasts, "items"))
