"""The service of insurances: offers, request, mailed link, back office (part-2 §2, §5)."""

import asyncio
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from portal.backend.backoffice import NotAllowed
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.flow.api import DraftStart, FlowApi
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.kernel.days import local_day, start_of_day
from portal.overview.api import OverviewApi
from portal.tables.insurance import InsuranceProductRow, InsuranceRequestRow, InsuranceTariffRow
from portal.tables.orders import OrderRow
from portal.vocabulary.insurance import InsuranceStatus, Insurer
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.application import outcome, refusal
from tests.support.entries import step_entry
from tests.support.living import FLEUR, Living

FLOW, NEW = "insurance-request", "900000081"
S = InsuranceStatus
CHOICE = ("insurance", {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12345"})


ACCOUNT = ("account", {"iban": "nl91 abna 0417 1643 00", "agreed": "yes"})


async def _request(shop: Living, token: str, *steps: tuple[str, dict[str, str]]):
    bike = await shop.bike_of(token, NEW)
    return await shop.send(token, await shop.fill(token, FLOW, bike, *(steps or (CHOICE, ACCOUNT))))


async def test_each_bike_has_no_refusal_or_the_reason(living: Living) -> None:
    bikes = {
        bike.order_number: bike
        for bike in (await living.ask(InsuranceApi).insurance_bikes(await living.log_in(FLEUR))).items
    }
    assert [bikes[f"90000008{place}"].refusal for place in range(1, 6)] == [
        None,
        Code.INSURANCE_REQUEST_EXISTS,
        Code.INSURANCE_REQUEST_EXISTS,
        Code.INSURANCE_EXISTS,
        Code.INSURANCE_TERM_OVER,
    ]
    assert bikes[NEW].until == bikes[NEW].order_date + timedelta(days=14)


async def test_day_14_after_purchase_counts_and_day_15_does_not(living: Living) -> None:
    token = await living.log_in(FLEUR)
    for days, refused in ((14, None), (15, Code.INSURANCE_TERM_OVER)):
        bought = start_of_day(local_day(living.clock.now) - timedelta(days=days))
        await living.change(OrderRow, {"ordered_at": bought}, order_number=NEW)
        bikes = {bike.order_number: bike for bike in (await living.ask(InsuranceApi).insurance_bikes(token)).items}
        assert bikes[NEW].refusal is refused


@pytest.mark.each_database
async def test_from_the_request_to_the_policy(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    receipt = await _request(living, token)
    assert receipt.summary["status"] == "waiting_for_input"
    premium = next(
        offer.premium
        for offer in (await living.ask(InsuranceApi).insurance_options(token, bike)).offers
        if offer.key == "kettingzeker-theft_and_damage"
    )
    assert receipt.summary["premium"] == f"{premium:.2f}"
    insurable = (await living.ask(InsuranceApi).insurance_options(token, bike)).bike
    assert [(item.name, item.picture) for item in receipt.items] == [(insurable.name, insurable.picture)]
    request = insurable.request
    assert request
    assert (request.status, request.email) == (S.WAITING_FOR_INPUT, "fleur@example.com")
    assert request.account.money.total == premium

    end = await living.end(FLEUR[1], LinkPurpose.INSURANCE)
    assert (await living.confirm(end, LinkPurpose.INSURANCE)).state is LinkState.CONFIRMED
    assert (await living.confirm(end, LinkPurpose.INSURANCE)).state is LinkState.USED
    caught = await refusal(living.move("insurance", receipt.reference, "finished"))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {"policy_number": Code.REQUIRED}
    start = date(2026, 12, 1)
    await living.move("insurance", receipt.reference, "finished", policy_number="P123456789", planned_date=start)
    insured = (await living.ask(OverviewApi).bike_home(token, bike)).bike
    assert (insured.insurance, insured.policy_number, insured.insurance_start) == (
        "theft_and_damage",
        "P123456789",
        start,
    )
    with pytest.raises(NotAllowed):
        await living.move("insurance", receipt.reference, "cancelled")
    row = await living.one(InsuranceRequestRow, reference=receipt.reference)
    assert (row.iban, row.key_number) == ("", "B12345"), "the account is deleted once the insurer has it"


async def test_a_question_of_the_insurer_is_mailed_without_a_link(living: Living) -> None:
    token = await living.log_in(FLEUR)
    receipt = await _request(living, token)
    await living.confirm(await living.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)
    await living.move("insurance", receipt.reference, "waiting_for_input", note="Stuur een foto van je slot.")
    mail = next(mail for mail in await living.mails(FLEUR[1]) if "Stuur een foto van je slot." in mail.text)
    assert "De verzekeraar heeft iets van je nodig" in mail.subject
    assert "link" not in mail.text
    home = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, NEW))
    assert home.insurance
    assert (home.insurance.status, home.insurance.link_expires_at) == (S.WAITING_FOR_INPUT, None)
    assert next(entry for entry in home.timeline if entry.status == "waiting_for_input").asks


@pytest.mark.parametrize(
    ("table", "values", "refused"),
    [
        (InsuranceTariffRow, {"per_mille": Decimal("99.00"), "minimum": Decimal("50.00")}, "amounts_changed"),
        (InsuranceProductRow, {"excess": Decimal("75.00")}, "amounts_changed"),
        (InsuranceProductRow, {"covers": ["bike_stolen"]}, "amounts_changed"),
        (InsuranceProductRow, {"offered": False}, "invalid_choice"),
    ],
)
async def test_changed_terms_must_be_seen_before_the_request_is_sent(
    living: Living, table: Any, values: dict[str, Any], refused: str
) -> None:
    token = await living.log_in(FLEUR)
    draft = await living.fill(token, FLOW, await living.bike_of(token, NEW), CHOICE, ACCOUNT)
    await living.change(table, {**values}, insurer=CHOICE[1]["insurer"], type=CHOICE[1]["type"])
    assert await outcome(living.send(token, draft)) == refused
    assert not [mail for mail in await living.mails(FLEUR[1]) if "verzeker" in mail.subject.lower()]
    if refused == "amounts_changed":
        seen = await living.ask(FlowApi).draft(token, draft.draft_id)
        receipt = await living.send(token, seen)
        bike = next(entry for entry in seen.facts["bikes"] if entry["id"] == receipt.summary["bike_id"])
        assert receipt.summary["premium"] == bike["offers"]["kettingzeker-theft_and_damage"]["premium"]


async def test_a_shop_offers_only_what_it_sells(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    await living.change(InsuranceProductRow, {"offered": False}, insurer=Insurer.FIETSVAST)
    found = await living.ask(InsuranceApi).insurance_options(token, bike)
    assert {offer.insurer for offer in found.offers} == {Insurer.KETTINGZEKER}
    step = ("insurance", {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"})
    with pytest.raises(InvalidInput) as refused:
        await living.fill(token, FLOW, bike, step)
    assert refused.value.fields == {"insurer": Code.INVALID_CHOICE}


async def test_after_an_expired_link_another_request_is_possible(living: Living) -> None:
    token = await living.log_in(FLEUR)
    await _request(living, token)
    end = await living.end(FLEUR[1], LinkPurpose.INSURANCE)
    living.clock.forward(hours=25)
    token = await living.log_in(FLEUR)
    assert (await living.confirm(end, LinkPurpose.INSURANCE)).state is LinkState.EXPIRED
    bikes = {bike.order_number: bike for bike in (await living.ask(InsuranceApi).insurance_bikes(token)).items}
    assert bikes[NEW].refusal is None
    request = bikes[NEW].request
    assert request
    assert request.status is S.CANCELLED


@pytest.mark.each_database
async def test_a_request_that_is_sent_six_times_at_once_is_one_request(living: Living) -> None:
    token = await living.log_in(FLEUR)
    draft = await living.fill(token, FLOW, await living.bike_of(token, NEW), CHOICE, ACCOUNT)
    outcomes = await asyncio.gather(*(outcome(living.send(token, draft)) for _ in range(6)))
    assert outcomes == ["ok"] * 6, "sending a draft again is no error"
    rows = [mail for mail in await living.mails(FLEUR[1]) if "/insurance-request/confirm/" in mail.text]
    assert len(rows) == 1


@pytest.mark.each_database
async def test_a_request_can_be_cancelled(living: Living) -> None:
    token = await living.log_in(FLEUR)
    receipt = await _request(living, token)
    end = await living.end(FLEUR[1], LinkPurpose.INSURANCE)
    assert (await living.ask(InsuranceApi).cancel_insurance(token, receipt.reference)).status is S.CANCELLED
    assert await outcome(living.confirm(end, LinkPurpose.INSURANCE)) == "invalid_hash"
    assert await outcome(living.ask(InsuranceApi).cancel_insurance(token, receipt.reference)) == "status_not_allowed"
    await _request(living, token)


async def test_the_link_can_be_mailed_again(living: Living) -> None:
    token = await living.log_in(FLEUR)
    receipt = await _request(living, token)
    living.clock.forward(minutes=2)
    sent = await living.ask(InsuranceApi).resend_insurance(token, receipt.reference)
    assert sent.expires_at == living.clock.now + timedelta(hours=24)
    with pytest.raises(NotFound):
        await living.ask(InsuranceApi).resend_insurance(token, "ABCD2345")
    assert isinstance(await refusal(living.move("insurance", receipt.reference, "finished")), Conflict | Refused)


@pytest.mark.parametrize(
    ("flow", "steps"),
    [
        (
            FLOW,
            [
                (Code.MISSING_INSURANCE_BIKE, ("bike", {})),
                (Code.MISSING_INSURANCE, CHOICE),
                (Code.MISSING_IBAN, ACCOUNT),
            ],
        ),
        (
            "service-package",
            [(Code.MISSING_PACKAGE, ("bike", {})), (Code.MISSING_PACKAGE, ("package", {"package": "SERVICE31"}))],
        ),
    ],
)
async def test_a_request_that_lacks_an_answer_is_refused_by_the_code_of_its_step(
    living: Living, flow: str, steps: list[tuple[Code, tuple[str, dict[str, str]]]]
) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    draft = await living.ask(FlowApi).open_draft(token, DraftStart(flow=flow, anew=True))
    for code, (step, answers) in steps:
        caught = await refusal(living.send(token, draft))
        assert isinstance(caught, InvalidInput)
        assert caught.code is code
        entry = step_entry(draft, step, answers or {"bike": bike})
        draft = await living.ask(FlowApi).save_step(token, draft.draft_id, entry)
    assert (await living.send(token, draft)).reference
