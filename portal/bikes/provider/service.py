"""Operations on bikes, and mapping of their rows (part-1 §2 Account area, §3)."""

from __future__ import annotations

from datetime import date

from typing_extensions import override

from portal.backend.security import reader
from portal.backend.sessions import Service
from portal.bikes.api import Bike, BikesApi, BikeSelection, BikeSummary
from portal.bikes.provider.queries import BikeQueries, OwnedBike
from portal.bikes.rules import warranty_until
from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id


class BikesService(Service, BikesApi):
    @override
    async def bikes(self, token: str, page: int = 1, selection: BikeSelection = BikeSelection.ALL) -> Page[BikeSummary]:
        async with self._sessions.reading(token) as (owner, session):
            part = await BikeQueries(session, owner.customer_id).part(page, selection=selection, listed=True)
        day = local_day(self._context.clock())
        return Page(
            items=[to_bike_summary(entry, day=day) for entry in part.rows],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
        )

    @override
    async def bike(self, token: str, bike_id: str) -> Bike:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeQueries(session, owner.customer_id).get(bike_id)
        return to_bike(owned, day=local_day(self._context.clock()))


def covered_until(owned: OwnedBike) -> date:
    """The last day of the warranty of a bike."""
    bike, ordered_on = owned.bike, local_day(owned.order.ordered_at)
    return warranty_until(bike.warranty_until, bike.delivered_on, ordered_on, owned.terms.warranty_years)


def to_bike_summary(owned: OwnedBike, *, day: date) -> BikeSummary:
    """Map a bike to its card; `day` is today in Europe/Amsterdam."""
    row, ordered_on = owned.bike, local_day(owned.order.ordered_at)
    until = covered_until(owned)
    return BikeSummary(
        bike_id=row.public_id,
        name=row.name_in(reader()),
        brand=row.brand,
        kind=row.kind,
        color=row.color_in(reader()),
        color_code=row.color_code,
        picture=owned.picture,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=ordered_on,
        warranty_until=until,
        warranty_expired=until < day,
        open_request=owned.open_request,
        departure=owned.departure,
    )


def to_bike(owned: OwnedBike, *, day: date) -> Bike:
    """Map a bike to the full model, which says whether there is a pin code but not which."""
    row, insured = owned.bike, bool(owned.insurance)
    keys = [row.key_number_1, row.key_number_2, row.key_number_3]
    return Bike(
        **to_bike_summary(owned, day=day).model_dump(),
        size=row.size,
        engine_brand=row.engine_brand,
        engine_system=row.engine_system,
        battery_number=row.battery_number,
        battery_passport=row.battery_passport,
        imei_number=row.imei_number,
        key_numbers=[key for key in keys if key],
        service_card=row.service_card,
        service_package=owned.package,
        insurance=owned.insurance,
        policy_number=row.policy_number if insured else "",
        insurance_start=row.insurance_start if insured else None,
        mileage=row.mileage,
        mileage_at=row.mileage_at,
        has_pin_code=bool(row.pin_code),
    )
