"""Operations on bikes, and mapping of their rows (part-1 §2 Account area, §3)."""

from __future__ import annotations

from datetime import date

from typing_extensions import override

from portal.backend.service import Service
from portal.bikes.api import Bike, BikesApi, BikeSummary
from portal.bikes.provider.queries import BikeRepository, OwnedBike
from portal.bikes.rules import warranty_until
from portal.contract.errors import NotFound
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id


class BikesService(Service, BikesApi):
    """Operations on bikes."""

    @override
    async def bikes(self, token: str) -> list[BikeSummary]:
        async with self._sessions.reading(token) as (owner, session):
            owned = await BikeRepository(session, owner.customer_id).all()
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return [to_bike_summary(entry, day=day, warranty_years=years) for entry in owned]

    @override
    async def bike(self, token: str, bike_id: str) -> Bike:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return to_bike(owned, day=day, warranty_years=years)


def covered_until(owned: OwnedBike, years: int) -> date:
    """The last day of the warranty of a bike, with the years of the setting."""
    return warranty_until(owned.bike.warranty_until, owned.bike.delivered_on, local_day(owned.order.ordered_at), years)


def to_bike_summary(owned: OwnedBike, *, day: date, warranty_years: int) -> BikeSummary:
    """Map a bike to its card; `day` is today in Europe/Amsterdam."""
    row, ordered_on = owned.bike, local_day(owned.order.ordered_at)
    until = covered_until(owned, warranty_years)
    return BikeSummary(
        bike_id=row.public_id,
        name=row.name,
        brand=row.brand,
        kind=row.kind,
        color=row.color,
        color_code=row.color_code,
        picture=owned.picture,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=ordered_on,
        warranty_until=until,
        warranty_expired=until < day,
        open_request=owned.open_request,
    )


def to_bike(owned: OwnedBike, *, day: date, warranty_years: int) -> Bike:
    """Map a bike to the full model, which says whether there is a pin code but not which."""
    row = owned.bike
    keys = [row.key_number_1, row.key_number_2, row.key_number_3]
    return Bike(
        **to_bike_summary(owned, day=day, warranty_years=warranty_years).model_dump(),
        size=row.size,
        engine_brand=row.engine_brand,
        engine_system=row.engine_system,
        battery_number=row.battery_number,
        battery_passport=row.battery_passport,
        imei_number=row.imei_number,
        key_numbers=[key for key in keys if key],
        service_card=row.service_card,
        service_package=row.service_package,
        insurance=row.insurance,
        policy_number=row.policy_number,
        insurance_start=row.insurance_start,
        mileage=row.mileage,
        mileage_at=row.mileage_at,
        has_pin_code=bool(row.pin_code),
    )
