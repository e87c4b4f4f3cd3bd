"""Login codes: who gets one, what one opens, and what it does not."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from sqlmodel import select

from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.tables.customers import LoginChallenge
from tests.support.application import TestApplication, outcome, refusal, wrong
from tests.support.delivery import mail_work, settled
from tests.support.smtp import MailServer


async def test_the_right_pair_gets_a_code_that_opens_a_session_of_that_customer(application: TestApplication) -> None:
    sent = await application.ask()
    session = await application.enter(await application.newest_code("sanne@example.com"), sent.challenge)
    check = await application.session.check_session(session.jwt)
    assert check.customer == "SANNE"
    assert (await application.sessions.owner(session.jwt)).order_number == "900000001"
    assert (sent.expires_at - application.clock()).total_seconds() == 600
    assert (sent.resend_at - application.clock()).total_seconds() == 60


async def test_blanks_in_the_number_and_capitals_in_the_address_do_not_matter(application: TestApplication) -> None:
    await application.ask((" 9000 0000-1 ", "  Sanne@Example.COM "))
    assert len(await application.mails("sanne@example.com")) == 1


async def test_the_answer_shows_only_parts_of_the_address(application: TestApplication) -> None:
    assert (await application.ask()).email == "s…@…com"


async def test_a_code_works_once(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    assert await outcome(application.enter(code, sent.challenge)) == "ok"
    assert await outcome(application.enter(code, sent.challenge)) == "code_used_up"


@pytest.mark.each_database
async def test_forty_times_the_right_code_at_once_opens_one_session(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    results = Counter(await asyncio.gather(*(outcome(application.enter(code, sent.challenge)) for _ in range(40))))
    assert results == {"ok": 1, "code_used_up": 39}


@pytest.mark.each_database
async def test_forty_guesses_at_once_are_compared_five_times(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    guesses = [f"{(int(code) + step) % 1_000_000:06}" for step in range(1, 41)]
    results = Counter(await asyncio.gather(*(outcome(application.enter(guess, sent.challenge)) for guess in guesses)))
    assert results == {"invalid_code": 5, "code_used_up": 35}
    assert await outcome(application.enter(code, sent.challenge)) == "code_used_up"


@pytest.mark.each_database
async def test_the_right_code_among_forty_guesses_opens_at_most_one_session(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    guesses = [code if step % 4 == 0 else wrong(code) for step in range(40)]
    results = Counter(await asyncio.gather(*(outcome(application.enter(guess, sent.challenge)) for guess in guesses)))
    assert results["ok"] <= 1
    assert results["ok"] + results["invalid_code"] <= 5


async def test_after_five_wrong_codes_the_right_one_is_refused(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    for _ in range(5):
        assert await outcome(application.enter(wrong(code), sent.challenge)) == "invalid_code"
    assert await outcome(application.enter(code, sent.challenge)) == "code_used_up"


async def test_tries_that_are_used_up_do_not_come_back_by_asking_too_often(application: TestApplication) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    for _ in range(5):
        await outcome(application.enter(wrong(code), sent.challenge))
    assert await outcome(application.ask(challenge=sent.challenge)) == "too_many_requests"
    assert await outcome(application.enter(code, sent.challenge)) == "code_used_up"


@pytest.mark.parametrize(("seconds", "expected"), [(599, "ok"), (601, "code_expired")])
async def test_a_code_works_for_ten_minutes(application: TestApplication, seconds: int, expected: str) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    application.clock.forward(seconds=seconds)
    assert await outcome(application.enter(code, sent.challenge)) == expected


@pytest.mark.parametrize("typed", ["123 456", "123-456", " 123456\n", "１２３４５６"])
async def test_a_code_may_be_typed_as_people_do(application: TestApplication, typed: str) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    assert await outcome(application.enter(typed.translate(_as(code)), sent.challenge)) == "ok"


def _as(code: str) -> dict[int, str]:
    plain = {ord(str(place + 1)): digit for place, digit in enumerate(code)}
    wide = {ord(chr(0xFF11 + place)): chr(0xFF10 + int(digit)) for place, digit in enumerate(code)}
    return plain | wide


@pytest.mark.parametrize("typed", ["12345", "1234567", "abcdef", "12345a", "٣٤٥٦٧٨", "' OR 1=1 --", "0" * 999])
async def test_what_cannot_be_a_code_is_refused_and_costs_no_try(
    sqlite_application: TestApplication, typed: str
) -> None:
    sent = await sqlite_application.ask()
    assert await outcome(sqlite_application.enter(typed, sent.challenge)) == "invalid_code"
    async with sqlite_application.context.database.session() as session:
        assert (await session.exec(select(LoginChallenge.attempts))).one() == 0


async def test_no_code_at_all_is_reported_for_its_field(sqlite_application: TestApplication) -> None:
    sent = await sqlite_application.ask()
    error = await refusal(sqlite_application.enter("  ", sent.challenge))
    assert error.fields == {"token": Code.REQUIRED}


@pytest.mark.parametrize("challenge", [None, "", "something", "x" * 200])
async def test_a_code_without_the_challenge_of_its_browser_opens_nothing(
    application: TestApplication, challenge: str | None
) -> None:
    sent = await application.ask()
    code = await application.newest_code("sanne@example.com")
    assert await outcome(application.enter(code, challenge)) == "no_challenge"
    assert await outcome(application.enter(code, sent.challenge)) == "ok"


async def test_the_code_of_one_browser_does_not_work_in_another(application: TestApplication) -> None:
    first = await application.ask()
    code = await application.newest_code("sanne@example.com")
    application.clock.forward(seconds=60)
    second = await application.ask()
    other = await application.newest_code("sanne@example.com")
    assert code != other
    assert await outcome(application.enter(code, second.challenge)) == "invalid_code"
    assert await outcome(application.enter(code, first.challenge)) == "ok"
    assert await outcome(application.enter(other, second.challenge)) == "ok"


async def test_a_new_code_of_the_same_browser_replaces_the_older_one_only(application: TestApplication) -> None:
    elsewhere = await application.ask()
    kept = await application.newest_code("sanne@example.com")
    application.clock.forward(seconds=60)
    first = await application.ask()
    old = await application.newest_code("sanne@example.com")
    application.clock.forward(seconds=60)
    second = await application.ask(challenge=first.challenge)
    new = await application.newest_code("sanne@example.com")
    assert await outcome(application.enter(old, first.challenge)) == "code_used_up"
    assert await outcome(application.enter(new, second.challenge)) == "ok"
    assert await outcome(application.enter(kept, elsewhere.challenge)) == "ok"


async def test_a_refused_request_leaves_the_code_of_the_browser_alone(application: TestApplication) -> None:
    first = await application.ask()
    code = await application.newest_code("sanne@example.com")
    assert await outcome(application.ask(("900000999", "sanne@example.com"), challenge=first.challenge)) != "ok"
    assert await outcome(application.enter(code, first.challenge)) == "ok"


async def test_neither_code_nor_challenge_can_be_read_in_the_database(application: TestApplication) -> None:
    sent = await application.ask()
    async with application.context.database.session() as session:
        connection = await session.connection()
        kept = ""
        for table in ("login_challenges", "outbox_mails", "jobs", "limit_windows"):
            kept += str((await connection.exec_driver_sql(f"SELECT * FROM {table}")).all())
    code = await application.newest_code("sanne@example.com")
    assert code not in kept
    assert sent.challenge not in kept


@pytest.mark.each_database
async def test_a_code_that_the_mail_server_refuses_is_known_to_the_browser_that_asked(
    application: TestApplication, mail_server: MailServer
) -> None:
    mail_server.answers.refused = "550 no such person"
    work = mail_work(application, mail_server.port)
    sent = await application.ask()
    asked, other = Origin(challenge=sent.challenge), Origin(challenge="another")
    assert not (await application.login.code_delivery(asked)).refused
    await work.start()
    await settled(application)
    await work.stop()
    assert (await application.login.code_delivery(asked)).refused
    assert not (await application.login.code_delivery(other)).refused
    assert not (await application.login.code_delivery(Origin())).refused


async def test_nothing_is_told_of_a_code_that_has_expired(application: TestApplication) -> None:
    sent = await application.ask()
    application.clock.forward(minutes=10)
    await application.deliver()
    assert not (await application.login.code_delivery(Origin(challenge=sent.challenge))).refused
