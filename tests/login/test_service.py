"""Who gets a login code, who is sent elsewhere, and what nobody is told."""

from __future__ import annotations

import pytest
from sqlmodel import select

from portal.backend.security import code_hash
from portal.backend.transports import list_messages
from portal.contract.errors import InvalidInput, Refused
from portal.contract.session import LeaseRequest, Origin
from portal.kernel.codes import Code
from portal.tables.customers import LoginChallenge
from tests.support.application import LARS, LEASE, TestApplication, outcome, refusal


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
async def test_what_is_not_well_formed_is_reported_by_field(
    sqlite_application: TestApplication, number: str, email: str, fields: dict[str, Code]
) -> None:
    error = await refusal(sqlite_application.ask((number, email)))
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
async def test_no_trick_with_an_address_mails_anybody_but_the_customer(
    sqlite_application: TestApplication, email: str
) -> None:
    await outcome(sqlite_application.ask(("900000001", email)))
    await outcome(sqlite_application.ask((None, email)))
    await sqlite_application.deliver()
    assert {mail.recipient for mail in list_messages(sqlite_application.data_dir)} <= {"sanne@example.com"}
