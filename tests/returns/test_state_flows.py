"""The state of the return flows: items, orders, days, amounts and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from portal.flow.api import Draft
from portal.flow.pages.display import SENT
from portal.flow.pages.state import FlowRun
from portal.flow.registry import FLOWS
from portal.frontend.toasts import Toasts
from portal.returns.api import ReturnsApi
from portal.returns.pages.flow_state import Returning
from tests.links.test_state import elsewhere
from tests.support.connections import Shop
from tests.support.flows import BATTERY, BIKE, PINNED, PUMP, ROOS, STRAPS, WHY
from tests.support.form_versions import form_version
from tests.support.people import NOOR, PIETER
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
    facts,
    fill,
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


@pytest.mark.parametrize("flow", [RETURN, ACCESSORIES, EXCHANGE])
async def test_the_first_step_lists_the_items_and_the_introduction_leaves_them(
    tabs: Pipeline, shop: Shop, flow: str
) -> None:
    first = FLOWS[flow].first_step.name
    tab, *_ = await _at(tabs, shop, flow, first)
    items = tab.stored(Returning).items
    assert items
    assert all(not item.refusal and item.most for item in items)
    await tab.send(FlowRun.enter, f"/{flow}")
    assert tab.stored(Returning).items == items, "they are there when the customer comes back"
    await tab.send(FlowRun.enter, FLOWS[flow].url(first))
    assert tab.stored(Returning).items == items


@pytest.mark.parametrize("flow", [RETURN, ACCESSORIES, EXCHANGE])
async def test_the_introduction_lists_reasons(tabs: Pipeline, shop: Shop, flow: str) -> None:
    tab = signed_in(tabs.tab(f"first page of {flow}"), await shop.token(*ROOS))
    await tab.send(FlowRun.enter, f"/{flow}")
    assert not tab.stored(Returning).items
    refused = {item.id: item.refusal for item in tab.shown(Returning, "refused")}
    assert refused[f"{OLD}-1" if flow != ACCESSORIES else f"{OLD}-2"] == "older_than_100_days"
    if flow == ACCESSORIES:
        assert refused[f"{NOT_SENT}-1"] == "order_not_shipped"
    assert {BUNDLE, OLD} & {entry.order for entry in tab.shown(Returning, "withdraw")} == {BUNDLE}


async def test_orders_list_their_products(tabs: Pipeline, shop: Shop) -> None:
    tab, *_ = await _at(tabs, shop, ORDER_RETURN, FLOWS[ORDER_RETURN].first_step.name)
    orders = {order.id: order for order in tab.stored(Returning).orders}
    assert [item.id for item in orders[BUNDLE].products] == [f"{BUNDLE}-{place}" for place in (1, 2, 3)]
    helmet, phone = orders[RETURNED].products
    assert (helmet.most, phone.refusal) == (1, "")


async def test_an_order_with_an_unconfirmed_return_shows_its_mail_address(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("orders to return"), await shop.token(*ROOS))
    await tab.send(FlowRun.enter, f"/{ORDER_RETURN}")
    assert {BUNDLE, OLD} & {entry.order for entry in tab.shown(Returning, "withdraw")} == {BUNDLE}
    refused = {order.id: order for order in tab.shown(Returning, "refused_orders")}
    assert refused[NOT_SENT].refusal == "order_not_shipped"
    waiting = refused[PENDING]
    assert waiting.refusal == "return_request_already_exists"
    assert (waiting.action, waiting.href[:9]) == ("return", "/returns/")
    assert waiting.email == ROOS[1]


@pytest.mark.parametrize(
    ("customer", "code"), [(PIETER, "order_not_shipped"), (NOOR, "older_than_100_days")], ids=["not sent", "too old"]
)
async def test_a_customer_with_nothing_to_return_sees_the_reason_at_once(
    tabs: Pipeline, shop: Shop, customer: tuple[str, str], code: str
) -> None:
    tab = signed_in(tabs.tab(f"nothing for {customer[1]}"), await shop.token(*customer))
    await tab.send(FlowRun.enter, f"/{ORDER_RETURN}")
    assert tab.shown(FlowRun, "closed") == code


async def test_the_amounts_are_those_of_the_server(tabs: Pipeline, shop: Shop) -> None:
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "used_with_signs_of_use", "mileage": "3"},
        "method": {"method": "pick_up"},
    }
    tab, token, draft = await _at(tabs, shop, RETURN, "pickup", steps)
    preview = await shop.ask(ReturnsApi).refund_preview(token, draft.draft_id)
    shown = tab.shown(Returning, "amounts")
    assert [(line.kind, line.amount) for line in shown.lines] == [
        (line.kind.value, f"{line.amount:.2f}") for line in preview.lines
    ]
    assert (shown.direction, shown.total) == ("customer_pays", "39.95") == ("customer_pays", f"{preview.charge:.2f}")


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
    assert [day for week in tab.shown(Returning, "weeks") for day in week.days] == offered["NL"]
    for place, country in (("SE", "SE"), ("known", "NL"), ("other", "SE"), ("XX", "NL")):
        await tab.send(Returning.select_place, FLOWS[RETURN].url("pickup"), place=place)
        weeks = tab.shown(Returning, "weeks")
        # No delta is sent when both countries have the same days.
        assert weeks is None or [day for week in weeks for day in week.days] == offered[country]
    assert set(offered) == {"NL", "BE", "DE", "DK", "SE", "NO"}


async def test_an_unsafe_battery_skips_method_and_address(tabs: Pipeline, shop: Shop) -> None:
    steps = {"item": {"item": BATTERY}, "reason": {"fault": "none", "reason": WHY}}
    tab, _, draft = await _at(tabs, shop, RETURN, "condition", steps)
    assert "battery" in tab.shown(FlowRun, "asked")
    form = {**form_version(draft), "state": "unused", "battery": "swollen"}
    await tab.send(FlowRun.next, FLOWS[RETURN].url("condition"), form=form)
    assert tab.shown(Returning, "safe") is False
    path = tab.shown(FlowRun, "path")
    assert "method" not in path
    assert "pickup" not in path


async def test_the_pin_code_is_asked_when_the_bike_has_one(tabs: Pipeline, shop: Shop) -> None:
    tab, _, _ = await _at(tabs, shop, RETURN, "reason", {"item": {"item": PINNED}})
    assert "pincode" in tab.shown(FlowRun, "path")
    assert tab.shown(Returning, "withdraw")[0].order == BUNDLE


async def test_an_article_shows_its_price_difference_and_a_bike_is_exchanged_for_a_bike(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, token, _ = await _at(tabs, shop, EXCHANGE, "product", {"item": {"item": BIKE}})
    catalogue = {entry["id"]: entry for entry in (await facts(shop.provider, token, EXCHANGE))["catalogue"]}
    item = next(entry for entry in (await facts(shop.provider, token, EXCHANGE))["items"] if entry["id"] == BIKE)
    products = tab.shown(Returning, "products")
    assert products
    assert all(product.is_bike for product in products)
    assert [product.gone for product in products] == sorted(product.gone for product in products)
    for product in products:
        difference = float(catalogue[product.id]["price"]) - float(item["worths"][0][0])
        dearer_by = float(product.dearer or 0) - float(product.cheaper or 0)
        assert dearer_by == pytest.approx(difference)


async def test_a_sent_return_shows_its_amounts_and_its_page(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps = await accessories(shop.provider, token, f"{STRAPS}*1", f"{PUMP}*1")
    tab, token, draft = await _at(tabs, shop, ACCESSORIES, "check", steps)
    before = tab.shown(Returning, "amounts")
    await tab.send(FlowRun.send, FLOWS[ACCESSORIES].url("check"), form=form_version(draft))
    receipt = tab.shown(FlowRun, "receipt")
    assert tab.shown(FlowRun, "view_state") == SENT
    money = receipt.account.money
    assert [str(line.amount) for line in money.lines] == [str(line.amount) for line in before.lines]
    assert str(money.total) == str(before.total)
    assert not tab.stored(Returning).unsafe
    assert receipt.summary["return_id"]
    assert "settlement" not in receipt.summary


async def test_an_order_return_waits_for_its_link(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    steps = await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1")
    tab, token, draft = await _at(tabs, shop, ORDER_RETURN, "check", steps)
    await tab.send(FlowRun.send, FLOWS[ORDER_RETURN].url("check"), form=form_version(draft))
    receipt = tab.shown(FlowRun, "receipt")
    assert receipt.summary["confirm_until"]
    assert "@" in receipt.summary["email"]
    # A second return of the same order is refused.
    draft = await begin(shop.provider, token, ORDER_RETURN)
    form = {**form_version(draft), "order": BUNDLE, "items": [f"{BUNDLE}-3*1"]}
    await tab.send(FlowRun.next, FLOWS[ORDER_RETURN].url("items"), form=form)
    assert tab.shown(FlowRun, "errors")["order"] == "return_request_already_exists"


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


@pytest.mark.parametrize(
    ("flow", "words"),
    [
        (RETURN, "Retour kon niet worden aangemeld."),
        (ACCESSORIES, "Retour kon niet worden aangemeld."),
        (ORDER_RETURN, "Retour kon niet worden aangemeld."),
        (EXCHANGE, "Omruilen kon niet worden aangemeld."),
    ],
)
async def test_a_failed_submit_shows_the_required_message_and_can_be_repeated(
    tabs: Pipeline, shop: Shop, flow: str, words: str
) -> None:
    token = await shop.token(*ROOS)
    store = {"method": "store", "store": (await facts(shop.provider, token, RETURN))["stores"][0]["id"]}
    used = {"state": "unused", "mileage": "3"}
    steps: dict[str, Any] = {
        RETURN: {
            "item": {"item": BIKE},
            "reason": {"fault": "none", "reason": WHY},
            "condition": used,
            "method": store,
        },
        ACCESSORIES: await accessories(shop.provider, token, f"{STRAPS}*1"),
        ORDER_RETURN: await order_return(shop.provider, token, PARTLY, f"{STRAPS}*1"),
        EXCHANGE: {
            "item": {"item": BIKE},
            "product": {"exchange_type": "same"},
            "reason": {"fault": "none", "reason": WHY},
            "condition": used,
            "method": store,
        },
    }
    check = FLOWS[flow].url("check")
    tab, token, draft = await _at(tabs, shop, flow, "check", steps[flow])
    async with elsewhere(shop, f"http://127.0.0.1:{free_port()}"):
        await tab.send(FlowRun.send, check, form=form_version(draft))
    assert f"'nl': '{words}'" in str(tab.shown(Toasts, "items")[-1])
    await tab.send(FlowRun.send, check, form=form_version(draft))
    assert tab.shown(FlowRun, "view_state") == SENT
    await shop.ask(ReturnsApi).cancel_return(token, tab.shown(FlowRun, "receipt").summary["return_id"])
