"""Units of a return: counted, received, exchanged and released, on both databases (part-2 §5, §8; edge-cases 26-37)."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.flow.api import FlowApi, Submission
from portal.kernel.codes import Code
from portal.returns.api import ReturnsApi
from portal.tables.messages import TextMessageRow
from portal.tables.orders import ProductRow
from portal.tables.returns import ReturnUnitRow
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.returns.back_office import move, settled, stored
from tests.support.customers import EVA, ROOS
from tests.support.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    ORDER_RETURN,
    PARTLY,
    PAY_LATER,
    REASON,
    accessories,
    begin,
    fill,
    item,
    order_return,
    pick_up,
    send,
)

BIKE = f"{BUNDLE}-1"


async def test_units_are_counted_and_a_rejected_return_releases_them(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(
        furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*2")
    )
    assert (await item(furnished.provider, token, name))["max"] == 1
    with pytest.raises(InvalidInput) as caught:
        await send(furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*2"))
    assert caught.value.fields == {"items": Code.INVALID_NUMBER}
    await send(furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*1"))
    assert (await item(furnished.provider, token, name))["refusal"] == Code.RETURN_REQUEST_EXISTS
    await move(furnished, receipt.reference, ReturnStatus.REJECTED, note="Gebruikt")
    assert (await item(furnished.provider, token, name))["max"] == 2


@pytest.mark.each_database
async def test_of_parallel_returns_of_the_last_unit_exactly_one_succeeds(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    name, provider = f"{PARTLY}-2", furnished.provider
    first = await fill(
        provider, token, await begin(provider, token, ACCESSORIES), await accessories(provider, token, f"{name}*1")
    )
    second = await fill(
        provider,
        token,
        await begin(provider, token, ORDER_RETURN),
        await order_return(provider, token, PARTLY, f"{name}*1"),
    )
    last = [WithdrawnItem(item_id=name, count=1)]
    withdrawals = [
        WithdrawalEntry(order_number=PARTLY, name="Roos", items=last, key=f"withdraw-{turn}") for turn in range(3)
    ]
    outcomes = await asyncio.gather(
        provider.ask(FlowApi).submit_draft(token, first.draft_id, Submission(key=first.key)),
        provider.ask(FlowApi).submit_draft(token, second.draft_id, Submission(key=second.key)),
        *(provider.ask(WithdrawalsApi).withdraw(token, entry) for entry in withdrawals),
        return_exceptions=True,
    )
    assert all(not isinstance(outcome, BaseException) or isinstance(outcome, ProviderError) for outcome in outcomes)
    assert sum(not isinstance(outcome, BaseException) for outcome in outcomes) == 1
    codes = {outcome.code for outcome in outcomes if isinstance(outcome, ProviderError)}
    assert codes <= {
        Code.RETURN_REQUEST_EXISTS,
        Code.RETURN_REQUEST_ALREADY_EXISTS,
        Code.NOTHING_FOUND,
    }
    async with furnished.context.database.session() as session:
        held = [unit for unit in await session.exec(select(ReturnUnitRow)) if unit.released_at is None]
    assert len({(unit.order_line_id, unit.number) for unit in held}) == len(held)


async def test_when_two_of_three_units_arrive_amounts_and_mails_are_for_two(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(
        furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*3")
    )
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*2"])
    await move(furnished, receipt.reference, ReturnStatus.CLOSED)
    await move(furnished, receipt.reference, ReturnStatus.REFUND_PROCESSED)
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert detail.account.money.total == (await settled(furnished, receipt.reference)).refund == Decimal("25.90")
    assert (detail.items[0].received, detail.items[0].given_back) == (2, 1)
    assert (await item(furnished.provider, token, name))["max"] == 1


async def test_a_refund_may_be_a_cent_off_but_not_above_the_maximum(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = await accessories(furnished.provider, token, f"{PARTLY}-1*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    with pytest.raises(InvalidInput):
        await move(furnished, receipt.reference, ReturnStatus.CLOSED, amount="1000.00")
    await move(furnished, receipt.reference, ReturnStatus.CLOSED, amount="12.94")
    row = await stored(furnished, receipt.reference)
    assert (row.status, row.refund_amount) == (ReturnStatus.CLOSED, Decimal("12.94"))


async def test_an_arrival_without_units_is_refused(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(
        furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*1")
    )
    with pytest.raises(InvalidInput) as caught:
        await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*0"])
    assert caught.value.fields == {"received": Code.INVALID_NUMBER}


async def test_an_article_that_sells_out_meanwhile_is_refused_and_nothing_is_stored(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    draft = await begin(provider, token, EXCHANGE)
    wanted = next(entry for entry in draft.facts["catalogue"] if entry["is_bike"] and not entry["refusal"])
    steps = {
        "item": {"item": f"{PAY_LATER}-1"},
        "product": {"exchange_type": "other", "product": wanted["id"]},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    draft = await fill(provider, token, draft, steps)
    await furnished.change(ProductRow, {"stock": 0}, public_id=wanted["id"])
    with pytest.raises(ProviderError) as caught:
        await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.PRODUCT_GONE
    assert (await item(provider, token, f"{PAY_LATER}-1"))["max"] == 1


async def test_returns_of_another_customer_are_not_found(furnished: Furnished) -> None:
    roos, eva = await furnished.log_in(ROOS), await furnished.log_in(EVA)
    theirs = (await furnished.ask(ReturnsApi).returns(roos)).items[0].return_id
    for name in (theirs, "ABCDEFGH23", "../x", "x" * 50):
        for attempt in (
            furnished.ask(ReturnsApi).return_detail(eva, name),
            furnished.ask(ReturnsApi).cancel_return(eva, name),
            furnished.ask(ReturnsApi).resend_return(eva, name),
            furnished.ask(ReturnsApi).return_label(eva, name, "nl"),
            furnished.ask(ReturnsApi).return_summary_pdf(eva, name, "nl"),
        ):
            with pytest.raises(Refused) as caught:
                await attempt
            assert caught.value.code is Code.ITEM_RETURN_DOES_NOT_EXIST
    with pytest.raises(InvalidInput) as missing:
        await furnished.ask(ReturnsApi).return_detail(roos, " ")
    assert missing.value.code is Code.MISSING_ID_PARAM


async def test_a_return_can_be_cancelled_until_it_arrives(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    steps = {**await accessories(provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    receipt = await send(provider, token, ACCESSORIES, {**steps, "pickup": await pick_up(provider, token)})
    cancelled = await provider.ask(ReturnsApi).cancel_return(token, receipt.summary["return_id"])
    assert cancelled.status is ReturnStatus.CANCELLED
    assert (await provider.ask(ReturnsApi).cancel_return(token, cancelled.return_id)).status is ReturnStatus.CANCELLED
    async with furnished.context.database.session() as session:
        assert (await session.exec(select(TextMessageRow))).one().dropped_at
    assert (await item(provider, token, f"{PARTLY}-2"))["max"] == 1
    again = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{PARTLY}-2*1"))
    await move(furnished, again.reference, ReturnStatus.RECEIVED)
    with pytest.raises(Refused) as caught:
        await provider.ask(ReturnsApi).cancel_return(token, again.summary["return_id"])
    assert caught.value.code is Code.RETURN_NOT_CANCELLABLE
