"""Word for word: what the services answer and what arrives over HTTP are equal."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from portal.bikes.api import BikesApi
from portal.client.remote import HttpProvider
from portal.contract.common_api import ChangesApi, Watch
from portal.contract.errors import ProviderError
from portal.contract.registry import Provider
from portal.deliveries.api import DeliveriesApi
from portal.locations.api import LocationsApi, LocationSearch
from portal.orders.api import OrdersApi
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.settings import Settings
from portal.vocabulary.actions import Topic
from portal.vocabulary.locations import LocationOrder, LocationType
from portal.work_orders.api import WorkOrdersApi
from tests.contract.operations import ALL, ORIGIN
from tests.support.connections import KEY, UNHURRIED, Shop
from tests.support.declared import API_OF
from tests.support.people import AMBER, DAAN, EVA, FLEUR, JORIS, MAX, NOOR, PIETER, SANNE

CUSTOMERS = (SANNE, JORIS, AMBER, PIETER, NOOR, EVA, MAX, DAAN, FLEUR)


def _named(provider: Provider, name: str) -> Callable[..., Awaitable[Any]]:
    """An operation by its name."""
    return getattr(provider.ask(API_OF[name]), name)


async def everything(provider: Provider, token: str) -> dict[str, Any]:
    """All that a customer can read."""
    found: dict[str, Any] = {
        name: await _named(provider, name)(token) for name in ("check_session", "customer_info", "dashboard")
    }
    for name in ("orders", "invoices", "service_requests", "bikes", "insurance_bikes", "insurance_requests"):
        pages = [await _named(provider, name)(token)]
        pages += [await _named(provider, name)(token, page) for page in range(2, pages[0].pages + 1)]
        found[name] = pages
    found["order"] = [
        await provider.ask(OrdersApi).order(token, entry.order_number)
        for page in found["orders"]
        for entry in page.items
    ]
    found["service_request"] = [
        await provider.ask(WorkOrdersApi).service_request(token, entry.reference)
        for page in found["service_requests"]
        for entry in page.items
    ]
    found["changes"] = await provider.ask(ChangesApi).changes(token, Watch(topics=[Topic.REQUESTS]))
    found["service_locations"] = [
        await provider.ask(LocationsApi).service_locations(token, search)
        for search in (
            LocationSearch(text="3511 LX", country_code="NL", page=2, distance_km=100),
            LocationSearch(text="Luik", country_code="BE", types=[LocationType.PARTNER, LocationType.OWN_STORE]),
            LocationSearch(text="Vlieland", distance_km=5, order=LocationOrder.RATING),
        )
    ]
    numbers = [entry.order_number for page in found["orders"] for entry in page.items]
    found["order_status"] = [await provider.ask(DeliveriesApi).order_status(token, number) for number in numbers]
    found["delivery_dates"] = [
        (await provider.ask(DeliveriesApi).delivery_dates(token, number)).model_copy(update={"retry_at": None})
        for number in numbers
    ]
    bikes = [entry.bike_id for page in found["bikes"] for entry in page.items]
    for name in ("bike_home", "service_packages", "insurance_options"):
        found[name] = [await _named(provider, name)(token, bike) for bike in bikes]
    found["bike"] = [await provider.ask(BikesApi).bike(token, bike) for bike in bikes]
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
    application = Application(options)
    await application.open()
    transport = httpx.ASGITransport(create_api(lambda: application.services, options))
    client = HttpProvider("http://provider.test", api_key=KEY, transport=transport)
    try:
        shop = Shop("services", application.services, tmp_path)
        for customer in CUSTOMERS:
            token = await shop.log_in(*customer, ORIGIN)
            direct, remote = await asyncio.gather(everything(application.services, token), everything(client, token))
            assert direct == remote
            assert direct["orders"][0].total > 0
        assert await refused(application.services, "ended") == await refused(client, "ended")
    finally:
        await client.close()
        await application.close()
