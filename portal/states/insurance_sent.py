"""How a request for an insurance stands now, on the page after sending it (flow-standard F32)."""

from typing import ClassVar

import reflex as rx

from portal.contract.insurance import InsuranceBike
from portal.contract.insurance_api import InsuranceApi
from portal.contract.registry import ask
from portal.states.live import Live
from portal.states.page import Question
from portal.states.views.insurances import InsuranceView, insurance_view
from portal.vocabulary.actions import Topic


class InsuranceSent(Live, rx.State):
    """The last request of each bike: the receipt tells what was sent, this tells what became of it.

    Attributes:
        requests: by their reference.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES,)
    requests: rx.Field[dict[str, InsuranceView]] = rx.field(default_factory=dict)

    def _question(self) -> Question[list[InsuranceBike]]:
        return lambda token: ask(InsuranceApi).insurance_bikes(token)

    def _show(self, bikes: list[InsuranceBike]) -> None:
        views = [insurance_view(bike.request) for bike in bikes if bike.request]
        self.requests = {view.reference: view for view in views}
