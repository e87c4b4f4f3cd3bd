"""Logging in and out: the same whichever way the provider is reached."""

import pytest

from portal.contract.common_api import SessionApi
from portal.contract.errors import NotAuthenticated
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from tests.contract.operations import WITH_SESSION
from tests.support.connections import Shop
from tests.support.people import SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
