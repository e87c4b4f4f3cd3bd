"""A provider that is slow, down or talks nonsense: every operation ends in `Unavailable`, in time, and says nothing."""

import asyncio
import gzip
import json
import socket
import time
from typing import get_origin

import pytest
from structlog.testing import capture_logs

from portal.bikes.api import BikesApi
from portal.contract.errors import TooMany, Unavailable
from portal.contract.operations import ParameterPlace
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from tests.client.connected import LIMITS, PATIENT, connected
from tests.client.fault_server import (
    Behaviour,
    announces_too_much,
    answers,
    breaks_off,
    drips,
    fault_server,
    hangs_up,
    never,
    never_ends,
    refuses,
    talks_nonsense,
)
from tests.contract.operations import ALL
from tests.support.declared import DECLARED

TOKEN = "secret-token-of-the-customer"
PAGE = b"<!doctype html><title>Sorry</title><h1>Scheduled maintenance"

UNREACHABLE: dict[str, Behaviour] = {
    "slow": never,
    "drips": drips,
    "breaks_off": breaks_off,
    "hangs_up": hangs_up,
    "talks_nonsense": talks_nonsense,
    "bad_gateway": answers(PAGE, status=502, media_type="text/html"),
    "maintenance_page": answers(PAGE, status=503, media_type="text/html"),
}

UNREADABLE: dict[str, Behaviour] = {
    "server_error": answers(PAGE, status=500, media_type="text/html"),
    "server_error_in_the_envelope": refuses("general_error", 500),
    "html_with_200": answers(PAGE, media_type="text/html"),
    "html_that_claims_to_be_json": answers(PAGE),
    "html_that_claims_to_be_a_file": answers(PAGE, media_type="application/pdf"),
    "broken_json": answers(b'{"success": true, "data": {"cust'),
    "empty": answers(b""),
    "a_list": answers(b"[1, 2, 3]"),
    "deep_json": answers(b"[" * 100_000),
    "no_success_flag": answers({"data": {}}),
    "success_that_is_a_text": answers({"success": "true", "data": {}}),
    "redirect": answers(b"", status=302, headers={"Location": "http://127.0.0.1:1/elsewhere"}),
    "login_wall_of_a_proxy": answers(PAGE, status=401, media_type="text/html"),
    "wrong_address": answers(PAGE, status=404, media_type="text/html"),
    "compressed_unasked": answers(
        gzip.compress(b'{"success": true, "data": null}'), headers={"Content-Encoding": "gzip"}
    ),
    "success_with_an_error_status": answers({"success": True, "data": None}, status=500),
    "endless_body": never_ends,
    "enormous_body": announces_too_much,
}


def _kind(name: str) -> tuple[object, ...]:
    """What matters to the client, which handles all operations of a kind in the same way."""
    each = DECLARED[name]
    return each.method, each.media, bool(each.at(ParameterPlace.STREAM)), bool(each.silent), bool(each.waits)


ONE_OF_A_KIND = {_kind(name): name for name in ALL}.values()
AT_EVERY_OPERATION = {"hangs_up", "html_with_200"}


@pytest.mark.parametrize("fault", [*UNREACHABLE, *UNREADABLE])
async def test_every_operation_ends_in_unavailable(fault: str) -> None:
    operations = {name: ALL[name] for name in (ALL if fault in AT_EVERY_OPERATION else ONE_OF_A_KIND)}
    behaviour = {**UNREACHABLE, **UNREADABLE}[fault]
    limits = LIMITS if fault in UNREACHABLE else PATIENT
    async with fault_server(behaviour) as server, connected(server.address, limits) as provider:
        started = time.monotonic()
        outcomes = await asyncio.gather(
            *(operation(provider, TOKEN) for operation in operations.values()), return_exceptions=True
        )
        # Some room for a busy machine: more than a hundred operations end together.
        assert time.monotonic() - started < limits.total_seconds + 20
    ended = {name: type(outcome) for name, outcome in zip(operations, outcomes, strict=True)}
    assert ended == dict.fromkeys(operations, Unavailable)
    expected = Code.NETWORK_ERROR if fault in UNREACHABLE else Code.GENERAL_ERROR
    assert {outcome.code for outcome in outcomes if isinstance(outcome, Unavailable)} == {expected}


async def test_a_wrong_shape_is_unavailable_where_a_shape_is_expected() -> None:
    for data in (None, 7, "text", [], [7], {}, {"items": 7}, {"customer": []}):
        async with fault_server(answers({"success": True, "data": data})) as server:
            async with connected(server.address, PATIENT) as provider:
                for name, operation in ALL.items():
                    # Some ask for nothing back, and an empty list is a fine answer.
                    if (answer := DECLARED[name].answer) is None or (get_origin(answer) is list and data == []):
                        continue
                    with pytest.raises(Unavailable):
                        await operation(provider, TOKEN)


async def test_a_provider_that_is_down_is_unavailable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        async with connected(f"http://127.0.0.1:{unused.getsockname()[1]}") as provider:
            # Side by side: most of it is waiting for the next try.
            tried = (operation(provider, TOKEN) for operation in ALL.values())
            outcomes = await asyncio.gather(*tried, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {Unavailable}


async def test_a_name_that_does_not_exist_is_unavailable() -> None:
    async with connected("http://provider.invalid") as provider:
        with pytest.raises(Unavailable):
            await provider.ask(BikesApi).bikes(TOKEN)


async def test_a_connection_that_is_not_accepted_is_given_up_early() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        await asyncio.sleep(0.1)  # the queue is full now
        async with connected(f"http://127.0.0.1:{full.getsockname()[1]}", LIMITS) as provider:
            started = time.monotonic()
            with pytest.raises(Unavailable):
                await provider.ask(LoginApi).logout(TOKEN)
            assert time.monotonic() - started < LIMITS.total_seconds + 5
        for client in waiting:
            client.close()


async def test_too_many_requests_are_reported_with_or_without_an_envelope() -> None:
    later = "2031-05-06T07:08:09+00:00"
    for behaviour in (
        refuses("too_many_requests", 429, retry_at=later),
        answers(PAGE, status=429, media_type="text/html", headers={"Retry-After": "30"}),
        answers(PAGE, status=429, media_type="text/html", headers={"Retry-After": "soon"}),
    ):
        async with fault_server(behaviour) as server, connected(server.address) as provider:
            for name in ONE_OF_A_KIND:
                with pytest.raises(TooMany) as caught:
                    await ALL[name](provider, TOKEN)
                assert caught.value.code is Code.TOO_MANY_REQUESTS
            assert len(server.received) == len(ONE_OF_A_KIND)


async def test_nothing_of_the_customer_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    for behaviour in (never, breaks_off, answers({"success": True, "data": {"email": "sanne@example.com"}})):
        async with fault_server(behaviour) as server, connected(server.address, LIMITS) as provider:
            with capture_logs() as lines:
                await asyncio.gather(
                    *(operation(provider, TOKEN) for operation in ALL.values()), return_exceptions=True
                )
            assert lines, "a fault is worth a line"
            written = json.dumps(lines, default=str) + caplog.text
            for private in (TOKEN, "sanne", "Oudegracht", "123456", "900000001", "new@example.com"):
                assert private not in written
