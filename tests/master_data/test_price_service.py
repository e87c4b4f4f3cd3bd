"""The administrator sees and changes prices, tariffs and places, each from a day on."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from portal.contract.errors import InvalidInput, NotFound
from portal.imports.provider.importer import Importer
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.master_data.api import ALL_SHOPS, Entry, Period, PriceEntry, PriceHistory, PriceList, PricesApi
from portal.master_data.provider import prices
from portal.tables.deliveries import DeliveryDayRow
from portal.tables.staff import AuditRow
from portal.tables.work_orders import ServiceProductRow
from portal.vocabulary.services import Drive, ServiceJob
from portal.work_orders.provider.queries import ServiceProductQueries
from tests.imports.test_dated import OTHER_SHOP
from tests.support.application import TestApplication
from tests.support.furnished import Furnished
from tests.support.shop_records import raw
from tests.support.staff import CARLA, staff_token

JOB = (ALL_SHOPS, "service-products", "1~bike~false")
TYPED = {"price": ["54,00"], "sku": ["J1"]}


def day(shop: Furnished, days: int = 0) -> date:
    return local_day(shop.context.clock()) + timedelta(days=days)


async def change(
    shop: Furnished, days: int, which: tuple[str, str, str] = JOB, **typed: str | list[str]
) -> PriceHistory:
    """Change a price as administrator; without fields, the price of the first service."""
    values = {name: [value] if isinstance(value, str) else value for name, value in typed.items()} or TYPED
    entry = PriceEntry(values=values, valid_from=str(day(shop, days)))
    answer = await shop.ask(PricesApi).change_price(await staff_token(shop, CARLA), *which, entry)
    return answer.prices[0]


async def listed(shop: Furnished, kind: str) -> PriceList:
    return await shop.ask(PricesApi).prices(await staff_token(shop, CARLA), ALL_SHOPS, kind)


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("service-products", 2 * 4),
        ("service-packages", 7),
        ("insurances", 4),
        ("tariffs", 4 * 3),
        ("terms", 8),
        ("delivery-places", 2 * 7),
        ("delivery-days", 2),
    ],
)
async def test_everything_that_can_have_a_price_is_listed(furnished: Furnished, kind: str, count: int) -> None:
    found = await listed(furnished, kind)
    assert len({price.key for price in found.prices}) == len(found.prices) == count
    assert found.today == day(furnished)


async def test_a_price_from_today_holds_at_once_and_the_one_before_is_earlier(furnished: Furnished) -> None:
    changed = await change(furnished, 0, price="51,50", sku="J1")
    assert changed.now is not None
    assert (changed.now.valid_from, changed.now.values["price"]) == (day(furnished), "51.5")
    assert len(changed.earlier) == 1
    async with furnished.context.database.session() as session:
        offers = await ServiceProductQueries(session, 1).offers(Drive.BIKE, None, day(furnished))
    assert f"{next(offer.price for offer in offers if offer.job is ServiceJob.FIRST)}" == "51.50"


async def test_a_day_gets_places_of_its_own_but_not_fewer_than_are_taken(furnished: Furnished) -> None:
    days = (ALL_SHOPS, "delivery-days", "be")
    changed = await change(furnished, 40, days, capacity="5")
    assert (changed.announced[-1].valid_from, changed.announced[-1].values) == (day(furnished, 40), {"capacity": 5})
    await furnished.change(DeliveryDayRow, {"taken": 3}, day=day(furnished, 40))
    with pytest.raises(InvalidInput) as refused:
        await change(furnished, 40, days, capacity="2")
    assert refused.value.fields == {"capacity": Code.DELIVERY_DAY_TAKEN}
    await change(furnished, 40, days, capacity="3")
    row = await furnished.row(DeliveryDayRow, day=day(furnished, 40), country_code="BE")
    assert (row.capacity, row.taken) == (3, 3)


@pytest.mark.parametrize(
    "price",
    [
        (ALL_SHOPS, "customers", "1"),
        (ALL_SHOPS, "service-products", "9~bike~false"),
        ("elsewhere", "service-products", "1~bike~false"),
        (ALL_SHOPS, "delivery-places", "nl~8"),
    ],
)
async def test_what_does_not_exist_has_no_price(furnished: Furnished, price: tuple[str, str, str]) -> None:
    token = await staff_token(furnished, CARLA)
    with pytest.raises(NotFound):
        await furnished.ask(PricesApi).price(token, *price)
    with pytest.raises(NotFound):
        await furnished.ask(PricesApi).withdraw_price(token, *JOB, "tomorrow")


async def test_a_change_is_in_the_audit(furnished: Furnished) -> None:
    await change(furnished, 5)
    (entry,) = await furnished.rows(AuditRow, action="change_price")
    assert (entry.kind, entry.reference) == ("service-products", "1~bike~false")
    assert entry.details == {"shop": "", "valid_from": str(day(furnished, 5)), "price": "54", "sku": "J1"}


async def test_a_shop_gets_a_price_of_its_own_beside_the_common_one(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(furnished.context.settings, "shops", {"other": OTHER_SHOP})
    before = (await furnished.ask(PricesApi).price(await staff_token(furnished, CARLA), *JOB)).prices
    own = await change(furnished, 0, ("other", *JOB[1:]))
    assert own.now is not None
    assert own.now.values["price"] == "54"
    token = await staff_token(furnished, CARLA)
    assert (await furnished.ask(PricesApi).price(token, *JOB)).prices == before
    shown = await furnished.ask(PricesApi).prices(token, "other", "service-products")
    assert (shown.shop, shown.shops) == ("other", ["other"])
    assert [price.key for price in shown.prices if price.now] == [JOB[2]]
    with pytest.raises(NotFound):
        await furnished.ask(PricesApi).prices(token, "other", "delivery-places")


RECORD = {"sku": "J1", "job": "1", "drive": "bike", "price": "49.00"}


def today(application: TestApplication, days: int = 0) -> date:
    return local_day(application.clock()) + timedelta(days=days)


async def announce(application: TestApplication, days: int, kind: str = "service-products", **values: Any) -> Entry:
    values = {**(RECORD if kind == "service-products" else {}), "valid_from": str(today(application, days)), **values}
    async with application.context.database.transaction() as session:
        return await prices.announce(session, kind, values, today(application))


async def periods(application: TestApplication, days: int = 0) -> list[tuple[str, Any]]:
    """Period and price of all entries, as they are on a day."""
    async with application.context.database.session() as session:
        found = await prices.entries(session, "service-products", today(application, days))
    return [(entry.period.value, entry.values["price"]) for entry in found]


async def test_a_price_is_announced_and_takes_over_on_its_day(application: TestApplication) -> None:
    await announce(application, 0)
    announced = await announce(application, 7, price="54.00")
    assert (announced.period, announced.key) == (Period.LATER, f"1~bike~false~{today(application, 7)}")
    assert await periods(application) == [("now", "49"), ("later", "54")]
    assert await periods(application, 7) == [("earlier", "49"), ("now", "54")]


async def test_an_announced_price_is_replaced_and_withdrawn(application: TestApplication) -> None:
    await announce(application, 0)
    key = (await announce(application, 7, price="54.00")).key
    assert (await announce(application, 7, price="55.00")).key == key
    async with application.context.database.transaction() as session:
        await prices.withdraw(session, "service-products", key, today(application))
    assert await periods(application) == [("now", "49")]
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


async def test_a_price_of_staff_is_not_overwritten_by_an_import(application: TestApplication) -> None:
    importer, day = Importer(application.context, "shop"), str(today(application, 3))
    sent = {"external_id": "1", **RECORD, "valid_from": day}
    await importer.store("service-products", raw(sent))
    await announce(application, 3, price="45.00")
    report = await importer.store("service-products", raw({**sent, "price": "59.00"}))
    assert [row.price for row in await application.rows(ServiceProductRow)] == [Decimal("45.00")]
    assert report.differences == 1


async def test_an_import_does_not_bring_back_what_staff_withdrew(application: TestApplication) -> None:
    importer = Importer(application.context, "shop")
    sent = {"external_id": "1", **RECORD, "valid_from": str(today(application, 3))}
    await importer.store("service-products", raw(sent))
    async with application.context.database.transaction() as session:
        await prices.withdraw(session, "service-products", f"1~bike~false~{sent['valid_from']}", today(application))
    assert (await importer.store("service-products", raw(sent))).unchanged == 1
    report = await importer.store("service-products", raw({**sent, "price": "59.00"}, {**sent, "external_id": "2"}))
    assert (report.created, report.rejected) == (1, 1)
    assert "removed in the portal" in report.problems[0].reason
