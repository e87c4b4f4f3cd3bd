"""The addresses of the dashboard's buttons."""

from __future__ import annotations

from datetime import date

from portal.contract.models import Action, Ongoing, OngoingKind
from portal.overview.api import Dashboard
from portal.overview.pages.views import buttons
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.deliveries import DeliveryStatus


def test_an_order_action_leads_to_the_only_matching_order() -> None:
    def delivery(number: str, status: DeliveryStatus) -> Ongoing:
        return Ongoing(
            kind=OngoingKind.DELIVERY, reference=number, name="x", delivery_status=status, since=date(2026, 6, 1)
        )

    board = Dashboard(
        first_name="Sanne",
        has_features=True,
        actions=[
            Action(feature=Feature.ORDER_STATUS, opening=Opening.OPEN),
            Action(feature=Feature.TRACK_AND_TRACE, opening=Opening.OPEN),
            Action(feature=Feature.DELIVERY_DATE, opening=Opening.OPEN),
        ],
        ongoing=[
            delivery("900000031", DeliveryStatus.ORDER_BEING_PROCESSED),
            delivery("900000021", DeliveryStatus.DRIVER_ON_THE_WAY),
        ],
    )
    paths = [action.href for action in buttons(board)]
    assert paths == ["/orders", "/order-status/900000021", "/delivery-date/900000031"]
    single = board.model_copy(update={"ongoing": board.ongoing[:1]})
    paths = [action.href for action in buttons(single)]
    assert paths == ["/order-status/900000031", "/orders", "/delivery-date/900000031"]
    resting = board.model_copy(update={"ongoing": []})
    assert [action.href for action in buttons(resting)] == ["/orders"] * 3
