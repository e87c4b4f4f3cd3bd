"""Operations on bikes, and the facts and checks of the bike step and the pin code step (part-1 §2, §3)."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sql
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.security import reader
from portal.backend.sessions import Owner, Service
from portal.backend.shops import TermBook, term_book
from portal.bikes.api import Bike, BikesApi, BikeSelection, BikeSummary
from portal.bikes.flow import BIKE, PIN_KNOWN, PIN_STEP, BikeEntry, BikeFacts, MoreBikes
from portal.bikes.provider.queries import BUSY, KEPT, KNOWN_FRAME, BikeQueries, OwnedBike
from portal.bikes.rules import warranty_until
from portal.contract.errors import NotFound, Refused
from portal.contract.models import Page
from portal.flow import Answers, Findings
from portal.flow.api import SubjectSearch
from portal.flow.provider.handler import StoredRequest, SummaryLine, row_of
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import is_short_id
from portal.vocabulary.orders import ItemKind


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


Entries = Callable[[AsyncSession, Owner, Sequence[OwnedBike]], Awaitable[Sequence[BikeEntry]]]
"""Makes the entries of bikes in `BikeFacts`."""


@dataclass(frozen=True, slots=True)
class BikeQuestion:
    entries: Entries
    choosable: Callable[[TermBook], Sequence[Any]]

    async def facts(self, session: AsyncSession, owner: Owner, chosen: Collection[str]) -> BikeFacts[BikeEntry]:
        """Look up the first page of the customer's bikes and the chosen ones, and whether any can be chosen."""
        bikes = BikeQueries(session, owner.customer_id)
        part = await bikes.part(1)
        elsewhere = set(chosen) - {owned.bike.public_id for owned in part.rows} if part.place.pages > 1 else ()
        owned = [*part.rows, *await bikes.named(elsewhere)]
        entries = [*await self.entries(session, owner, owned)]
        if part.place.pages == 1:
            return BikeFacts(bikes=entries)
        left = any(not entry.refusal for entry in entries)
        if not left:
            conditions = self.choosable(await term_book(session, owner.customer_id))
            left = await bikes.newest(*conditions) is not None
        return BikeFacts(bikes=entries, more_bikes=MoreBikes(total=part.place.total, left=left))

    async def page(self, session: AsyncSession, owner: Owner, search: SubjectSearch) -> Page[dict[str, Any]]:
        part = await BikeQueries(session, owner.customer_id).part(search.page, text=search.text.strip())
        place = part.place
        found = await self.entries(session, owner, part.rows)
        items = [entry.model_dump(mode="json") for entry in found]
        return Page(items=items, page=place.page, pages=place.pages, total=place.total)


async def bike_entries(_session: AsyncSession, _owner: Owner, bikes: Sequence[OwnedBike]) -> list[BikeEntry]:
    return [bike_entry(owned) for owned in bikes]


def gets_work_order() -> Sequence[Any]:
    """The condition of the database that `work_order_refusal` has no reason."""
    return KEPT, KNOWN_FRAME, sql.not_(BUSY)


FOR_WORK_ORDER = BikeQuestion(bike_entries, lambda _: gets_work_order())


async def right_pin(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Check the entered pin code against the stored one, which never leaves the provider."""
    if answers.get("pin_known") != PIN_KNOWN:
        return {}
    bike = await chosen_bike(session, owner, answers)
    return {} if answers.get("pin_code") == bike.bike.pin_code else {"pin_code": Code.WRONG_PIN_CODE}


async def chosen_bike(session: AsyncSession, owner: Owner, answers: Answers) -> OwnedBike:
    try:
        return await BikeQueries(session, owner.customer_id).get(str(answers[BIKE]))
    except NotFound:
        raise Refused(Code.REPAIR_REQUEST_LINE_NOT_FOUND) from None


def pin_rows(stored: StoredRequest) -> list[SummaryLine]:
    """Summarise whether a pin code was given. The code itself appears in no mail and no document."""
    known, entry = stored.text("pin_known"), PIN_STEP.fields[0]
    if known != PIN_KNOWN:
        return [row_of(entry, stored)] if known else []
    _ = gettext_for(stored.locale)
    return [SummaryLine(_(entry.label), (_("Passed on to the mechanic"),))]


def work_order_refusal(owned: OwnedBike) -> Code | None:
    """Why a bike gets no repair, no service and no claim; None if it does. A bike that is gone gets nothing."""
    if owned.gone:
        going = owned.gone is Code.BIKE_GOING_BACK
        return owned.gone if going else Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE
    if owned.open_request:
        return Code.OPEN_WORK_ORDER_EXISTS
    return None if owned.bike.frame_number else Code.FRAME_NUMBER_UNKNOWN


def bike_entry(owned: OwnedBike) -> BikeEntry:
    bike, refusal, ordered_on = owned.bike, work_order_refusal(owned), local_day(owned.order.ordered_at)
    return BikeEntry(
        id=bike.public_id,
        refusal=refusal.value if refusal else "",
        open_request=owned.open_request or "",
        open_kind=owned.open_kind.value if owned.open_kind else "",
        pin=bool(bike.pin_code),
        name=bike.name_in(reader()),
        motor=bike.kind is not ItemKind.CITY_BIKE or bool(bike.engine_brand),
        color=bike.color_in(reader()),
        picture=owned.picture,
        frame_number=bike.frame_number or "",
        order_number=owned.order.order_number,
        order_date=ordered_on,
        since=bike.delivered_on or ordered_on,
    )
