"""Claims in the service: facts, work order, stored details and confirmation; on both databases."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from portal.backend.outbox import Outbox
from portal.backend.sessions import Sessions
from portal.flow import AnswerContext
from portal.flow.api import FlowApi
from portal.flow.provider.handler import DraftSubmission, Submitted
from portal.kernel.days import now, today
from portal.overview.api import OverviewApi
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.provider.handlers import CLAIM_HANDLER
from tests.support.customers import AMBER, NOOR
from tests.support.furnished import Furnished

FLOW = "claim-request"
IBAN = "NL91ABNA0417164300"
TEXT = "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."

ANSWERS: dict[str, Any] = {
    "parts": ["wheels", "frame"],
    "policy_number": "FP 2044.881",
    "insurer": "Fietspolis Direct",
    "cause": TEXT,
    "handling": "now",
    "photos": ["ABCDEFGH23"],
    "method": "account",
    "account_holder": "Noor el Haddad",
    "iban": IBAN,
}


async def _facts(shop: Furnished, customer: tuple[str, str]) -> dict[str, Any]:
    return (await shop.ask(FlowApi).flow_start(await shop.log_in(customer), FLOW)).facts


async def submit_claim(shop: Furnished, customer: tuple[str, str], bike: str, **other: Any) -> Submitted:
    owner = await Sessions(shop.context).owner(await shop.log_in(customer))
    answers = {**ANSWERS, "bike": bike, **other}
    submission = DraftSubmission(
        owner=owner,
        key=f"key-{bike}-{len(other)}",
        answers=AnswerContext(answers, {}, today()),
        seen=AnswerContext(answers, {}, today()),
        now=now(),
        outbox=Outbox(shop.context),
        context=shop.context,
    )
    async with shop.context.database.transaction() as session:
        return await CLAIM_HANDLER.submit(session, submission)


async def test_a_bike_that_is_insured_with_us_brings_its_policy_and_everybody_their_name(furnished: Furnished) -> None:
    facts = await _facts(furnished, AMBER)
    policies = {bike["frame_number"] != "": bike["policy_number"] for bike in facts["bikes"]}
    assert policies[True].startswith("P")
    assert policies[False] == ""
    assert facts["holder"] == "Amber de Wolters"
    assert "4817" not in str(facts)


async def test_a_claim_is_a_work_order_that_starts_like_a_repair(furnished: Furnished) -> None:
    bike = (await _facts(furnished, NOOR))["bikes"][0]["id"]
    sent = await submit_claim(furnished, NOOR, bike)
    async with furnished.context.database.session() as session:
        row = (await session.exec(select(RequestRow).where(RequestRow.reference == sent.reference))).one()
    assert (row.kind, row.status) == (RequestKind.CLAIM, WorkOrderStatus.NEW)
    assert row.title == "Wheels or tyres, Frame"
    assert row.description.startswith(TEXT)
    assert row.details
    assert row.details["iban"] == IBAN


async def test_account_and_pin_code_are_in_no_text_and_shown_only_in_part(furnished: Furnished) -> None:
    bike = next(bike["id"] for bike in (await _facts(furnished, AMBER))["bikes"] if bike["pin"])
    sent = await submit_claim(furnished, AMBER, bike, pin_known="known", pin_code="4817")
    token = await furnished.log_in(AMBER)
    shown = (
        str(await furnished.ask(WorkOrdersApi).service_requests(token))
        + str(await furnished.ask(OverviewApi).dashboard(token))
        + str(sent)
    )
    for secret in (IBAN, "0417", "4817"):
        assert secret not in shown
    assert "NL…4300" in shown
