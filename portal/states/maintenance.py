"""Service requests: repairs, services and claims, going on and done (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.bikes import ServiceRequest
from portal.contract.registry import ask
from portal.contract.work_orders_api import WorkOrdersApi
from portal.states.live import Live
from portal.states.page import COUNTS, Paginated, Question, page_asked
from portal.states.views.requests import RequestRow, request_row
from portal.vocabulary.actions import Topic


class Maintenance(Live, Paginated, rx.State):
    """One page of the requests: those that are going on first, then newest first.

    Attributes:
        going_on: requests of this page that are going on.
        earlier: requests of this page that are closed.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    _kept: ClassVar[tuple[str, ...]] = ("going_on", "earlier", *COUNTS)
    going_on: rx.Field[list[RequestRow]] = rx.field(default_factory=list)
    earlier: rx.Field[list[RequestRow]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[ServiceRequest]]:
        page = page_asked(self)
        return lambda token: ask(WorkOrdersApi).service_requests(token, page)

    def _show(self, part: Page[ServiceRequest]) -> None:
        rows = [request_row(request) for request in part.items]
        self.going_on = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)
