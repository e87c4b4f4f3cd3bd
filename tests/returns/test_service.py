"""Returns from the first step to the stored row: what is asked, counted, received and released (part-2 §2, §5, §8)."""

import asyncio
from decimal import Decimal

import pytest
from sqlmodel import col, func, select

from portal.backend.mail import Template, render
from portal.bikes.api import BikesApi
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.flow import AnswerContext
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.kernel.terms import UNUSED_KM
from portal.overview.api import OverviewApi
from portal.returns.api import ReturnsApi
from portal.returns.flow.items import known_mileage
from portal.returns.flow.kinds import EXCHANGE as EXCHANGE_FLOW
from portal.returns.rules.settlement import SettlementKind
from portal.tables.messages import OutboxMail, TextMessageRow
from portal.tables.orders import OrderLineRow, OrderRow, ProductRow
from portal.tables.returns import ReturnUnitRow
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.flow.submissions import WAYS
from tests.flow.test_killed import filled
from tests.returns.back_office import move, settled, stored
from tests.support.customers import EVA, IRIS, ROOS
from tests.support.furnished import Furnished
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
    bike,
    facts,
    fill,
    item,
    order_return,
    pick_up,
    send,
)
from tests.support.servers import counted

BIKE = f"{BUNDLE}-1"


async def test_items_that_cannot_be_returned_are_listed_with_their_reason(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    entries = {entry["id"]: entry for entry in (await facts(furnished.provider, token))["items"]}
    assert entries[f"{NOT_SENT}-1"]["refusal"] == Code.ORDER_NOT_SHIPPED
    assert entries[f"{OLD}-1"]["refusal"] == Code.OLDER_THAN_100_DAYS
    assert entries[f"{UNCLEAR}-1"]["refusal"] == Code.MULTIPLE_ENTRIES
    assert entries[f"{PARTLY}-1"]["max"] == 3
    assert entries[f"{RETURNED}-1"]["max"] == 1
    assert {entry["bundle"] for name, entry in entries.items() if name.startswith(BUNDLE)} == {"Forensenset"}
    bikes = {entry["id"] for entry in (await facts(furnished.provider, token, RETURN))["items"]}
    assert bikes == {BIKE, f"{BUNDLE}-2", f"{BUNDLE}-3", f"{OLD}-1", f"{PAY_LATER}-1"}
    with pytest.raises(Refused) as caught:
        await furnished.ask(FlowApi).open_draft(await furnished.log_in(IRIS), DraftStart(flow=ORDER_RETURN))
    assert caught.value.code is Code.NOTHING_FOUND


async def test_a_returned_bike_is_settled_with_its_share_its_extras_and_one_pick_up(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    used = {"state": "used_with_signs_of_use", "mileage": "38,5", "battery": "fine"}
    steps = {
        **await bike(provider, token, BIKE, **used),
        "method": {"method": "pick_up"},
        "pickup": await pick_up(provider, token),
        "pincode": {"pin_known": "known", "pin_code": "2468"},
    }
    receipt = await send(provider, token, RETURN, steps)
    row, agreed = await stored(furnished, receipt.reference), await settled(furnished, receipt.reference)
    assert [(line.kind, line.amount) for line in agreed.lines] == [
        (SettlementKind.ITEM, Decimal("3091.67")),
        (SettlementKind.DEPRECIATION, Decimal("-772.92")),
        (SettlementKind.PACKAGE, Decimal("99.00")),
        (SettlementKind.INSURANCE, Decimal("289.00")),
        (SettlementKind.PICK_UP, Decimal("-39.95")),
    ]
    assert receipt.summary["settlement"]["refund"] == f"{agreed.refund:.2f}" == "2666.80"
    detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    owned = next(found for found in (await provider.ask(BikesApi).bikes(token)).items if found.order_number == BUNDLE)
    assert (detail.status, detail.items[0].frame_numbers) == (ReturnStatus.REQUEST_RECEIVED, [owned.frame_number])
    assert (row.mileage, row.phone) == ("38.5", "+31612345611")
    # What was bought with the order is paid back as a whole, so no sentence speaks of the days that are left.
    said = {fact.label.text("en"): fact.lines[0].text("en") for fact in detail.account.facts}
    whole = outcome(Departure.WITHDRAWN, Dependent.PACKAGE).customer
    assert (said["Service package"], said["Insurance"]) == (whole, whole)
    mail = await furnished.one(OutboxMail, template="return_received")
    text = await furnished.one(TextMessageRow)
    assert mail.details["total"][1].replace("\xa0", " ") == "€ 2.666,80"
    assert row.pickup_day
    assert (row.pickup_day - text.due_at.date()).days == 1
    # The mileage is that of the bike from now on.
    assert (await provider.ask(OverviewApi).bike_home(token, owned.bike_id)).mileage_km == "38.5"
    again = await item(provider, token, BIKE, EXCHANGE)
    assert known_mileage(AnswerContext({"item": BIKE}, {"items": [again]}, today())) == "38.5"


async def test_fault_reason_and_pin_code_are_checked(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    steps = dict(await bike(provider, token, BIKE, battery="fine"))
    draft = await fill(provider, token, await begin(provider, token, RETURN), {"item": steps.pop("item")})
    for answers, refused in (
        ({"reason": REASON}, {"fault": Code.REQUIRED}),
        ({"fault": "none"}, {"reason": Code.REQUIRED}),
        ({"fault": "none", "reason": "x" * 29}, {"reason": Code.TOO_SHORT}),
        ({"fault": "none", "reason": "x" * 1001}, {"reason": Code.TOO_LONG}),
        ({"fault": "product_is_defect", "reason": "x" * 29}, {"reason": Code.TOO_SHORT}),
    ):
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"reason": answers})
        assert caught.value.fields == refused
    # A fault is reason enough.
    steps["reason"] = {"fault": "product_is_defect", "reason": ""}
    draft = await fill(provider, token, draft, steps)
    with pytest.raises(InvalidInput) as caught:
        await fill(provider, token, draft, {"pincode": {"pin_known": "known", "pin_code": "1111"}})
    assert caught.value.fields == {"pin_code": Code.WRONG_PIN_CODE}


@pytest.mark.parametrize(
    ("state", "mileage", "asked"),
    [
        ("unused", f"{UNUSED_KM},01", True),
        ("unused", str(UNUSED_KM), False),
        ("used_without_signs_of_use", "1200", False),
    ],
)
async def test_unused_with_many_kilometres_is_asked_about(
    furnished: Furnished, state: str, mileage: str, asked: bool
) -> None:
    token = await furnished.log_in(ROOS)
    steps = dict(await bike(furnished.provider, token, f"{PAY_LATER}-1", state=state, mileage=mileage))
    del steps["method"]
    draft = await fill(furnished.provider, token, await begin(furnished.provider, token, RETURN), steps)
    assert draft.warnings == ({"state": Code.USED_DISTANCE} if asked else {})


async def test_an_unsafe_battery_gets_instructions_and_warns_the_back_office(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = {
        "items": {"items": [f"{BUNDLE}-2*1"]},
        "condition": {"fault": "none", "reason": REASON, "state": "unused", "battery": "swollen"},
    }
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    assert receipt.summary["instructions"]
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert (detail.instructions, detail.has_label) == (True, False)
    with pytest.raises(Refused) as caught:
        await furnished.ask(ReturnsApi).return_label(token, detail.return_id, "nl")
    assert caught.value.code is Code.RETURN_WITHOUT_LABEL
    urgent = await furnished.one(OutboxMail, template="urgent_battery")
    assert not await furnished.rows(TextMessageRow)
    assert urgent.recipient == furnished.context.settings.brand.email
    alarm = render(Template.URGENT_BATTERY, "nl", furnished.context.settings, urgent.details)
    for text in (alarm.text, alarm.html):
        for named in ("Roos de Wit", "+31 6", ROOS[1], BUNDLE):
            assert named in text, named


async def test_a_return_is_refused_when_the_amounts_changed(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = await accessories(furnished.provider, token, f"{PARTLY}-1*1")
    draft = await fill(furnished.provider, token, await begin(furnished.provider, token, ACCESSORIES), steps)
    order = (await furnished.one(OrderRow, order_number=PARTLY)).id
    half = {"unit_price": Decimal("5.00"), "price": Decimal("25.00")}
    await furnished.change(OrderLineRow, half, order_id=order, position=1)
    with pytest.raises(Refused) as caught:
        await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.AMOUNTS_CHANGED


async def test_units_are_counted_and_a_rejected_return_releases_them(furnished: Furnished) -> None:
    token, provider, name = await furnished.log_in(ROOS), furnished.provider, f"{PARTLY}-1"
    receipt = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{name}*2"))
    assert (await item(provider, token, name))["max"] == 1
    with pytest.raises(InvalidInput) as caught:
        await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{name}*2"))
    assert caught.value.fields == {"items": Code.INVALID_NUMBER}
    await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{name}*1"))
    assert (await item(provider, token, name))["refusal"] == Code.RETURN_REQUEST_EXISTS
    await move(furnished, receipt.reference, ReturnStatus.REJECTED, note="Gebruikt")
    assert (await item(provider, token, name))["max"] == 2


@pytest.mark.each_database
async def test_of_parallel_returns_of_the_last_unit_exactly_one_succeeds(furnished: Furnished) -> None:
    token, name, provider = await furnished.log_in(ROOS), f"{PARTLY}-2", furnished.provider
    drafts = [
        await fill(provider, token, await begin(provider, token, flow), steps)
        for flow, steps in (
            (ACCESSORIES, await accessories(provider, token, f"{name}*1")),
            (ORDER_RETURN, await order_return(provider, token, PARTLY, f"{name}*1")),
        )
    ]
    last = [WithdrawnItem(item_id=name, count=1)]
    withdrawals = [
        WithdrawalEntry(order_number=PARTLY, name="Roos", items=last, key=f"withdraw-{turn}") for turn in range(3)
    ]
    outcomes = await asyncio.gather(
        *(provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key)) for draft in drafts),
        *(provider.ask(WithdrawalsApi).withdraw(token, entry) for entry in withdrawals),
        return_exceptions=True,
    )
    assert sum(not isinstance(outcome, BaseException) for outcome in outcomes) == 1
    refused = [outcome for outcome in outcomes if isinstance(outcome, ProviderError)]
    assert len(refused) == len(outcomes) - 1
    known = {Code.RETURN_REQUEST_EXISTS, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.NOTHING_FOUND}
    assert {outcome.code for outcome in refused} <= known
    held = [unit for unit in await furnished.rows(ReturnUnitRow) if unit.released_at is None]
    assert len({(unit.order_line_id, unit.number) for unit in held}) == len(held)


@pytest.mark.each_database
async def test_twenty_submits_of_one_exchange_reserve_one_bike(furnished: Furnished) -> None:
    async def in_stock() -> int:
        async with furnished.context.database.session() as session:
            return (await session.exec(select(func.sum(col(ProductRow.stock))))).one() or 0

    way = next(way for way in WAYS if way.flow is EXCHANGE_FLOW)
    token, stock = await furnished.log_in(way.customer), await in_stock()
    draft = await filled(furnished.provider, token, way)
    await asyncio.gather(
        *(furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key)) for _ in range(20))
    )
    assert await in_stock() == stock - 1


@pytest.mark.each_database
async def test_twenty_declarations_of_one_withdrawal_are_stored_once(furnished: Furnished, loaded_url: str) -> None:
    token = await furnished.log_in(ROOS)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="twenty-times")
    before = await counted(loaded_url)
    receipts = await asyncio.gather(*(furnished.ask(WithdrawalsApi).withdraw(token, entry) for _ in range(20)))
    assert all(receipt == receipts[0] for receipt in receipts)
    after = await counted(loaded_url)
    assert (after["returns"], after["outbox_mails"]) == (before["returns"] + 1, before["outbox_mails"] + 1)


async def test_when_two_of_three_units_arrive_amounts_and_mails_are_for_two(furnished: Furnished) -> None:
    token, name = await furnished.log_in(ROOS), f"{PARTLY}-1"
    receipt = await send(
        furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{name}*3")
    )
    with pytest.raises(InvalidInput) as caught:
        await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*0"])
    assert caught.value.fields == {"received": Code.INVALID_NUMBER}
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{name}*2"])
    await move(furnished, receipt.reference, ReturnStatus.CLOSED)
    await move(furnished, receipt.reference, ReturnStatus.REFUND_PROCESSED)
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert detail.account.money.total == (await settled(furnished, receipt.reference)).refund == Decimal("25.90")
    assert (detail.items[0].received, detail.items[0].given_back) == (2, 1)
    assert (await item(furnished.provider, token, name))["max"] == 1


async def test_an_article_that_sells_out_meanwhile_is_refused_and_nothing_is_stored(furnished: Furnished) -> None:
    token, provider, name = await furnished.log_in(ROOS), furnished.provider, f"{PAY_LATER}-1"
    draft = await begin(provider, token, EXCHANGE)
    wanted = next(entry for entry in draft.facts["catalogue"] if entry["is_bike"] and not entry["refusal"])
    steps = await bike(provider, token, name, EXCHANGE)
    steps = {**steps, "product": {"exchange_type": "other", "product": wanted["id"]}}
    draft = await fill(provider, token, draft, steps)
    await furnished.change(ProductRow, {"stock": 0}, public_id=wanted["id"])
    with pytest.raises(ProviderError) as caught:
        await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.PRODUCT_GONE
    assert (await item(provider, token, name))["max"] == 1


async def test_returns_of_another_customer_are_not_found(furnished: Furnished) -> None:
    roos, eva = await furnished.log_in(ROOS), await furnished.log_in(EVA)
    returns = furnished.ask(ReturnsApi)
    theirs = (await returns.returns(roos)).items[0].return_id
    for name in (theirs, "ABCDEFGH23", "../x", "x" * 50):
        for attempt in (
            returns.return_detail(eva, name),
            returns.cancel_return(eva, name),
            returns.resend_return(eva, name),
            returns.return_label(eva, name, "nl"),
            returns.return_summary_pdf(eva, name, "nl"),
        ):
            with pytest.raises(Refused) as caught:
                await attempt
            assert caught.value.code is Code.ITEM_RETURN_DOES_NOT_EXIST
    with pytest.raises(ProviderError) as incomplete:
        await returns.return_detail(eva, "")
    assert incomplete.value.code is Code.MISSING_ID_PARAM


async def test_a_return_can_be_cancelled_until_it_arrives(furnished: Furnished) -> None:
    token, provider, name = await furnished.log_in(ROOS), furnished.provider, f"{PARTLY}-2"
    steps = await accessories(provider, token, f"{name}*1")
    receipt = await send(provider, token, ACCESSORIES, steps)
    for _ in range(2):
        cancelled = await provider.ask(ReturnsApi).cancel_return(token, receipt.summary["return_id"])
        assert cancelled.status is ReturnStatus.CANCELLED
    assert (await item(provider, token, name))["max"] == 1
    again = await send(provider, token, ACCESSORIES, steps)
    await move(furnished, again.reference, ReturnStatus.RECEIVED)
    with pytest.raises(Refused) as caught:
        await provider.ask(ReturnsApi).cancel_return(token, again.summary["return_id"])
    assert caught.value.code is Code.RETURN_NOT_CANCELLABLE
