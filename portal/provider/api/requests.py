"""Service requests: repairs, services and claims."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.base import Page
from portal.contract.bikes import ServiceRequest
from portal.provider.api.access import PageNumber, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["service requests"])


@router.get(
    "/service-requests",
    operation_id="service_requests",
    summary="Service requests, open ones first, then newest first",
    responses=refusals(401, 422),
)
async def service_requests(token: Token, provider: Services, page: PageNumber = 1) -> Answer[Page[ServiceRequest]]:
    """Tell one page of the customer's service requests."""
    return Answer[Page[ServiceRequest]](data=await provider.service_requests(token, page))
