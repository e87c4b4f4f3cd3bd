"""Changing the e-mail address."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from portal.contract.session import UserData
from portal.kernel.codes import Code
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent
from tests.support.application import SANNE, TestHouse, code_in, outcome, refusal, wrong

OLD, NEW = "sanne@example.com", "Sanne.Vermeer@example.org"


def _ask(house: TestHouse, token: str, email: str = NEW) -> asyncio.Future[EmailChangeSent]:
    return asyncio.ensure_future(house.login.request_email_change(token, EmailChange(email=email)))


def _confirm(house: TestHouse, token: str, code: str) -> asyncio.Future[UserData]:
    return asyncio.ensure_future(house.login.confirm_email_change(token, EmailChangeCode(code=code)))


async def _code(house: TestHouse) -> str:
    return code_in((await house.mails(OLD))[0].text)


async def test_the_code_goes_to_the_old_address_and_names_the_new_one(house: TestHouse) -> None:
    token = await house.logged_in()
    sent = await _ask(house, token)
    assert sent.email == "s…@…com"
    assert (sent.expires_at - house.clock()).total_seconds() == 600
    newest = (await house.mails(OLD))[0]
    assert NEW in newest.text
    assert await house.mails(NEW) == []


async def test_with_the_code_the_new_address_is_used_and_both_are_told(house: TestHouse) -> None:
    token = await house.logged_in()
    await _ask(house, token)
    code = await _code(house)
    house.clock.forward(seconds=1)
    changed = await _confirm(house, token, code)
    assert changed.customer.email == NEW
    for address in (OLD, NEW):
        assert (await house.mails(address))[0].subject == "Je e-mailadres is gewijzigd"
    assert await outcome(house.ask(SANNE)) == "invalid_credentials"
    assert await outcome(house.ask(("900000001", NEW.lower()))) == "ok"


async def test_nothing_changes_before_the_code_is_entered(house: TestHouse) -> None:
    token = await house.logged_in()
    await _ask(house, token)
    assert await outcome(_confirm(house, token, wrong(await _code(house)))) == "invalid_code"
    house.clock.forward(minutes=1)
    assert await outcome(house.ask(SANNE)) == "ok"


async def test_a_change_ends_the_other_sessions_and_the_codes_on_their_way(house: TestHouse) -> None:
    other = await house.logged_in()
    token = await house.logged_in()
    sent = await house.ask()
    login_code = await house.newest_code(OLD)
    house.clock.forward(minutes=1)
    await _ask(house, token)
    await _confirm(house, token, await _code(house))
    assert await outcome(house.session.check_session(other)) == "session_ended"
    assert await outcome(house.session.check_session(token)) == "ok"
    assert await outcome(house.enter(login_code, sent.challenge)) == "code_used_up"


async def test_only_the_session_that_asked_can_confirm(house: TestHouse) -> None:
    mine, other = await house.logged_in(), await house.logged_in()
    await _ask(house, mine)
    code = await _code(house)
    assert await outcome(_confirm(house, other, code)) == "no_challenge"
    assert await outcome(_confirm(house, mine, code)) == "ok"


@pytest.mark.each_database
async def test_forty_guesses_at_once_are_compared_five_times(house: TestHouse) -> None:
    token = await house.logged_in()
    await _ask(house, token)
    code = await _code(house)
    results = Counter(await asyncio.gather(*(outcome(_confirm(house, token, wrong(code))) for _ in range(40))))
    assert results == {"invalid_code": 5, "code_used_up": 35}
    assert await outcome(_confirm(house, token, code)) == "code_used_up"


async def test_a_code_works_once_and_for_ten_minutes(house: TestHouse) -> None:
    token = await house.logged_in()
    assert await outcome(_confirm(house, token, "123456")) == "no_challenge"
    await _ask(house, token)
    late = await _code(house)
    house.clock.forward(minutes=10, seconds=1)
    assert await outcome(_confirm(house, token, late)) == "code_expired"
    await _ask(house, token)
    code = await _code(house)
    assert await outcome(_confirm(house, token, code)) == "ok"
    assert await outcome(_confirm(house, token, code)) == "code_used_up"


async def test_a_newer_change_replaces_the_older_one(house: TestHouse) -> None:
    token = await house.logged_in()
    await _ask(house, token, "first@example.org")
    first = await _code(house)
    house.clock.forward(minutes=1)
    await _ask(house, token, "second@example.org")
    assert first != await _code(house)
    assert await outcome(_confirm(house, token, first)) == "invalid_code"
    assert (await _confirm(house, token, await _code(house))).customer.email == "second@example.org"


@pytest.mark.parametrize(
    ("email", "code"),
    [
        ("", Code.REQUIRED),
        ("sanne", Code.INVALID_EMAIL),
        ("a@example.org, b@example.org", Code.INVALID_EMAIL),
        ("SANNE@example.com", Code.SAME_EMAIL),
    ],
)
async def test_an_address_that_will_not_do_is_told(sqlite_house: TestHouse, email: str, code: Code) -> None:
    token = await sqlite_house.logged_in()
    error = await refusal(_ask(sqlite_house, token, email))
    assert (error.code, error.fields) == (code, {"email": code})


async def test_changes_are_limited_like_logins(house: TestHouse) -> None:
    token = await house.logged_in()
    first = await _ask(house, token)
    error = await refusal(_ask(house, token))
    assert (error.code, error.retry_at) == (Code.TOO_MANY_REQUESTS, first.resend_at)
    for _ in range(4):
        house.clock.forward(minutes=1)
        assert await outcome(_ask(house, token)) == "ok"
    house.clock.forward(minutes=1)
    assert await outcome(_ask(house, token)) == "too_many_requests"


async def test_without_a_session_nothing_can_be_changed(sqlite_house: TestHouse) -> None:
    assert await outcome(_ask(sqlite_house, "nonsense")) == "session_ended"
    assert await outcome(_confirm(sqlite_house, "nonsense", "123456")) == "session_ended"
