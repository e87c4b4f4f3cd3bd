"""The service of locations, with the demonstration data."""

from datetime import date, timedelta
from typing import Any

import phonenumbers
import pytest
from sqlmodel import select

from portal import demo
from portal.contract.errors import InvalidInput
from portal.demo.partners import partners
from portal.demo.plans import Days
from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import read, today
from portal.locations.api import LocationResults, LocationsApi, LocationSearch, ServiceLocation
from portal.locations.rules import places
from portal.tables.orders import PartnerRow
from portal.vocabulary.locations import LocationLabel, LocationType
from tests.support.furnished import Furnished

SANNE = ("900000001", "sanne@example.com")


async def search(shop: Furnished, text: str, country: str = "NL", **options: Any) -> LocationResults:
    token = await shop.log_in(SANNE)
    wanted = LocationSearch(text=text, country_code=country, **options)
    return await shop.ask(LocationsApi).service_locations(token, wanted)


async def all_pages(shop: Furnished, text: str, **options: Any) -> list[ServiceLocation]:
    first = await search(shop, text, **options)
    pages = [await search(shop, text, page=page, **options) for page in range(2, first.pages + 1)]
    return [item for page in (first, *pages) for item in page.items]


async def test_locations_near_a_postcode_are_found_recommended_first(furnished: Furnished) -> None:
    results = await search(furnished, "3511 LX")
    assert (results.place.name, results.place.post_code) == ("Utrecht", "3511 LX")
    assert results.items[0].name == "Bovenbuis Utrecht"
    assert results.items[0].labels == [LocationLabel.RECOMMENDED]
    assert results.total == len(results.items) == sum(entry.count for entry in results.counts)
    assert all(item.distance_km is not None and item.distance_km <= 25 for item in results.items)
    keys = [
        (LocationLabel.ON_VACATION in item.labels, LocationLabel.RECOMMENDED not in item.labels, item.distance_km)
        for item in results.items
    ]
    assert keys == sorted(keys)


async def test_a_belgian_finds_own_shops_by_the_dutch_name_of_a_city(furnished: Furnished) -> None:
    names = {item.name for item in (await search(furnished, "Luik", "BE")).items}
    assert "Vélo Ardent" in names
    results = await search(furnished, "2000", "NL")
    assert results.place.country_code is Country.BE
    assert "Bovenbuis Antwerpen" in {item.name for item in results.items}


async def test_a_wider_circle_is_offered_when_nothing_is_near(furnished: Furnished) -> None:
    results = await search(furnished, "Vlieland", distance_km=5)
    assert (results.items, results.total, results.pages) == ([], 0, 1)
    assert results.wider_km
    assert (await search(furnished, "Vlieland", distance_km=results.wider_km)).total > 0
    assert (await search(furnished, "Oslo", "NO", distance_km=100)).wider_km is None


async def test_counts_include_types_that_are_filtered_out(furnished: Furnished) -> None:
    everything = await search(furnished, "Utrecht", distance_km=50)
    counts = {entry.location_type: entry.count for entry in everything.counts}
    own = await search(furnished, "Utrecht", distance_km=50, types=[LocationType.OWN_STORE])
    assert {item.location_type for item in own.items} == {LocationType.OWN_STORE}
    assert own.total == counts[LocationType.OWN_STORE]
    assert {entry.location_type: entry.count for entry in own.counts} == counts


async def test_pages_contain_every_location_once(furnished: Furnished) -> None:
    locations_found = await all_pages(furnished, "Utrecht", distance_km=100)
    assert len(locations_found) > 25
    assert len({item.location_id for item in locations_found}) == len(locations_found)
    last = await search(furnished, "Utrecht", distance_km=100, page=99)
    assert last.page == last.pages


@pytest.mark.parametrize("text", ["nowhere", "1234 AB", "0000"])
async def test_an_unknown_place_is_refused_at_the_field(furnished: Furnished, text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await search(furnished, text)
    assert refusal.value.code is Code.POSTAL_CODE_NOT_FOUND
    assert refusal.value.fields == {"text": Code.POSTAL_CODE_NOT_FOUND}


async def test_an_empty_search_is_refused(furnished: Furnished) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await search(furnished, "  ")
    assert refusal.value.fields == {"text": Code.REQUIRED}


@pytest.mark.each_database
async def test_a_past_vacation_is_left_out(furnished: Furnished) -> None:
    yesterday = today() - timedelta(days=1)
    await furnished.change(
        PartnerRow, {"vacation_from": yesterday, "vacation_until": yesterday}, name="Bovenbuis Utrecht"
    )
    item = (await search(furnished, "Utrecht")).items[0]
    assert (item.vacation_from, item.vacation_until) == (None, None)
    await furnished.change(
        PartnerRow, {"vacation_from": yesterday, "vacation_until": today()}, name="Bovenbuis Utrecht"
    )
    last = (await search(furnished, "Utrecht")).items[-1]
    assert (last.name, last.vacation_until) == ("Bovenbuis Utrecht", today())
    assert LocationLabel.ON_VACATION in last.labels


@pytest.mark.parametrize("row", partners(Days(date(2026, 5, 1))).values(), ids=lambda row: row.name)
def test_every_partner_has_the_position_of_its_postcode(row: PartnerRow) -> None:
    place = places.at(row.post_code, row.country_code)
    assert place
    assert place.name == row.city
    assert (row.latitude, row.longitude) == place.point
    assert validation.postcode(row.post_code, row.country_code) == row.post_code
    assert validation.phone(row.phone, row.country_code) == row.phone
    number = phonenumbers.parse(row.phone)
    assert phonenumbers.region_code_for_number(number) == row.country_code
    assert validation.email(row.email) == row.email
    assert read(row.opening_hours or "")
    assert row.travel_cost is None or row.location_type in {LocationType.PREMIUM_PARTNER, LocationType.PARTNER}
    assert row.customer_rating is None or 0 <= row.customer_rating <= 10


@pytest.mark.each_database
async def test_a_shop_of_an_earlier_version_gets_the_other_partners_and_a_place_on_the_map(
    furnished: Furnished,
) -> None:
    async with furnished.context.database.transaction() as session:
        for row in (await session.exec(select(PartnerRow))).all():
            row.latitude = row.longitude = row.opening_hours = None
            if row.name == "Vélo Ardent":
                await session.delete(row)
    assert (await search(furnished, "Utrecht")).total == 0
    await demo.keep_young(furnished.application)
    assert (await search(furnished, "Utrecht")).items[0].name == "Bovenbuis Utrecht"
    assert "Vélo Ardent" in {item.name for item in (await search(furnished, "Luik", "BE")).items}
    await demo.keep_young(furnished.application)
    assert len({item.location_id for item in await all_pages(furnished, "Utrecht", distance_km=100)}) > 25


async def test_an_old_battery_is_taken_by_own_shops_and_by_partners_that_do_so(furnished: Furnished) -> None:
    all_points = await all_pages(furnished, "3511 LX", distance_km=100)
    takers = await all_pages(furnished, "3511 LX", distance_km=100, old_batteries=True)
    rows = {row.public_id: row for row in await furnished.rows(PartnerRow)}
    expected = {
        item.location_id
        for item in all_points
        if rows[item.location_id].takes_batteries or item.location_type is LocationType.OWN_STORE
    }
    assert {item.location_id for item in takers} == expected
    assert {item.location_type for item in takers} > {LocationType.OWN_STORE}
    assert len(takers) < len(all_points)
