"""The service of the page of a bike: timeline, actions, mileage; and service packages."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from portal.contract.errors import InvalidInput, NotFound
from portal.demo.catalogue import packages
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.overview.api import MileageEntry, OverviewApi, ServiceClock, TimelineEventKind
from portal.service_packages.api import ServicePackagesApi
from portal.service_packages.rules import PackageFamily
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.rules import Urgency
from tests.support.application import outcome, refusal
from tests.support.customers import JORIS, MAX
from tests.support.living import FLEUR, Living

NEW, RIDDEN, OLD = "900000081", "900000084", "900000085"


async def test_the_timeline_has_all_kinds_newest_first(living: Living) -> None:
    token = await living.log_in(FLEUR)
    home = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, RIDDEN))
    kinds = [entry.kind for entry in home.timeline]
    assert {
        TimelineEventKind.ORDER,
        TimelineEventKind.DELIVERY,
        TimelineEventKind.INSURANCE,
        TimelineEventKind.SERVICE_PACKAGE,
        TimelineEventKind.MILEAGE,
        TimelineEventKind.WARRANTY,
    } <= set(kinds)
    days = [entry.day for entry in home.timeline]
    assert days == sorted(days, reverse=True)
    assert [entry.kind for entry in home.timeline if entry.ahead] == [TimelineEventKind.WARRANTY]


async def test_the_timeline_has_repairs_and_no_day_of_a_bike_in_the_workshop(living: Living) -> None:
    token = await living.log_in(JORIS)
    home = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, JORIS[0]))
    repairs = [entry for entry in home.timeline if entry.kind is TimelineEventKind.REPAIR]
    assert {entry.status for entry in repairs} >= {"new", "in_repair"}
    assert not any(entry.ahead for entry in repairs)
    actions = {action.feature: action for action in home.actions}
    assert (actions[Feature.REPAIR].opening, actions[Feature.REPAIR].reason) == (Opening.CLOSED, Reason.REQUEST_OPEN)
    assert home.clock
    assert home.clock.last_on


async def test_the_timeline_has_a_planned_appointment(living: Living) -> None:
    token = await living.log_in(MAX)
    listed = (await living.ask(WorkOrdersApi).service_requests(token)).items
    new = next(request for request in listed if request.status is WorkOrderStatus.NEW)
    day = living.clock.now.date() + timedelta(days=3)
    await living.move("work-order", new.reference, "accepted", planned_date=day)
    home = await living.ask(OverviewApi).bike_home(token, new.bike_id)
    (ahead,) = [entry for entry in home.timeline if entry.ahead and entry.kind is not TimelineEventKind.WARRANTY]
    assert (ahead.day, ahead.reference) == (day, new.reference)


async def test_every_closed_action_has_a_reason(living: Living) -> None:
    token = await living.log_in(FLEUR)
    home = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, OLD))
    for action in home.actions:
        assert action.opening is Opening.OPEN or action.reason
    actions = {action.feature: action for action in home.actions}
    assert actions[Feature.INSURANCE].reason is Reason.INSURANCE_TERM_OVER


async def test_an_action_is_closed_after_its_request(living: Living) -> None:
    token = await living.log_in(FLEUR)
    for order, feature, reason in (
        (RIDDEN, Feature.SERVICE_PACKAGE, Reason.PACKAGE_EXISTS),
        ("900000082", Feature.INSURANCE, Reason.INSURANCE_REQUESTED),
    ):
        home = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, order))
        found = next(action for action in home.actions if action.feature is feature)
        assert (found.opening, found.reason) == (Opening.CLOSED, reason)
    fresh = await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, NEW))
    assert {action.feature for action in fresh.actions if action.opening is Opening.OPEN} >= {
        Feature.SERVICE_PACKAGE, Feature.INSURANCE, Feature.RETURN,
    }  # fmt: skip


async def test_a_bike_whose_frame_number_is_unknown_gets_no_package_and_no_insurance(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    await living.change(BikeRow, {"frame_number": None}, public_id=bike)
    actions = {action.feature: action for action in (await living.ask(OverviewApi).bike_home(token, bike)).actions}
    for feature in (Feature.SERVICE_PACKAGE, Feature.INSURANCE, Feature.REPAIR, Feature.SERVICE, Feature.CLAIM):
        found = actions[feature]
        assert (found.opening, found.reason) == (Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN), feature


async def test_a_cancelled_order_closes_every_action_of_its_bike(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    await living.change(OrderRow, {"delivery_status": DeliveryStatus.ORDER_CANCELLED}, order_number=NEW)
    actions = {action.feature: action for action in (await living.ask(OverviewApi).bike_home(token, bike)).actions}
    for feature in set(actions) - {Feature.ORDER_STATUS, Feature.CUSTOMER_SERVICE, Feature.STATUS}:
        found = actions[feature]
        assert (found.opening, found.reason) == (Opening.CLOSED, Reason.ORDER_CANCELLED), feature
    assert (await living.ask(InsuranceApi).insurance_options(token, bike)).bike.refusal is Code.ORDER_CANCELLED
    assert bike not in {entry.bike_id for entry in (await living.ask(InsuranceApi).insurance_bikes(token)).items}
    for flow, code in (
        ("insurance-request", Code.ORDER_CANCELLED),
        ("service-package", Code.ORDER_CANCELLED),
        ("repair-request", Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE),
    ):
        caught = await refusal(living.fill(token, flow, bike))
        # Where no other bike is left, the whole flow is closed with the same reason.
        assert code in {caught.code, *caught.fields.values()}, flow


async def test_a_bike_that_was_returned_for_good_gets_no_package_and_no_insurance(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    await living.give_back(token, NEW)
    actions = {action.feature: action for action in (await living.ask(OverviewApi).bike_home(token, bike)).actions}
    for feature in (Feature.SERVICE_PACKAGE, Feature.INSURANCE, Feature.REPAIR, Feature.SERVICE, Feature.CLAIM):
        assert (actions[feature].opening, actions[feature].reason) == (Opening.CLOSED, Reason.RETURNED), feature
    for flow in ("insurance-request", "service-package"):
        caught = await refusal(living.fill(token, flow, bike))
        assert Code.ALREADY_RETURNED in {caught.code, *caught.fields.values()}, flow


async def test_the_first_service_is_due_by_kilometres_or_by_day(living: Living) -> None:
    token = await living.log_in(FLEUR)

    async def clock_of(order: str) -> ServiceClock:
        found = (await living.ask(OverviewApi).bike_home(token, await living.bike_of(token, order))).clock
        assert found
        return found

    fresh = await clock_of(NEW)
    assert (fresh.job, fresh.urgency, fresh.due_at_km, fresh.km_left) == (ServiceJob.FIRST, Urgency.LATER, 500, None)
    ridden = await clock_of(RIDDEN)
    assert (ridden.urgency, ridden.km_left) == (Urgency.NOW, -12)
    old = await clock_of(OLD)
    assert old.urgency is Urgency.NOW
    assert old.days_left < 0


@pytest.mark.parametrize(
    ("typed", "stored"), [("12,5", "12.5"), ("12.50", "12.5"), (" 480 ", "480"), ("0", "0"), ("1 234", "1234")]
)
async def test_a_mileage_is_accepted_in_every_spelling(living: Living, typed: str, stored: str) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    home = await living.ask(OverviewApi).enter_mileage(token, bike, MileageEntry(mileage=typed))
    assert home.mileage_km == stored
    assert home.bike.mileage == int(float(stored))
    assert (await living.ask(OverviewApi).bike_home(token, bike)).mileage_km == stored


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", Code.REQUIRED),
        ("12,555", Code.INVALID_NUMBER),
        ("-1", Code.INVALID_NUMBER),
        ("abc", Code.INVALID_NUMBER),
        ("600000", Code.INVALID_NUMBER),
    ],
)
async def test_an_invalid_mileage_is_refused(living: Living, typed: str, code: Code) -> None:
    token = await living.log_in(FLEUR)
    entry = MileageEntry(mileage=typed)
    caught = await refusal(living.ask(OverviewApi).enter_mileage(token, await living.bike_of(token, NEW), entry))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {"mileage": code}


@pytest.mark.each_database
async def test_a_lower_mileage_needs_a_confirmation(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, RIDDEN)
    low = MileageEntry(mileage="511,9")
    assert await outcome(living.ask(OverviewApi).enter_mileage(token, bike, low)) == "mileage_lower"
    home = await living.ask(OverviewApi).enter_mileage(token, bike, low.model_copy(update={"corrects": True}))
    assert (home.mileage_km, home.bike.mileage) == ("511.9", 511)


async def test_the_bike_of_somebody_else_is_not_found(living: Living) -> None:
    fleur, joris = await living.log_in(FLEUR), await living.log_in(JORIS)
    bike = await living.bike_of(fleur, NEW)
    for call in (
        living.ask(OverviewApi).bike_home(joris, bike),
        living.ask(OverviewApi).enter_mileage(joris, bike, MileageEntry(mileage="5")),
        living.ask(ServicePackagesApi).service_packages(joris, bike),
        living.ask(InsuranceApi).insurance_options(joris, bike),
    ):
        with pytest.raises(NotFound):
            await call


async def test_packages_have_the_prices_of_services(living: Living) -> None:
    token = await living.log_in(FLEUR)
    options = await living.ask(ServicePackagesApi).service_packages(token, await living.bike_of(token, NEW))
    assert {card.code for card in options.packages} == set(ServicePackage)
    assert {card.family for card in options.packages} == set(PackageFamily)
    assert [card.most_chosen for card in options.packages].count(True) == 1
    for card in options.packages:
        for service in card.services:
            assert service.half == (service.price < service.usual)
    deluxe = next(card for card in options.packages if card.code is ServicePackage.SERVICE31)
    assert all(service.half for service in deluxe.services)


@pytest.mark.each_database
async def test_a_package_applies_at_once_and_services_cost_half(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    assert all(
        product.reduced is None for product in (await living.ask(WorkOrdersApi).service_products(token, bike)).products
    )
    draft = await living.fill(token, "service-package", bike, ("package", {"package": "SERVICE31"}))
    receipts = await asyncio.gather(*(living.send(token, draft) for _ in range(4)))
    assert len({receipt.reference for receipt in receipts}) == 1
    monthly = next(terms.monthly for terms in packages() if terms.package is ServicePackage.SERVICE31)
    assert receipts[0].summary["monthly"] == f"{monthly:.2f}"
    offer = await living.ask(WorkOrdersApi).service_products(token, bike)
    assert offer.service_package is ServicePackage.SERVICE31
    assert all(product.reduced for product in offer.products)
    assert len([mail for mail in await living.mails(FLEUR[1]) if "Deluxe" in mail.subject]) == 1
    caught = await refusal(living.fill(token, "service-package", bike))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {"bike": Code.PACKAGE_EXISTS}


async def test_no_package_cannot_be_taken_out(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    for code in ("SERVICE12", "SERVICE99", ""):
        assert isinstance(
            await refusal(living.fill(token, "service-package", bike, ("package", {"package": code}))), InvalidInput
        )
