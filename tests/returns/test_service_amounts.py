"""The amounts of a return in the demonstration shop: whose extras they are, and who pays for a defective item."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sqlmodel import select

from portal.backend.mail import Template, render
from portal.flow.api import FlowApi, Submission
from portal.kernel.terms import RETURN_PICK_UP_COST
from portal.orders.api import OrdersApi
from portal.returns.api import ReturnsApi
from portal.returns.rules.settlement import SettlementKind
from portal.tables.messages import OutboxMail
from portal.vocabulary.returns import ReturnStatus
from tests.returns.back_office import move, receive_and_close, settled
from tests.support.customers import ROOS, SANNE
from tests.support.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    ORDER_RETURN,
    PARTLY,
    REASON,
    RETURN,
    accessories,
    begin,
    facts,
    fill,
    item,
    order_return,
    pick_up,
    send,
)


async def test_a_return_does_not_refund_the_extras_of_another_bike(furnished: Furnished) -> None:
    """Sanne's first bike has the package and the insurance of the order; the second has neither."""
    token = await furnished.log_in(SANNE)
    order = await furnished.ask(OrdersApi).order(token, SANNE[0])
    assert order.service_costs
    assert order.insurance_costs
    first, second = [await item(furnished.provider, token, f"{SANNE[0]}-{place}", RETURN) for place in (1, 2)]
    assert first["worths"][0][1:] == [f"{order.service_costs:.2f}", f"{order.insurance_costs:.2f}"]
    assert second["worths"][0][1:] == ["0.00", "0.00"]


async def test_an_exchange_passes_the_extras_of_its_bike_to_the_new_one(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    before = {entry.order_number for entry in (await furnished.ask(OrdersApi).orders(token)).items}
    old = await item(furnished.provider, token, f"{BUNDLE}-1", EXCHANGE)
    steps = {
        "item": {"item": f"{BUNDLE}-1"},
        "product": {"exchange_type": "same"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1", "battery": "fine"},
        "method": {"method": "store", "store": (await facts(furnished.provider, token, EXCHANGE))["stores"][0]["id"]},
        "pincode": {"pin_known": "unknown"},
    }
    receipt = await send(furnished.provider, token, EXCHANGE, steps)
    await receive_and_close(furnished, receipt.reference)
    (new,) = {entry.order_number for entry in (await furnished.ask(OrdersApi).orders(token)).items} - before
    bought = await furnished.ask(OrdersApi).order(token, new)
    assert (bought.due, bought.total) == (
        Decimal("0.00"),
        bought.subtotal + bought.service_costs + bought.insurance_costs,
    )
    assert (await item(furnished.provider, token, f"{new}-1", RETURN))["worths"] == old["worths"]


@pytest.mark.parametrize("flow", [ACCESSORIES, ORDER_RETURN])
async def test_a_defective_item_is_picked_up_for_free_and_without_depreciation(furnished: Furnished, flow: str) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    if flow == ACCESSORIES:
        steps = await accessories(
            provider, token, f"{PARTLY}-1*2", state="used_with_signs_of_use", fault="product_is_defect"
        )
        steps = {**steps, "method": {"method": "pick_up"}, "pickup": await pick_up(provider, token)}
    else:
        steps = await order_return(provider, token, PARTLY, f"{PARTLY}-1*2", state="used_with_signs_of_use")
    receipt = await send(provider, token, flow, steps)
    detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert {line.kind for line in (await settled(furnished, receipt.reference)).lines} == {SettlementKind.ITEM}
    assert detail.account.handover
    assert detail.account.handover.cost == 0
    # What arrived in part is settled under the same terms.
    if flow == ORDER_RETURN:
        await move(furnished, receipt.reference, ReturnStatus.REQUEST_RECEIVED)
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{PARTLY}-1*1"])
    assert {line.kind for line in (await settled(furnished, receipt.reference)).lines} == {SettlementKind.ITEM}


async def test_the_shop_decides_for_which_reasons_a_return_is_free(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(furnished.context.settings, "free_return_reasons", [])
    token, provider = await furnished.log_in(ROOS), furnished.provider
    steps = await accessories(provider, token, f"{PARTLY}-1*2", fault="product_is_defect")
    steps = {**steps, "method": {"method": "pick_up"}, "pickup": await pick_up(provider, token)}
    draft = await fill(provider, token, await begin(provider, token, ACCESSORIES), steps)
    receipt = await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert receipt.account
    assert receipt.account.handover
    assert receipt.account.handover.cost == RETURN_PICK_UP_COST


async def test_the_battery_alarm_names_whom_to_call_and_about_what(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = {
        "items": {"items": [f"{BUNDLE}-2*1"]},
        "condition": {"fault": "none", "reason": REASON, "state": "unused", "battery": "hot"},
    }
    await send(furnished.provider, token, ACCESSORIES, steps)
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "urgent_battery"))).one()
    alarm = render(Template.URGENT_BATTERY, "nl", furnished.context.settings, mail.details)
    for text in (alarm.text, alarm.html):
        for named in ("Roos de Wit", "+31 6", ROOS[1], BUNDLE):
            assert named in text, named


async def test_the_confirmation_follows_the_return(furnished: Furnished) -> None:
    """Reopened later, it says what holds then."""
    token, provider = await furnished.log_in(ROOS), furnished.provider
    receipt = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{PARTLY}-1*1"))
    assert receipt.account
    assert receipt.account.status.en == "Request received"
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    later = (await provider.ask(FlowApi).flow_start(token, ACCESSORIES)).receipt
    assert later
    assert later.account
    assert (later.account.status.en, later.account.phase) == ("Received in the store", 2)
