"""Service requests: repairs, services and claims."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.base import Page
from portal.contract.bikes import ServiceRequest
from portal.contract.requests import RequestDetail
from portal.provider.api.access import PageNumber, Reference, Services, Token
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


@router.get(
    "/service-requests/{reference}",
    operation_id="service_request",
    summary="One service request with its partner and everything that happened to it",
    responses=refusals(401, 404),
)
async def service_request(token: Token, reference: Reference, provider: Services) -> Answer[RequestDetail]:
    """Tell one service request."""
    return Answer[RequestDetail](data=await provider.service_request(token, reference))
