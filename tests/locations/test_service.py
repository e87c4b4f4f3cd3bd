"""The service of locations, with the demonstration data."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import phonenumbers
import pytest
from sqlmodel import select

from portal import demo
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound
from portal.demo.partners import partners
from portal.demo.plans import Days
from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import read, today
from portal.locations.api import LocationResults, LocationsApi, LocationSearch, PlaceSearch, ServiceLocation
from portal.locations.provider.service import workshop
from portal.locations.rules import locations, places
from portal.tables.orders import PartnerRow
from portal.vocabulary.locations import Handover, LocationLabel, LocationOrder, LocationType
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


@pytest.mark.parametrize("order", LocationOrder)
async def test_every_order_shows_the_same_locations(furnished: Furnished, order: LocationOrder) -> None:
    usual = {item.location_id for item in await all_pages(furnished, "Rotterdam", distance_km=50)}
    assert {item.location_id for item in await all_pages(furnished, "Rotterdam", distance_km=50, order=order)} == usual


async def test_pick_up_is_offered_by_own_shops_alone_and_costs_60_euro(furnished: Furnished) -> None:
    found = await all_pages(furnished, "Utrecht", distance_km=100)
    assert {item.location_type for item in found} >= {LocationType.OWN_STORE, LocationType.PARTNER}
    for item in found:
        offers = {offer.handover: offer.cost for offer in item.handovers}
        ours = item.location_type in {LocationType.OWN_STORE, LocationType.PICK_UP}
        assert offers.get(Handover.PICK_UP) == (Decimal("60.00") if ours else None)
        assert offers.get(Handover.CALL_OUT) == item.travel_cost


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


async def test_a_typing_error_gets_suggestions(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    found = await furnished.ask(LocationsApi).places(token, PlaceSearch(text="Utrcht", country_code="nl"))
    assert [place.name for place in found] == ["Utrecht"]
    assert await furnished.ask(LocationsApi).places(token, PlaceSearch(text="", country_code="??")) == []


async def test_one_location_is_shown_with_address_and_hours(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    listed = (await search(furnished, "Utrecht")).items[0]
    shown = await furnished.ask(LocationsApi).service_location(token, listed.location_id)
    assert shown == listed.model_copy(update={"distance_km": None})
    assert shown.address.street == "Neude"
    assert shown.opening_hours
    for unknown in ("ABCDEFGH23", "no id", ""):
        with pytest.raises(NotFound):
            await furnished.ask(LocationsApi).service_location(token, unknown)


async def test_a_search_needs_a_session(furnished: Furnished) -> None:
    with pytest.raises(NotAuthenticated):
        await furnished.ask(LocationsApi).service_locations("ended", LocationSearch(text="Utrecht"))
    with pytest.raises(NotAuthenticated):
        await furnished.ask(LocationsApi).places("ended", PlaceSearch(text="Utrecht"))


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


async def test_a_search_takes_three_statements_at_most(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    await furnished.ask(SessionApi).check_session(token)
    with furnished.statements() as sent:
        await furnished.ask(LocationsApi).service_locations(token, LocationSearch(text="Utrecht", distance_km=100))
    assert sum("partners" in statement for statement in sent) == 2


def test_the_demonstration_has_plausible_partners_all_over_both_countries() -> None:
    rows = list(partners(Days(date(2026, 5, 1))).values())
    assert len(rows) >= 60
    countries, kinds = Counter(row.country_code for row in rows), Counter(row.location_type for row in rows)
    assert countries[Country.NL] >= 40
    assert countries[Country.BE] >= 20
    assert all(kinds[kind] >= 4 for kind in LocationType if kind is not LocationType.UNKNOWN)
    assert len({row.public_id for row in rows}) == len({row.name for row in rows}) == len(rows)
    assert len({row.phone for row in rows}) == len({row.email for row in rows}) == len(rows)
    assert any(row.recommended for row in rows)
    assert {row.waiting_weeks for row in rows} >= {0, 1, 12}
    assert any(locations.on_vacation(workshop(row), date(2026, 5, 1)) for row in rows)


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
    async with furnished.context.database.session() as session:
        rows = {row.public_id: row for row in await session.exec(select(PartnerRow))}
    expected = {
        item.location_id
        for item in all_points
        if rows[item.location_id].takes_batteries or item.location_type is LocationType.OWN_STORE
    }
    assert {item.location_id for item in takers} == expected
    assert {item.location_type for item in takers} > {LocationType.OWN_STORE}
    assert len(takers) < len(all_points)
