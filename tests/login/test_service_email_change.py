"""Changing the e-mail address."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from portal.contract.session import UserData
from portal.kernel.codes import Code
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent
from tests.support.application import SANNE, TestApplication, code_in, outcome, refusal, wrong

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


async def test_nothing_changes_before_the_code_is_entered(application: TestApplication) -> None:
    token = await application.logged_in()
    await _ask(application, token)
    assert await outcome(_confirm(application, token, wrong(await _code(application)))) == "invalid_code"
    application.clock.forward(minutes=1)
    assert await outcome(application.ask(SANNE)) == "ok"


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
async def test_forty_guesses_at_once_are_compared_five_times(application: TestApplication) -> None:
    token = await application.logged_in()
    await _ask(application, token)
    code = await _code(application)
    results = Counter(await asyncio.gather(*(outcome(_confirm(application, token, wrong(code))) for _ in range(40))))
    assert results == {"invalid_code": 5, "code_used_up": 35}
    assert await outcome(_confirm(application, token, code)) == "code_used_up"


async def test_a_code_works_once_and_for_ten_minutes(application: TestApplication) -> None:
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


async def test_without_a_session_nothing_can_be_changed(sqlite_application: TestApplication) -> None:
    assert await outcome(_ask(sqlite_application, "nonsense")) == "session_ended"
    assert await outcome(_confirm(sqlite_application, "nonsense", "123456")) == "session_ended"
