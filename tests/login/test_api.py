"""Logging in and out: the same whichever way the provider is reached."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.contract.errors import NotAuthenticated, Refused
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, Origin
from portal.contract.session_api import SessionApi
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from tests.contract.operations import WITH_SESSION
from tests.support.connections import Shop
from tests.support.people import AMBER, SANNE

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


async def test_the_challenge_of_the_browser_is_enough(shop_each_way: Shop) -> None:
    sent, code = await ask(shop_each_way, SANNE)
    origin = Origin(address="198.51.100.1", challenge=sent.challenge)
    assert (await shop_each_way.ask(LoginApi).authenticate(CodeEntry(token=code), origin)).jwt


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
