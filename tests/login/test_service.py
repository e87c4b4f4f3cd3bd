"""Who gets a login code, who is sent elsewhere, and what nobody is told."""

import asyncio
from collections import Counter

import pytest
from sqlmodel import select

from portal.backend.security import code_hash
from portal.contract.errors import Refused
from portal.contract.session import LeaseRequest, Origin, UserData
from portal.kernel.codes import Code
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent
from portal.tables.customers import LoginChallenge
from tests.support.application import LARS, LEASE, SANNE, TestApplication, code_in, outcome, refusal, wrong
from tests.support.delivery import mail_work, settled
from tests.support.mailbox import list_messages
from tests.support.smtp import MailServer


@pytest.mark.parametrize(
    "pair",
    [
        ("900000999", "sanne@example.com"),
        ("900000001", "nobody@example.com"),
        ("900000999", "nobody@example.com"),
        ("900000006", "sanne@example.com"),
        ("900000007", "sanne@example.com"),
        ("900000001", "lease@example.com"),
    ],
)
async def test_a_wrong_pair_is_refused_alike_whichever_half_was_wrong(
    application: TestApplication, pair: tuple[str, str]
) -> None:
    error = await refusal(application.ask(pair))
    assert (type(error), error.code, error.fields, error.url) == (Refused, Code.INVALID_CREDENTIALS, {}, None)
    assert await application.mails("sanne@example.com") == []
    assert await application.mails(pair[1]) == []


async def test_a_lease_order_is_sent_to_the_lease_portal(application: TestApplication) -> None:
    error = await refusal(application.ask(LEASE))
    assert (error.code, error.url) == (Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/")
    assert await application.mails(LEASE[1]) == []


async def test_an_order_of_another_country_is_sent_to_that_country(application: TestApplication) -> None:
    error = await refusal(application.ask(LARS))
    assert (error.code, error.url) == (Code.OTHER_COUNTRY, "https://mein.bovenbuis.example/")
    assert await application.mails(LARS[1]) == []


async def test_a_customer_abroad_logs_in_where_there_is_no_portal_elsewhere(
    application: TestApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application.context.settings, "country_domains", {})
    assert await application.logged_in(LARS)
    assert await application.logged_in((None, LARS[1]))


async def test_an_address_alone_is_answered_alike_whether_we_know_it_or_not(application: TestApplication) -> None:
    known = await application.ask((None, "SANNE@example.com"), address="192.0.2.1")
    unknown = await application.ask((None, "SARAH@example.com"), address="192.0.2.2")
    assert known.model_dump(exclude={"challenge"}) == unknown.model_dump(exclude={"challenge"})
    assert len(known.challenge) == len(unknown.challenge)
    assert len(await application.mails("sanne@example.com")) == 1
    assert await application.mails("SARAH@example.com") == []


async def test_an_address_alone_opens_the_newest_order_that_may_log_in_here(application: TestApplication) -> None:
    sent = await application.ask((None, "sanne@example.com"))
    session = await application.enter(await application.newest_code("sanne@example.com"), sent.challenge)
    assert (await application.sessions.owner(session.jwt)).order_number == "900000001"


@pytest.mark.parametrize("email", [LEASE[1], LARS[1], "nobody@example.com"])
async def test_an_address_alone_mails_nothing_to_who_may_not_log_in_here(
    application: TestApplication, email: str
) -> None:
    sent = await application.ask((None, email))
    assert await application.mails(email) == []
    for guess in ("000000", "123456", "999999"):
        assert await outcome(application.enter(guess, sent.challenge)) == "invalid_code"


async def test_the_code_of_nobody_opens_nothing_even_when_it_is_guessed(application: TestApplication) -> None:
    sent = await application.ask((None, "nobody@example.com"))
    async with application.context.database.transaction() as session:
        row = (await session.exec(select(LoginChallenge))).one()
        row.code_hash = code_hash(application.context.settings, row.salt, "123456")
    assert await outcome(application.enter("123456", sent.challenge)) == "invalid_code"


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("typed", "code", "url"),
    [
        ("LEASE2026", Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/"),
        ("lease-2026", Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/"),
        ("UNKNOWN123", Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/"),
        ("900000001", Code.NOT_LEASE_ORDER, None),
        ("900000006", Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/"),
        ("no digits", Code.INVALID_FRAME_NUMBER, None),
        ("", Code.REQUIRED, None),
    ],
)
async def test_the_lease_login_always_says_where_to_go(
    application: TestApplication, typed: str, code: Code, url: str
) -> None:
    error = await refusal(application.login.request_lease(LeaseRequest(lease=typed), Origin()))
    assert (error.code, error.url) == (code, url)


@pytest.mark.parametrize(
    "email",
    ["sanne@example.com, evil@example.org", "sanne@example.com\r\nBcc: evil@example.org", "sanne@example.com\0"],
)
async def test_no_trick_with_an_address_mails_anybody_but_the_customer(
    sqlite_application: TestApplication, email: str
) -> None:
    await outcome(sqlite_application.ask(("900000001", email)))
    await outcome(sqlite_application.ask((None, email)))
    await sqlite_application.deliver()
    assert {mail.recipient for mail in list_messages(sqlite_application.data_dir)} <= {"sanne@example.com"}


async def test_the_right_pair_gets_a_code_that_opens_a_session_of_that_customer(application: TestApplication) -> None:
    sent = await application.ask()
    session = await application.enter(await application.newest_code("sanne@example.com"), sent.challenge)
    check = await application.session.check_session(session.jwt)
    assert check.customer == "SANNE"
    assert (await application.sessions.owner(session.jwt)).order_number == "900000001"
    assert (sent.expires_at - application.clock()).total_seconds() == 600
    assert (sent.resend_at - application.clock()).total_seconds() == 60


async def test_the_answer_shows_only_parts_of_the_address(application: TestApplication) -> None:
    assert (await application.ask()).email == "s…@…com"


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


@pytest.mark.parametrize("typed", ["12345", "1234567", "abcdef", "12345a", "٣٤٥٦٧٨", "' OR 1=1 --", "0" * 999])
async def test_what_cannot_be_a_code_is_refused_and_costs_no_try(
    sqlite_application: TestApplication, typed: str
) -> None:
    sent = await sqlite_application.ask()
    assert await outcome(sqlite_application.enter(typed, sent.challenge)) == "invalid_code"
    assert (await sqlite_application.one(LoginChallenge)).attempts == 0


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


OLD, NEW = "sanne@example.com", "Sanne.Vermeer@example.org"


def _ask(application: TestApplication, token: str, email: str = NEW) -> asyncio.Future[EmailChangeSent]:
    return asyncio.ensure_future(application.login.request_email_change(token, EmailChange(email=email)))


def _confirm(application: TestApplication, token: str, code: str) -> asyncio.Future[UserData]:
    return asyncio.ensure_future(application.login.confirm_email_change(token, EmailChangeCode(code=code)))


async def _code(application: TestApplication) -> str:
    return code_in((await application.mails(OLD))[0].text)


async def test_the_code_goes_to_the_old_address_and_names_the_new_one(application: TestApplication) -> None:
    token = await application.logged_in()
    sent = await _ask(application, token)
    assert sent.email == "sanne@example.com"
    assert (sent.expires_at - application.clock()).total_seconds() == 600
    newest = (await application.mails(OLD))[0]
    assert NEW in newest.text
    assert await application.mails(NEW) == []


async def test_with_the_code_the_new_address_is_used_and_both_are_notified(application: TestApplication) -> None:
    token = await application.logged_in()
    await _ask(application, token)
    code = await _code(application)
    application.clock.forward(seconds=1)
    changed = await _confirm(application, token, code)
    assert changed.customer.email == NEW
    for address in (OLD, NEW):
        assert (await application.mails(address))[0].subject == "Je e-mailadres is gewijzigd"
    assert await outcome(application.ask(SANNE)) == "invalid_credentials"
    assert await outcome(application.ask(("900000001", NEW.lower()))) == "ok"


async def test_a_change_ends_the_other_sessions_and_the_codes_on_their_way(application: TestApplication) -> None:
    other = await application.logged_in()
    token = await application.logged_in()
    sent = await application.ask()
    login_code = await application.newest_code(OLD)
    application.clock.forward(minutes=1)
    await _ask(application, token)
    await _confirm(application, token, await _code(application))
    assert await outcome(application.session.check_session(other)) == "session_ended"
    assert await outcome(application.session.check_session(token)) == "ok"
    assert await outcome(application.enter(login_code, sent.challenge)) == "code_used_up"


async def test_only_the_session_that_asked_can_confirm(application: TestApplication) -> None:
    mine, other = await application.logged_in(), await application.logged_in()
    await _ask(application, mine)
    code = await _code(application)
    assert await outcome(_confirm(application, other, code)) == "no_challenge"
    assert await outcome(_confirm(application, mine, code)) == "ok"


@pytest.mark.each_database
async def test_forty_guesses_at_a_change_are_compared_five_times(application: TestApplication) -> None:
    token = await application.logged_in()
    await _ask(application, token)
    code = await _code(application)
    results = Counter(await asyncio.gather(*(outcome(_confirm(application, token, wrong(code))) for _ in range(40))))
    assert results == {"invalid_code": 5, "code_used_up": 35}
    assert await outcome(_confirm(application, token, code)) == "code_used_up"


async def test_the_code_of_a_change_works_once_and_for_ten_minutes(application: TestApplication) -> None:
    token = await application.logged_in()
    assert await outcome(_confirm(application, token, "123456")) == "no_challenge"
    await _ask(application, token)
    late = await _code(application)
    application.clock.forward(minutes=10, seconds=1)
    assert await outcome(_confirm(application, token, late)) == "code_expired"
    await _ask(application, token)
    code = await _code(application)
    assert await outcome(_confirm(application, token, code)) == "ok"
    assert await outcome(_confirm(application, token, code)) == "code_used_up"


async def test_a_newer_change_replaces_the_older_one(application: TestApplication) -> None:
    token = await application.logged_in()
    await _ask(application, token, "first@example.org")
    first = await _code(application)
    application.clock.forward(minutes=1)
    await _ask(application, token, "second@example.org")
    assert first != await _code(application)
    assert await outcome(_confirm(application, token, first)) == "invalid_code"
    assert (await _confirm(application, token, await _code(application))).customer.email == "second@example.org"


@pytest.mark.parametrize(
    ("email", "code"),
    [
        ("", Code.REQUIRED),
        ("sanne", Code.INVALID_EMAIL),
        ("a@example.org, b@example.org", Code.INVALID_EMAIL),
        ("SANNE@example.com", Code.SAME_EMAIL),
    ],
)
async def test_an_address_that_will_not_do_is_reported(
    sqlite_application: TestApplication, email: str, code: Code
) -> None:
    token = await sqlite_application.logged_in()
    error = await refusal(_ask(sqlite_application, token, email))
    assert (error.code, error.fields) == (code, {"email": code})


async def test_changes_are_limited_like_logins(application: TestApplication) -> None:
    token = await application.logged_in()
    first = await _ask(application, token)
    error = await refusal(_ask(application, token))
    assert (error.code, error.retry_at) == (Code.TOO_MANY_REQUESTS, first.resend_at)
    for _ in range(4):
        application.clock.forward(minutes=1)
        assert await outcome(_ask(application, token)) == "ok"
    application.clock.forward(minutes=1)
    assert await outcome(_ask(application, token)) == "too_many_requests"
