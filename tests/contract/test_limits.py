"""Limits on codes: the same whichever way the provider is reached."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.contract.errors import ProviderError, TooMany
from portal.contract.session import CodeRequest, LeaseRequest, Origin
from portal.kernel.codes import Code
from portal.locations.api import LocationsApi, LocationSearch
from portal.login.api import EmailChange, LoginApi
from tests.support.connections import Shop
from tests.support.people import AMBER, JORIS, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
SETTINGS = {"code_wait_seconds": 60, "codes_per_address_hour": 5, "searches_per_address_hour": 2}


async def too_many(operation: Awaitable[Any]) -> timedelta:
    """How long one has to wait."""
    with pytest.raises(TooMany) as caught:
        await operation
    assert caught.value.code is Code.TOO_MANY_REQUESTS
    assert caught.value.retry_at
    return caught.value.retry_at - datetime.now(UTC)


async def test_the_next_code_has_to_be_waited_for(shop_each_way: Shop) -> None:
    request, origin = CodeRequest(email=SANNE[1], order_number=SANNE[0]), Origin(address="203.0.113.1")
    sent = await shop_each_way.ask(LoginApi).request_code(request, origin)
    assert timedelta(seconds=50) < sent.resend_at - datetime.now(UTC) <= timedelta(seconds=60)
    wait = await too_many(shop_each_way.ask(LoginApi).request_code(request, origin))
    assert timedelta(seconds=50) < wait <= timedelta(seconds=60)


async def test_the_next_code_for_a_new_address_has_to_be_waited_for(shop_each_way: Shop) -> None:
    token = await shop_each_way.log_in(*AMBER, Origin(address="203.0.113.2"))
    await shop_each_way.ask(LoginApi).request_email_change(token, EmailChange(email="amber@example.net"))
    wait = await too_many(
        shop_each_way.ask(LoginApi).request_email_change(token, EmailChange(email="amber@example.org"))
    )
    assert timedelta(seconds=50) < wait <= timedelta(seconds=60)


async def test_one_network_address_asks_only_so_often_and_others_go_on(shop_each_way: Shop) -> None:
    busy = Origin(address="203.0.113.77")
    request = LeaseRequest(lease="LEASE2026X9")
    for _ in range(5):
        with pytest.raises(ProviderError) as caught:
            await shop_each_way.ask(LoginApi).request_lease(request, busy)
        assert caught.value.code is Code.LEASE_ORDER_NOT_ALLOWED
    wait = await too_many(shop_each_way.ask(LoginApi).request_lease(request, busy))
    assert timedelta(minutes=50) < wait <= timedelta(minutes=60)
    assert await too_many(shop_each_way.ask(LoginApi).request_code(CodeRequest(email="a@example.com"), busy))
    with pytest.raises(ProviderError) as caught:
        await shop_each_way.ask(LoginApi).request_lease(request, Origin(address="203.0.113.78"))
    assert caught.value.code is Code.LEASE_ORDER_NOT_ALLOWED


async def test_a_visitor_searches_only_so_often_and_others_go_on(shop_each_way: Shop) -> None:
    locations, search = shop_each_way.ask(LocationsApi), LocationSearch(text="3511 LX")
    busy = Origin(address="203.0.113.80")
    found = [await locations.guest_service_locations(search, busy) for _ in range(2)]
    assert found[0].items
    wait = await too_many(locations.guest_service_locations(search, busy))
    assert timedelta(minutes=50) < wait <= timedelta(minutes=60)
    assert (await locations.guest_service_locations(search, Origin(address="203.0.113.81"))).items
    assert (await locations.service_locations(await shop_each_way.token(*JORIS), search)).items
