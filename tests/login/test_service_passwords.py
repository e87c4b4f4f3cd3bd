"""Passwords: off by default; where offered, set by a mailed link and limited like codes (part-1 §5, §8)."""

import pytest

from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused, TooMany
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.login.api import LoginApi, NewPassword, PasswordEntry, PasswordLink, PasswordResetRequest
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import PasswordRow
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.application import outcome, refusal
from tests.support.customers import SANNE
from tests.support.living import Living

GOOD = "Fietsbel-2026!"
ORIGIN = Origin(address="192.0.2.9")
PAIR = {"email": SANNE[1], "order_number": SANNE[0]}


async def _link(shop: Living) -> str:
    await shop.ask(LoginApi).request_password_reset(PasswordResetRequest(**PAIR), ORIGIN)
    return await shop.end(SANNE[1], LinkPurpose.PASSWORD)


async def _set(shop: Living, end: str, password: str = GOOD, repeat: str | None = None) -> None:
    new = NewPassword(hash=end, password=password, repeat=password if repeat is None else repeat)
    await shop.ask(LoginApi).set_password(new)


async def _log_in(shop: Living, password: str, address: str = "192.0.2.9") -> str:
    return (await shop.ask(LoginApi).log_in(PasswordEntry(**PAIR, password=password), Origin(address=address))).jwt


@pytest.mark.each_database
async def test_a_password_is_set_by_the_link_and_opens_a_session(living: Living) -> None:
    before = await living.log_in(SANNE)
    end = await _link(living)
    assert (await living.ask(LoginApi).password_link(PasswordLink(hash=end))).state is LinkState.VALID
    await _set(living, end)
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).customer_info(before)
    token = await _log_in(living, GOOD)
    assert (await living.ask(SessionApi).customer_info(token)).customer.email == SANNE[1]
    assert await outcome(_log_in(living, GOOD + "x")) == "wrong_password"
    assert await outcome(_set(living, end)) == "hash_not_found"
    assert any("wachtwoord is gewijzigd" in mail.subject for mail in await living.mails(SANNE[1]))
    kept = (await living.one(PasswordRow)).password_hash
    assert kept.startswith("$argon2id$")
    assert GOOD not in kept


@pytest.mark.parametrize(
    ("password", "repeat", "field", "code"),
    [
        ("", "", "password", Code.REQUIRED),
        ("Kort-1!", "Kort-1!", "password", Code.INVALID_PASSWORD),
        ("A1!" + "a" * 62, "A1!" + "a" * 62, "password", Code.INVALID_PASSWORD),
        ("fietsbel-2026!", "fietsbel-2026!", "password", Code.INVALID_PASSWORD),
        ("12345678!", "12345678!", "password", Code.INVALID_PASSWORD),
        ("Fietsbel-abc!", "Fietsbel-abc!", "password", Code.INVALID_PASSWORD),
        ("Fietsbel2026", "Fietsbel2026", "password", Code.INVALID_PASSWORD),
        (GOOD, GOOD + " ", "repeat", Code.PASSWORDS_DIFFER),
    ],
)
async def test_the_rules_are_kept_and_a_refusal_does_not_use_the_link_up(
    living: Living, password: str, repeat: str, field: str, code: Code
) -> None:
    end = await _link(living)
    caught = await refusal(_set(living, end, password, repeat))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {field: code}
    await _set(living, end)


async def test_a_link_expires_and_an_unknown_one_is_reported(living: Living) -> None:
    end = await _link(living)
    living.clock.forward(hours=24)
    assert await outcome(_set(living, end)) == "user_hash_expired"
    assert await outcome(_set(living, "x" * 43)) == "hash_not_found"
    assert await outcome(_set(living, "")) == "hash_not_found"
    assert (await living.ask(LoginApi).password_link(PasswordLink(hash="cut"))).state is LinkState.INVALID


async def test_a_newer_link_makes_the_older_one_worthless(living: Living) -> None:
    old = await _link(living)
    living.clock.forward(minutes=2)
    new = await _link(living)
    assert await outcome(_set(living, old)) == "hash_not_found"
    await _set(living, new)


async def test_tries_are_limited_for_a_network_and_not_for_the_customer_elsewhere(living: Living) -> None:
    await _set(living, await _link(living))
    for _ in range(5):
        assert await outcome(_log_in(living, "Wrong-pass-1")) == "wrong_password"
    caught = await refusal(_log_in(living, GOOD))
    assert isinstance(caught, TooMany)
    assert caught.retry_at
    await _log_in(living, GOOD, "198.51.100.7")
    living.clock.forward(minutes=11)
    await _log_in(living, GOOD)


async def test_who_has_no_password_or_does_not_exist_gets_the_same_answer(living: Living) -> None:
    for email, number in ((SANNE[1], SANNE[0]), ("nobody@example.com", "900000001")):
        entry = PasswordEntry(email=email, order_number=number, password=GOOD)
        assert await outcome(living.ask(LoginApi).log_in(entry, ORIGIN)) == "wrong_password"
    unknown = PasswordResetRequest(email="nobody@example.com", order_number=SANNE[0])
    caught = await refusal(living.ask(LoginApi).request_password_reset(unknown, ORIGIN))
    assert isinstance(caught, Refused)
    assert caught.code is Code.INVALID_CREDENTIALS
    assert not await living.mails("nobody@example.com")


async def test_without_the_setting_nothing_of_it_is_there(living: Living) -> None:
    old = living.context.settings
    application = Application(Settings(database_url=old.database, data_dir=old.data_dir))
    provider = application.services
    for call in (
        provider.ask(LoginApi).request_password_reset(PasswordResetRequest(**PAIR), ORIGIN),
        provider.ask(LoginApi).password_link(PasswordLink(hash="x")),
        provider.ask(LoginApi).set_password(NewPassword(hash="x", password=GOOD, repeat=GOOD)),
        provider.ask(LoginApi).log_in(PasswordEntry(**PAIR, password=GOOD), ORIGIN),
    ):
        with pytest.raises(NotFound):
            await call
    await application.close()
