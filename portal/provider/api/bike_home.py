"""The home of a bike, and its service package."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.bike_home import BikeHome, MileageEntry, PackageOptions
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(prefix="/bikes/{bike_id}", tags=["bikes"])


@router.get("/home", operation_id="bike_home", summary="Everything about a bike", responses=refusals(401, 404))
async def bike_home(token: Token, bike_id: Reference, provider: Services) -> Answer[BikeHome]:
    """Tell everything about a bike."""
    return Answer[BikeHome](data=await provider.bike_home(token, bike_id))


@router.post(
    "/mileage",
    operation_id="enter_mileage",
    summary="Keep what the odometer says",
    responses=refusals(401, 404, 413, 422),
)
async def enter_mileage(token: Token, bike_id: Reference, entry: MileageEntry, provider: Services) -> Answer[BikeHome]:
    """Keep a mileage."""
    return Answer[BikeHome](data=await provider.enter_mileage(token, bike_id, entry))


@router.get(
    "/service-packages",
    operation_id="service_packages",
    summary="The service packages, and what a service of this bike costs with each",
    responses=refusals(401, 404),
)
async def service_packages(token: Token, bike_id: Reference, provider: Services) -> Answer[PackageOptions]:
    """Tell the packages."""
    return Answer[PackageOptions](data=await provider.service_packages(token, bike_id))
