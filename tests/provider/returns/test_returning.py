"""Returns from the first step to the row, on both databases (part-2 §2, §5, §8; edge cases 21, 26-37)."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.contract.drafts import DraftStart, Submission
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.contract.withdrawals import WithdrawalEntry, WithdrawnItem
from portal.domain.codes import Code
from portal.domain.returns.settlement import SettlementKind
from portal.domain.returns.statuses import ReturnStatus
from portal.provider.backoffice.moves import Wish
from portal.provider.tables.outbox import OutboxMail
from portal.provider.tables.products import ProductRow
from portal.provider.tables.returns import ReturnRow, ReturnUnitRow
from portal.provider.tables.texts import TextMessageRow
from tests.provider.account.customers import EVA, IRIS, NOOR, PIETER, ROOS
from tests.provider.account.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    NOT_SENT,
    OLD,
    ORDER_RETURN,
    PARTLY,
    PAY_LATER,
    REASON,
    RETURN,
    RETURNED,
    UNCLEAR,
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


async def test_what_cannot_be_returned_stays_visible_with_its_reason_before_the_first_step(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    entries = {entry["id"]: entry for entry in (await facts(shop.provider, token))["items"]}
    assert entries[f"{NOT_SENT}-1"]["refusal"] == Code.ORDER_NOT_SHIPPED
    assert entries[f"{OLD}-1"]["refusal"] == Code.OLDER_THAN_100_DAYS
    assert entries[f"{UNCLEAR}-1"]["refusal"] == Code.MULTIPLE_ENTRIES
    assert (entries[f"{PARTLY}-1"]["sold"], entries[f"{PARTLY}-1"]["max"]) == (5, 3)
    assert (entries[f"{RETURNED}-1"]["sold"], entries[f"{RETURNED}-1"]["max"]) == (3, 1)
    assert {entry["bundle"] for name, entry in entries.items() if name.startswith(BUNDLE)} == {"Forensenset"}
    bikes = {entry["id"] for entry in (await facts(shop.provider, token, RETURN))["items"]}
    assert bikes == {BIKE, f"{BUNDLE}-2", f"{BUNDLE}-3", f"{OLD}-1", f"{PAY_LATER}-1"}


@pytest.mark.parametrize(
    ("customer", "code"),
    [
        (PIETER, Code.ORDER_NOT_SHIPPED),
        (NOOR, Code.OLDER_THAN_100_DAYS),
        (IRIS, Code.NOTHING_FOUND),
    ],
)
async def test_a_flow_with_nothing_to_return_says_why_and_does_not_begin(
    shop: Furnished, customer: tuple[str, str], code: Code
) -> None:
    token = await shop.log_in(customer)
    with pytest.raises(Refused) as caught:
        await shop.provider.open_draft(token, DraftStart(flow=ORDER_RETURN))
    assert caught.value.code is code


async def test_an_order_tells_its_own_reason(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    told = {
        order: (await shop.provider.returnables(token, order)).refusal for order in (NOT_SENT, OLD, UNCLEAR, BUNDLE)
    }
    assert list(told.values()) == [Code.ORDER_NOT_SHIPPED, Code.OLDER_THAN_100_DAYS, Code.MULTIPLE_ENTRIES, None]
    for number, code in (("900000001", Code.ORDER_ID_NOT_FOUND), ("999999999", Code.ORDER_ID_NOT_FOUND)):
        with pytest.raises(Refused) as caught:
            await shop.provider.returnables(token, number)
        assert caught.value.code is code
    with pytest.raises(InvalidInput) as invalid:
        await shop.provider.returnables(token, "12AB")
    assert invalid.value.code is Code.INVALID_ORDER


async def test_a_bike_goes_back_with_its_share_its_extras_and_one_pick_up(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    provider = shop.provider
    steps = {
        "step-1": {"item": BIKE},
        "step-2": {"reason": REASON},
        "step-3": {"state": "used_with_signs_of_use", "mileage": "38,5", "battery": "fine"},
        "step-4": {"method": "pick_up"},
        "step-5": await pick_up(provider, token),
        "pincode-step": {"pin_known": "known", "pin_code": "2468"},
    }
    draft = await fill(provider, token, await begin(provider, token, RETURN), steps)
    preview = await provider.refund_preview(token, draft.draft_id)
    assert [(line.kind, line.amount) for line in preview.lines] == [
        (SettlementKind.ITEM, Decimal("3091.67")),
        (SettlementKind.DEPRECIATION, Decimal("-772.92")),
        (SettlementKind.PACKAGE, Decimal("99.00")),
        (SettlementKind.INSURANCE, Decimal("289.00")),
        (SettlementKind.PICK_UP, Decimal("-39.95")),
    ]
    receipt = await provider.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert receipt.summary["settlement"]["refund"] == f"{preview.refund:.2f}" == "2666.80"
    detail = await provider.return_detail(token, receipt.summary["return_id"])
    assert detail.settlement == preview
    assert (detail.status, detail.items[0].frame_numbers) == (ReturnStatus.REQUEST_RECEIVED, ["NVS83007922"])
    assert (detail.mileage, detail.phone) == ("38.5", "+31612345611")
    async with shop.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).one()
        text = (await session.exec(select(TextMessageRow))).one()
    assert mail.details["total"][1].replace("\xa0", " ") == "€ 2.666,80"
    assert detail.pickup_day
    assert (detail.pickup_day - text.due_at.date()).days == 1
    assert (await provider.refund_preview(token, draft.draft_id)) == preview


@pytest.mark.parametrize("mileage", ["12,555", "-1", "abc", ""])
async def test_a_mileage_that_is_none_is_refused(shop: Furnished, mileage: str) -> None:
    token = await shop.log_in(ROOS)
    steps = {"step-1": {"item": BIKE}, "step-2": {"reason": REASON}}
    draft = await fill(shop.provider, token, await begin(shop.provider, token, RETURN), steps)
    with pytest.raises(InvalidInput) as caught:
        await fill(shop.provider, token, draft, {"step-3": {"state": "unused", "battery": "fine", "mileage": mileage}})
    assert caught.value.fields["mileage"] in (Code.INVALID_NUMBER, Code.REQUIRED)


async def test_a_wrong_pin_code_and_a_short_reason_are_refused(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    draft = await begin(shop.provider, token, RETURN)
    draft = await fill(shop.provider, token, draft, {"step-1": {"item": BIKE}})
    for reason, code in (("x" * 29, Code.TOO_SHORT), ("x" * 1001, Code.TOO_LONG)):
        with pytest.raises(InvalidInput) as caught:
            await fill(shop.provider, token, draft, {"step-2": {"reason": reason}})
        assert caught.value.fields == {"reason": code}
    store = draft.facts["stores"][0]["id"]
    steps = {
        "step-2": {"reason": "x" * 30},
        "step-3": {"state": "unused", "mileage": "3", "battery": "fine"},
        "step-4": {"method": "store", "store": store},
    }
    draft = await fill(shop.provider, token, draft, steps)
    with pytest.raises(InvalidInput) as caught:
        await fill(shop.provider, token, draft, {"pincode-step": {"pin_known": "known", "pin_code": "1111"}})
    assert caught.value.fields == {"pin_code": Code.WRONG_PIN_CODE}


@pytest.mark.parametrize("battery", ["swollen", "wet", "hot", "fallen"])
async def test_a_battery_that_must_not_travel_gets_instructions_and_an_urgent_note(
    shop: Furnished, battery: str
) -> None:
    token = await shop.log_in(ROOS)
    steps = {
        "step-1": {"items": [f"{BUNDLE}-2*1"]},
        "step-2": {"reason": REASON, "state": "unused", "battery": battery},
    }
    receipt = await send(shop.provider, token, ACCESSORIES, steps)
    assert receipt.summary["instructions"]
    detail = await shop.provider.return_detail(token, receipt.summary["return_id"])
    assert (detail.instructions, detail.has_label, detail.pickup_day) == (True, False, None)
    with pytest.raises(Refused) as caught:
        await shop.provider.return_label(token, detail.return_id, "nl")
    assert caught.value.code is Code.RETURN_WITHOUT_LABEL
    async with shop.context.database.session() as session:
        urgent = (await session.exec(select(OutboxMail).where(OutboxMail.template == "urgent_battery"))).one()
        assert not (await session.exec(select(TextMessageRow))).all()
    assert urgent.recipient == shop.context.settings.brand.email
    assert urgent.details["reference"] == detail.reference


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
    assert (preview.total, preview.refund) == (Decimal("150.00"), Decimal("150.00"))
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


async def test_label_and_summary_are_pdf_files(shop: Furnished) -> None:
    token = await shop.log_in(ROOS)
    done = {entry.status: entry.return_id for entry in (await shop.provider.returns(token)).items}
    for locale in ("nl", "en"):
        label = await shop.provider.return_label(token, done[ReturnStatus.PICKUP_CONFIRMED], locale)
        paper = await shop.provider.return_summary_pdf(token, done[ReturnStatus.REFUND_PROCESSED], locale)
        assert label.content.startswith(b"%PDF-")
        assert paper.content.startswith(b"%PDF-")
