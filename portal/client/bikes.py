"""The home of a bike, its insurance and its service package, over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.contract.bike_home import BikeHome, MileageEntry, PackageOptions
from portal.contract.insurance import InsuranceBike, InsuranceOptions, InsuranceRequest
from portal.contract.links import LinkSent

_BIKE_HOME = TypeAdapter(BikeHome)
_PACKAGE_OPTIONS = TypeAdapter(PackageOptions)
_INSURANCE_BIKES = TypeAdapter(list[InsuranceBike])
_INSURANCE_OPTIONS = TypeAdapter(InsuranceOptions)
_INSURANCE_REQUEST = TypeAdapter(InsuranceRequest)
_LINK_SENT = TypeAdapter(LinkSent)


class BikeCalls(Calls):
    """The operations on one bike; what they say is said in the contract."""

    async def bike_home(self, token: str, bike_id: str) -> BikeHome:
        """Everything about a bike."""
        return await self._get("bike_home", await self._bike(token, bike_id, "home"), token, _BIKE_HOME)

    async def enter_mileage(self, token: str, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Keep what the odometer says."""
        path = await self._bike(token, bike_id, "mileage")
        return await self._send("enter_mileage", "POST", path, token, entry, _BIKE_HOME)

    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        """The service packages for one bike."""
        path = await self._bike(token, bike_id, "service-packages")
        return await self._get("service_packages", path, token, _PACKAGE_OPTIONS)

    async def insurance_bikes(self, token: str) -> list[InsuranceBike]:
        """The bikes and whether each can be insured."""
        return await self._get("insurance_bikes", "/insurances/bikes", token, _INSURANCE_BIKES)

    async def insurance_options(self, token: str, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs with each insurer."""
        path = await self._bike(token, bike_id, "insurances")
        return await self._get("insurance_options", path, token, _INSURANCE_OPTIONS)

    async def resend_insurance(self, token: str, reference: str) -> LinkSent:
        """Mail the link of a request again."""
        path = f"/insurances/{await self._known_form(token, reference)}/resend"
        return await self._send("resend_insurance", "POST", path, token, None, _LINK_SENT)

    async def cancel_insurance(self, token: str, reference: str) -> InsuranceRequest:
        """Take back a request that is not finished."""
        path = f"/insurances/{await self._known_form(token, reference)}/cancel"
        return await self._send("cancel_insurance", "POST", path, token, None, _INSURANCE_REQUEST)

    async def _bike(self, token: str, bike_id: str, rest: str) -> str:
        return f"/bikes/{await self._known_form(token, bike_id)}/{rest}"
