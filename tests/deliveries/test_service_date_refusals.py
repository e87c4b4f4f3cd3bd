"""Requests for another delivery day that are refused (part-2 §8)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from portal.contract.errors import InvalidInput
from portal.deliveries.api import DateChoice, DeliveriesApi
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.tables.deliveries import DeliveryDayRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from tests.support.application import outcome, refusal
from tests.support.living import DAAN, OPEN, Living


@pytest.mark.parametrize(
    ("typed", "code"), [("", Code.REQUIRED), ("morgen", Code.INVALID_CHOICE), ("2020-01-06", Code.INVALID_CHOICE)]
)
async def test_what_is_no_day_of_the_list_is_refused(living: Living, typed: str, code: Code) -> None:
    token = await living.log_in(DAAN)
    caught = await refusal(living.ask(DeliveriesApi).request_delivery_date(token, OPEN, DateChoice(day=typed)))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {"day": code}


async def test_the_planned_day_is_no_choice(living: Living) -> None:
    token = await living.log_in(DAAN)
    scheduled = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    assert scheduled
    assert await outcome(living.request_day(token, OPEN, scheduled.day)) == "same_delivery_day"


async def test_without_any_free_day_one_tries_again_in_an_hour(living: Living) -> None:
    token = await living.log_in(DAAN)
    day = await living.free_day(token, OPEN)
    days = [
        entry.day for week in (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).weeks for entry in week.days
    ]
    scheduled = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    assert scheduled
    async with living.context.database.transaction() as session:
        for full in {*days, scheduled.day}:
            row = await session.get(DeliveryDayRow, (Country.NL, full))
            if row:
                row.capacity = row.taken
            else:
                session.add(DeliveryDayRow(country_code=Country.NL, day=full, capacity=0))
    dates = await living.ask(DeliveriesApi).delivery_dates(token, OPEN)
    assert (dates.refusal, dates.retry_at) == (Code.NO_DELIVERY_OPTIONS, living.clock.now + timedelta(hours=1))
    caught = await refusal(living.request_day(token, OPEN, day))
    assert (caught.code, caught.retry_at) == (Code.NO_DELIVERY_OPTIONS, living.clock.now + timedelta(hours=1))


async def test_without_a_plan_or_the_feature_nothing_can_be_changed(living: Living) -> None:
    token = await living.log_in(DAAN)
    assert (await living.ask(DeliveriesApi).delivery_dates(token, "900000079")).refusal is Code.DELIVERY_NOT_PLANNED
    await living.change(OrderRow, {"features": []}, order_number=OPEN)
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).refusal is Code.DATE_CHANGE_NOT_OFFERED
    await living.change(OrderRow, {"delivery_status": DeliveryStatus.ORDER_CANCELLED}, order_number=OPEN)
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).refusal is Code.ORDER_CANCELLED
