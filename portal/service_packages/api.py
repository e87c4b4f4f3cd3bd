"""Models and the operation of service packages."""

from typing import Annotated, Protocol

from portal.contract.models import Amount, Model, only_known, otherwise
from portal.contract.operations import Token, operation
from portal.service_packages.rules import Inclusion, PackageFamily
from portal.vocabulary.services import ServiceJob, ServicePackage


class PackageService(Model):
    """Price of a service with a package, in euro; `usual` is the price without one. `half` marks a reduced price."""

    job: Annotated[ServiceJob, otherwise(ServiceJob, ServiceJob.UNKNOWN)]
    usual: Amount
    price: Amount
    half: bool


class PackageCard(Model):
    """A service package. `monthly` in euro including VAT."""

    code: ServicePackage
    family: Annotated[PackageFamily, otherwise(PackageFamily, PackageFamily.MAINTENANCE)]
    monthly: Amount
    most_chosen: bool = False
    current: bool = False
    includes: Annotated[list[Inclusion], only_known(Inclusion)]
    services: list[PackageService]


class PackageOptions(Model):
    packages: Annotated[list[PackageCard], only_known(ServicePackage, "code")]


class ServicePackagesApi(Protocol):
    @operation("GET", "/bikes/{bike_id}/service-packages")
    async def service_packages(self, token: Token, bike_id: str) -> PackageOptions:
        """All packages, what they include, and what a service of this bike costs with each."""
