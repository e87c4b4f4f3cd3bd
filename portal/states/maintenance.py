"""Service requests: repairs, services and claims, going on and done (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.bikes import ServiceRequest
from portal.domain.changes import Topic
from portal.states.live import Live
from portal.states.page import Question, page_asked
from portal.states.policy import customer
from portal.states.views.requests import RequestRow, request_row


class Maintenance(Live, rx.State):
    """One page of the requests: those that are going on first, then newest first.

    Attributes:
        going_on: requests of this page that are going on.
        earlier: requests of this page that are closed.
        page: which page this is, from 1.
        pages: how many there are.
        total: how many requests there are in all.
    """

    _kept: ClassVar[tuple[str, ...]] = ("going_on", "earlier", "page", "pages", "total")
    going_on: rx.Field[list[RequestRow]] = rx.field(default_factory=list)
    earlier: rx.Field[list[RequestRow]] = rx.field(default_factory=list)
    page: rx.Field[int] = rx.field(1)
    pages: rx.Field[int] = rx.field(1)
    total: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Ask for the page that the address names."""
        await self._open(self._question(), self._show)

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        """Show them again when something happens to one."""
        await self._follow(Topic.REQUESTS)

    def _question(self) -> Question[Page[ServiceRequest]]:
        page = page_asked(self)
        return lambda shop, token: shop.service_requests(token, page)

    def _show(self, part: Page[ServiceRequest]) -> None:
        rows = [request_row(request) for request in part.items]
        self.going_on = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self.page, self.pages, self.total = part.page, part.pages, part.total
