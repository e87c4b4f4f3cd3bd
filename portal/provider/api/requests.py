"""Service requests: repairs, services and claims."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from portal.contract.base import Document, Locale, Page
from portal.contract.bikes import ServiceRequest
from portal.contract.requests import RequestDetail
from portal.provider.api.access import PageNumber, Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.provider.api.invoices import content_disposition

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


def _file(media_type: str) -> dict[int | str, dict[str, Any]]:
    """How a file is described, with all refusals of asking for it."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {200: {"description": "The file.", "content": content}, **refusals(401, 404, 422)}


@router.get(
    "/service-requests/{reference}/pdf",
    operation_id="request_document",
    summary="One service request as a PDF",
    response_class=Response,
    responses=_file("application/pdf"),
)
async def request_document(token: Token, reference: Reference, provider: Services, locale: Locale = "nl") -> Response:
    """Send what was asked for as a file."""
    return _sent(await provider.request_document(token, reference, locale))


@router.get(
    "/service-requests/{reference}/calendar",
    operation_id="request_calendar",
    summary="The day the work of a service request is planned for, as an iCalendar file",
    response_class=Response,
    responses=_file("text/calendar"),
)
async def request_calendar(token: Token, reference: Reference, provider: Services, locale: Locale = "nl") -> Response:
    """Send an appointment as a file."""
    return _sent(await provider.request_calendar(token, reference, locale))


def _sent(document: Document) -> Response:
    return Response(
        document.content,
        media_type=document.media_type,
        headers={"Content-Disposition": content_disposition(document.name)},
    )


@router.get(
    "/service-requests/{reference}",
    operation_id="service_request",
    summary="One service request with its partner and everything that happened to it",
    responses=refusals(401, 404),
)
async def service_request(token: Token, reference: Reference, provider: Services) -> Answer[RequestDetail]:
    """Tell one service request."""
    return Answer[RequestDetail](data=await provider.service_request(token, reference))
