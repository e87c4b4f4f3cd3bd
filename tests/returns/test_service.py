"""Returns from the first step to the stored row, on both databases (part-2 §2, §5, §8; edge-cases 21, 26-37)."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from portal.backend.letter import money
from portal.backend.mail import Template, render
from portal.bikes.api import BikesApi
from portal.contract.errors import InvalidInput, Refused
from portal.flow import AnswerContext
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.overview.api import OverviewApi
from portal.returns.api import ReturnsApi
from portal.returns.flow.items import known_mileage
from portal.returns.rules.settlement import ComputedSettlement, SettlementKind
from portal.tables.messages import OutboxMail, TextMessageRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.returns import ReturnStatus
from tests.returns.back_office import stored
from tests.support.customers import IRIS, NOOR, PIETER, ROOS
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
    facts,
    fill,
    pick_up,
    send,
)

BIKE = f"{BUNDLE}-1"


async def test_items_that_cannot_be_returned_are_listed_with_their_reason(
    furnished: Furnished,
) -> None:
    token = await furnished.log_in(ROOS)
    entries = {entry["id"]: entry for entry in (await facts(furnished.provider, token))["items"]}
    assert entries[f"{NOT_SENT}-1"]["refusal"] == Code.ORDER_NOT_SHIPPED
    assert entries[f"{OLD}-1"]["refusal"] == Code.OLDER_THAN_100_DAYS
    assert entries[f"{UNCLEAR}-1"]["refusal"] == Code.MULTIPLE_ENTRIES
    assert (entries[f"{PARTLY}-1"]["sold"], entries[f"{PARTLY}-1"]["max"]) == (5, 3)
    assert (entries[f"{RETURNED}-1"]["sold"], entries[f"{RETURNED}-1"]["max"]) == (3, 1)
    assert {entry["bundle"] for name, entry in entries.items() if name.startswith(BUNDLE)} == {"Forensenset"}
    bikes = {entry["id"] for entry in (await facts(furnished.provider, token, RETURN))["items"]}
    assert bikes == {BIKE, f"{BUNDLE}-2", f"{BUNDLE}-3", f"{OLD}-1", f"{PAY_LATER}-1"}


@pytest.mark.parametrize(
    ("customer", "code"),
    [
        (PIETER, Code.ORDER_NOT_SHIPPED),
        (NOOR, Code.OLDER_THAN_100_DAYS),
        (IRIS, Code.NOTHING_FOUND),
    ],
)
async def test_a_flow_with_nothing_to_return_gives_the_reason_and_does_not_start(
    furnished: Furnished, customer: tuple[str, str], code: Code
) -> None:
    token = await furnished.log_in(customer)
    with pytest.raises(Refused) as caught:
        await furnished.ask(FlowApi).open_draft(token, DraftStart(flow=ORDER_RETURN))
    assert caught.value.code is code


async def test_a_mileage_that_a_return_asks_for_is_that_of_the_bike(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    condition = {"state": "used_with_signs_of_use", "mileage": "77,5", "battery": "fine"}
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": REASON},
        "condition": condition,
        "method": {"method": "pick_up"},
        "pickup": await pick_up(provider, token),
        "pincode": {"pin_known": "known", "pin_code": "2468"},
    }
    entry = next(item for item in (await facts(provider, token, RETURN))["items"] if item["id"] == BIKE)
    await send(provider, token, RETURN, steps)
    home = await provider.ask(OverviewApi).bike_home(token, entry["bike_id"])
    assert home.mileage_km == "77.5"
    again = next(item for item in (await facts(provider, token, EXCHANGE))["items"] if item["id"] == BIKE)
    assert known_mileage(AnswerContext({"item": BIKE}, {"items": [again]}, today())) == "77.5"


async def test_a_returned_bike_is_settled_with_its_share_its_extras_and_one_pick_up(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    steps = {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "used_with_signs_of_use", "mileage": "38,5", "battery": "fine"},
        "method": {"method": "pick_up"},
        "pickup": await pick_up(provider, token),
        "pincode": {"pin_known": "known", "pin_code": "2468"},
    }
    draft = await fill(provider, token, await begin(provider, token, RETURN), steps)
    receipt = await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    row = await stored(furnished, receipt.reference)
    agreed = ComputedSettlement.from_json(row.settlement)
    assert [(line.kind, line.amount) for line in agreed.lines] == [
        (SettlementKind.ITEM, Decimal("3091.67")),
        (SettlementKind.DEPRECIATION, Decimal("-772.92")),
        (SettlementKind.PACKAGE, Decimal("99.00")),
        (SettlementKind.INSURANCE, Decimal("289.00")),
        (SettlementKind.PICK_UP, Decimal("-39.95")),
    ]
    assert receipt.summary["settlement"]["refund"] == f"{agreed.refund:.2f}" == "2666.80"
    detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    frame = next(
        bike.frame_number for bike in (await provider.ask(BikesApi).bikes(token)).items if bike.order_number == BUNDLE
    )
    assert (detail.status, detail.items[0].frame_numbers) == (ReturnStatus.REQUEST_RECEIVED, [frame])
    assert (row.mileage, row.phone) == ("38.5", "+31612345611")
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).one()
        text = (await session.exec(select(TextMessageRow))).one()
    assert mail.details["total"][1].replace("\xa0", " ") == "€ 2.666,80"
    assert row.pickup_day
    assert (row.pickup_day - text.due_at.date()).days == 1


async def test_a_fault_has_to_be_chosen_and_is_reason_enough(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    draft = await fill(provider, token, await begin(provider, token, RETURN), {"item": {"item": BIKE}})
    for answers, refused in (
        ({"reason": REASON}, {"fault": Code.REQUIRED}),
        ({"fault": "none"}, {"reason": Code.REQUIRED}),
        ({"fault": "product_is_defect", "reason": "x" * 29}, {"reason": Code.TOO_SHORT}),
    ):
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"reason": answers})
        assert caught.value.fields == refused
    draft = await fill(provider, token, draft, {"reason": {"fault": "product_is_defect", "reason": ""}})
    assert draft.completed[-1] == "step-2"


async def test_a_wrong_pin_code_and_a_short_reason_are_refused(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    draft = await begin(furnished.provider, token, RETURN)
    draft = await fill(furnished.provider, token, draft, {"item": {"item": BIKE}})
    for reason, code in (("x" * 29, Code.TOO_SHORT), ("x" * 1001, Code.TOO_LONG)):
        with pytest.raises(InvalidInput) as caught:
            await fill(furnished.provider, token, draft, {"reason": {"fault": "none", "reason": reason}})
        assert caught.value.fields == {"reason": code}
    store = draft.facts["stores"][0]["id"]
    steps = {
        "reason": {"fault": "none", "reason": "x" * 30},
        "condition": {"state": "unused", "mileage": "3", "battery": "fine"},
        "method": {"method": "store", "store": store},
    }
    draft = await fill(furnished.provider, token, draft, steps)
    with pytest.raises(InvalidInput) as caught:
        await fill(furnished.provider, token, draft, {"pincode": {"pin_known": "known", "pin_code": "1111"}})
    assert caught.value.fields == {"pin_code": Code.WRONG_PIN_CODE}


@pytest.mark.parametrize("battery", ["swollen"])
async def test_an_unsafe_battery_gets_instructions_and_warns_the_back_office(
    furnished: Furnished, battery: str
) -> None:
    token = await furnished.log_in(ROOS)
    steps = {
        "items": {"items": [f"{BUNDLE}-2*1"]},
        "condition": {"fault": "none", "reason": REASON, "state": "unused", "battery": battery},
    }
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    assert receipt.summary["instructions"]
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert (detail.instructions, detail.has_label) == (True, False)
    with pytest.raises(Refused) as caught:
        await furnished.ask(ReturnsApi).return_label(token, detail.return_id, "nl")
    assert caught.value.code is Code.RETURN_WITHOUT_LABEL
    async with furnished.context.database.session() as session:
        urgent = (await session.exec(select(OutboxMail).where(OutboxMail.template == "urgent_battery"))).one()
        assert not (await session.exec(select(TextMessageRow))).all()
    assert urgent.recipient == furnished.context.settings.brand.email
    assert urgent.details["reference"] == detail.reference


async def test_a_return_is_refused_when_the_amounts_changed(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = await accessories(furnished.provider, token, f"{PARTLY}-1*1")
    draft = await fill(furnished.provider, token, await begin(furnished.provider, token, ACCESSORIES), steps)
    async with furnished.context.database.session() as session:
        order = (await session.exec(select(OrderRow.id).where(OrderRow.order_number == PARTLY))).one()
    half = {"unit_price": Decimal("5.00"), "price": Decimal("25.00")}
    await furnished.change(OrderLineRow, half, order_id=order, position=1)
    with pytest.raises(Refused) as caught:
        await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.AMOUNTS_CHANGED


async def test_mail_and_documents_show_the_stored_amounts(furnished: Furnished) -> None:
    """Every line, the total and the amount still to be paid, in both languages."""
    token = await furnished.log_in(ROOS)
    await furnished.change(OrderRow, {"paid": Decimal("800.01")}, order_number=PAY_LATER)
    names = (f"{PAY_LATER}-2*1", f"{PARTLY}-1*2")
    steps = await accessories(furnished.provider, token, *names, state="used_with_signs_of_use")
    steps = {**steps, "method": {"method": "pick_up"}, "pickup": await pick_up(furnished.provider, token)}
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    kept = receipt.summary["settlement"]
    cents = [line["amount"] for line in kept["lines"]] + [kept["charge" if kept["charge"] != "0.00" else "refund"]]
    cents += [kept["open"]] if kept["open"] != "0.00" else []
    assert {line["kind"] for line in kept["lines"]} == {"item", "depreciation", "not_paid", "pick_up"}
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert [f"{line.amount:.2f}" for line in detail.account.money.lines] == [line["amount"] for line in kept["lines"]]
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).one()
    rendered = render(Template(mail.template), "nl", furnished.context.settings, mail.details)
    for locale in ("nl", "en"):
        shown = [money(Decimal(amount), locale) for amount in cents]
        document = await furnished.ask(ReturnsApi).return_summary_pdf(token, detail.return_id, locale)
        text = " ".join(page.extract_text() for page in PdfReader(BytesIO(document.content)).pages)
        assert _in_order(shown, text)
        if locale == "nl":
            for written in (rendered.text, rendered.html):
                assert _in_order(shown, written)


def _in_order(amounts: list[str], text: str) -> bool:
    found = " ".join(text.replace("\xa0", " ").replace("&nbsp;", " ").split())
    place = 0
    for amount in amounts:
        place = found.find(amount.replace("\xa0", " "), place)
        if place < 0:
            return False
        place += len(amount)
    return True
