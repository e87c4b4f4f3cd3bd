"""One service request: how far it is, where it is, and what happened (part-1 §2 Repair and service status flow)."""

from typing import ClassVar

import reflex as rx

from portal.contract.registry import ask
from portal.contract.requests import RequestDetail
from portal.contract.work_orders_api import WorkOrdersApi
from portal.states.live import Live
from portal.states.page import Question, last_part
from portal.states.views.requests import RequestView, request_view
from portal.vocabulary.actions import Topic


class RequestPage(Live, rx.State):
    """The request that the address names; another customer's request is not found.

    Attributes:
        request: everything that is known of it.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    request: rx.Field[RequestView] = rx.field(default_factory=RequestView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[RequestDetail]:
        reference = self._about()
        return lambda token: ask(WorkOrdersApi).service_request(token, reference)

    def _show(self, request: RequestDetail) -> None:
        self.request = request_view(request)
