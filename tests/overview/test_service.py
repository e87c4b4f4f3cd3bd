"""The service of the dashboard, with the demonstration data."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from portal.contract.errors import NotFound
from portal.contract.models import OngoingKind, Rank
from portal.deliveries.api import DateChoice, DeliveriesApi
from portal.demo.plans import PARCEL_SERVICE, STORE, last_working_day
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.kernel.terms import INSURANCE_DAYS, RETURN_DAYS
from portal.orders.api import InvoiceSelection, OrdersApi
from portal.overview.api import Dashboard, OverviewApi
from portal.overview.pages.order_views import shown_order
from portal.overview.provider.dashboard import MAX_ONGOING
from portal.returns.flow.kinds import RETURN
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import EVA, JORIS, MAX, NOOR, PIETER, ROOS, SANNE, TESS
from tests.support.furnished import Furnished
from tests.support.many_orders import many_orders
from tests.support.people import BRAM, DAAN, FLEUR
from tests.support.returning import ACCESSORIES, PAY_LATER, accessories, send


async def _dashboard(shop: Furnished, customer: tuple[str, str]) -> Dashboard:
    return await shop.ask(OverviewApi).dashboard(await shop.log_in(customer))


def _shown(dashboard: Dashboard) -> dict[Feature, tuple[Opening, Reason | None]]:
    return {action.feature: (action.opening, action.reason) for action in dashboard.actions}


async def test_sanne_can_start_everything(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    dashboard = await furnished.ask(OverviewApi).dashboard(token)
    assert [action.feature for action in dashboard.actions] == [*TILES, *BUTTONS]
    assert {action.opening for action in dashboard.actions} == {Opening.OPEN}
    until = {action.feature: action.until for action in dashboard.actions}
    # Nine days ago, or earlier when holidays kept the parcels from leaving in time.
    bought = (await furnished.ask(OrdersApi).order(token, SANNE[0])).order_date
    assert until[Feature.INSURANCE] == bought + timedelta(days=INSURANCE_DAYS)
    left = last_working_day(today() - timedelta(days=1), Country.NL)
    assert until[Feature.RETURN] == left + timedelta(days=RETURN_DAYS)
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
    assert (repair.since, repair.planned) == (today() - timedelta(days=8), None), "the bike was brought on its day"
    assert repair.partner == "Bovenbuis Amsterdam"


async def test_a_return_would_be_about_what_was_shipped_last(furnished: Furnished) -> None:
    sanne, tess = [await _dashboard(furnished, customer) for customer in (SANNE, TESS)]
    assert sanne.item
    assert sanne.bike
    assert tess.item
    assert tess.item.drawing == "helmet"
    assert tess.bike is None
    assert (await _dashboard(furnished, PIETER)).item is None, "nothing was shipped"
    assert (await _dashboard(furnished, NOOR)).item is None, "shipped too long ago"


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


async def test_a_customer_without_a_bike_learns_what_can_be_arranged_for_the_one_on_order(furnished: Furnished) -> None:
    waiting = (await _dashboard(furnished, PIETER)).first_bike
    assert waiting
    assert (waiting.order_number, waiting.movable) == ("900000004", True)
    assert waiting.insurable_until == today() + timedelta(days=8), "ordered six days ago"
    assert not waiting.package, "the order has one"
    bram, tess, sanne = [(await _dashboard(furnished, who)).first_bike for who in (BRAM, TESS, SANNE)]
    assert bram
    assert bram.order_number == "900000702", "not in stock yet, so no day"
    assert tess
    assert (tess.order_number, tess.movable, tess.package) == ("900000743", True, True)
    assert sanne is None, "she has bikes"


async def test_of_several_bikes_on_order_the_soonest_is_the_first(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, DAAN)
    assert dashboard.first_bike
    assert dashboard.first_bike.order_number == "900000078"
    planned = [entry.reference for entry in dashboard.ongoing if entry.rank is Rank.UNDER_WAY and entry.planned]
    assert planned[:2] == ["900000077", "900000078"], "a helmet that comes sooner is no bike"


async def test_a_bike_is_what_stands_for_an_order_with_accessories(furnished: Furnished) -> None:
    token = await furnished.log_in(PIETER)
    # The poncho of the order comes first.
    await furnished.change(OrderLineRow, {"position": 0}, name="Regenponcho Bui", quantity=1)
    (delivery,) = (await furnished.ask(OverviewApi).dashboard(token)).ongoing
    assert delivery.name == "Noordveld Signaal Connect"


async def test_noor_is_too_late_for_a_return(furnished: Furnished) -> None:
    token = await furnished.log_in(NOOR)
    dashboard = await furnished.ask(OverviewApi).dashboard(token)
    returning = next(action for action in dashboard.actions if action.feature is Feature.RETURN)
    assert (returning.opening, returning.reason) == (Opening.CLOSED, Reason.OLDER_THAN_100_DAYS)
    # The parcel came on the last delivery day that is 100 days ago, and had left on one before it.
    arrived = last_working_day(today() - timedelta(days=100), Country.NL)
    left = last_working_day(arrived - timedelta(days=1), Country.NL)
    assert returning.until == left + timedelta(days=100) < today()
    assert _shown(dashboard)[Feature.DELIVERY_DATE] == (Opening.CLOSED, Reason.ALREADY_HANDED_OVER)
    (invoice,) = dashboard.ongoing
    assert (invoice.kind, invoice.rank) == (OngoingKind.INVOICE, Rank.NEEDS_YOU)
    assert invoice.planned
    [unpaid] = (await furnished.ask(OrdersApi).invoices(token, selection=InvoiceSelection.OPEN)).items
    assert (invoice.name, invoice.amount, invoice.planned) == (unpaid.number, unpaid.due, unpaid.expire_date)
    assert invoice.reference == unpaid.invoice_id, "it leads to the page on which the invoice is paid"


@pytest.mark.each_database
async def test_ongoing_entries_are_ranked_and_all_are_shown(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, MAX)
    ongoing = dashboard.ongoing
    ranks = [entry.rank for entry in ongoing]
    assert {Rank.NEEDS_YOU, Rank.UNDER_WAY} <= set(ranks)
    assert ranks == sorted(ranks, key=list(Rank).index)
    under_way = [entry for entry in ongoing if entry.rank is Rank.UNDER_WAY]
    planned = [entry.planned or date.max for entry in under_way]
    assert planned == sorted(planned)
    unplanned = [entry.since for entry in under_way if entry.planned is None]
    assert unplanned == sorted(unplanned, reverse=True)
    assert dashboard.complete
    kinds = [entry.kind for entry in ongoing]
    assert (kinds.count(OngoingKind.REQUEST), kinds.count(OngoingKind.DELIVERY)) == (3, 9)
    assert all(entry.name for entry in ongoing if entry.kind is not OngoingKind.INVOICE)
    carriers = {entry.partner for entry in ongoing if entry.kind is OngoingKind.DELIVERY}
    settings = furnished.context.settings
    assert carriers == {"", PARCEL_SERVICE.name_in(settings), STORE.name_in(settings)}


async def test_an_insurance_needs_the_customer_until_it_is_confirmed(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, FLEUR)
    insurances = [entry for entry in dashboard.ongoing if entry.kind is OngoingKind.INSURANCE]
    assert [(entry.rank, entry.insurance_status) for entry in insurances] == [
        (Rank.NEEDS_YOU, InsuranceStatus.WAITING_FOR_INPUT),
        (Rank.UNDER_WAY, InsuranceStatus.CREATED),
    ]
    assert all(entry.name and entry.label["nl"] and entry.meaning["nl"] for entry in insurances)
    assert insurances[0].before, "until when the customer can confirm"
    yesterday = furnished.context.clock() - timedelta(hours=1)
    await furnished.change(InsuranceRequestRow, {"link_expires_at": yesterday}, waits_for_link=True)
    later = (await _dashboard(furnished, FLEUR)).ongoing
    assert [entry.rank for entry in later if entry.kind is OngoingKind.INSURANCE] == [Rank.UNDER_WAY]


@pytest.mark.each_database
async def test_the_number_of_ongoing_entries_is_limited(furnished: Furnished) -> None:
    await many_orders(furnished, "eva@example.com", 60)
    for status in DeliveryStatus:
        if status is not DeliveryStatus.ORDER_DELIVERED:
            continue
        await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.BACKORDER}, delivery_status=status)
    dashboard = await _dashboard(furnished, EVA)
    assert len([entry for entry in dashboard.ongoing if entry.kind is OngoingKind.DELIVERY]) == MAX_ONGOING
    assert not dashboard.complete


async def test_another_day_that_is_not_confirmed_needs_the_customer(furnished: Furnished) -> None:
    token = await furnished.log_in(PIETER)
    (before,) = (await furnished.ask(OverviewApi).dashboard(token)).ongoing
    assert before.rank is Rank.UNDER_WAY
    assert before.from_time < before.until_time
    weeks = (await furnished.ask(DeliveriesApi).delivery_dates(token, before.reference)).weeks
    free = next(day.day for week in weeks for day in week.days if day.free and day.day != before.planned)
    await furnished.ask(DeliveriesApi).request_delivery_date(token, before.reference, DateChoice(day=free.isoformat()))
    (after,) = (await furnished.ask(OverviewApi).dashboard(token)).ongoing
    assert after.rank is Rank.NEEDS_YOU
    await furnished.ask(DeliveriesApi).cancel_delivery_date(token, before.reference)
    assert (await furnished.ask(OverviewApi).dashboard(token)).ongoing == [before]


async def test_every_line_of_an_order_says_what_can_be_started(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    bike, other, bag, locks = await furnished.ask(OverviewApi).line_actions(token, "900000001")
    assert [entry.position for entry in (bike, other, bag, locks)] == [1, 2, 3, 4]
    for line in (bike, other):
        assert line.bike_id
        assert [action.feature for action in line.actions] == [Feature.RETURN, Feature.REPAIR, Feature.INSURANCE]
        assert [action.refusal for action in line.actions[:2]] == [None, None]
        assert line.actions[0].flow == "return-request"
    assert {line.actions[2].refusal for line in (bike, other)} == {None, Code.INSURANCE_EXISTS}
    for line in (bag, locks):
        assert (line.bike_id, line.item) == (None, f"900000001-{line.position}")
        assert [(action.feature, action.flow) for action in line.actions] == [
            (Feature.RETURN, "return-accessories-request")
        ]


async def test_a_line_says_why_something_cannot_be_started(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    (line,) = await furnished.ask(OverviewApi).line_actions(token, "900000002")
    assert {action.feature: action.refusal for action in line.actions} == {
        Feature.RETURN: Code.OLDER_THAN_100_DAYS,
        Feature.REPAIR: Code.OPEN_WORK_ORDER_EXISTS,
        Feature.INSURANCE: Code.INSURANCE_TERM_OVER,
    }
    repairs = await furnished.ask(WorkOrdersApi).service_requests(token)
    (open_request,) = [request.reference for request in repairs.items if not request.closed]
    assert {action.feature: action.page for action in line.actions if action.page} == {
        Feature.REPAIR: f"/maintenance/{open_request}"
    }


async def test_a_line_that_is_going_back_names_its_return(furnished: Furnished) -> None:
    token, api = await furnished.log_in(ROOS), furnished.ask(OverviewApi)
    bag = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1")
    return_id = (await send(furnished.provider, token, ACCESSORIES, bag)).summary["return_id"]
    lines = {entry.item: entry.actions for entry in await api.line_actions(token, PAY_LATER)}
    (action,) = lines[f"{PAY_LATER}-2"]
    assert (action.refusal, action.page) == (Code.RETURN_REQUEST_EXISTS, f"/returns/{return_id}")
    assert not any(entry.page for entry in lines[f"{PAY_LATER}-1"])


async def test_the_lines_of_another_customer_are_not_found(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    for number in ("900000001", "999999999", "x"):
        with pytest.raises(NotFound):
            await furnished.ask(OverviewApi).line_actions(token, number)


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
    # What is under way has bikes that may go back, stores, pictures and open amounts, each asked for all at once.
    assert len(for_twenty_five) <= len(for_one) + 9 <= 22


async def test_equal_bikes_are_told_apart_on_the_dashboard(furnished: Furnished) -> None:
    dashboard = await _dashboard(furnished, FLEUR)
    marks = [entry.mark for entry in dashboard.ongoing if entry.kind is OngoingKind.INSURANCE]
    assert marks
    assert len(set(marks)) == len(marks)
    assert all("framenummer eindigt op" in mark for mark in marks)


async def test_the_billing_address_is_compared_with_the_shipping_address(furnished: Furnished) -> None:
    for customer, number, same in ((SANNE, "900000001", True), (JORIS, "900000002", False)):
        order = await furnished.ask(OrdersApi).order(await furnished.log_in(customer), number)
        assert shown_order(order, []).same_address is same


async def test_an_order_offers_the_flows_that_have_something_to_return(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    order = await furnished.ask(OrdersApi).order(token, "900000001")
    bike, other, *small = await furnished.ask(OverviewApi).line_actions(token, "900000001")
    assert shown_order(order, [bike, other, *small]).flows == [ACCESSORIES, RETURN.name]
    assert shown_order(order, small).flows == [ACCESSORIES]
    assert shown_order(order, []).flows == []
