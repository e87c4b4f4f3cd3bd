"""A call of the back office that is sent again with its idempotency key changes nothing."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func
from sqlmodel import select

from portal.backend.backoffice import BackOffice, NotAllowed, Transition, TransitionRequest, fingerprint
from portal.contract.errors import NotFound
from portal.kernel.terms import IDEMPOTENCY_DAYS
from portal.provider.application import Application
from portal.provider.hourly import purge
from portal.settings import Settings
from portal.tables.messages import IdempotencyKeyRow, OutboxMail
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import ReturnStatus
from tests.support.furnished import Furnished

THERE, BACK = "pickup_request_created", "pickup_confirmed_to_customer"
"""Statuses of a return that follow each other."""


async def reference(shop: Furnished) -> str:
    """A return of the demonstration shop that can move to the first status above."""
    query = select(ReturnRow.reference).where(
        ReturnRow.order_number == "900000724", ReturnRow.status == ReturnStatus(BACK)
    )
    async with shop.context.database.session() as session:
        return (await session.exec(query)).one()


async def once(application: Application, case: str, status: str, key: str) -> Transition:
    request = TransitionRequest(status=status)

    async def act(office: BackOffice) -> str:
        return (await office.move("return", case, request)).model_dump_json()

    asked = fingerprint("return", case, request.model_dump(mode="json"))
    return Transition.model_validate_json(await application.back_office.once(key, asked, act))


async def mails(shop: Furnished) -> int:
    async with shop.context.database.session() as session:
        return (await session.exec(select(func.count()).select_from(OutboxMail))).one()


async def test_two_calls_sent_twice_in_turn_are_two_moves_and_get_their_first_answers(furnished: Furnished) -> None:
    application, case = furnished.application, await reference(furnished)
    calls = ((THERE, "A1"), (BACK, "B1"))
    first = [await once(application, case, *call) for call in calls]
    assert [answer.changed for answer in first] == [True, True]
    sent = await mails(furnished)
    assert [await once(application, case, *call) for call in calls] == first
    assert await mails(furnished) == sent
    assert (await application.back_office.current_status("return", case)).status == BACK


async def test_a_refused_call_can_be_sent_again_with_its_key(furnished: Furnished) -> None:
    application, case = furnished.application, await reference(furnished)
    with pytest.raises(NotAllowed):
        await once(application, case, "request_received", "A1")
    with pytest.raises(NotFound):
        await once(application, "R0000000", THERE, "A1")
    assert (await once(application, case, THERE, "A1")).changed


@pytest.mark.each_database
async def test_concurrent_calls_with_one_key_make_one_move(furnished: Furnished, loaded_url: str) -> None:
    application, case = furnished.application, await reference(furnished)
    before = await mails(furnished)
    await once(application, case, THERE, "A0")
    one_move = await mails(furnished) - before
    await once(application, case, BACK, "B0")
    before = await mails(furnished)
    others = [Application(Settings(database_url=loaded_url)) for _ in range(3)]
    answers = await asyncio.gather(*[once(other, case, THERE, "A1") for other in others for _ in range(3)])
    for other in others:
        await other.context.database.close()
    assert {answer.model_dump_json() for answer in answers} == {answers[0].model_dump_json()}
    assert await mails(furnished) - before == one_move


async def test_old_keys_are_deleted(furnished: Furnished) -> None:
    application, case = furnished.application, await reference(furnished)
    await once(application, case, THERE, "old")
    await once(application, case, BACK, "new")
    kept = timedelta(days=IDEMPOTENCY_DAYS)
    old = {"created_at": furnished.context.clock() - kept - timedelta(minutes=1)}
    await furnished.change(IdempotencyKeyRow, old, key="old")
    await purge(furnished.context)
    assert [row.key for row in await furnished.rows(IdempotencyKeyRow)] == ["new"]
