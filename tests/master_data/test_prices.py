"""Prices, tariffs and places that staff change, each from a day on."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import col, select, update

from portal.contract.errors import InvalidInput, NotFound
from portal.imports.provider.importer import Importer
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.master_data.api import Entry, Period
from portal.master_data.provider import prices
from portal.tables.deliveries import DeliveryDayRow
from portal.tables.work_orders import ServiceProductRow
from tests.support.application import TestApplication
from tests.support.shop_records import raw

JOB = {"sku": "J1", "job": "1", "drive": "bike", "price": "49.00"}


def today(application: TestApplication, days: int = 0) -> date:
    """The local day, some days ahead."""
    return local_day(application.clock()) + timedelta(days=days)


async def announce(application: TestApplication, days: int, kind: str = "service-products", **values: Any) -> Entry:
    """Announce a price."""
    values = {**(JOB if kind == "service-products" else {}), "valid_from": str(today(application, days)), **values}
    async with application.context.database.transaction() as session:
        return await prices.announce(session, kind, values, today(application))


async def listed(application: TestApplication, days: int = 0) -> list[tuple[str, Any]]:
    """Period and price of all entries, as they are on a day."""
    async with application.context.database.session() as session:
        found = await prices.entries(session, "service-products", today(application, days))
    return [(entry.period.value, entry.values["price"]) for entry in found]


async def test_a_price_is_announced_and_takes_over_on_its_day(application: TestApplication) -> None:
    await announce(application, 0)
    announced = await announce(application, 7, price="54.00")
    assert (announced.period, announced.key) == (Period.LATER, f"1~bike~false~{today(application, 7)}")
    assert await listed(application) == [("now", "49"), ("later", "54")]
    assert await listed(application, 7) == [("earlier", "49"), ("now", "54")]


async def test_an_announced_price_is_replaced_and_withdrawn(application: TestApplication) -> None:
    await announce(application, 0)
    key = (await announce(application, 7, price="54.00")).key
    assert (await announce(application, 7, price="55.00")).key == key
    async with application.context.database.transaction() as session:
        await prices.withdraw(session, "service-products", key, today(application))
    assert await listed(application) == [("now", "49")]
    async with application.context.database.transaction() as session:
        for gone in (key, f"1~bike~false~{today(application)}", "1~bike"):
            with pytest.raises(NotFound):
                await prices.withdraw(session, "service-products", gone, today(application))


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"price": "-1"}, {"price": Code.INVALID_INPUT}),
        ({"sku": "x" * 41}, {"sku": Code.TOO_LONG}),
        ({"drive": None}, {"drive": Code.INVALID_INPUT}),
        ({"valid_from": "2020-01-01"}, {"valid_from": Code.INVALID_INPUT}),
        ({"external": "x"}, {"external": Code.INVALID_INPUT}),
        ({"kind": "terms", "term": "withdrawal_days", "value": 13}, {"value": Code.INVALID_INPUT}),
    ],
)
async def test_a_wrong_price_is_refused_beside_its_field(
    application: TestApplication, wrong: dict[str, Any], fields: dict[str, Code]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await announce(application, 1, **wrong)
    assert refused.value.fields == fields


@pytest.mark.parametrize("kind", ["customers", "locations", "nothing"])
async def test_other_records_are_not_changed_here(application: TestApplication, kind: str) -> None:
    with pytest.raises(NotFound):
        await announce(application, 1, kind)


async def test_a_price_of_staff_is_not_overwritten_by_an_import(application: TestApplication) -> None:
    importer, day = Importer(application.context, "shop"), str(today(application, 3))
    sent = {"external_id": "1", **JOB, "valid_from": day}
    await importer.store("service-products", raw(sent))
    await announce(application, 3, price="45.00")
    report = await importer.store("service-products", raw({**sent, "price": "59.00"}))
    async with application.context.database.session() as session:
        assert (await session.exec(select(col(ServiceProductRow.price)))).all() == [Decimal("45.00")]
    assert report.differences == 1


async def test_an_import_does_not_bring_back_what_staff_withdrew(application: TestApplication) -> None:
    importer = Importer(application.context, "shop")
    sent = {"external_id": "1", **JOB, "valid_from": str(today(application, 3))}
    await importer.store("service-products", raw(sent))
    async with application.context.database.transaction() as session:
        await prices.withdraw(session, "service-products", f"1~bike~false~{sent['valid_from']}", today(application))
    assert (await importer.store("service-products", raw(sent))).unchanged == 1
    report = await importer.store("service-products", raw({**sent, "price": "59.00"}, {**sent, "external_id": "2"}))
    assert (report.created, report.rejected) == (1, 1)
    assert "removed in the portal" in report.problems[0].reason


async def test_a_day_keeps_the_places_that_are_taken(application: TestApplication) -> None:
    day = {"country_code": "NL", "day": str(today(application, 5))}
    async with application.context.database.transaction() as session:
        await prices.announce(session, "delivery-days", {**day, "capacity": 5}, today(application))
        await session.exec(update(DeliveryDayRow).values(taken=3))
    async with application.context.database.transaction() as session:
        with pytest.raises(InvalidInput) as refused:
            await prices.announce(session, "delivery-days", {**day, "capacity": 2}, today(application))
        await prices.announce(session, "delivery-days", {**day, "capacity": 3}, today(application))
    assert refused.value.fields == {"capacity": Code.INVALID_INPUT}
    async with application.context.database.session() as session:
        (row,) = (await session.exec(select(DeliveryDayRow))).all()
    assert (row.capacity, row.taken) == (3, 3)
