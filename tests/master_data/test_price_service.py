"""The administrator sees and changes prices, tariffs and places, each from a day on."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlmodel import col, select, update

from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.master_data.api import ALL_SHOPS, PriceEntry, PriceHistory, PriceList, PricesApi
from portal.tables.deliveries import DeliveryDayRow
from portal.tables.staff import AuditRow
from portal.vocabulary.services import Drive, ServiceJob
from portal.work_orders.provider.queries import ServiceProductQueries
from tests.imports.test_dated import OTHER_SHOP
from tests.support.furnished import Furnished
from tests.support.staff import CARLA, HANS, staff_token

JOB = (ALL_SHOPS, "service-products", "1~bike~false")
TYPED = {"price": ["54,00"], "sku": ["J1"]}


def day(shop: Furnished, days: int = 0) -> date:
    """A local day ahead."""
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
    """All prices of a kind."""
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


async def test_a_price_is_announced_and_taken_back(furnished: Furnished) -> None:
    before = (await furnished.ask(PricesApi).price(await staff_token(furnished, CARLA), *JOB)).prices[0]
    announced = await change(furnished, 7)
    assert announced.now == before.now
    (later,) = announced.announced
    assert (later.valid_from, later.values) == (day(furnished, 7), {"price": "54", "sku": "J1"})
    token = await staff_token(furnished, CARLA)
    back = await furnished.ask(PricesApi).withdraw_price(token, *JOB, str(day(furnished, 7)))
    assert back.prices == [before]
    for gone in (str(day(furnished, 7)), str(day(furnished)), "tomorrow"):
        with pytest.raises(NotFound):
            await furnished.ask(PricesApi).withdraw_price(token, *JOB, gone)


async def test_a_price_from_today_holds_at_once_and_the_one_before_is_earlier(furnished: Furnished) -> None:
    changed = await change(furnished, 0, price="51,50", sku="J1")
    assert changed.now is not None
    assert (changed.now.valid_from, changed.now.values["price"]) == (day(furnished), "51.5")
    assert len(changed.earlier) == 1
    async with furnished.context.database.session() as session:
        offers = await ServiceProductQueries(session, 1).offers(Drive.BIKE, None, day(furnished))
    assert f"{next(offer.price for offer in offers if offer.job is ServiceJob.FIRST)}" == "51.50"


async def test_contents_of_a_package_change_with_its_price(furnished: Furnished) -> None:
    package = (ALL_SHOPS, "service-packages", "service21")
    changed = await change(furnished, 3, package, monthly="9", includes=["tyres"], half_price_jobs=["1", "4"])
    assert changed.announced[0].values == {
        "monthly": "9", "includes": ["tyres"], "half_price_jobs": ["1", "4"], "most_chosen": False,
    }  # fmt: skip


async def test_a_day_gets_places_of_its_own_but_not_fewer_than_are_taken(furnished: Furnished) -> None:
    days = (ALL_SHOPS, "delivery-days", "be")
    changed = await change(furnished, 40, days, capacity="5")
    assert (changed.announced[-1].valid_from, changed.announced[-1].values) == (day(furnished, 40), {"capacity": 5})
    async with furnished.context.database.transaction() as session:
        mine = update(DeliveryDayRow).where(col(DeliveryDayRow.day) == day(furnished, 40))
        await session.exec(mine.values(taken=3))
    with pytest.raises(InvalidInput) as refused:
        await change(furnished, 40, days, capacity="2")
    assert refused.value.fields == {"capacity": Code.DELIVERY_DAY_TAKEN}


@pytest.mark.parametrize(
    ("days", "typed", "fields"),
    [
        (-1, {"price": "54", "sku": "J1"}, {"valid_from": Code.INVALID_CHOICE}),
        (1, {"price": "much", "sku": ""}, {"price": Code.INVALID_NUMBER, "sku": Code.REQUIRED}),
    ],
)
async def test_what_was_typed_wrong_is_told_field_by_field(
    furnished: Furnished, days: int, typed: dict[str, Any], fields: dict[str, Code]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await change(furnished, days, **typed)
    assert refused.value.fields == fields


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
    with pytest.raises(NotFound):
        await furnished.ask(PricesApi).price(await staff_token(furnished, CARLA), *price)


async def test_only_the_administrator_sees_and_changes_prices(furnished: Furnished) -> None:
    token, api = await staff_token(furnished, HANS), furnished.ask(PricesApi)
    entry = PriceEntry(values=TYPED, valid_from=str(day(furnished, 2)))
    for refused in (
        api.prices(token, ALL_SHOPS, "tariffs"),
        api.price(token, *JOB),
        api.change_price(token, *JOB, entry),
        api.withdraw_price(token, *JOB, str(day(furnished, 2))),
    ):
        with pytest.raises(NotFound):
            await refused


async def test_a_change_is_in_the_audit(furnished: Furnished) -> None:
    await change(furnished, 5)
    async with furnished.context.database.session() as session:
        (entry,) = (await session.exec(select(AuditRow).where(AuditRow.action == "change_price"))).all()
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
    assert (shown.shop, shown.shops, [price.key for price in shown.prices if price.now]) == (
        "other",
        ["other"],
        [JOB[2]],
    )
    with pytest.raises(NotFound):
        await furnished.ask(PricesApi).prices(token, "other", "delivery-places")
