"""How often codes can be asked for."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from portal.backend.limits import Limit, network, take
from portal.contract.errors import TooMany
from portal.contract.session import LeaseRequest, Origin
from portal.tables.customers import LimitWindow
from tests.support.application import SANNE, TestApplication, outcome, refusal

WRONG = ("900000999", "sanne@example.com")


async def test_a_second_mail_within_a_minute_is_refused_and_the_answer_says_until_when(
    application: TestApplication,
) -> None:
    sent = await application.ask()
    application.clock.forward(seconds=20)
    error = await refusal(application.ask())
    assert isinstance(error, TooMany)
    assert error.retry_at == sent.resend_at
    application.clock.go_to(error.retry_at)
    assert await outcome(application.ask()) == "ok"


async def test_five_mails_an_hour_and_no_more(application: TestApplication) -> None:
    start = application.clock()
    for place in range(5):
        assert await outcome(application.ask(address=f"192.0.2.{place}")) == "ok"
        application.clock.forward(seconds=60)
    error = await refusal(application.ask(address="192.0.2.9"))
    assert error.retry_at == start + timedelta(hours=1)
    assert len(await application.mails("sanne@example.com")) == 5
    application.clock.go_to(error.retry_at)
    assert await outcome(application.ask(address="192.0.2.9")) == "ok"
    application.clock.forward(seconds=1)
    error = await refusal(application.ask(address="192.0.2.9"))
    assert error.retry_at == start + timedelta(hours=1, seconds=60)


@pytest.mark.each_database
async def test_a_hundred_requests_at_once_send_one_mail(application: TestApplication) -> None:
    results = Counter(await asyncio.gather(*(outcome(application.ask()) for _ in range(100))))
    assert results == {"ok": 1, "too_many_requests": 99}
    assert len(await application.mails("sanne@example.com")) == 1


async def test_one_network_address_asks_twenty_times_an_hour_right_or_wrong(application: TestApplication) -> None:
    results = [
        await outcome(application.ask((f"9000009{n:02}", f"x{n}@example.com"), address="192.0.2.1")) for n in range(20)
    ]
    assert set(results) == {"invalid_credentials"}
    assert await outcome(application.ask(address="192.0.2.1")) == "too_many_requests"
    lease = application.login.request_lease(LeaseRequest(lease="LEASE2026"), Origin(address="192.0.2.1"))
    assert await outcome(lease) == "too_many_requests"
    assert await outcome(application.ask(address="192.0.2.2")) == "ok"


@pytest.mark.each_database
async def test_forty_wrong_pairs_at_once_are_looked_up_twenty_times(application: TestApplication) -> None:
    wrong = [application.ask((f"9000009{n:02}", "sanne@example.com"), address="192.0.2.1") for n in range(40)]
    assert Counter(await asyncio.gather(*map(outcome, wrong))) == {"invalid_credentials": 20, "too_many_requests": 20}


async def test_wrong_pairs_do_not_use_up_the_mails_of_the_customer(application: TestApplication) -> None:
    for _ in range(10):
        assert await outcome(application.ask(WRONG, address="192.0.2.1")) == "invalid_credentials"
    assert await outcome(application.ask(address="192.0.2.2")) == "ok"


async def test_an_unknown_address_alone_is_limited_like_a_known_one(application: TestApplication) -> None:
    for email in ("sanne@example.com", "nobody@example.com"):
        assert await outcome(application.ask((None, email))) == "ok"
        assert await outcome(application.ask((None, email.upper()))) == "too_many_requests"


async def test_who_asks_for_many_codes_of_somebody_does_not_lock_them_out(application: TestApplication) -> None:
    mine = await application.ask(address="198.51.100.7")
    code = await application.newest_code("sanne@example.com")
    for _ in range(20):
        application.clock.forward(seconds=20)
        await outcome(application.ask(address="192.0.2.66"))
        await outcome(application.ask((None, "sanne@example.com"), address="192.0.2.66"))
    assert await outcome(application.enter(code, mine.challenge)) == "ok"
    application.clock.forward(seconds=60)
    assert len(await application.mails("sanne@example.com")) <= 5


async def test_one_of_the_hourly_mails_is_kept_for_another_network_address(application: TestApplication) -> None:
    for _ in range(4):
        assert await outcome(application.ask(address="192.0.2.66")) == "ok"
        application.clock.forward(seconds=60)
    assert await outcome(application.ask(address="192.0.2.66")) == "too_many_requests"
    assert await outcome(application.ask(address="198.51.100.7")) == "ok"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_address_counts_for_what_one_customer_holds(address: str, expected: str) -> None:
    assert network(address) == expected


async def test_a_limit_of_one_key_does_not_touch_another_and_refusals_are_not_counted(
    application: TestApplication,
) -> None:
    now = application.clock()

    async def use(key: str, seconds: float = 0) -> object:
        async with application.context.database.transaction() as session:
            return await take(session, [Limit(key, 2, timedelta(minutes=1))], now + timedelta(seconds=seconds))

    assert [await use("a"), await use("a", 10), await use("b")] == [None, None, None]
    assert await use("a", 20) == now + timedelta(seconds=60)
    assert await use("a", 30) == now + timedelta(seconds=60)
    assert await use("a", 60) is None
    assert await use("a", 61) == now + timedelta(seconds=70)


async def test_limits_hold_no_address_that_can_be_read(application: TestApplication) -> None:
    await application.ask(SANNE, address="192.0.2.77")
    keys = " ".join([row.key for row in await application.rows(LimitWindow)])
    assert "sanne" not in keys
    assert "192.0.2" not in keys
