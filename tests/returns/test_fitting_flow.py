"""The portal chooses the flow that fits what a customer can return (part-2 §2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from portal.flow.pages.state import FlowRun
from portal.flow.registry import FLOWS
from portal.tables.orders import OrderLineRow
from portal.vocabulary.orders import ItemKind
from tests.support.connections import Shop
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.pipeline import Pipeline, signed_in
from tests.support.returning import ACCESSORIES, BUNDLE, EXCHANGE, PARTLY, RETURN, introduction

FREE, HELD = {"refusal": ""}, {"refusal": "older_than_100_days"}


def _instead(flow: str, query: Mapping[str, str], items: list[dict[str, str]], **fits: str) -> str:
    return FLOWS[flow].instead(query, {"items": items, "fits": {"": fits.pop("all_orders"), **fits}})


def test_who_can_return_only_accessories_is_led_there() -> None:
    assert _instead(RETURN, {}, [], all_orders=ACCESSORIES) == ACCESSORIES
    assert _instead(RETURN, {}, [HELD], all_orders=ACCESSORIES) == ACCESSORIES
    assert _instead(ACCESSORIES, {}, [HELD], all_orders=RETURN) == RETURN


def test_who_can_return_something_here_stays() -> None:
    assert not _instead(RETURN, {}, [FREE], all_orders=RETURN)
    assert not _instead(ACCESSORIES, {}, [FREE], all_orders=RETURN)
    assert not _instead(ACCESSORIES, {}, [], all_orders=ACCESSORIES)
    assert not _instead(EXCHANGE, {}, [], all_orders=ACCESSORIES)


def test_a_link_to_one_bike_or_order_counts() -> None:
    assert not _instead(RETURN, {"bike": "K7M3"}, [], all_orders=ACCESSORIES)
    assert _instead(RETURN, {"order": "1"}, [FREE], all_orders=RETURN, **{"1": ACCESSORIES}) == ACCESSORIES
    assert not _instead(RETURN, {"order": "9"}, [FREE], all_orders=RETURN, **{"1": ACCESSORIES})


async def test_the_facts_name_the_flow_that_fits(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    fits: dict[str, Any] = (await introduction(furnished.provider, token, RETURN))["fits"]
    assert (fits[""], fits[BUNDLE], fits[PARTLY]) == (RETURN, RETURN, ACCESSORIES)
    # A customer who bought nothing but accessories.
    for kind in (ItemKind.E_BIKE, ItemKind.CITY_BIKE):
        await furnished.change(OrderLineRow, {"kind": ItemKind.ACCESSORY}, kind=kind)
    for name in ("500 Wh", "630 Wh", "400 Wh"):
        await furnished.change(OrderLineRow, {"battery": ""}, battery=name)
    await furnished.change(OrderLineRow, {"bundle": None}, bundle="Forensenset")
    found = await introduction(furnished.provider, token, RETURN)
    assert (found["items"], found["fits"][""]) == ([], ACCESSORIES)
    assert FLOWS[RETURN].closed(found)
    assert FLOWS[RETURN].instead({}, found) == ACCESSORIES


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page_leads_to_the_flow_that_fits_the_order(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("fitting"), await shop.token(*ROOS))
    await tab.send(FlowRun.enter, f"/{RETURN}?order={PARTLY}")
    assert [event.payload["path"] for event in tab.events if event.name == "_redirect"] == [f"/{ACCESSORIES}"]
    await tab.send(FlowRun.enter, f"/{RETURN}?order={BUNDLE}")
    assert not [event for event in tab.events if event.name == "_redirect"]
