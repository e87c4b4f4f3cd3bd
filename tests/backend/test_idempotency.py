"""A call of the back office that is sent again with its idempotency key changes nothing, whatever it moves."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func
from sqlmodel import col, select

from portal.backend.backoffice import BackOffice, NotAllowed, Transition, TransitionRequest, fingerprint
from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.provider.hourly import purge
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import IdempotencyKeyRow, OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.customers import JORIS
from tests.support.furnished import Furnished
from tests.work_orders.history import reference_of

ORDER = "900000071"
THERE_AND_BACK = {
    "shipment": ("backorder", "in_stock"),
    "return": ("pickup_request_created", "pickup_confirmed_to_customer"),
    "insurance": ("waiting_for_input", "created"),
    "work-order": ("wait_for_parts", "repair_continued"),
}
"""Of each kind of case, two statuses that follow each other."""


async def reference(shop: Furnished, kind: str) -> str:
    """A case of this kind in the demonstration shop that can move to the first status above."""
    if kind == "work-order":
        return await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    if kind == "shipment":
        await shop.change(OrderRow, {"delivery_status": DeliveryStatus.IN_STOCK}, order_number=ORDER)
        return ORDER
    queries = {
        "return": select(ReturnRow.reference).where(
            ReturnRow.order_number == "900000724", ReturnRow.status == ReturnStatus("pickup_confirmed_to_customer")
        ),
        "insurance": select(InsuranceRequestRow.reference)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .where(OrderRow.order_number == "900000083"),
        "date-change": select(DateChangeRow.reference)
        .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
        .where(OrderRow.order_number == "900000073"),
    }
    async with shop.context.database.session() as session:
        return (await session.exec(queries[kind])).one()


async def move(shop: Furnished, kind: str, case: str, status: str, key: str, note: str = "") -> Transition:
    return await once(shop.application, kind, case, TransitionRequest(status=status, note=note), key)


async def once(application: Application, kind: str, case: str, request: TransitionRequest, key: str) -> Transition:
    async def act(office: BackOffice) -> str:
        return (await office.move(kind, case, request)).model_dump_json()

    asked = fingerprint(kind, case, request.model_dump(mode="json"))
    return Transition.model_validate_json(await application.back_office.once(key, asked, act))


async def mails(shop: Furnished) -> int:
    async with shop.context.database.session() as session:
        return (await session.exec(select(func.count()).select_from(OutboxMail))).one()


@pytest.mark.parametrize("kind", THERE_AND_BACK)
async def test_two_calls_sent_twice_in_turn_are_two_moves_and_get_their_first_answers(
    furnished: Furnished, kind: str
) -> None:
    case, (there, back) = await reference(furnished, kind), THERE_AND_BACK[kind]
    first = [await move(furnished, kind, case, there, "A1"), await move(furnished, kind, case, back, "B1")]
    assert [answer.changed for answer in first] == [True, True]
    sent = await mails(furnished)
    again = [await move(furnished, kind, case, there, "A1"), await move(furnished, kind, case, back, "B1")]
    assert again == first
    assert await mails(furnished) == sent
    assert (await furnished.application.back_office.current_status(kind, case)).status == back


async def test_an_answer_to_a_date_change_is_given_once(furnished: Furnished) -> None:
    case = await reference(furnished, "date-change")
    first = await move(furnished, "date-change", case, "accepted", "A1")
    assert await move(furnished, "date-change", case, "accepted", "A1") == first


@pytest.mark.parametrize("kind", THERE_AND_BACK)
async def test_a_key_is_refused_for_another_change(furnished: Furnished, kind: str) -> None:
    case, (there, back) = await reference(furnished, kind), THERE_AND_BACK[kind]
    await move(furnished, kind, case, there, "A1")
    for status, note in ((back, ""), (there, "Another note.")):
        with pytest.raises(InvalidInput) as refusal:
            await move(furnished, kind, case, status, "A1", note)
        assert refusal.value.code is Code.IDEMPOTENCY_KEY_REUSED
    with pytest.raises(InvalidInput) as refusal:
        await move(furnished, kind, "90000000", there, "A1")
    assert refusal.value.code is Code.IDEMPOTENCY_KEY_REUSED


async def test_a_refused_call_can_be_sent_again_with_its_key(furnished: Furnished) -> None:
    case = await reference(furnished, "return")
    with pytest.raises(NotAllowed):
        await move(furnished, "return", case, "request_received", "A1")
    with pytest.raises(NotFound):
        await move(furnished, "return", "R0000000", "pickup_request_created", "A1")
    assert (await move(furnished, "return", case, "pickup_request_created", "A1")).changed


@pytest.mark.each_database
@pytest.mark.parametrize("kind", ["return", "work-order"])
async def test_concurrent_calls_with_one_key_make_one_move(furnished: Furnished, loaded_url: str, kind: str) -> None:
    case, target = await reference(furnished, kind), THERE_AND_BACK[kind][0]
    before = await mails(furnished)
    await move(furnished, kind, case, target, "A0")
    one_move = await mails(furnished) - before
    await move(furnished, kind, case, THERE_AND_BACK[kind][1], "B0")
    before = await mails(furnished)
    others = [Application(Settings(database_url=loaded_url)) for _ in range(3)]
    request = TransitionRequest(status=target)
    answers = await asyncio.gather(*[once(other, kind, case, request, "A1") for other in others for _ in range(3)])
    for other in others:
        await other.context.database.close()
    assert {answer.model_dump_json() for answer in answers} == {answers[0].model_dump_json()}
    assert await mails(furnished) - before == one_move


async def test_old_keys_are_deleted(furnished: Furnished) -> None:
    case, (there, back) = await reference(furnished, "return"), THERE_AND_BACK["return"]
    await move(furnished, "return", case, there, "old")
    await move(furnished, "return", case, back, "new")
    kept = timedelta(days=furnished.context.settings.retention.idempotency_days)
    old = {"created_at": furnished.context.clock() - kept - timedelta(minutes=1)}
    await furnished.change(IdempotencyKeyRow, old, key="old")
    await purge(furnished.context)
    async with furnished.context.database.session() as session:
        assert (await session.exec(select(IdempotencyKeyRow.key))).all() == ["new"]
