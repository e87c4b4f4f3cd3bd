"""Maintenance jobs, past services of a bike, and the work order of a service; on both databases."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.bikes.api import BikesApi
from portal.contract.errors import Refused
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.kernel.days import add_months, today
from portal.locations.api import LocationsApi, LocationSearch
from portal.tables.bikes import BikeRow
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow, ServiceProductRow
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.provider.queries import ServiceProductQueries
from tests.flow.filling import ADDRESS, own_shop, saved
from tests.support.customers import JORIS, NOOR, SANNE
from tests.support.furnished import Furnished


async def _bike(shop: Furnished, token: str, place: int = 0) -> str:
    return (await shop.ask(BikesApi).bikes(token)).items[place].bike_id


async def _service(shop: Furnished, token: str, handover: str = "pick_up") -> Draft:
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow="service-request"))
    return await saved(
        shop,
        token,
        draft,
        {
            "bike": {"bike": await _bike(shop, token)},
            "job": {"job": "1"},
            "address": ADDRESS,
            "location": {"location": await own_shop(shop, token), "handover": handover},
        },
    )


@pytest.mark.each_database
async def test_a_service_that_was_done_or_cancelled_counts_as_it_should(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    bike = await _bike(furnished, token)
    before = (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due
    assert before.job is ServiceJob.SECOND
    assert before.last
    assert before.day == add_months(before.last, 12)
    await furnished.change(RequestRow, {"details": {"job": "3"}}, kind=RequestKind.SERVICE)
    assert (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due.job is ServiceJob.FOURTH
    await furnished.change(RequestRow, {"status": WorkOrderStatus.CANCELLED}, kind=RequestKind.SERVICE)
    none = (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due
    assert (none.job, none.last) == (ServiceJob.FIRST, None)


async def test_a_bike_that_was_sold_again_belongs_to_its_new_owner(furnished: Furnished) -> None:
    noor, sanne = await furnished.log_in(NOOR), await furnished.log_in(SANNE)
    tokens = {await _bike(furnished, sanne): sanne, await _bike(furnished, noor): noor}
    async with furnished.context.database.session() as session:
        rows = [row for row in await session.exec(select(BikeRow)) if row.public_id in tokens]
    older, newer = sorted(rows, key=lambda row: row.id)
    await furnished.change(BikeRow, {"frame_number": older.frame_number}, public_id=newer.public_id)
    with pytest.raises(Refused) as caught:
        await furnished.ask(WorkOrdersApi).service_products(tokens[older.public_id], older.public_id)
    assert caught.value.code is Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID
    assert (await furnished.ask(WorkOrdersApi).service_products(tokens[newer.public_id], newer.public_id)).products


async def test_the_request_keeps_what_was_shown(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    receipt = await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    async with furnished.context.database.session() as session:
        row = (await session.exec(select(RequestRow).where(RequestRow.reference == receipt.reference))).one()
        partner = (await session.exec(select(PartnerRow).where(PartnerRow.id == row.partner_id))).one()
    assert partner.public_id == draft.answers["location"]
    assert (row.kind, row.status) == (RequestKind.SERVICE, WorkOrderStatus.NEW)
    assert row.details
    assert row.details["costs"] == {
        "currency": "EUR",
        "lines": [
            {"kind": "service_job", "amount": "69.00"},
            {"kind": "package_discount", "amount": "-34.50"},
            {"kind": "pick_up", "amount": "60.00"},
        ],
        "total": "94.50",
    }
    assert row.details["home"]["city"] == "Utrecht"
    assert row.details["home"]["phone"] == "+31612345678"
    assert row.details["service_location"]["name"] == partner.name
    assert row.details["handed_over"] == "pick_up"


async def test_another_fee_for_picking_up_is_a_setting(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    context = furnished.context
    object.__setattr__(context, "settings", context.settings.model_copy(update={"pick_up_cost": Decimal("45.50")}))
    draft = await _service(furnished, token)
    assert {entry["cost"] for entry in draft.facts["location"]["handovers"]} == {"", "45.50"}


async def test_a_closed_location_is_not_found_and_keeps_its_requests(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    name = str(draft.answers["location"])
    await furnished.change(PartnerRow, {"closed": True}, public_id=name)
    found = await furnished.ask(LocationsApi).service_locations(token, LocationSearch(text="Utrecht"))
    assert name not in {item.location_id for item in found.items}
    assert (await furnished.ask(WorkOrdersApi).service_requests(token)).items[0].partner_name


@pytest.mark.parametrize(("days", "refused"), [(6, False), (7, True), (60, True)])
async def test_only_a_vacation_over_the_whole_turn_keeps_one_away(
    furnished: Furnished, days: int, *, refused: bool
) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    values = {"vacation_from": today(), "vacation_until": today() + timedelta(days=days), "waiting_weeks": 0}
    await furnished.change(PartnerRow, values, public_id=str(draft.answers["location"]))
    facts = (await furnished.ask(FlowApi).draft(token, draft.draft_id)).facts["location"]
    assert (facts["refusal"] == Code.LOCATION_ON_VACATION) == refused


async def test_a_package_halves_the_price_of_the_day(furnished: Furnished) -> None:
    async with furnished.context.database.transaction() as session:
        for row in await session.exec(select(ServiceProductRow)):
            if not row.half_price:
                row.price = Decimal("150.01")
    async with furnished.context.database.session() as session:
        customer = (await session.exec(select(BikeRow.customer_id))).first() or 0
        products = ServiceProductQueries(session, customer)
        for package in (ServicePackage.SERVICE21, None):
            for offer in await products.offers(Drive.E_BIKE, package, today()):
                assert offer.price == Decimal("150.01")
                assert offer.reduced in (None, Decimal("75.01"))
        halved = [offer for offer in await products.offers(Drive.E_BIKE, ServicePackage.SERVICE21, today())]
        assert any(offer.reduced for offer in halved)
