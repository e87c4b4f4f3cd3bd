"""The part of the Provider that is about the home of a bike, its insurance and its service package."""

from __future__ import annotations

from portal.contract.bike_home import BikeHome, MileageEntry, PackageOptions
from portal.contract.insurance import InsuranceBike, InsuranceOptions, InsuranceRequest
from portal.contract.links import LinkSent
from portal.provider.context import Context
from portal.provider.services.bike_home import BikeHomeServices
from portal.provider.services.insurances import InsuranceServices
from portal.provider.services.service_packages import ServicePackageServices
from portal.provider.sessions import Sessions


class BikePart:
    """Answers the operations of `contract.bike_home_operations` and `contract.insurance_operations`."""

    def _open_bikes(self, context: Context, sessions: Sessions) -> None:
        self._bike_home = BikeHomeServices(context, sessions)
        self._insurances = InsuranceServices(context, sessions)
        self._packages = ServicePackageServices(context, sessions)

    async def bike_home(self, token: str, bike_id: str) -> BikeHome:
        """Everything about a bike."""
        return await self._bike_home.bike_home(token, bike_id)

    async def enter_mileage(self, token: str, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Keep what the odometer says."""
        return await self._bike_home.enter_mileage(token, bike_id, entry)

    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        """The service packages for one bike."""
        return await self._packages.service_packages(token, bike_id)

    async def insurance_bikes(self, token: str) -> list[InsuranceBike]:
        """The bikes and whether each can be insured."""
        return await self._insurances.insurance_bikes(token)

    async def insurance_options(self, token: str, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs."""
        return await self._insurances.insurance_options(token, bike_id)

    async def resend_insurance(self, token: str, reference: str) -> LinkSent:
        """Mail the link of a request again."""
        return await self._insurances.resend_insurance(token, reference)

    async def cancel_insurance(self, token: str, reference: str) -> InsuranceRequest:
        """Take back a request."""
        return await self._insurances.cancel_insurance(token, reference)
