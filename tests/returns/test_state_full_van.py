"""A pick-up when every day is full (part-2 §8: no_delivery_options)."""

from __future__ import annotations

from itertools import takewhile

import pytest

from portal.flow.pages.state import FlowRun
from portal.flow.registry import FLOWS
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.returns.flow.kinds import ORDER_DAY, PICKUP
from portal.returns.pages.flow_state import ReturnFlowState
from tests.support.connections import Shop
from tests.support.form_versions import form_version
from tests.support.people import ROOS
from tests.support.pipeline import Pipeline, signed_in
from tests.support.returning import ACCESSORIES, ORDER_RETURN, PARTLY, accessories, begin, fill, full_van, order_return

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("flow", [ORDER_RETURN, ACCESSORIES])
async def test_a_full_van_is_reported_and_no_day_is_accepted(tabs: Pipeline, shop: Shop, flow: str) -> None:
    token, items = await shop.token(*ROOS), f"{PARTLY}-1*1"
    older = await order_return(shop.provider, token, PARTLY, items)
    steps = dict(older if flow == ORDER_RETURN else await accessories(shop.provider, token, items))
    day = {name: str(value) for name, value in older["day"].items()}
    if flow == ACCESSORIES:
        steps["method"] = {"method": "pick_up"}
    asked = ORDER_DAY if flow == ORDER_RETURN else PICKUP
    path = FLOWS[flow].url(asked)
    before = takewhile(lambda step: step is not asked, FLOWS[flow].steps)
    answered = {step.name: steps[step.name] for step in before}
    async with full_van(shop):
        draft = await fill(shop.provider, token, await begin(shop.provider, token, flow), answered)
        tab = signed_in(tabs.tab(f"full van {flow}"), token)
        await tab.send(FlowRun.enter, path)
        assert not tab.shown(ReturnFlowState, "weeks"), "the page must show no days"
        # The form sends a day that was just filled, or no day.
        for given in (day, {}):
            form = {**form_version(draft), **given, "address": "known", "phone": "06 12345611"}
            await tab.send(FlowRun.next, path, form=form)
            assert tab.shown(FlowRun, "errors") == {"pickup_day": Code.NO_DELIVERY_OPTIONS}
    assert MESSAGES[Code.NO_DELIVERY_OPTIONS] in repr(tab.shown(Toasts, "items"))
