"""Who gets a login code, who is sent elsewhere, and what nobody is told."""

from __future__ import annotations

import pytest
from sqlmodel import select

from portal.backend.mailbox import list_messages
from portal.backend.security import code_hash
from portal.contract.errors import InvalidInput, Refused
from portal.contract.session import LeaseRequest, Origin
from portal.kernel.codes import Code
from portal.tables.customers import LoginChallenge
from tests.support.application import LARS, LEASE, TestHouse, outcome, refusal


@pytest.mark.parametrize(
    ("number", "email", "fields"),
    [
        ("", "", {"order_number": Code.REQUIRED, "email": Code.REQUIRED}),
        ("700000001", "sanne@example.com", {"order_number": Code.INVALID_ORDER_ID}),
        ("9000000011", "sanne@example.com", {"order_number": Code.INVALID_ORDER_ID}),
        ("900000001", "sanne", {"email": Code.INVALID_EMAIL}),
        ("900000001", "x" * 1000, {"email": Code.INVALID_EMAIL}),
    ],
)
async def test_what_is_not_well_formed_is_told_by_field(
    sqlite_house: TestHouse, number: str, email: str, fields: dict[str, Code]
) -> None:
    error = await refusal(sqlite_house.ask((number, email)))
    assert isinstance(error, InvalidInput)
    assert error.fields == fields


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
async def test_a_wrong_pair_is_refused_alike_whichever_half_was_wrong(house: TestHouse, pair: tuple[str, str]) -> None:
    error = await refusal(house.ask(pair))
    assert (type(error), error.code, error.fields, error.url) == (Refused, Code.INVALID_CREDENTIALS, {}, None)
    assert await house.mails("sanne@example.com") == []
    assert await house.mails(pair[1]) == []


async def test_a_lease_order_is_sent_to_the_lease_portal(house: TestHouse) -> None:
    error = await refusal(house.ask(LEASE))
    assert (error.code, error.url) == (Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/")
    assert await house.mails(LEASE[1]) == []


async def test_an_order_of_another_country_is_sent_to_that_country(house: TestHouse) -> None:
    error = await refusal(house.ask(LARS))
    assert (error.code, error.url) == (Code.OTHER_COUNTRY, "https://mein.bovenbuis.example/")
    assert await house.mails(LARS[1]) == []


async def test_an_address_alone_is_answered_alike_whether_we_know_it_or_not(house: TestHouse) -> None:
    known = await house.ask((None, "SANNE@example.com"), address="192.0.2.1")
    unknown = await house.ask((None, "SARAH@example.com"), address="192.0.2.2")
    assert known.model_dump(exclude={"challenge"}) == unknown.model_dump(exclude={"challenge"})
    assert len(known.challenge) == len(unknown.challenge)
    assert len(await house.mails("sanne@example.com")) == 1
    assert await house.mails("SARAH@example.com") == []


async def test_an_address_alone_opens_the_newest_order_that_may_log_in_here(house: TestHouse) -> None:
    sent = await house.ask((None, "sanne@example.com"))
    session = await house.enter(await house.newest_code("sanne@example.com"), sent.challenge)
    assert (await house.sessions.owner(session.jwt)).order_number == "900000001"


@pytest.mark.parametrize("email", [LEASE[1], LARS[1], "nobody@example.com"])
async def test_an_address_alone_mails_nothing_to_who_may_not_log_in_here(house: TestHouse, email: str) -> None:
    sent = await house.ask((None, email))
    assert await house.mails(email) == []
    for guess in ("000000", "123456", "999999"):
        assert await outcome(house.enter(guess, sent.challenge)) == "invalid_code"


async def test_the_code_of_nobody_opens_nothing_even_when_it_is_guessed(house: TestHouse) -> None:
    sent = await house.ask((None, "nobody@example.com"))
    async with house.context.database.transaction() as session:
        row = (await session.exec(select(LoginChallenge))).one()
        row.code_hash = code_hash(house.context.settings, row.salt, "123456")
    assert await outcome(house.enter("123456", sent.challenge)) == "invalid_code"


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
async def test_the_lease_login_always_says_where_to_go(house: TestHouse, typed: str, code: Code, url: str) -> None:
    error = await refusal(house.login.request_lease(LeaseRequest(lease=typed), Origin()))
    assert (error.code, error.url) == (code, url)


@pytest.mark.parametrize(
    "email",
    [
        "sanne@example.com, evil@example.org",
        "sanne@example.com;evil@example.org",
        "sanne@example.com＠evil.example.org",
        "sanne＠example.com@evil.example.org",
        "sanne@example.com\r\nBcc: evil@example.org",
        "sanne@example.com%0d%0aBcc:evil@example.org",
        '"sanne@example.com"@evil.example.org',
        "sanne@example.com\u2028Bcc: evil@example.org",
        "<evil@example.org> sanne@example.com",
        "Sanne <sanne@example.com>",
        "sanne@example.com\0",
    ],
)
async def test_no_trick_with_an_address_mails_anybody_but_the_customer(sqlite_house: TestHouse, email: str) -> None:
    await outcome(sqlite_house.ask(("900000001", email)))
    await outcome(sqlite_house.ask((None, email)))
    await sqlite_house.deliver()
    assert {letter.recipient for letter in list_messages(sqlite_house.data_dir)} <= {"sanne@example.com"}
