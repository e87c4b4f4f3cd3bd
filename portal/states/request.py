"""One service request: how far it is, where it is, and what happened (part-1 §2 Repair and service status flow)."""

import reflex as rx

from portal.contract.provider import Provider
from portal.contract.requests import RequestDetail
from portal.domain.changes import Topic
from portal.states.live import Live
from portal.states.page import last_part
from portal.states.policy import customer
from portal.states.views.requests import RequestView, request_view


class RequestPage(Live, rx.State):
    """The request that the address names; another customer's request is not found.

    Attributes:
        request: everything that is known of it.
    """

    request: rx.Field[RequestView] = rx.field(default_factory=RequestView)

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Ask for the request."""
        await self._open(self._ask, self._show, about=last_part(self))

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        """Show it again when something happens to it."""
        await self._follow([Topic.REQUESTS], self._ask, self._show)

    async def _ask(self, shop: Provider, token: str) -> RequestDetail:
        return await shop.service_request(token, last_part(self))

    def _show(self, request: RequestDetail) -> None:
        self.request = request_view(request)
