"""The service of the dashboard, with the demonstration data."""

from __future__ import annotations

from datetime import timedelta

import pytest

from portal.contract.models import OngoingKind
from portal.demo import many_orders
from portal.demo.plans import PARCEL_SERVICE, STORE, last_working_day
from portal.kernel.address import Country
from portal.kernel.days import today
from portal.orders.api import OrdersApi
from portal.overview.api import Dashboard, OverviewApi
from portal.overview.provider.dashboard import MOST_ONGOING
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.customers import AMBER, EVA, IRIS, JORIS, MAX, NOOR, PIETER, SANNE, THIJS
from tests.support.furnished import Furnished


async def _dashboard(shop: Furnished, customer: tuple[str, str]) -> Dashboard:
    return await shop.ask(OverviewApi).dashboard(await shop.log_in(customer))


def _shown(dashboard: Dashboard) -> dict[Feature, tuple[Opening, Reason | None]]:
    return {action.feature: (action.opening, action.reason) for action in dashboard.actions}


async def test_sanne_can_start_everything(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, SANNE)
    assert [action.feature for action in dashboard.actions] == [*TILES, *BUTTONS]
    assert {action.opening for action in dashboard.actions} == {Opening.OPEN}
    until = {action.feature: action.until for action in dashboard.actions}
    assert until[Feature.INSURANCE] == today() + timedelta(days=5)
    delivered = last_working_day(today() - timedelta(days=1), Country.NL)
    assert until[Feature.RETURN] == delivered + timedelta(days=100)
    assert dashboard.first_name == "Sanne"
    assert dashboard.has_features


async def test_joris_has_a_repair_under_way(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, JORIS)
    shown = _shown(dashboard)
    assert shown[Feature.REPAIR] == (Opening.CLOSED, Reason.REQUEST_OPEN)
    assert shown[Feature.SERVICE] == (Opening.CLOSED, Reason.REQUEST_OPEN)
    assert shown[Feature.CLAIM] == (Opening.CLOSED, Reason.REQUEST_OPEN)
    assert shown[Feature.STATUS] == (Opening.OPEN, None)
    assert shown[Feature.INSURANCE] == (Opening.CLOSED, Reason.INSURANCE_TERM_OVER)
    assert shown[Feature.RETURN] == (Opening.CLOSED, Reason.OLDER_THAN_100_DAYS)
    (repair,) = dashboard.ongoing
    assert (repair.kind, repair.work_order_status) == (OngoingKind.REQUEST, WorkOrderStatus.IN_REPAIR)
    assert (repair.since, repair.planned) == (today() - timedelta(days=8), today() + timedelta(days=2))
    assert repair.partner == "Bovenbuis Amsterdam"


async def test_one_bike_with_a_frame_number_is_enough(furnished: Furnished) -> None:
    assert _shown(await _dashboard(furnished, AMBER))[Feature.REPAIR] == (Opening.OPEN, None)


async def test_without_any_frame_number_repair_and_service_are_closed(furnished: Furnished) -> None:
    shown = _shown(await _dashboard(furnished, THIJS))
    assert shown[Feature.REPAIR] == shown[Feature.SERVICE] == (Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN)
    assert shown[Feature.STATUS] == (Opening.LATER, Reason.NO_REQUEST)


async def test_pieter_waits_for_his_order(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, PIETER)
    shown = _shown(dashboard)
    assert shown[Feature.DELIVERY_DATE] == (Opening.OPEN, None)
    assert shown[Feature.RETURN] == (Opening.CLOSED, Reason.NOT_SHIPPED)
    assert shown[Feature.REPAIR] == (Opening.CLOSED, Reason.NO_BIKE)
    assert shown[Feature.TRACK_AND_TRACE] == (Opening.CLOSED, Reason.NO_TRACKING)
    (delivery,) = dashboard.ongoing
    assert (delivery.kind, delivery.reference) == (OngoingKind.DELIVERY, "900000004")
    assert delivery.delivery_status is DeliveryStatus.ORDER_ASSEMBLED
    assert delivery.name == "Noordveld Signaal Connect"
    assert delivery.planned
    assert delivery.planned > today()


async def test_noor_is_one_day_too_late_for_a_return(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, NOOR)
    returning = next(action for action in dashboard.actions if action.feature is Feature.RETURN)
    assert (returning.opening, returning.reason) == (Opening.CLOSED, Reason.OLDER_THAN_100_DAYS)
    assert returning.until == today() - timedelta(days=1)
    assert _shown(dashboard)[Feature.DELIVERY_DATE] == (Opening.CLOSED, Reason.ALREADY_HANDED_OVER)
    assert dashboard.ongoing == []


async def test_an_order_without_features_offers_only_the_customer_service(furnished: Furnished) -> None:
    for customer in (EVA, IRIS):
        dashboard = await _dashboard(furnished, customer)
        assert not dashboard.has_features
        offered = [action.feature for action in dashboard.actions if action.opening is Opening.OPEN]
        assert offered == [Feature.CUSTOMER_SERVICE]
        reasons = {action.reason for action in dashboard.actions if action.opening is not Opening.OPEN}
        assert reasons == {Reason.NOT_OFFERED}


@pytest.mark.each_database
async def test_ongoing_entries_are_newest_first(furnished: Furnished) -> None:
    ongoing = (await _dashboard(furnished, MAX)).ongoing
    days = [entry.since for entry in ongoing]
    assert days == sorted(days, reverse=True)
    kinds = [entry.kind for entry in ongoing]
    assert (kinds.count(OngoingKind.REQUEST), kinds.count(OngoingKind.DELIVERY)) == (3, 9)
    assert all(entry.name for entry in ongoing)
    carriers = {entry.partner for entry in ongoing if entry.kind is OngoingKind.DELIVERY}
    settings = furnished.context.settings
    assert carriers == {"", PARCEL_SERVICE.name_in(settings), STORE.name_in(settings)}


@pytest.mark.each_database
async def test_the_number_of_ongoing_entries_is_limited(furnished: Furnished) -> None:
    await many_orders(furnished, "eva@example.com", 60)
    for status in DeliveryStatus:
        if status is not DeliveryStatus.ORDER_DELIVERED:
            continue
        await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.BACKORDER}, delivery_status=status)
    assert len((await _dashboard(furnished, EVA)).ongoing) == MOST_ONGOING


async def test_an_unknown_feature_of_an_order_is_ignored(furnished: Furnished) -> None:
    await furnished.change(OrderRow, {"features": ["repair", "jet_pack"]}, order_number="900000008")
    dashboard = await _dashboard(furnished, EVA)
    assert dashboard.has_features
    assert _shown(dashboard)[Feature.REPAIR] == (Opening.CLOSED, Reason.NO_BIKE)


async def test_a_delivery_with_unknown_status_is_not_ongoing(furnished: Furnished) -> None:
    await furnished.change(OrderRow, {"delivery_status": None}, order_number="900000004")
    dashboard = await _dashboard(furnished, PIETER)
    assert dashboard.ongoing == []
    assert _shown(dashboard)[Feature.DELIVERY_DATE] == (Opening.CLOSED, Reason.NOT_OFFERED)


async def test_a_cancelled_only_order_is_the_reason_everywhere(furnished: Furnished) -> None:
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.ORDER_CANCELLED}, order_number="900000004")
    shown = _shown(await _dashboard(furnished, PIETER))
    open_still = {feature for feature, (opening, _) in shown.items() if opening is Opening.OPEN}
    assert open_still == {Feature.ORDER_STATUS, Feature.CUSTOMER_SERVICE}
    reasons = {reason for feature, (opening, reason) in shown.items() if opening is Opening.CLOSED}
    assert reasons == {Reason.ORDER_CANCELLED}


@pytest.mark.each_database
async def test_the_newest_order_gives_the_reason_why_no_delivery_can_be_moved(furnished: Furnished) -> None:
    newest = (await furnished.ask(OrdersApi).orders(await furnished.log_in(SANNE), 1)).items[0].order_number
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.ORDER_DELIVERED})
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.ORDER_NOT_DELIVERED}, order_number=newest)
    shown = _shown(await _dashboard(furnished, SANNE))
    assert shown[Feature.DELIVERY_DATE] == (Opening.CLOSED, Reason.DELIVERY_FAILED)


async def test_more_orders_take_no_more_statements(furnished: Furnished) -> None:
    few, many = await furnished.log_in(EVA), await furnished.log_in(MAX)
    with furnished.statements() as for_one:
        await furnished.ask(OverviewApi).dashboard(few)
    with furnished.statements() as for_twenty_five:
        await furnished.ask(OverviewApi).dashboard(many)
    # What is under way has bikes, stores and pictures, each asked for all at once.
    assert len(for_twenty_five) <= len(for_one) + 6 <= 17
