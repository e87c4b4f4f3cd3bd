"""Service requests over the provider API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from pydantic import TypeAdapter

from portal.client.caller import QueryValue
from portal.contract.base import Page
from portal.contract.bikes import ServiceRequest
from portal.contract.http import LAST_PAGE
from portal.contract.requests import RequestDetail

T = TypeVar("T")

_SERVICE_REQUESTS = TypeAdapter(Page[ServiceRequest])
_SERVICE_REQUEST = TypeAdapter(RequestDetail)


class RequestCalls(ABC):
    """The operations on service requests; what they say is said in the contract."""

    @abstractmethod
    async def _get(self, operation: str, path: str, token: str, shape: TypeAdapter[T], **query: QueryValue) -> T: ...

    @abstractmethod
    async def _known_form(self, token: str, reference: str) -> str: ...

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims."""
        number = page_number(page)
        return await self._get("service_requests", "/service-requests", token, _SERVICE_REQUESTS, page=number)

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        path = f"/service-requests/{await self._known_form(token, reference)}"
        return await self._get("service_request", path, token, _SERVICE_REQUEST)


def page_number(page: int) -> str:
    """A page as it travels, within what can be asked for."""
    return str(min(max(page, 1), LAST_PAGE))
