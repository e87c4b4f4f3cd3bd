"""Announced prices and numbers: each holds from its day, and the earlier one until then."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import col, delete, update

from portal.contract.errors import Unavailable
from portal.deliveries.provider.queries import full_days, usual_places
from portal.imports.provider.importer import Importer
from portal.insurance.provider.queries import offered_packages, tariffs_of
from portal.insurance.rules import premium
from portal.kernel.address import Country
from portal.setting_groups import Brand, FurtherShop
from portal.tables.columns import Table
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceProductRow, InsuranceTariffRow
from portal.tables.work_orders import PackageTermsRow, ServiceProductRow
from portal.vocabulary.insurance import Cover
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage
from portal.work_orders.provider.queries import ServiceProductQueries, package_terms
from tests.support.application import TestApplication
from tests.support.shop_records import raw

DAY = date(2027, 3, 1)
BEFORE = DAY - timedelta(days=1)


async def announced(
    application: TestApplication, kind: str, table: type[Table] | None, *records: dict[str, Any]
) -> None:
    """Store two records of the same thing, of which the second holds from `DAY` on, and nothing else."""
    if table is not None:
        async with application.context.database.transaction() as session:
            await session.exec(delete(table))
    now, later = ({**record, "external_id": str(place)} for place, record in enumerate(records))
    found = await Importer(application.context, "shop").store(kind, raw({**later, "valid_from": DAY.isoformat()}, now))
    assert found.created == 2, found


async def test_a_job_costs_what_holds_on_the_day(application: TestApplication) -> None:
    job = {"job": "1", "drive": "bike", "sku": "J1", "price": "49.00"}
    await announced(application, "service-products", ServiceProductRow, job, {**job, "price": "54.00"})
    async with application.context.database.session() as session:
        jobs = ServiceProductQueries(session, 1)
        found = [(await jobs.offers(Drive.BIKE, None, day))[0].price for day in (BEFORE, DAY)]
    assert found == [Decimal("49.00"), Decimal("54.00")]


async def test_a_package_halves_what_it_halves_on_the_day(application: TestApplication) -> None:
    package = {"package": "SERVICE21", "monthly": "7.95", "includes": ["adjustment"], "half_price_jobs": ["1"]}
    await announced(
        application, "service-packages", PackageTermsRow, package, {**package, "half_price_jobs": ["1", "2"]}
    )
    jobs = [
        {"external_id": f"{job}{half}", "job": job, "drive": "bike", "half_price": half, "sku": job, "price": "10.00"}
        for job in ("1", "2")
        for half in (False, True)
    ]
    await Importer(application.context, "shop").store("service-products", raw(*jobs))
    async with application.context.database.session() as session:
        repository = ServiceProductQueries(session, 1)
        halved = [
            [offer.job for offer in await repository.offers(Drive.BIKE, ServicePackage.SERVICE21, day) if offer.reduced]
            for day in (BEFORE, DAY)
        ]
    assert halved == [[ServiceJob.FIRST], [ServiceJob.FIRST, ServiceJob.SECOND]]


async def test_a_premium_follows_the_tariff_of_the_day(application: TestApplication) -> None:
    async with application.context.database.transaction() as session:
        await session.exec(delete(InsuranceTariffRow))
    for insurer in ("kettingzeker", "fietsvast"):
        for kind in ("theft", "theft_and_damage"):
            sold = {"external_id": f"{insurer}{kind}", "insurer": insurer, "type": kind, "covers": ["abroad"]}
            assert (await Importer(application.context, "shop").store("insurances", raw(sold))).created == 1
            tariff = {"insurer": insurer, "type": kind, "kind": "city_bike", "per_mille": "12.00", "minimum": "1.00"}
            found = [{**tariff, "external_id": f"{insurer}{kind}"}]
            found += [{**tariff, "external_id": f"{insurer}{kind}2", "per_mille": "24.00", "valid_from": str(DAY)}]
            assert (await Importer(application.context, "shop").store("tariffs", raw(*found))).created == 2
    async with application.context.database.session() as session:
        packages = await offered_packages(session, 1, DAY)
        tariffs = [await tariffs_of(session, packages, 1, ItemKind.CITY_BIKE, day) for day in (BEFORE, DAY)]
    asked = [{premium(Decimal(1000), each.per_mille, each.minimum) for each in found} for found in tariffs]
    assert asked == [{Decimal("1.00")}, {Decimal("2.00")}]


async def test_an_insurance_covers_and_costs_what_holds_on_the_day(application: TestApplication) -> None:
    cover = {"insurer": "kettingzeker", "type": "theft", "covers": ["abroad", "bike_stolen"], "excess": "25.00"}
    await announced(
        application, "insurances", InsuranceProductRow, cover, {**cover, "covers": ["bike_stolen"], "excess": "0"}
    )
    ended = {**cover, "external_id": "ended", "offered": False, "valid_from": str(DAY + timedelta(days=1))}
    await Importer(application.context, "shop").store("insurances", raw(ended))
    async with application.context.database.session() as session:
        found = [(await offered_packages(session, 1, day))[0] for day in (BEFORE, DAY)]
        with pytest.raises(Unavailable):
            await offered_packages(session, 1, DAY + timedelta(days=1))
    assert [entry.covers for entry in found] == [(Cover.BIKE_STOLEN, Cover.ABROAD), (Cover.BIKE_STOLEN,)]
    assert [entry.excess for entry in found] == [Decimal("25.00"), Decimal(0)]


async def test_the_places_of_a_weekday_hold_from_their_day(application: TestApplication) -> None:
    weekday = {"country_code": "NL", "weekday": DAY.isoweekday(), "places": 3}
    await announced(application, "delivery-places", None, weekday, {**weekday, "places": 0})
    days = [DAY - timedelta(days=7), DAY, DAY + timedelta(days=1)]
    async with application.context.database.session() as session:
        assert await usual_places(session, Country.NL, days, 12) == dict(zip(days, (3, 0, 12), strict=True))
        assert await full_days(session, Country.NL, days, 12) == {DAY}


OTHER_SHOP = FurtherShop(
    brand=Brand(**{name: name for name in Brand.model_fields}),
    mail_from="Other <mail@other.example>",
    public_url="http://other.localhost",
)


async def test_a_shop_with_prices_of_its_own_has_them_and_others_the_common_ones(
    application: TestApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application.context.settings, "shops", {"other": OTHER_SHOP})
    job = {"external_id": "1", "job": "1", "drive": "bike", "sku": "J1", "price": "49.00"}
    common, own = Importer(application.context, "erp"), Importer(application.context, "other")
    assert (await common.store("service-products", raw(job, {**job, "external_id": "2", "job": "2"}))).created == 2
    assert (await own.store("service-products", raw({**job, "price": "45.00"}))).created == 1
    assert (await own.store("service-products", raw({**job, "price": "45.00"}))).unchanged == 1
    async with application.context.database.transaction() as session:
        await session.exec(update(CustomerRow).where(col(CustomerRow.id) == 2).values(source="other"))
        found = [
            [offer.price for offer in await ServiceProductQueries(session, customer).offers(Drive.BIKE, None, DAY)]
            for customer in (1, 2)
        ]
    assert found == [[Decimal("49.00"), Decimal("49.00")], [Decimal("45.00"), Decimal("49.00")]]


async def test_a_price_of_a_shop_holds_from_its_day_before_the_common_one(
    application: TestApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application.context.settings, "shops", {"other": OTHER_SHOP})
    package = {"external_id": "1", "package": "SERVICE21", "monthly": "8.00"}
    later = {**package, "external_id": "2", "monthly": "9.00", "valid_from": str(DAY)}
    await Importer(application.context, "erp").store("service-packages", raw(package, later))
    own = {**package, "monthly": "7.00", "valid_from": str(BEFORE)}
    await Importer(application.context, "other").store("service-packages", raw(own))
    async with application.context.database.transaction() as session:
        await session.exec(update(CustomerRow).where(col(CustomerRow.id) == 2).values(source="other"))
        days = (BEFORE - timedelta(days=1), BEFORE, DAY)
        found = [
            [(await package_terms(session, customer, day))[ServicePackage.SERVICE21].monthly for day in days]
            for customer in (1, 2)
        ]
    assert found == [[Decimal(8), Decimal(8), Decimal(9)], [Decimal(8), Decimal(7), Decimal(7)]]
