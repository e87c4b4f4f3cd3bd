"""Units of a return: counted, moved, exchanged and given back, on both databases (part-2 §5, §8; edge cases 26-37)."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.contract.drafts import Submission
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.contract.withdrawals import WithdrawalEntry, WithdrawnItem
from portal.domain.codes import Code
from portal.domain.returns.statuses import ReturnStatus
from portal.domain.statuses import PaymentStatus
from portal.provider.backoffice.moves import Wish
from portal.provider.documents.formats import money
from portal.provider.tables.orders import OrderRow
from portal.provider.tables.outbox import OutboxMail
from portal.provider.tables.products import ProductRow
from portal.provider.tables.returns import ReturnRow, ReturnUnitRow
from portal.provider.tables.texts import TextMessageRow
from tests.provider.account.customers import EVA, ROOS
from tests.provider.account.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    OLD,
    ORDER_RETURN,
    PARTLY,
    PAY_LATER,
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

BIKE = f"{BUNDLE}-1"


async def _move(shop: Furnished, reference: str, status: ReturnStatus, **wish: object) -> None:
    await shop.house.back_office.move("return", reference, Wish.model_validate({"status": status, **wish}))


async def _through(shop: Furnished, reference: str, **wish: object) -> None:
    await _move(shop, reference, ReturnStatus.RECEIVED, **wish)
    await _move(shop, reference, ReturnStatus.CLOSED)


async def test_units_are_counted_and_a_rejected_return_gives_them_back(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{name}*2"))
    assert (await item(shop.provider, token, name))["max"] == 1
    with pytest.raises(InvalidInput) as caught:
        await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{name}*2"))
    assert caught.value.fields == {"items": Code.INVALID_NUMBER}
    await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{name}*1"))
    assert (await item(shop.provider, token, name))["refusal"] == Code.RETURN_REQUEST_EXISTS
    await _move(shop, receipt.reference, ReturnStatus.REJECTED, note="Gebruikt")
    assert (await item(shop.provider, token, name))["max"] == 2


async def test_of_parallel_returns_of_the_last_unit_exactly_one_succeeds(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    name, provider = f"{PARTLY}-2", shop.provider
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
        provider.submit_draft(token, first.draft_id, Submission(key=first.key)),
        provider.submit_draft(token, second.draft_id, Submission(key=second.key)),
        *(provider.withdraw(token, entry) for entry in withdrawals),
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
    async with shop.context.database.session() as session:
        held = [unit for unit in await session.exec(select(ReturnUnitRow)) if unit.released_at is None]
    assert len({(unit.order_line_id, unit.number) for unit in held}) == len(held)


async def test_forty_submits_of_one_return_are_one(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    draft = await begin(shop.provider, token, ACCESSORIES)
    draft = await fill(shop.provider, token, draft, await accessories(shop.provider, token, f"{PARTLY}-1*3"))
    receipts = await asyncio.gather(
        *(shop.provider.submit_draft(token, draft.draft_id, Submission(key=draft.key)) for _ in range(40))
    )
    assert len({receipt.reference for receipt in receipts}) == 1
    async with shop.context.database.session() as session:
        rows = (await session.exec(select(ReturnRow).where(ReturnRow.draft_key == draft.key))).all()
        mails = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).all()
    assert (len(rows), len(mails)) == (1, 1)


async def test_three_were_requested_two_arrived_and_everything_speaks_of_two(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{name}*3"))
    await _move(shop, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*2"])
    await _move(shop, receipt.reference, ReturnStatus.CLOSED)
    await _move(shop, receipt.reference, ReturnStatus.REFUND_PROCESSED)
    detail = await shop.provider.return_detail(token, receipt.summary["return_id"])
    assert detail.refund_amount == detail.settlement.refund == Decimal("25.90")
    assert (detail.items[0].received, detail.items[0].given_back) == (2, 1)
    assert detail.refund_by is not None
    assert (await item(shop.provider, token, name))["max"] == 1


async def test_a_cent_less_does_not_keep_a_return_open_and_a_fortune_is_refused(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    steps = await accessories(shop.provider, token, f"{PARTLY}-1*1")
    receipt = await send(shop.provider, token, ACCESSORIES, steps)
    await _move(shop, receipt.reference, ReturnStatus.RECEIVED)
    with pytest.raises(InvalidInput):
        await _move(shop, receipt.reference, ReturnStatus.CLOSED, amount="1000.00")
    await _move(shop, receipt.reference, ReturnStatus.CLOSED, amount="12.94")
    detail = await shop.provider.return_detail(token, receipt.summary["return_id"])
    assert (detail.status, detail.refund_amount) == (ReturnStatus.CLOSED, Decimal("12.94"))


async def test_what_was_not_paid_is_set_off_over_several_returns(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    steps = await accessories(shop.provider, token, f"{PAY_LATER}-2*1")
    receipt = await send(shop.provider, token, ACCESSORIES, steps)
    assert receipt.summary["settlement"]["refund"] == "0.00"
    orders = {entry["id"]: entry for entry in (await facts(shop.provider, token))["orders"]}
    assert orders[PAY_LATER]["outstanding"] == "749.00"


async def test_another_bike_in_exchange_is_promised_and_can_be_returned_itself(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    provider = shop.provider
    draft = await begin(provider, token, EXCHANGE)
    kust = next(
        entry for entry in draft.facts["catalogue"] if entry["name"] == "Duinroos Kuststreek 3" and not entry["refusal"]
    )
    gone = next(entry for entry in draft.facts["catalogue"] if entry["refusal"])
    bag = next(entry for entry in draft.facts["catalogue"] if not entry["is_bike"])
    draft = await fill(provider, token, draft, {"step-1": {"item": f"{PAY_LATER}-1"}})
    for product, code in ((gone, Code.PRODUCT_GONE), (bag, Code.INVALID_CHOICE)):
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"step-2": {"exchange_type": "other", "product": product["id"]}})
        assert caught.value.fields == {"product": code}
    steps = {
        "step-2": {"exchange_type": "other", "product": kust["id"]},
        "step-3": {"reason": REASON},
        "step-4": {"state": "unused", "mileage": "12.50"},
        "step-5": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    draft = await fill(provider, token, draft, steps)
    preview = await provider.refund_preview(token, draft.draft_id)
    # It is cheaper by 150, but nothing has been paid yet: nothing is paid back.
    assert (preview.total, preview.refund) == (Decimal("0.00"), Decimal("0.00"))
    await shop.change(ProductRow, {"stock": 1}, public_id=kust["id"])
    receipt = await provider.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    with pytest.raises(ProviderError):
        await fill(provider, token, await begin(provider, token, EXCHANGE), {"step-1": {"item": f"{PAY_LATER}-1"}})
    await _through(shop, receipt.reference)
    newest = (await provider.orders(token)).items
    replacement = next(
        entry.order_number for entry in newest if entry.names == ["Duinroos Kuststreek 3"] and entry.order_number != OLD
    )
    again = await item(provider, token, f"{replacement}-1", RETURN)
    assert (again["refusal"], again["worths"]) == ("", [["599.00", "0.00", "0.00"]])
    # What was owed for the bike that went back is owed for the new one from now on, and for nothing else.
    due = {entry["id"]: entry["outstanding"] for entry in (await facts(provider, token))["orders"]}
    assert (due[replacement], due[PAY_LATER]) == ("599.00", "89.95")
    bought = await provider.order(token, replacement)
    assert (bought.payment_status, bought.due) == (PaymentStatus.OPEN, Decimal("599.00"))
    back = {
        "step-1": {"item": f"{replacement}-1"},
        "step-2": {"reason": REASON},
        "step-3": {"state": "unused", "mileage": "1"},
        "step-4": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    settled = (await send(provider, token, RETURN, back)).summary["settlement"]
    assert (settled["refund"], settled["charge"], settled["open"]) == ("0.00", "0.00", "0.00")


@pytest.mark.parametrize(
    ("paid", "still_open", "owed"),
    [("838.95", "0.00", "0.00"), ("0.00", "838.95", "749.00"), ("300.00", "538.95", "538.95")],
)
async def test_an_exchange_for_the_same_leaves_what_is_owed_as_it_is_and_moves_it_along(
    shop: Furnished, paid: str, still_open: str, owed: str
) -> None:
    """Paid, not paid, paid in part: nothing to pay now, nothing paid back, and the bill stays what it was."""
    await shop.change(OrderRow, {"paid": Decimal(paid)}, order_number=PAY_LATER)
    token = await shop.log_in(ROOS)
    provider = shop.provider
    before = {entry.order_number for entry in (await provider.orders(token)).items}
    store = (await facts(provider, token, EXCHANGE))["stores"][0]["id"]
    steps = {
        "step-1": {"item": f"{PAY_LATER}-1"},
        "step-2": {"exchange_type": "same"},
        "step-3": {"reason": REASON},
        "step-4": {"state": "unused", "mileage": "1"},
        "step-5": {"method": "store", "store": store},
    }
    receipt = await send(provider, token, EXCHANGE, steps)
    told = receipt.summary["settlement"]
    assert (told["refund"], told["charge"], told["open"]) == ("0.00", "0.00", still_open)
    mail = await _last_mail(shop, receipt.reference)
    assert mail.details["open"][1:] == ([money(Decimal(still_open), "nl")] if still_open != "0.00" else [])
    assert mail.details["money_next"] == ""
    await _through(shop, receipt.reference)
    (new,) = {entry.order_number for entry in (await provider.orders(token)).items} - before
    assert (await provider.order(token, new)).due == Decimal(owed)
    due = {entry["id"]: Decimal(entry["outstanding"]) for entry in (await facts(provider, token))["orders"]}
    assert due[new] + due[PAY_LATER] == Decimal(still_open)


async def _last_mail(shop: Furnished, reference: str) -> OutboxMail:
    async with shop.context.database.session() as session:
        mails = await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))
        return next(mail for mail in mails if mail.details["reference"] == reference)


async def test_a_cancelled_return_takes_back_what_it_had_set_off_and_no_more(shop: Furnished) -> None:
    """The bike is paid, the rest is not; whichever comes back first, and whatever is cancelled, the sum is the same."""
    await shop.change(OrderRow, {"paid": Decimal("749.00")}, order_number=PAY_LATER)
    token = await shop.log_in(ROOS)
    small = await accessories(shop.provider, token, f"{PAY_LATER}-2*1")
    first = await send(shop.provider, token, ACCESSORIES, small)
    assert first.summary["settlement"]["refund"] == "0.00"
    steps = {
        "step-1": {"item": f"{PAY_LATER}-1"},
        "step-2": {"reason": REASON},
        "step-3": {"state": "unused", "mileage": "1"},
        "step-4": {"method": "store", "store": (await facts(shop.provider, token, RETURN))["stores"][0]["id"]},
    }
    bike = await send(shop.provider, token, RETURN, steps)
    assert bike.summary["settlement"]["refund"] == "749.00"
    await shop.provider.cancel_return(token, first.summary["return_id"])
    again = await send(shop.provider, token, ACCESSORIES, small)
    assert again.summary["settlement"]["refund"] == "0.00"


async def test_of_two_orders_only_what_was_paid_is_paid_out_when_one_of_them_never_arrives(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    paid, unpaid = f"{PARTLY}-2", f"{PAY_LATER}-2"
    receipt = await send(
        shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{unpaid}*1", f"{paid}*1")
    )
    whole = receipt.summary["settlement"]
    await _move(shop, receipt.reference, ReturnStatus.RECEIVED, received=[f"{unpaid}*1"])
    detail = await shop.provider.return_detail(token, receipt.summary["return_id"])
    assert Decimal(whole["refund"]) > 0
    assert (detail.settlement.refund, detail.settlement.open) == (0, Decimal(whole["open"]))
    with pytest.raises(InvalidInput):
        await _move(shop, receipt.reference, ReturnStatus.CLOSED, amount="1.00")


async def test_nothing_that_arrived_is_no_arrival(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    name = f"{PARTLY}-1"
    receipt = await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{name}*1"))
    with pytest.raises(InvalidInput) as caught:
        await _move(shop, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*0"])
    assert caught.value.fields == {"received": Code.INVALID_NUMBER}


async def test_an_article_that_goes_meanwhile_is_told_and_nothing_is_kept(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    provider = shop.provider
    draft = await begin(provider, token, EXCHANGE)
    wanted = next(entry for entry in draft.facts["catalogue"] if entry["is_bike"] and not entry["refusal"])
    steps = {
        "step-1": {"item": f"{PAY_LATER}-1"},
        "step-2": {"exchange_type": "other", "product": wanted["id"]},
        "step-3": {"reason": REASON},
        "step-4": {"state": "unused", "mileage": "1"},
        "step-5": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    draft = await fill(provider, token, draft, steps)
    await shop.change(ProductRow, {"stock": 0}, public_id=wanted["id"])
    with pytest.raises(ProviderError) as caught:
        await provider.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.PRODUCT_GONE
    assert (await item(provider, token, f"{PAY_LATER}-1"))["max"] == 1


async def test_an_order_without_payment_or_things_of_others_is_not_found(shop: Furnished) -> None:
    roos, eva = await shop.log_in(ROOS), await shop.log_in(EVA)
    theirs = (await shop.provider.returns(roos)).items[0].return_id
    for name in (theirs, "ABCDEFGH23", "../x", "x" * 50):
        for attempt in (
            shop.provider.return_detail(eva, name),
            shop.provider.cancel_return(eva, name),
            shop.provider.resend_return(eva, name),
            shop.provider.return_label(eva, name, "nl"),
            shop.provider.return_summary_pdf(eva, name, "nl"),
        ):
            with pytest.raises(Refused) as caught:
                await attempt
            assert caught.value.code is Code.ITEM_RETURN_DOES_NOT_EXIST
    with pytest.raises(InvalidInput) as missing:
        await shop.provider.return_detail(roos, " ")
    assert missing.value.code is Code.MISSING_ID_PARAM


async def test_a_return_can_be_cancelled_until_it_arrives(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    provider = shop.provider
    steps = {**await accessories(provider, token, f"{PARTLY}-2*1"), "step-3": {"method": "pick_up"}}
    receipt = await send(provider, token, ACCESSORIES, {**steps, "step-4": await pick_up(provider, token)})
    cancelled = await provider.cancel_return(token, receipt.summary["return_id"])
    assert cancelled.status is ReturnStatus.CANCELLED
    assert (await provider.cancel_return(token, cancelled.return_id)).status is ReturnStatus.CANCELLED
    async with shop.context.database.session() as session:
        assert (await session.exec(select(TextMessageRow))).one().dropped_at
    assert (await item(provider, token, f"{PARTLY}-2"))["max"] == 1
    again = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{PARTLY}-2*1"))
    await _move(shop, again.reference, ReturnStatus.RECEIVED)
    with pytest.raises(Refused) as caught:
        await provider.cancel_return(token, again.summary["return_id"])
    assert caught.value.code is Code.RETURN_NOT_CANCELLABLE
