"""The service of the page of a bike and of the page of a request."""

import asyncio
from datetime import timedelta

import pytest

from portal.contract.errors import InvalidInput, NotFound
from portal.demo.catalogue import packages
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.overview.api import FrameNumber, MileageEntry, OverviewApi, ServiceClock, TimelineEventKind
from portal.service_packages.api import ServicePackagesApi
from portal.tables.bikes import BikeRow
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.rules import Urgency
from tests.support.application import refusal
from tests.support.conversing import ON_REQUEST_PAGE, case_of_repair, case_on_request_page
from tests.support.customers import JORIS, MAX, SANNE
from tests.support.furnished import Furnished
from tests.support.living import FLEUR, Living

NEW, RIDDEN, OLD = "900000081", "900000084", "900000085"


async def test_the_timeline_has_a_planned_appointment(living: Living) -> None:
    token = await living.log_in(MAX)
    listed = (await living.ask(WorkOrdersApi).service_requests(token)).items
    new = next(request for request in listed if request.status is WorkOrderStatus.NEW)
    day = living.clock.now.date() + timedelta(days=3)
    await living.move("work-order", new.reference, "accepted", planned_date=day)
    home = await living.ask(OverviewApi).bike_home(token, new.bike_id)
    (ahead,) = [entry for entry in home.timeline if entry.ahead and entry.kind is not TimelineEventKind.WARRANTY]
    assert (ahead.day, ahead.reference) == (day, new.reference)


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
    for typed, code in (("", "required"), (" ", "required"), ("!", "invalid_frame_number")):
        entry = FrameNumber(frame_number=typed)
        refused = await refusal(living.ask(OverviewApi).enter_frame_number(token, bike, entry))
        assert isinstance(refused, InvalidInput)
        assert refused.fields == {"frame_number": code}
    home = await living.ask(OverviewApi).enter_frame_number(token, bike, FrameNumber(frame_number="nvh 172 081"))
    assert home.bike.frame_number == "NVH172081"
    assert {action.feature for action in home.actions if action.opening is Opening.OPEN} >= {
        Feature.SERVICE_PACKAGE, Feature.INSURANCE, Feature.REPAIR, Feature.SERVICE, Feature.CLAIM,
    }  # fmt: skip
    # One that is known stays: staff correct it.
    again = await living.ask(OverviewApi).enter_frame_number(token, bike, FrameNumber(frame_number="NVH172082"))
    assert again.bike.frame_number == "NVH172081"


async def test_nobody_fills_in_the_frame_number_of_a_bike_of_others(living: Living) -> None:
    bike = await living.bike_of(await living.log_in(FLEUR), NEW)
    stranger = await living.log_in(MAX)
    with pytest.raises(NotFound):
        await living.ask(OverviewApi).enter_frame_number(stranger, bike, FrameNumber(frame_number="NVH172081"))


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


@pytest.mark.parametrize(
    ("kind", "title", "status", "page"),
    [
        (CaseKind.INSURANCE, "Your insurance has been requested", "Requested", "/insurance-package?bike="),
        (
            CaseKind.DATE_CHANGE,
            "We’re checking whether your new day works",
            "Waiting for our confirmation",
            "/delivery-date/900000073",
        ),
        (CaseKind.CONTRACT_END, "Cancellation: Service package Comfort", "Being processed", "/contracts/"),
    ],
)
async def test_a_request_has_its_account_and_the_page_to_act_on(
    furnished: Furnished, kind: CaseKind, title: str, status: str, page: str
) -> None:
    case = await case_on_request_page(furnished.context, kind)
    customer = await furnished.log_in(ON_REQUEST_PAGE[kind].customer)
    found = await furnished.ask(OverviewApi).own_request(customer, case.reference)
    assert (found.kind, found.reference, found.tone != "") == (kind, case.reference, True)
    assert (found.account.title.en, found.account.status.en) == (title, status)
    assert found.page.startswith(page)


async def test_a_request_with_a_page_of_its_own_is_not_found_here(furnished: Furnished) -> None:
    repair = await case_of_repair(furnished.context, SANNE[1])
    customer = await furnished.log_in(SANNE)
    for reference in (repair.reference, "nothing", "' OR 1"):
        with pytest.raises(NotFound):
            await furnished.ask(OverviewApi).own_request(customer, reference)
