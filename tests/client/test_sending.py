"""What the client sends, and what it never sends."""

import asyncio
import json

import pytest

from portal.account.api import AccountApi, CustomerUpdate
from portal.bikes.api import BikesApi
from portal.client.caller import Limits
from portal.contract.common_api import MAX_WAIT_SECONDS, ChangesApi, SessionApi, Watch
from portal.contract.errors import NotAuthenticated, NotFound, Unavailable
from portal.contract.session import CodeEntry, CodeRequest, Origin
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.vocabulary.actions import Topic
from tests.client.connected import connected
from tests.client.fault_server import Received, answers, fault_server, never, refuses
from tests.contract.operations import UPDATE, WITH_SESSION

SENT = {"challenge": "abc", "email": "s***@example.com", "expires_at": "2031-01-01T00:10:00Z",
        "resend_at": "2031-01-01T00:01:00Z"}  # fmt: skip


async def test_cookies_of_one_customer_never_go_out_for_another() -> None:
    answer = answers({"success": True, "data": SENT}, headers={"Set-Cookie": "mijn-fw-challenge=abc; Path=/"})
    async with fault_server(answer) as server, connected(server.address) as provider:
        for _ in range(2):
            await provider.ask(LoginApi).request_code(CodeRequest(email="a@example.com"), Origin())
        assert [request.headers.get("cookie") for request in server.received] == [None, None]


async def test_a_login_call_carries_who_asks_in_which_language() -> None:
    origin = Origin(address="203.0.113.9", locale="en", challenge="held-already")
    async with fault_server(answers({"success": True, "data": SENT})) as server:
        async with connected(server.address, api_key="shared-key") as provider:
            await provider.ask(LoginApi).request_code(
                CodeRequest(email="a@example.com", order_number="900000001"), origin
            )
        request = server.received[0]
    assert (request.method, request.path) == ("POST", "/mijn-fw/v2/request-authenticate")
    assert json.loads(request.body) == {"email": "a@example.com", "order_number": "900000001"}
    assert request.headers["accept-language"] == "en"
    assert request.headers["cookie"] == "mijn-fw-challenge=held-already"
    assert request.headers["x-portal-key"] == "shared-key"
    assert request.headers["x-forwarded-for"] == "203.0.113.9"


async def test_the_documented_calls_are_sent_exactly_as_documented() -> None:
    async with fault_server(answers({"success": True, "data": SENT})) as server:
        async with connected(server.address) as provider:
            await provider.ask(LoginApi).request_code(CodeRequest(email="a@example.com"), Origin())
            with pytest.raises(Unavailable):
                await provider.ask(LoginApi).authenticate(CodeEntry(token="123456"), Origin())
            with pytest.raises(Unavailable):
                await provider.ask(SessionApi).customer_info("the.jwt")
        first, second, third = server.received
    assert (first.method, first.path, json.loads(first.body)) == (
        "POST", "/mijn-fw/v2/request-authenticate", {"email": "a@example.com"})  # fmt: skip
    assert (second.method, second.path, json.loads(second.body)) == (
        "POST", "/mijn-fw/v2/authenticate", {"token": "123456"})  # fmt: skip
    assert (third.method, third.path, third.body) == ("GET", "/mijn-fw/v2/customer/info", b"")
    assert third.headers["authorization"] == "Bearer the.jwt"


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX-Portal-Key: stolen", "é", "\x00", "x" * 5000])
async def test_a_token_that_was_never_given_out_is_not_sent(token: str) -> None:
    async with fault_server(answers({"success": True, "data": {}})) as server, connected(server.address) as provider:
        for operation in WITH_SESSION.values():
            with pytest.raises(NotAuthenticated):
                await operation(provider, token)
        await provider.ask(LoginApi).logout(token)
        assert server.received == []


async def test_a_challenge_that_was_never_given_out_is_not_sent() -> None:
    async with fault_server(answers({"success": True, "data": SENT})) as server, connected(server.address) as provider:
        for challenge in ("a\r\nX-Portal-Key: stolen", "a; other=1", "é", "x" * 500):
            await provider.ask(LoginApi).request_code(CodeRequest(email="a@example.com"), Origin(challenge=challenge))
        assert not any("cookie" in request.headers for request in server.received)


@pytest.mark.parametrize("reference", ["", "..", "../customer/info", "a/b", "a?x=1", "%2e%2e", "ü", "\x00", "1" * 41])
async def test_a_reference_that_names_nothing_never_becomes_a_path(reference: str) -> None:
    alive = {"customer": "C", "locale": "nl", "country": "NL", "expires_at": "2031-01-01T00:00:00Z",
             "idle_until": "2031-01-01T00:00:00Z"}  # fmt: skip
    async with fault_server(answers({"success": True, "data": alive})) as server:
        async with connected(server.address) as provider:
            for operation in (
                provider.ask(OrdersApi).order,
                provider.ask(BikesApi).bike,
                lambda t, r: provider.ask(OrdersApi).invoice_pdf(t, r, "nl"),
            ):
                with pytest.raises(NotFound):
                    await operation("token", reference)
        assert {request.path for request in server.received} == {"/mijn-fw/v2/session"}


async def test_many_customers_at_once_get_their_own_answers() -> None:
    async def echo(request: Received, writer: asyncio.StreamWriter) -> None:
        token = request.headers["authorization"].removeprefix("Bearer ")
        await asyncio.sleep(0.01)
        session = {"customer": token, "locale": "nl", "country": "NL", "expires_at": "2031-01-01T00:00:00Z",
                   "idle_until": "2031-01-01T00:00:00Z"}  # fmt: skip
        await answers({"success": True, "data": session})(request, writer)

    async with fault_server(echo) as server, connected(server.address, Limits()) as provider:
        tokens = [f"token-{number}" for number in range(200)]
        checks = await asyncio.gather(*(provider.ask(SessionApi).check_session(token) for token in tokens))
    assert [check.customer for check in checks] == tokens


NO_BIKES = {"items": [], "page": 1, "pages": 1, "total": 0}


async def test_however_many_wait_for_changes_all_are_asked_for_at_once_and_hold_up_nobody() -> None:
    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        await (never if "/changes" in request.path else answers({"success": True, "data": NO_BIKES}))(request, writer)

    async with fault_server(behave) as server, connected(server.address, Limits()) as provider:
        question = Watch(topics=[Topic.REQUESTS], since=0, wait_seconds=MAX_WAIT_SECONDS)
        # More than there are ordinary connections: those who wait have connections of their own.
        waiting = [
            asyncio.create_task(provider.ask(ChangesApi).changes(f"token-{number}", question)) for number in range(150)
        ]
        async with asyncio.timeout(60):
            while len(server.received) < len(waiting):
                await asyncio.sleep(0.01)
        assert (await provider.ask(BikesApi).bikes("token")).items == []
        assert not any(one.done() for one in waiting)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_all_fields_of_an_update_are_sent() -> None:
    async with fault_server(refuses("session_ended", 401)) as server, connected(server.address) as provider:
        with pytest.raises(NotAuthenticated):
            await provider.ask(AccountApi).update_customer("token", UPDATE)
        assert set(json.loads(server.received[0].body)) == set(CustomerUpdate.model_fields)
