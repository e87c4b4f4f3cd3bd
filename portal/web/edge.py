"""Everything of the portal that is plain HTTP, in front of the compiled pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.deliveries_api import DeliveriesApi
from portal.contract.orders_api import OrdersApi
from portal.contract.registry import ask
from portal.contract.returns_api import ReturnsApi
from portal.contract.work_orders_api import WorkOrdersApi
from portal.domain.codes import Code
from portal.states.page import Loadable
from portal.web import mailbox, uploads
from portal.web.auth import Authentication
from portal.web.destinations import Destinations
from portal.web.documents import DocumentGate
from portal.web.files import Download, Downloads
from portal.web.first import FirstData
from portal.web.passwords import Passwords
from portal.web.sockets import SocketLimit

_UPLOADS = "/_upload"
DOWNLOADS = (
    Download("/files/invoices/{name:path}.pdf", lambda: ask(OrdersApi).invoice_pdf),
    Download("/files/requests/{name:path}.pdf", lambda: ask(WorkOrdersApi).request_document),
    Download("/files/requests/{name:path}.ics", lambda: ask(WorkOrdersApi).request_calendar, Code.CALENDAR_FAILED),
    Download("/files/returns/{name:path}/label.pdf", lambda: ask(ReturnsApi).return_label),
    Download("/files/returns/{name:path}.pdf", lambda: ask(ReturnsApi).return_summary_pdf),
    Download("/files/deliveries/{name:path}.ics", lambda: ask(DeliveriesApi).delivery_calendar, Code.CALENDAR_FAILED),
    Download("/files/delivery-dates/{name:path}.pdf", lambda: ask(DeliveriesApi).delivery_date_pdf),
)
"""What the customer can download. Where two patterns fit, the first one counts."""


class Edge:
    """Own routes first, then the gate of the pages. The framework's way of uploading is refused unread."""

    def __init__(
        self,
        pages: ASGIApp,
        protected: frozenset[str],
        route_of: Callable[[str], str | None],
        first: Mapping[str, type[Loadable]] | None = None,
    ) -> None:
        """Stand in front of the pages.

        Args:
            pages: Serves the compiled pages and the event socket.
            protected: Routes for customers who are logged in, as the router names them.
            route_of: Finds the route of a path.
            first: The state of each page whose first data are asked beside the scripts, by its route.
        """
        destinations = Destinations(protected, route_of)
        self._pages = SocketLimit(DocumentGate(pages, destinations))
        self._routes: list[Route] = [
            *Authentication(destinations).routes,
            *Passwords(destinations).routes,
            *Downloads(destinations, pages, DOWNLOADS).routes,
            *uploads.routes(),
            *FirstData(first or {}, route_of).routes,
            *mailbox.routes(),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        if scope["path"].startswith(_UPLOADS):
            await Response(status_code=404)(scope, receive, send)
            return
        for route in self._routes:
            match, found = route.matches(scope)
            if match is not Match.NONE:
                # A wrong method is answered by the route itself, with 405.
                await route.handle({**scope, **found}, receive, send)
                return
        await self._pages(scope, receive, send)
