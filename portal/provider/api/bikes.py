"""Bikes."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.bikes import Bike, BikeSummary
from portal.contract.services import ServiceOffer
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["bikes"])


@router.get("/bikes", operation_id="bikes", summary="Bikes, newest order first", responses=refusals(401))
async def bikes(token: Token, provider: Services) -> Answer[list[BikeSummary]]:
    """Tell the customer's bikes."""
    return Answer[list[BikeSummary]](data=await provider.bikes(token))


@router.get("/bikes/{bike_id}", operation_id="bike", summary="One bike", responses=refusals(401, 404))
async def bike(token: Token, bike_id: Reference, provider: Services) -> Answer[Bike]:
    """Tell one bike."""
    return Answer[Bike](data=await provider.bike(token, bike_id))


@router.get(
    "/bikes/{bike_id}/service-products",
    operation_id="service_products",
    summary="Maintenance jobs for a bike with their prices",
    responses=refusals(401, 403, 404),
)
async def service_products(token: Token, bike_id: Reference, provider: Services) -> Answer[ServiceOffer]:
    """Tell the jobs, and which one is due."""
    return Answer[ServiceOffer](data=await provider.service_products(token, bike_id))
