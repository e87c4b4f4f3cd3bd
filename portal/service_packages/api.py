"""Service packages. They are taken out through the flow `service-package`."""

from __future__ import annotations

from typing import Protocol

from portal.contract.bike_home import PackageOptions
from portal.contract.operations import Token, operation


class ServicePackagesApi(Protocol):
    """What service packages there are for a bike."""

    @operation("GET", "/bikes/{bike_id}/service-packages")
    async def service_packages(self, token: Token, bike_id: str) -> PackageOptions:
        """The service packages, what they hold and what a service of this bike costs with each."""
        ...
