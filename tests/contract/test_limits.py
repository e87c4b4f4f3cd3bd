"""A limit counts the network address of the customer, whichever way the provider is reached."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.contract.errors import TooMany
from portal.contract.session import Origin
from portal.locations.api import LocationsApi, LocationSearch
from tests.support.connections import Shop
from tests.support.people import JORIS

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_visitor_searches_only_so_often_and_others_go_on(
    shop_each_way: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.locations.provider.SEARCHES_PER_HOUR", 2)
    locations, search = shop_each_way.ask(LocationsApi), LocationSearch(text="3511 LX")
    busy = Origin(address="203.0.113.80")
    for _ in range(2):
        assert (await locations.guest_service_locations(search, busy)).items
    with pytest.raises(TooMany) as caught:
        await locations.guest_service_locations(search, busy)
    assert caught.value.retry_at
    assert timedelta(minutes=50) < caught.value.retry_at - datetime.now(UTC) <= timedelta(minutes=60)
    assert (await locations.guest_service_locations(search, Origin(address="203.0.113.81"))).items
    assert (await locations.service_locations(await shop_each_way.token(*JORIS), search)).items
