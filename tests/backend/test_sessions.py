"""Sessions: how long they last, who may use them, and tokens that are none of ours."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from sqlmodel import col, delete, select

from portal.backend.context import Context
from portal.backend.security import Purpose, keys
from portal.backend.sessions import Sessions
from portal.contract.errors import NotAuthenticated
from portal.settings import Settings
from portal.tables.customers import SessionRow
from portal.tables.orders import OrderRow
from tests.support.application import TestApplication, outcome, refusal


async def test_a_session_ends_after_thirty_minutes_without_use(application: TestApplication) -> None:
    token = await application.logged_in()
    ends = set()
    for minutes in (28, 29):
        application.clock.forward(minutes=minutes)
        check = await application.session.check_session(token)
        assert check.idle_until == application.clock() + timedelta(minutes=30)
        assert (check.locale, check.country) == ("nl", "NL")
        ends.add(check.expires_at)
    assert len(ends) == 1
    application.clock.forward(minutes=30)
    error = await refusal(application.session.check_session(token))
    assert isinstance(error, NotAuthenticated)
    assert error.code == "session_ended"


async def test_a_session_that_is_used_ends_after_twelve_hours(application: TestApplication) -> None:
    token = await application.logged_in()
    for _ in range(35):
        application.clock.forward(minutes=20)
        assert await outcome(application.session.check_session(token)) == "ok"
    application.clock.forward(minutes=20)
    assert await outcome(application.session.check_session(token)) == "session_ended"


@pytest.mark.each_database
async def test_the_use_of_a_session_is_written_down_once_a_minute_at_most(application: TestApplication) -> None:
    token = await application.logged_in()
    written = []
    for _ in range(8):
        application.clock.forward(seconds=15)
        await application.sessions.owner(token)
        async with application.context.database.session() as session:
            written.append((await session.exec(select(SessionRow.last_used_at))).one())
    assert len(set(written)) == 2


@pytest.mark.each_database
async def test_after_logout_the_token_opens_nothing(application: TestApplication) -> None:
    token, other = await application.logged_in(), await application.logged_in()
    await application.login.logout(token)
    assert await outcome(application.session.check_session(token)) == "session_ended"
    assert await outcome(application.session.check_session(other)) == "ok"
    await application.login.logout(token)
    await application.login.logout("nonsense")


@pytest.mark.each_database
async def test_a_customer_who_is_gone_has_no_session(application: TestApplication) -> None:
    token = await application.logged_in()
    owner = await application.sessions.owner(token)
    async with application.context.database.transaction() as session:
        await session.exec(delete(OrderRow).where(col(OrderRow.customer_id) == owner.customer_id))
        connection = await session.connection()
        await connection.exec_driver_sql(f"DELETE FROM customers WHERE id = {owner.customer_id}")
    assert await outcome(application.session.check_session(token)) == "session_ended"


def _claims(token: str) -> dict[str, Any]:
    return jwt.decode(token, options={"verify_signature": False})


def _raw(header: dict[str, Any], claims: dict[str, Any], signature: str = "") -> str:
    def part(value: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part(header)}.{part(claims)}.{signature}"


Forge = Callable[[dict[str, Any], bytes], Any]


def _without(name: str) -> Forge:
    return lambda claims, secret: jwt.encode({k: v for k, v in claims.items() if k != name}, secret, "HS256")


def _with(**changes: Any) -> Forge:
    return lambda claims, secret: jwt.encode(claims | changes, secret, "HS256")


FORGERIES: dict[str, Forge] = {
    "no algorithm": lambda claims, _secret: _raw({"alg": "none", "typ": "JWT"}, claims),
    "no algorithm, in capitals": lambda claims, _secret: _raw({"alg": "NONE", "typ": "JWT"}, claims),
    "another hash": lambda claims, secret: jwt.encode(claims, secret + secret, "HS512"),
    "another key": lambda claims, _secret: jwt.encode(claims, b"x" * 32, "HS256"),
    "the secret itself as key": lambda claims, _secret: jwt.encode(
        claims, Settings().secret_key.get_secret_value().encode(), "HS256"
    ),
    "the key of another purpose": lambda claims, _: jwt.encode(claims, keys(Settings(), Purpose.CODE)[0], "HS256"),
    "another audience": _with(aud="back-office"),
    "a list with our audience is still ours, but not another subject": _with(aud=["portal", "x"], sub="LARS"),
    "another customer": _with(sub="LARS"),
    "another session": _with(jti="x" * 32),
    "a session that is no text": _with(jti=["x"]),
    "ended": _with(exp=datetime(2020, 1, 1, tzinfo=UTC)),
    "not begun": _with(nbf=datetime(2099, 1, 1, tzinfo=UTC)),
    "an end that is no number": _with(exp="never"),
    "an end that is no date": _with(exp=10**20),
    **{f"no {name}": _without(name) for name in ("exp", "iat", "nbf", "sub", "jti", "aud")},
    "altered": lambda claims, secret: jwt.encode(claims, secret, "HS256")[:-4] + "AAAA",
    "empty": lambda _claims, _secret: "",
    "nonsense": lambda _claims, _secret: "a.b.c",
    "very long": lambda _claims, _secret: "a" * 100_000,
    "no text at all": lambda _claims, _secret: {"jwt": True},
}


@pytest.mark.parametrize("name", FORGERIES)
async def test_a_token_that_is_not_exactly_ours_opens_nothing(sqlite_application: TestApplication, name: str) -> None:
    claims = _claims(await sqlite_application.logged_in())
    forged = FORGERIES[name](claims, keys(sqlite_application.context.settings, Purpose.SESSION)[0])
    assert await outcome(sqlite_application.session.check_session(forged)) == "session_ended"
    await sqlite_application.login.logout(forged)


async def test_another_secret_ends_all_sessions(sqlite_application: TestApplication) -> None:
    token = await sqlite_application.logged_in()
    settings = sqlite_application.context.settings.model_copy(
        update={"secret_key": type(Settings().secret_key)("n" * 32)}
    )
    elsewhere = Sessions(Context(settings, sqlite_application.context.database, sqlite_application.clock))
    assert await outcome(elsewhere.owner(token)) == "session_ended"
