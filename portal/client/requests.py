"""Service requests over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.answers import CALENDAR
from portal.client.calls import Calls
from portal.contract.base import Document, Locale, Page
from portal.contract.bikes import ServiceRequest
from portal.contract.http import LAST_PAGE
from portal.contract.requests import RequestDetail

_SERVICE_REQUESTS = TypeAdapter(Page[ServiceRequest])
_SERVICE_REQUEST = TypeAdapter(RequestDetail)


class RequestCalls(Calls):
    """The operations on service requests; what they say is said in the contract."""

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims."""
        number = page_number(page)
        return await self._get("service_requests", "/service-requests", token, _SERVICE_REQUESTS, page=number)

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        path = f"/service-requests/{await self._known_form(token, reference)}"
        return await self._get("service_request", path, token, _SERVICE_REQUEST)

    async def request_document(self, token: str, reference: str, locale: Locale) -> Document:
        """What was asked for, as a PDF in the given language."""
        path = f"/service-requests/{await self._known_form(token, reference)}/pdf"
        return await self._document("request_document", path, token, locale=locale)

    async def request_calendar(self, token: str, reference: str, locale: Locale) -> Document:
        """The day the work is planned for, as an iCalendar file."""
        path = f"/service-requests/{await self._known_form(token, reference)}/calendar"
        return await self._document("request_calendar", path, token, CALENDAR, locale=locale)


def page_number(page: int) -> str:
    """A page as it travels, within what can be asked for."""
    return str(min(max(page, 1), LAST_PAGE))
