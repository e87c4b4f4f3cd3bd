"""Operations on requests that were sent, and on where and how a bike is serviced."""

from __future__ import annotations

from typing import Protocol

from portal.contract.base import Document, Locale, Page
from portal.contract.bikes import ServiceRequest
from portal.contract.changes import Changes, Watch
from portal.contract.locations import LocationResults, LocationSearch, Place, PlaceSearch, ServiceLocation
from portal.contract.requests import RequestDetail
from portal.contract.services import ServiceOffer


class RequestOperations(Protocol):
    """Part of `portal.contract.provider.Provider`; what holds for all operations is said there."""

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims: open ones first, then newest first."""
        ...

    async def request_document(self, token: str, reference: str, locale: Locale) -> Document:
        """What was asked for, as a PDF in the given language.

        Raises:
            Unavailable: `pdf_failed`.
        """
        ...

    async def request_calendar(self, token: str, reference: str, locale: Locale) -> Document:
        """The day the work is planned for, as an iCalendar file; `NotFound` while nothing is planned."""
        ...

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        ...

    async def changes(self, token: str, watch: Watch) -> Changes:
        """Whether something changed since the last answer; waits for it as long as is asked.

        Asking does not count as use of the session: a page that nobody touches does not keep it alive.
        """
        ...

    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike with their prices, and which one it is due for.

        Raises:
            Refused: `combination_order_line_frame_nr_not_valid`.
        """
        ...

    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        """Service locations around a place: those on vacation last, then as ordered.

        A page beyond the last is the last.

        Raises:
            InvalidInput: `required` or `postal_code_not_found` for the field `text`.
        """
        ...

    async def service_location(self, token: str, location_id: str) -> ServiceLocation:
        """One service location."""
        ...

    async def places(self, token: str, search: PlaceSearch) -> list[Place]:
        """At most five places that a text may mean, the likeliest first; none when nothing fits."""
        ...
