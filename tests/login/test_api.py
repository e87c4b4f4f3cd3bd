"""Logging in and out: the same whichever way the provider is reached."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.bikes.api import BikesApi
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError, Refused
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from tests.contract.operations import WITH_SESSION
from tests.support.connections import Shop
from tests.support.mailbox import text_of
from tests.support.people import AMBER, JORIS, LARS, LEASE, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
HERE = Origin(address="198.51.100.1")


async def ask(shop: Shop, customer: tuple[str, str], origin: Origin = HERE) -> tuple[CodeSent, str]:
    """Ask for a code and read it in the mail."""
    order_number, email = customer
    seen = len(shop.mailbox.mails_to(email))
    sent = await shop.ask(LoginApi).request_code(CodeRequest(email=email, order_number=order_number), origin)
    return sent, await shop.code(email, seen)


def wrong(code: str) -> str:
    """Another code."""
    return f"{(int(code) + 1) % 1_000_000:06}"


async def refused(shop: Shop, entry: CodeEntry, origin: Origin = HERE) -> Code:
    """The code with which an entry is refused."""
    with pytest.raises(Refused) as caught:
        await shop.ask(LoginApi).authenticate(entry, origin)
    return caught.value.code


async def test_the_mailed_code_opens_a_session(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, SANNE)
    assert "sanne" not in sent.email
    assert "@" in sent.email
    assert timedelta(minutes=9) < sent.expires_at - datetime.now(UTC) <= timedelta(minutes=10)
    session = await shop_each_way.ask(LoginApi).authenticate(CodeEntry(token=code, challenge=sent.challenge), HERE)
    assert timedelta(hours=11.9) < session.expires_at - datetime.now(UTC) <= timedelta(hours=12)
    check = await shop_each_way.ask(SessionApi).check_session(session.jwt)
    assert check.expires_at == session.expires_at
    assert timedelta(minutes=28) < check.idle_until - datetime.now(UTC) <= timedelta(minutes=30)
    assert (check.locale, check.country) == ("nl", "NL")


async def test_the_email_address_alone_is_enough_for_a_code(shop_each_way: Shop) -> None:
    seen = len(shop_each_way.mailbox.mails_to(SANNE[1]))
    sent = await shop_each_way.ask(LoginApi).request_code(CodeRequest(email=SANNE[1].upper()), HERE)
    entry = CodeEntry(token=f" {await shop_each_way.code(SANNE[1], seen)} ", challenge=sent.challenge)
    token = (await shop_each_way.ask(LoginApi).authenticate(entry, HERE)).jwt
    assert (await shop_each_way.ask(SessionApi).customer_info(token)).customer.email == SANNE[1]


async def test_the_challenge_of_the_browser_is_enough(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, SANNE)
    origin = Origin(address="198.51.100.1", challenge=sent.challenge)
    assert (await shop_each_way.ask(LoginApi).authenticate(CodeEntry(token=code), origin)).jwt


async def test_the_mail_is_in_the_language_that_was_asked_for(shop_each_way: Shop) -> None:
    await ask(shop_each_way, NOOR, Origin(address="198.51.100.1", locale="en"))
    english = text_of(shop_each_way.mailbox.mails_to(NOOR[1])[-1])
    await ask(shop_each_way, NOOR, Origin(address="198.51.100.1", locale="nl"))
    dutch = text_of(shop_each_way.mailbox.mails_to(NOOR[1])[-1])
    assert "login code" in english.lower()
    assert "inlogcode" in dutch.lower()


@pytest.mark.parametrize(
    ("request_", "kind", "code", "fields"),
    [
        (CodeRequest(email="nobody", order_number="900000001"), InvalidInput, Code.INVALID_EMAIL,
         {"email": Code.INVALID_EMAIL}),
        (CodeRequest(email="", order_number="900000001"), InvalidInput, Code.REQUIRED, {"email": Code.REQUIRED}),
        (CodeRequest(email="sanne@example.com", order_number="12"), InvalidInput, Code.INVALID_ORDER_ID,
         {"order_number": Code.INVALID_ORDER_ID}),
        (CodeRequest(email="sanne@example.com", order_number=" "), InvalidInput, Code.REQUIRED,
         {"order_number": Code.REQUIRED}),
        (CodeRequest(email="x", order_number="y"), InvalidInput, Code.INVALID_INPUT,
         {"email": Code.INVALID_EMAIL, "order_number": Code.INVALID_ORDER_ID}),
        (CodeRequest(email="sanne@example.com", order_number="900000002"), Refused, Code.INVALID_CREDENTIALS, {}),
        (CodeRequest(email="stranger@example.com", order_number="900000001"), Refused, Code.INVALID_CREDENTIALS, {}),
        (CodeRequest(email="a@example.com,b@example.com", order_number="900000001"), InvalidInput, Code.INVALID_EMAIL,
         {"email": Code.INVALID_EMAIL}),
        (CodeRequest(email="\r\nBcc: x@example.com", order_number="900000001"), InvalidInput, Code.INVALID_EMAIL,
         {"email": Code.INVALID_EMAIL}),
        (CodeRequest(email="sanne@example.com", order_number="9' OR '1'='1"), InvalidInput, Code.INVALID_ORDER_ID,
         {"order_number": Code.INVALID_ORDER_ID}),
    ],
)  # fmt: skip
async def test_a_code_is_refused(
    shop_each_way: Shop, request_: CodeRequest, kind: type[ProviderError], code: Code, fields: dict[str, Code]
) -> None:
    with pytest.raises(ProviderError) as caught:
        await shop_each_way.ask(LoginApi).request_code(request_, HERE)
    assert (type(caught.value), caught.value.code, caught.value.fields) == (kind, code, fields)


async def test_lease_customers_and_those_of_other_countries_are_sent_on(shop_each_way: Shop) -> None:
    for customer, code, url in (
        (LEASE, Code.LEASE_ORDER_NOT_ALLOWED, "https://lease.bovenbuis.example/"),
        (LARS, Code.OTHER_COUNTRY, "https://"),
    ):
        with pytest.raises(Refused) as caught:
            await shop_each_way.ask(LoginApi).request_code(
                CodeRequest(email=customer[1], order_number=customer[0]), HERE
            )
        assert caught.value.code is code
        assert caught.value.url
        assert caught.value.url.startswith(url)


async def test_a_lease_reference_never_logs_in(shop_each_way: Shop) -> None:
    frame = (await shop_each_way.ask(BikesApi).bikes(await shop_each_way.token(*SANNE))).items[0].frame_number
    for lease, kind, code, fields, url in (
        ("", InvalidInput, Code.REQUIRED, {"lease": Code.REQUIRED}, None),
        ("x", InvalidInput, Code.INVALID_FRAME_NUMBER, {"lease": Code.INVALID_FRAME_NUMBER}, None),
        ("LEASE2026X9", Refused, Code.LEASE_ORDER_NOT_ALLOWED, {}, "https://lease.bovenbuis.example/"),
        (frame, Refused, Code.NOT_LEASE_ORDER, {}, None),
    ):
        with pytest.raises(ProviderError) as caught:
            await shop_each_way.ask(LoginApi).request_lease(LeaseRequest(lease=lease), HERE)
        found = caught.value
        assert (type(found), found.code, found.fields, found.url) == (kind, code, fields, url), lease


async def test_a_code_opens_nothing_without_its_challenge(shop_each_way: Shop) -> None:
    _, code = await ask(shop_each_way, SANNE)
    other, _ = await ask(shop_each_way, JORIS)
    assert await refused(shop_each_way, CodeEntry(token=code)) is Code.NO_CHALLENGE
    assert await refused(shop_each_way, CodeEntry(token=code, challenge="never-given-out")) is Code.NO_CHALLENGE
    assert await refused(shop_each_way, CodeEntry(token=code, challenge=other.challenge)) is Code.INVALID_CODE


@pytest.mark.parametrize("typed", ["12345", "1234567", "abcdef", "١٢٣٤٥٦", "12 34 5x", "x" * 1000])
async def test_what_is_no_code_is_an_invalid_code(shop_each_way: Shop, typed: str) -> None:
    sent, _ = await ask(shop_each_way, SANNE)
    assert await refused(shop_each_way, CodeEntry(token=typed, challenge=sent.challenge)) is Code.INVALID_CODE


async def test_no_code_at_all_is_required(shop_each_way: Shop) -> None:
    sent, _ = await ask(shop_each_way, SANNE)
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(LoginApi).authenticate(CodeEntry(token=" ", challenge=sent.challenge), HERE)
    assert (caught.value.code, caught.value.fields) == (Code.REQUIRED, {"token": Code.REQUIRED})


async def test_a_code_works_once(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, SANNE)
    entry = CodeEntry(token=code, challenge=sent.challenge)
    await shop_each_way.ask(LoginApi).authenticate(entry, HERE)
    assert await refused(shop_each_way, entry) is Code.CODE_USED_UP


async def test_a_code_is_used_up_after_five_tries(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, AMBER)
    for _ in range(5):
        assert await refused(shop_each_way, CodeEntry(token=wrong(code), challenge=sent.challenge)) is Code.INVALID_CODE
    assert await refused(shop_each_way, CodeEntry(token=code, challenge=sent.challenge)) is Code.CODE_USED_UP


async def test_a_newer_code_of_the_same_browser_replaces_the_older(shop_each_way: Shop) -> None:
    first, code = await ask(shop_each_way, AMBER)
    second, newer = await ask(shop_each_way, AMBER, Origin(address="198.51.100.1", challenge=first.challenge))
    assert await refused(shop_each_way, CodeEntry(token=code, challenge=first.challenge)) is Code.CODE_USED_UP
    assert (
        await shop_each_way.ask(LoginApi).authenticate(CodeEntry(token=newer, challenge=second.challenge), HERE)
    ).jwt


async def test_a_code_expires(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, AMBER)
    assert await shop_each_way.alter(
        "UPDATE login_challenges SET expires_at = '2020-01-01 00:00:00.000000' WHERE used_at IS NULL"
    )
    assert await refused(shop_each_way, CodeEntry(token=code, challenge=sent.challenge)) is Code.CODE_EXPIRED


async def test_logging_out_ends_this_session_and_no_other(shop_each_way: Shop) -> None:
    here, there = await shop_each_way.log_in(*SANNE), await shop_each_way.log_in(*SANNE)
    await shop_each_way.ask(LoginApi).logout(here)
    await shop_each_way.ask(LoginApi).logout(here)
    await shop_each_way.ask(LoginApi).logout("never.given.out")
    for operation in WITH_SESSION.values():
        with pytest.raises(NotAuthenticated) as caught:
            await operation(shop_each_way.provider, here)
        assert caught.value.code is Code.SESSION_ENDED
    assert await shop_each_way.ask(SessionApi).check_session(there)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "null", "{}", "x" * 3000, "é", "a\r\nb"])
async def test_every_operation_needs_a_session(shop_each_way: Shop, token: str) -> None:
    for operation in WITH_SESSION.values():
        with pytest.raises(NotAuthenticated) as caught:
            await operation(shop_each_way.provider, token)
        assert caught.value.code is Code.SESSION_ENDED


@pytest.mark.parametrize("column", ["expires_at", "last_used_at"])
async def test_a_session_ends_by_itself(shop_each_way: Shop, column: str) -> None:
    token = await shop_each_way.log_in(*AMBER)
    moment = (datetime.now(UTC) - timedelta(minutes=31)).strftime("%Y-%m-%d %H:%M:%S.000000")
    newest = "SELECT max(id) FROM sessions"
    assert await shop_each_way.alter(f"UPDATE sessions SET {column} = ? WHERE id = ({newest})", moment)
    with pytest.raises(NotAuthenticated):
        await shop_each_way.ask(SessionApi).check_session(token)
