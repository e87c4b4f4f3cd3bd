"""Bikes."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.bikes import Bike, BikeSummary
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
