"""Operations on the home of a bike and its service package; a part of the Provider."""

from __future__ import annotations

from typing import Protocol

from portal.contract.bike_home import BikeHome, MileageEntry, PackageOptions


class BikeHomeOperations(Protocol):
    """One bike, whole. Packages are taken out through the flow `service-package`."""

    async def bike_home(self, token: str, bike_id: str) -> BikeHome:
        """Everything about a bike."""
        ...

    async def enter_mileage(self, token: str, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Keep what the odometer says.

        Raises:
            InvalidInput: `required`, `invalid_number` or `mileage_lower` for the field `mileage`.
        """
        ...

    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        """The service packages, what they hold and what a service of this bike costs with each."""
        ...
