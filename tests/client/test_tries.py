"""Reads are tried again, changes never."""

import asyncio
import time
from collections import Counter
from dataclasses import replace

import pytest

from portal.bikes.api import BikesApi
from portal.contract.errors import NotFound, Unavailable
from tests.client.connected import PATIENT, connected
from tests.client.fault_server import Behaviour, Received, answers, breaks_off, fault_server, hangs_up, refuses
from tests.contract.operations import ALL, READING, WITH_SESSION

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
