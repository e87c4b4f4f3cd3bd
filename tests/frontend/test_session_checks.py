"""The cache of session checks: seconds for an answer, forever for the end of a session."""

import asyncio
from typing import Any

import pytest

from portal.contract import registry
from portal.contract.common_api import SessionApi
from portal.contract.errors import Unavailable
from portal.contract.registry import Provider
from portal.web.session import SessionChecks, SessionStatus, check_customer
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Counting:
    """Passes everything on to a provider and counts the session checks."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.counting = replaced(provider, check_session=self.check_session)
        self.asked = 0
        self.unavailable = False

    async def check_session(self, token: str) -> Any:
        self.asked += 1
        await asyncio.sleep(0.01)
        if self.unavailable:
            raise Unavailable
        return await self._provider.ask(SessionApi).check_session(token)


@pytest.fixture
def counting(shop: Shop) -> Any:
    counting = Counting(shop.provider)
    registry.connect(counting.counting)
    yield counting
    registry.connect(shop.provider)


async def test_simultaneous_checks_of_a_session_share_one_call(counting: Counting, shop: Shop) -> None:
    checks, token = SessionChecks(check_customer), await shop.token(*SANNE)
    answers = await asyncio.gather(*[checks.check(token) for _ in range(20)])
    assert {answer.state for answer in answers} == {SessionStatus.ALIVE}
    assert counting.asked == 1


async def test_a_check_is_cached_for_some_seconds(counting: Counting, shop: Shop) -> None:
    moment = [0.0]
    checks, token = SessionChecks(check_customer, 3, lambda: moment[0]), await shop.token(*SANNE)
    for at, asked in ((0.0, 1), (2.9, 1), (3.0, 2)):
        moment[0] = at
        await checks.check(token)
        assert counting.asked == asked


@pytest.mark.usefixtures("counting")
async def test_the_end_of_a_session_takes_effect_at_once_and_for_good(shop: Shop) -> None:
    checks, token = SessionChecks(check_customer), await shop.log_in(*SANNE)
    running = asyncio.create_task(checks.check(token))
    await asyncio.sleep(0)
    checks.ended(token)
    assert (await running).state is SessionStatus.ENDED
    assert (await checks.check(token)).state is SessionStatus.ENDED


async def test_a_failed_check_does_not_end_the_session_and_expires_soon(counting: Counting, shop: Shop) -> None:
    moment = [0.0]
    checks, token = SessionChecks(check_customer, 3, lambda: moment[0]), await shop.token(*SANNE)
    counting.unavailable = True
    assert (await checks.check(token)).state is SessionStatus.UNKNOWN
    counting.unavailable = False
    assert (await checks.check(token)).state is SessionStatus.UNKNOWN
    moment[0] = 1.0
    assert (await checks.check(token)).state is SessionStatus.ALIVE


async def test_no_token_and_a_forged_token_are_no_session(counting: Counting) -> None:
    checks = SessionChecks(check_customer)
    assert (await checks.check("")).state is SessionStatus.ENDED
    assert counting.asked == 0
    assert (await checks.check("eyJhbGciOiJub25lIn0.e30.")).state is SessionStatus.ENDED
