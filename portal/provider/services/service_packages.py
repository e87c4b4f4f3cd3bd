"""The service packages for one bike (part-1 §2, part-2 §3)."""

from __future__ import annotations

from typing_extensions import override

from portal.contract.bike_home import PackageCard, PackageOptions, PackageService
from portal.contract.errors import NotFound
from portal.contract.service_packages_api import ServicePackagesApi
from portal.domain.codes import Code
from portal.domain.identifiers import is_short_id
from portal.domain.service_packages import OFFERS
from portal.flows.service_package import has_room
from portal.provider.repositories.bikes import BikeRepository, OwnedBike
from portal.provider.repositories.service_products import ServiceProductRepository, drive_of
from portal.provider.services.service import Service


def why_no_package(owned: OwnedBike) -> Code | None:
    """Why a bike can have no service package; none when it can."""
    if owned.gone:
        return owned.gone
    if not has_room(owned.bike.service_package):
        return Code.PACKAGE_EXISTS
    return None if owned.bike.frame_number else Code.FRAME_NUMBER_UNKNOWN


class ServicePackagesService(Service, ServicePackagesApi):
    """The operation on service packages."""

    @override
    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
            products = ServiceProductRepository(session, owner.customer_id)
            drive = drive_of(owned.bike)
            cards = [
                PackageCard(
                    code=offer.code,
                    family=offer.family,
                    monthly=offer.monthly,
                    most_chosen=offer.most_chosen,
                    current=owned.bike.service_package is offer.code,
                    includes=list(offer.includes),
                    services=[
                        PackageService(
                            job=entry.job,
                            usual=entry.price,
                            price=entry.price if entry.reduced is None else entry.reduced,
                            half=entry.reduced is not None,
                        )
                        for entry in await products.offers(drive, offer.code)
                    ],
                )
                for offer in OFFERS
            ]
        refusal = why_no_package(owned)
        return PackageOptions(bike_id=owned.bike.public_id, name=owned.bike.name, refusal=refusal, packages=cards)
