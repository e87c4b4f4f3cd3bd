"""Reads are tried again, changes never; a provider that is down is left alone for a while."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from portal.bikes.api import BikesApi
from portal.client.caller import Limits
from portal.contract.errors import NotFound, Unavailable
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from tests.client.connected import PATIENT, connected
from tests.client.fault_server import (
    Behaviour,
    Received,
    announces_too_much,
    answers,
    breaks_off,
    fault_server,
    hangs_up,
    never,
    refuses,
)
from tests.contract.operations import ALL, READING, WITH_SESSION
from tests.support.waiting import until

BUSY = answers(b"busy", status=503, media_type="text/plain")
NO_BIKES = answers({"success": True, "data": {"items": [], "page": 1, "pages": 1, "total": 0}})
TOKEN = "token"


def first(count: int, fault: Behaviour, then: Behaviour) -> Behaviour:
    """Misbehave so many times, then be well."""
    left = [count]

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        left[0] -= 1
        await (fault if left[0] >= 0 else then)(request, writer)

    return behave


@pytest.mark.parametrize("fault", [BUSY, breaks_off, hangs_up])
async def test_a_read_survives_two_faults(fault: Behaviour) -> None:
    async with fault_server(first(2, fault, NO_BIKES)) as server, connected(server.address) as provider:
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []
        assert len(server.received) == 3


async def test_a_read_is_tried_three_times_and_a_change_once() -> None:
    # Side by side: most of it is waiting for the next try. What has a token is told apart by it.
    limits = replace(PATIENT, total_seconds=60, connect_seconds=30)
    async with fault_server(hangs_up) as server, connected(server.address, limits) as provider:
        tried = (operation(provider, name) for name, operation in WITH_SESSION.items())
        outcomes = await asyncio.gather(*tried, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {Unavailable}
        counts = Counter(request.headers["authorization"].removeprefix("Bearer ") for request in server.received)
        for name, operation in ALL.items():
            if name not in WITH_SESSION:
                server.received.clear()
                with pytest.raises(Unavailable):
                    await operation(provider, TOKEN)
                counts[name] = len(server.received)
    assert counts == {name: 3 if name in READING else 1 for name in ALL}


async def test_further_tries_stay_inside_the_deadline() -> None:
    limits = replace(PATIENT, total_seconds=5)

    async def slowly_busy(request: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2.6)
        await BUSY(request, writer)

    async with fault_server(slowly_busy) as server, connected(server.address, limits) as provider:
        started = time.monotonic()
        with pytest.raises(Unavailable):
            await provider.ask(BikesApi).bikes(TOKEN)
        assert time.monotonic() - started < limits.total_seconds + 5
        assert len(server.received) == 2


@pytest.mark.parametrize("answer", [refuses("general_error", 500), refuses("not_found", 404)])
async def test_an_answer_is_not_asked_for_again(answer: Behaviour) -> None:
    async with fault_server(answer) as server, connected(server.address) as provider:
        with pytest.raises((Unavailable, NotFound)):
            await provider.ask(BikesApi).bikes(TOKEN)
        assert len(server.received) == 1


async def test_a_provider_that_is_down_is_left_alone_and_found_again() -> None:
    limits = replace(PATIENT, failures=3, rest_seconds=3)
    async with fault_server(first(3, hangs_up, NO_BIKES)) as server, connected(server.address, limits) as provider:
        for _ in range(3):
            with pytest.raises(Unavailable):
                await provider.ask(LoginApi).logout(TOKEN)
        for _ in range(20):
            with pytest.raises(Unavailable) as caught:
                await provider.ask(BikesApi).bikes(TOKEN)
            assert caught.value.retry_at
            assert abs((caught.value.retry_at - datetime.now(UTC)).total_seconds()) <= limits.rest_seconds
        assert len(server.received) == 3, "nobody is asked while it rests"
        await asyncio.sleep(limits.rest_seconds)
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []


async def test_slowness_counts_as_down() -> None:
    limits = Limits(total_seconds=1, connect_seconds=1, failures=2, rest_seconds=60)
    async with fault_server(never) as server, connected(server.address, limits) as provider:
        for _ in range(5):
            with pytest.raises(Unavailable):
                await provider.ask(BikesApi).bikes(TOKEN)
        assert len(server.received) == 2


@pytest.mark.parametrize(
    "answer",
    [
        refuses("general_error", 500),
        refuses("session_ended", 401),
        answers({"success": True, "data": 7}),
        answers(b"<html>"),
        announces_too_much,
    ],
)
async def test_one_customer_with_an_unreadable_order_does_not_shut_the_others_out(answer: Behaviour) -> None:
    limits = replace(PATIENT, failures=2, rest_seconds=60)
    async with fault_server(first(8, answer, NO_BIKES)) as server, connected(server.address, limits) as provider:
        for _ in range(8):
            with pytest.raises(Exception, match=r"error|ended"):
                await provider.ask(OrdersApi).order(TOKEN, "900000001")
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []
        assert len(server.received) == 9


async def test_a_slow_file_does_not_shut_the_lists_out() -> None:
    limits = Limits(total_seconds=2, connect_seconds=2, failures=1, rest_seconds=60)

    async def only_files_hang(request: Received, writer: asyncio.StreamWriter) -> None:
        await (never if "/pdf" in request.path else NO_BIKES)(request, writer)

    async with fault_server(only_files_hang) as server, connected(server.address, limits) as provider:
        for _ in range(2):
            with pytest.raises(Unavailable):
                await provider.ask(OrdersApi).invoice_pdf(TOKEN, "ABCDEFGH23", "nl")
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []


async def test_a_page_that_is_left_leaves_no_mark() -> None:
    limits = replace(PATIENT, failures=1, rest_seconds=60)
    async with fault_server(first(3, never, NO_BIKES)) as server, connected(server.address, limits) as provider:
        left: list[Awaitable[object]] = []
        for _ in range(3):
            task = asyncio.create_task(provider.ask(BikesApi).bikes(TOKEN))
            await until(lambda: len(server.received) > len(left))
            task.cancel()
            left.append(task)
        outcomes = await asyncio.gather(*left, return_exceptions=True)
        assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
        assert (await provider.ask(BikesApi).bikes(TOKEN)).items == []
