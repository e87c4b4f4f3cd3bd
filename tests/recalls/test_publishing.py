"""Exactly the owners are warned, each once, and the shop sees what they answered."""

import asyncio
from datetime import UTC, datetime

import pytest

from portal.contract.common_api import SessionApi
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.provider.hourly import purge
from portal.recalls.api import RecallsApi, RemedyChoice
from portal.recalls.provider import owner_answers, warn_new_owners
from portal.tables.bikes import BikeRow, RecallNoticeRow
from portal.vocabulary.services import Remedy
from tests.recalls.recalling import CONTENT, bikes_of, load
from tests.support.customers import AMBER, EVERYBODY, JORIS, SANNE
from tests.support.living import FLEUR, Living

SUBJECT = "Veiligheidsterugroepactie: Accu Voltera P4"


async def warned(living: Living) -> set[str]:
    """Who has a mail about the recall."""
    everybody = {email for _number, email in (*EVERYBODY, FLEUR)}
    return {email for email in everybody if await recall_mails(living, email)}


async def recall_mails(living: Living, email: str) -> list[str]:
    subjects = {SUBJECT, "Product safety recall: Battery Voltera P4"}
    return [letter.text for letter in await living.mails(email) if letter.subject in subjects]


async def battery_of(living: Living, customer: tuple[str, str]) -> str:
    return next(bike.battery_number for bike in await bikes_of(living.context, customer[1]) if bike.battery_number)


async def notice_of(living: Living, token: str) -> str:
    """The recall of which the session tells."""
    return (await living.ask(SessionApi).check_session(token)).recall


@pytest.mark.each_database
async def test_exactly_the_owners_of_recalled_numbers_are_warned(living: Living) -> None:
    frame = next(bike.frame_number for bike in await bikes_of(living.context, JORIS[1]) if bike.frame_number)
    battery = (await battery_of(living, SANNE)).lower().replace("-", " ")
    done = await load(living.context, frames={frame or ""}, batteries={battery, "PT-000000000"})
    assert (done.numbers, done.added, done.warned) == (3, 3, 2)
    assert await warned(living) == {SANNE[1], JORIS[1]}


@pytest.mark.each_database
async def test_loading_a_recall_again_warns_nobody_twice(living: Living) -> None:
    batteries = {await battery_of(living, SANNE)}
    first, again = await load(living.context, batteries=batteries), await load(living.context, batteries=batteries)
    assert (first.warned, again.warned, again.added, again.numbers) == (1, 0, 0, 1)
    more = await load(living.context, batteries=batteries | {await battery_of(living, AMBER)})
    assert (more.warned, more.added, more.numbers) == (1, 1, 2)
    assert len(await recall_mails(living, SANNE[1])) == 1


@pytest.mark.each_database
async def test_two_commands_at_once_warn_each_owner_once(living: Living) -> None:
    batteries = {await battery_of(living, SANNE), await battery_of(living, AMBER)}
    done = await asyncio.gather(*[load(living.context, batteries=batteries) for _number in range(3)])
    assert sum(each.warned for each in done) == 2
    assert len(await recall_mails(living, SANNE[1])) == 1


async def test_an_owner_of_two_recalled_bikes_is_warned_once_about_both(living: Living) -> None:
    frames = {bike.frame_number for bike in await bikes_of(living.context, SANNE[1]) if bike.frame_number}
    assert len(frames) > 1
    await load(living.context, frames=frames)
    token = await living.log_in(SANNE)
    recall = await living.ask(RecallsApi).recall(token, await notice_of(living, token))
    assert len(await recall_mails(living, SANNE[1])) == 1
    assert {item.number for item in recall.items} == frames


async def test_who_returned_the_bike_is_not_warned(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, FLEUR[0])
    row = next(row for row in await bikes_of(living.context, FLEUR[1]) if row.public_id == bike)
    await living.change(BikeRow, {"frame_number": "NVH000111"}, public_id=bike)
    await living.give_back(token, FLEUR[0])
    assert row.customer_id
    done = await load(living.context, frames={"NVH000111"})
    assert (done.numbers, done.warned) == (1, 0)


async def test_a_number_that_becomes_known_later_is_found_by_the_hourly_run(living: Living) -> None:
    await load(living.context, frames={"NVH000222"})
    assert await warn_new_owners(living.context) == 0
    bike = (await bikes_of(living.context, JORIS[1]))[0]
    await living.change(BikeRow, {"frame_number": "NVH000222"}, public_id=bike.public_id)
    await purge(living.context)
    assert len(await recall_mails(living, JORIS[1])) == 1


async def test_the_mail_has_what_the_notice_of_the_law_has(living: Living) -> None:
    await load(living.context, batteries={await battery_of(living, SANNE)})
    (text,) = await recall_mails(living, SANNE[1])
    for part in (CONTENT.nl.product, CONTENT.nl.description, CONTENT.nl.hazard, CONTENT.nl.action, CONTENT.email):
        assert " ".join(part.split()) in " ".join(text.split())
    for remedy in ("Reparatie", "Vervanging", "Geld terug"):
        assert remedy in text
    notice = await living.one(RecallNoticeRow)
    assert f"/recalls/{notice.public_id}" in text


async def test_a_session_tells_of_a_recall_until_it_is_acknowledged(living: Living) -> None:
    token = await living.log_in(SANNE)
    assert await notice_of(living, token) == ""
    await load(living.context, batteries={await battery_of(living, SANNE)})
    recall_id = await notice_of(living, token)
    assert recall_id
    recall = await living.ask(RecallsApi).recall(token, recall_id)
    assert (recall.acknowledged, await notice_of(living, token)) == (False, recall_id), "to read it is not enough"
    recall = await living.ask(RecallsApi).acknowledge_recall(token, recall_id)
    assert (recall.acknowledged, recall.remedy, await notice_of(living, token)) == (True, None, "")


@pytest.mark.each_database
async def test_the_first_choice_of_a_remedy_counts(living: Living) -> None:
    token = await living.log_in(SANNE)
    await load(living.context, batteries={await battery_of(living, SANNE)})
    recall_id = await notice_of(living, token)
    api = living.ask(RecallsApi)
    for wrong, code in (("", Code.REQUIRED), ("discount", Code.INVALID_INPUT), ("unknown", Code.INVALID_INPUT)):
        with pytest.raises(InvalidInput) as refusal:
            await api.choose_remedy(token, recall_id, RemedyChoice(remedy=wrong))
        assert refusal.value.fields == {"remedy": code}
    chosen = await api.choose_remedy(token, recall_id, RemedyChoice(remedy="refund"))
    assert (chosen.remedy, chosen.acknowledged) == (Remedy.REFUND, True)
    assert await api.choose_remedy(token, recall_id, RemedyChoice(remedy="refund")) == chosen, "pressed twice"
    with pytest.raises(Conflict) as conflict:
        await api.choose_remedy(token, recall_id, RemedyChoice(remedy="repair"))
    assert conflict.value.code is Code.REMEDY_CHOSEN


async def test_nobody_reads_or_answers_the_recall_of_another_customer(living: Living) -> None:
    await load(living.context, batteries={await battery_of(living, SANNE)})
    recall_id = await notice_of(living, await living.log_in(SANNE))
    stranger = await living.log_in(JORIS)
    api = living.ask(RecallsApi)
    for call in (
        api.recall(stranger, recall_id),
        api.acknowledge_recall(stranger, recall_id),
        api.choose_remedy(stranger, recall_id, RemedyChoice(remedy="refund")),
        api.recall(stranger, "../1"),
    ):
        with pytest.raises(NotFound):
            await call


async def test_the_shop_sees_who_was_warned_and_what_they_chose(living: Living) -> None:
    await load(living.context, batteries={await battery_of(living, SANNE), await battery_of(living, AMBER)})
    token = await living.log_in(SANNE)
    recall_id = await notice_of(living, token)
    await living.ask(RecallsApi).choose_remedy(token, recall_id, RemedyChoice(remedy="replacement"))
    async with living.context.database.session() as session:
        answers = await owner_answers(session, CONTENT.code)
        assert await owner_answers(session, "NONE") is None
    assert answers
    found = {answer.email: (bool(answer.acknowledged_on), answer.remedy) for answer in answers}
    assert found == {SANNE[1]: (True, "replacement"), AMBER[1]: (False, "")}


async def test_the_shop_sees_the_local_days_of_what_happened_shortly_after_midnight(living: Living) -> None:
    await load(living.context, batteries={await battery_of(living, SANNE)})
    moment = datetime(2026, 6, 3, 22, 30, tzinfo=UTC)
    columns = ("created_at", "acknowledged_at", "chosen_at")
    await living.change(RecallNoticeRow, dict.fromkeys(columns, moment))
    async with living.context.database.session() as session:
        [answer] = await owner_answers(session, CONTENT.code) or []
    assert {answer.warned_on, answer.acknowledged_on, answer.chosen_on} == {"2026-06-04"}
