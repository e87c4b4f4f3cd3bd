"""Repairs, services and claims that were sent, and what can be done for a bike."""

from __future__ import annotations

from typing import Protocol

from portal.contract.base import Document, Page
from portal.contract.bikes import ServiceRequest
from portal.contract.errors import Refused, Unavailable
from portal.contract.operations import CALENDAR, PDF, FileLocale, PageNumber, Refusal, Token, operation
from portal.contract.requests import RequestDetail
from portal.contract.services import ServiceOffer
from portal.domain.codes import Code


class WorkOrdersApi(Protocol):
    """Work on the customer's bikes."""

    @operation("GET", "/service-requests")
    async def service_requests(self, token: Token, page: PageNumber = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims: open ones first, then newest first."""
        ...

    @operation("GET", "/service-requests/{reference}")
    async def service_request(self, token: Token, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        ...

    @operation("GET", "/service-requests/{reference}/pdf", media=PDF, refuses=(Refusal(Unavailable, Code.PDF_FAILED),))
    async def request_document(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """What was asked for, as a PDF in the given language."""
        ...

    @operation("GET", "/service-requests/{reference}/calendar", media=CALENDAR)
    async def request_calendar(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """The day the work is planned for, as an iCalendar file.

        Not found while nothing is planned.
        """
        ...

    @operation(
        "GET",
        "/bikes/{bike_id}/service-products",
        refuses=(Refusal(Refused, Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID),),
    )
    async def service_products(self, token: Token, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike with their prices, and which one it is due for."""
        ...
