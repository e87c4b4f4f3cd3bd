"""Changes of prices and service locations over HTTP, behind the key of the back office."""

from datetime import timedelta

import pytest

from portal.kernel.days import today
from portal.locations.api import LocationsApi, LocationSearch
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office
from tests.support.people import JORIS

__all__ = ["office"]
pytestmark = pytest.mark.asyncio(loop_scope="module")
LATER = today() + timedelta(days=9)


async def test_a_tariff_is_announced_listed_and_withdrawn(office: ApiShop) -> None:
    path = "/backoffice/master-data/tariffs"
    tariff = {
        "valid_from": str(LATER),
        "insurer": "kettingzeker",
        "type": "theft",
        "kind": "city_bike",
        "per_mille": "48.00",
        "minimum": "4.50",
    }
    assert (await office.http.put(path, json=tariff)).status_code == 401
    announced = (await office.http.put(path, json=tariff, headers=bearer())).json()["data"]
    assert announced["period"] == "later"
    listed = (await office.http.get(path, headers=bearer())).json()["data"]
    assert [entry["key"] for entry in listed if entry["period"] == "later"] == [announced["key"]]
    assert len([entry for entry in listed if entry["period"] == "now"]) == 12
    gone = await office.http.delete(f"{path}/{announced['key']}", headers=bearer())
    assert gone.json()["data"] == {"changed": True}
    assert (await office.http.delete(f"{path}/{announced['key']}", headers=bearer())).status_code == 404
    for shop in ({"shop": "elsewhere"}, {"shop": "x" * 41}):
        assert (await office.http.get(path, params=shop, headers=bearer())).status_code in {404, 422}
    assert (await office.http.get("/backoffice/master-data/customers", headers=bearer())).status_code == 404


async def test_a_location_changes_from_a_day_on(office: ApiShop) -> None:
    search = LocationSearch(text="Utrecht")
    token = await office.log_in(*JORIS)
    location = (await office.ask(LocationsApi).service_locations(token, search)).items[0].location_id
    path = f"/backoffice/locations/{location}/changes"
    change = {"valid_from": str(LATER), "waiting_weeks": 4}
    assert (await office.http.put(path, json=change)).status_code == 401
    assert (await office.http.put(path, json=change, headers=bearer())).json()["data"]["applied"] is False
    (listed,) = (await office.http.get(path, headers=bearer())).json()["data"]
    assert listed == {"valid_from": str(LATER), "applied": False, "values": {"waiting_weeks": 4}}
    wrong = await office.http.put(path, json={"valid_from": str(LATER), "waiting_weeks": -1}, headers=bearer())
    assert wrong.json()["details"]["fields"] == {"waiting_weeks": "invalid_input"}
    for status in (200, 404):
        assert (await office.http.delete(f"{path}/{LATER}", headers=bearer())).status_code == status
