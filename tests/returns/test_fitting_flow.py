"""The portal chooses the flow that fits what a customer can return (part-2 §2)."""

from typing import Any

import pytest

from portal.flow.api import DraftStart, FlowApi
from portal.flow.journey import FLOWS
from portal.flow.pages.state import FlowRun
from portal.tables.orders import OrderLineRow
from portal.vocabulary.orders import ItemKind
from tests.support.connections import Shop
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.pipeline import Pipeline, signed_in
from tests.support.returning import ACCESSORIES, BUNDLE, EXCHANGE, PARTLY, RETURN, introduction

FREE, HELD = {"id": "1-1", "refusal": ""}, {"id": "1-1", "refusal": "older_than_100_days"}


@pytest.mark.parametrize(
    ("flow", "query", "items", "fits", "instead"),
    [
        (RETURN, {}, [], {"": ACCESSORIES}, ACCESSORIES),
        (RETURN, {}, [HELD], {"": ACCESSORIES}, ACCESSORIES),
        (ACCESSORIES, {}, [HELD], {"": RETURN}, RETURN),
        # Something can be returned here, or an exchange was asked for.
        (RETURN, {}, [FREE], {"": RETURN}, ""),
        (ACCESSORIES, {}, [FREE], {"": RETURN}, ""),
        (ACCESSORIES, {}, [], {"": ACCESSORIES}, ""),
        (EXCHANGE, {}, [], {"": ACCESSORIES}, ""),
        # A link to one bike or order counts.
        (RETURN, {"bike": "K7M3"}, [], {"": ACCESSORIES}, ""),
        (RETURN, {"order": "1"}, [FREE], {"": RETURN, "1": ACCESSORIES}, ACCESSORIES),
        (RETURN, {"order": "9"}, [FREE], {"": RETURN, "1": ACCESSORIES}, ""),
    ],
)
def test_who_can_return_nothing_here_is_led_to_the_flow_that_fits(
    flow: str, query: dict[str, str], items: list[dict[str, str]], fits: dict[str, str], instead: str
) -> None:
    assert FLOWS[flow].instead(query, {"items": items, "fits": fits}) == instead


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


async def test_a_link_to_an_accessory_answers_which_one_and_adds_to_those_before(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    straps, pump = f"{PARTLY}-1", f"{PARTLY}-2"
    flows = furnished.ask(FlowApi)
    draft = await flows.open_draft(token, DraftStart(flow=ACCESSORIES, subject=pump))
    assert (draft.answers, draft.completed) == ({"items": [f"{pump}*1"]}, ["", FLOWS[ACCESSORIES].address("items")])
    # How many straps is asked: more than one can be returned.
    both = await flows.open_draft(token, DraftStart(flow=ACCESSORIES, subject=straps))
    assert both.draft_id == draft.draft_id
    assert (both.answers["items"], both.completed) == ([f"{straps}*1", f"{pump}*1"], [""])
    assert both.version > draft.version


async def test_a_link_to_what_cannot_be_returned_asks_for_an_item(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    refused = [
        entry["id"] for entry in (await introduction(furnished.provider, token, RETURN))["items"] if entry["refusal"]
    ]
    assert refused
    for item in (*refused, "nonsense", f"{PARTLY}-99"):
        for flow in (RETURN, ACCESSORIES):
            draft = await furnished.ask(FlowApi).open_draft(token, DraftStart(flow=flow, subject=item[:40]))
            assert draft.completed == [""]


async def test_a_link_of_the_older_flow_answers_order_and_product(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    flows = furnished.ask(FlowApi)
    whole = await flows.open_draft(token, DraftStart(flow="order-return", subject=PARTLY))
    assert (whole.answers, whole.completed) == ({"order": PARTLY}, [""])
    draft = await flows.open_draft(token, DraftStart(flow="order-return", subject=f"{PARTLY}-2"))
    assert draft.draft_id == whole.draft_id
    assert draft.answers == {"order": PARTLY, "items": [f"{PARTLY}-2*1"]}
    assert draft.completed == ["", FLOWS["order-return"].address("items")]
