"""Word for word: what the services answer and what arrives over HTTP are equal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from portal.client.provider import HttpProvider
from portal.contract.changes import Watch
from portal.contract.errors import ProviderError
from portal.contract.locations import LocationSearch, PlaceSearch
from portal.contract.provider import Provider
from portal.provider.api.app import create_api
from portal.provider.faults import OPERATIONS
from portal.provider.house import House
from portal.settings import Settings
from portal.vocabulary.actions import Topic
from portal.vocabulary.locations import LocationOrder, LocationType
from tests.contract.operations import ALL, ORIGIN
from tests.contract.people import AMBER, DAAN, EVA, FLEUR, JORIS, MAX, NOOR, PIETER, SANNE
from tests.support.ways import KEY, UNHURRIED, Shop

CUSTOMERS = (SANNE, JORIS, AMBER, PIETER, NOOR, EVA, MAX, DAAN, FLEUR)


async def everything(provider: Provider, token: str) -> dict[str, Any]:
    """All that a customer can read."""
    found: dict[str, Any] = {
        name: await getattr(provider, name)(token) for name in ("check_session", "customer_info", "dashboard", "bikes")
    }
    for name in ("orders", "invoices", "service_requests"):
        pages = [await getattr(provider, name)(token)]
        pages += [await getattr(provider, name)(token, page) for page in range(2, pages[0].pages + 1)]
        found[name] = pages
    found["order"] = [
        await provider.order(token, entry.order_number) for page in found["orders"] for entry in page.items
    ]
    found["service_request"] = [
        await provider.service_request(token, entry.reference)
        for page in found["service_requests"]
        for entry in page.items
    ]
    found["changes"] = await provider.changes(token, Watch(topics=[Topic.REQUESTS]))
    found["service_locations"] = [
        await provider.service_locations(token, search)
        for search in (
            LocationSearch(text="3511 LX", country_code="NL", page=2, distance_km=100),
            LocationSearch(text="Luik", country_code="BE", types=[LocationType.PARTNER, LocationType.OWN_STORE]),
            LocationSearch(text="Vlieland", distance_km=5, order=LocationOrder.RATING),
        )
    ]
    near = found["service_locations"][0].items
    found["service_location"] = [await provider.service_location(token, entry.location_id) for entry in near]
    found["places"] = [await provider.places(token, PlaceSearch(text=text)) for text in ("Bergen", "Utrcht", "?")]
    numbers = [entry.order_number for page in found["orders"] for entry in page.items]
    found["order_status"] = [await provider.order_status(token, number) for number in numbers]
    found["delivery_dates"] = [
        (await provider.delivery_dates(token, number)).model_copy(update={"retry_at": None}) for number in numbers
    ]
    found["insurance_bikes"] = await provider.insurance_bikes(token)
    for name in ("bike_home", "service_packages", "insurance_options"):
        found[name] = [await getattr(provider, name)(token, entry.bike_id) for entry in found["bikes"]]
    found["bike"] = [await provider.bike(token, entry.bike_id) for entry in found["bikes"]]
    return found


async def refused(provider: Provider, token: str) -> dict[str, Any]:
    """How every operation is refused to somebody without a session."""
    outcomes: dict[str, Any] = {}
    for name, operation in ALL.items():
        try:
            await operation(provider, token)
            outcomes[name] = None
        except ProviderError as error:
            outcomes[name] = (type(error), error.code, error.fields, error.url)
    return outcomes


async def test_every_answer_is_the_same_over_http(demonstration: Path, tmp_path: Path) -> None:
    (tmp_path / "portal.db").write_bytes((demonstration / "portal.db").read_bytes())
    options = Settings.model_validate({"data_dir": tmp_path, "api_key": KEY, **UNHURRIED})
    house = House(options)
    await house.open()
    transport = httpx.ASGITransport(create_api(lambda: house.services, options))
    client = HttpProvider("http://provider.test", api_key=KEY, transport=transport)
    try:
        shop = Shop("services", house.services, tmp_path)
        for customer in CUSTOMERS:
            token = await shop.log_in(*customer, ORIGIN)
            direct, remote = await asyncio.gather(everything(house.services, token), everything(client, token))
            assert direct == remote
            assert direct["orders"][0].total > 0
        assert await refused(house.services, "ended") == await refused(client, "ended")
    finally:
        await client.close()
        await house.close()


@pytest.mark.parametrize("implementation", [HttpProvider, House(Settings()).services.__class__])
def test_every_operation_of_the_contract_is_there_with_the_same_arguments(implementation: type) -> None:
    from inspect import signature

    for name in OPERATIONS:
        promised, kept = signature(getattr(Provider, name)), signature(getattr(implementation, name))
        assert [(p.name, p.default) for p in promised.parameters.values()] == [
            (p.name, p.default) for p in kept.parameters.values()
        ], name
