"""The facts of the return flows: what can be returned, why the rest cannot, and to which store it can be brought."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import reader
from portal.backend.sessions import Owner
from portal.bikes.provider.queries import bike_picture, known_km
from portal.contract.models import mapped
from portal.kernel.address import Country, address_lines
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now, read
from portal.kernel.texts import Locale, gettext_for
from portal.locations.rules import places
from portal.orders.provider.money import refunded_in_full
from portal.orders.provider.queries import line_picture
from portal.orders.rules import can_withdraw, withdrawal_until
from portal.pictures.provider.lookup import ArticlePicture, pictures_of_lines
from portal.returns.flow.kinds import ACCESSORIES, RETURN
from portal.returns.models import (
    EqualBike,
    HoursRange,
    IntroductionFacts,
    ItemFacts,
    KnownBike,
    OfferedItem,
    OfferedOrder,
    OfferedStore,
    StockItem,
)
from portal.returns.provider.queries import LineStock, OrderStock, StockQueries
from portal.returns.provider.return_case import dependents_of
from portal.returns.rules.units import (
    Hold,
    returnable,
    why_not,
    why_nothing,
    withdrawable,
)
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.departures import Departure
from portal.vocabulary.locations import LocationType

MAX_REFUSED = 20
"""Number of items that cannot be returned but are listed with their reason; the newest ones."""

MAX_OFFERED = 4
"""Items that an introduction offers: more would push the rest of the page away."""

NEAREST = 8
"""Number of stores that are offered."""

LineFilter = Callable[[LineStock], bool]


def item_id(order: OrderStock, line: LineStock) -> str:
    """The identifier of an item: order number and position of the line."""
    return f"{order.row.order_number}-{line.row.position}"


def item_entries(
    orders: Iterable[OrderStock],
    day: date,
    line_filter: LineFilter,
    found: Mapping[int, ArticlePicture] = MappingProxyType({}),
    readings: Mapping[int, Decimal] = MappingProxyType({}),
    equal: Mapping[int, list[EqualBike]] = MappingProxyType({}),
) -> list[StockItem]:
    """The items that pass the filter, newest order first. Items that cannot be returned come last."""
    entries = [
        _entry(order, line, day, found, readings, equal.get(line.row.id, ()))
        for order in orders
        for line in order.lines
        if line_filter(line)
    ]
    refused = [entry for entry in entries if entry.refusal]
    return [entry for entry in entries if not entry.refusal] + refused[:MAX_REFUSED]


def order_entries(orders: Iterable[OrderStock], day: date) -> list[OfferedOrder]:
    return [
        OfferedOrder(
            id=order.row.order_number,
            refusal=order_refusal(order, day) or "",
            day=local_day(order.row.ordered_at).isoformat(),
            outstanding=order.outstanding,
            left=order.left,
            withdraw_until=_iso(withdrawal_end(order)),
            withdrawable=in_time_to_withdraw(order, day)
            and any(withdrawable(line.units or ()) for line in order.lines),
        )
        for order in orders
    ]


def order_refusal(order: OrderStock, day: date) -> Code | None:
    """Why nothing of an order can be returned; `None` when something can."""
    reasons = [line_refusal(order, line, day) for line in order.lines]
    return None if None in reasons else why_nothing(reason for reason in reasons if reason)


def line_refusal(order: OrderStock, line: LineStock, day: date) -> Code | None:
    """Why nothing of a line can be returned; `None` when something can. Of a cancelled order nothing can."""
    if order.row.delivery_status is DeliveryStatus.ORDER_CANCELLED:
        return Code.ORDER_CANCELLED
    if line.units is None:
        return Code.MULTIPLE_ENTRIES
    return why_not(line.units, day) or (Code.ORDER_REFUNDED if refunded_in_full(order.row) else None)


def in_time_to_withdraw(order: OrderStock, day: date) -> bool:
    """Whether an order can be withdrawn on a day, if anything of it is left."""
    over = refunded_in_full(order.row) or order.row.delivery_status is DeliveryStatus.ORDER_CANCELLED
    return not over and can_withdraw(withdrawal_end(order), order.row.ordered_at, day)


def withdrawal_end(order: OrderStock) -> date | None:
    """The last day of the right of withdrawal; `None` while a unit has not arrived that still may."""
    units = [unit for line in order.lines for unit in line.units or () if unit.delivered_at or unit.hold is Hold.FREE]
    return withdrawal_until((unit.delivered_at for unit in units), order.terms.withdrawal_days)


def _entry(
    order: OrderStock,
    line: LineStock,
    day: date,
    found: Mapping[int, ArticlePicture],
    readings: Mapping[int, Decimal],
    equal: Sequence[EqualBike],
) -> StockItem:
    free = returnable(line.units or [], day)
    left = line.free_bikes or line.bikes
    mileages = {entry.id: _mileage(entry, readings) for entry in left}
    bikes = [
        mapped(KnownBike, shown, mileage=mileages[entry.id], pin=bool(entry.pin_code))
        for entry, shown in zip(left, equal, strict=False)
    ]
    return StockItem(
        id=item_id(order, line),
        refusal=line_refusal(order, line, day) or "",
        order=order.row.order_number,
        order_day=local_day(order.row.ordered_at).isoformat(),
        name=line.row.name_in(reader()),
        is_bike=line.is_bike,
        color=line.row.color_in(reader()),
        picture=bike_picture(left[0], found) if left else line_picture(line.row, found),
        size=line.row.frame_size,
        bundle=line.row.bundle_in(reader()),
        mileage=mileages[left[0].id] if len(left) == 1 else "",
        pin=any(entry.pin_code for entry in left),
        bikes=bikes if free else [],
        battery=line.has_battery,
        max=len(free),
        until=_iso(free[0].until if free else None),
        worths=[unit.worth for unit in free],
    )


def _mileage(bike: BikeRow, readings: Mapping[int, Decimal]) -> str:
    km = known_km(bike, readings.get(bike.id))
    return "" if km is None else f"{km.normalize():f}"


async def equal_bikes(session: AsyncSession, lines: Iterable[LineStock], locale: Locale) -> dict[int, list[EqualBike]]:
    """What tells the free bikes of a line apart and hangs on each, by key of the line.

    Lines are left out where not every free unit is a known bike; where nothing tells them apart, there are none.
    """
    found = {}
    for line in lines:
        if len(line.free_bikes) < max(2, sum(unit.hold is Hold.FREE for unit in line.units or ())):
            continue
        shown = [await _equal_bike(session, bike, locale) for bike in line.free_bikes]
        apart = len({(bike.name, bike.note) for bike in shown}) > 1
        found[line.row.id] = shown if apart else []
    return found


async def _equal_bike(session: AsyncSession, bike: BikeRow, locale: Locale) -> EqualBike:
    _ = gettext_for(locale)
    frame = _("Frame number {frame}").format(frame=bike.frame_number) if bike.frame_number else ""
    key = f"{_('Key number')} {bike.key_number_1}" if bike.key_number_1 else ""
    attached = [fact.label.text(locale) for fact in await dependents_of(session, [bike], Departure.DECLARED)]
    return EqualBike(
        bike_id=bike.public_id,
        name=frame or _("Frame number unknown"),
        note=" · ".join(part for part in (bike.color_in(locale), key, *attached) if part),
    )


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


async def store_entries(
    session: AsyncSession, customer: CustomerRow, day: date, first: Collection[str]
) -> list[OfferedStore]:
    """Our own stores, sorted by distance to the customer's address. Stores that are closed on the day are left out."""
    query = select(PartnerRow).where(
        col(PartnerRow.location_type) == LocationType.OWN_STORE, col(PartnerRow.closed).is_(False)
    )
    home = places.at(customer.post_code, Country(customer.country_code)) or places.find(
        customer.city, Country(customer.country_code)
    )
    stores = []
    for row in await session.exec(query):
        away = row.vacation_from and row.vacation_until and row.vacation_from <= day <= row.vacation_until
        if away or row.latitude is None or row.longitude is None:
            continue
        distance = places.distance_km(home.point, (row.latitude, row.longitude)) if home else None
        place = (row.public_id not in first, distance if distance is not None else 0.0, row.name)
        stores.append((place, store_entry(row, distance)))
    return [entry for _, entry in sorted(stores, key=lambda store: store[0])[:NEAREST]]


def store_entry(row: PartnerRow, distance: float | None) -> OfferedStore:
    return OfferedStore(
        id=row.public_id,
        name=row.name,
        address=address_lines(row).joined,
        distance_km="" if distance is None else f"{distance:.1f}",
        hours=grouped_hours(row.opening_hours or ""),
    )


def grouped_hours(text: str) -> list[HoursRange]:
    """Opening hours, with consecutive days that have the same together."""
    groups: list[HoursRange] = []
    for day in read(text):
        hours, first = f"{day.opens}-{day.closes}", day.weekday
        if groups and (groups[-1].hours, groups[-1].last) == (hours, day.weekday - 1):
            first = groups.pop().first
        groups.append(HoursRange(first=first, last=day.weekday, hours=hours))
    return groups


def bikes_and_parts(line: LineStock) -> bool:
    """Whether a line is a bike, a battery, or part of a set that was sold with a bike."""
    return line.is_bike or line.has_battery or bool(line.row.bundle)


def accessories(line: LineStock) -> bool:
    return not line.is_bike


def everything(_line: LineStock) -> bool:
    return True


async def introduction(
    session: AsyncSession,
    owner: Owner,
    line_filter: LineFilter,
    moment: datetime | None = None,
    elsewhere: str = "",
) -> IntroductionFacts:
    """The facts of the introduction of a return flow; `elsewhere` names the flow that returns the other items."""
    moment = moment or now()
    day = local_day(moment)
    stock = await StockQueries(session, owner.customer_id, moment).all()
    lines = [line.row.id for order in stock for line in order.lines]
    found = await pictures_of_lines(session, owner.customer_id, lines) if lines else {}
    items = item_entries(stock, day, line_filter, found)
    others = item_entries(stock, day, lambda line: not line_filter(line), found) if elsewhere else []
    numbers = {entry.order for entry in items}
    return IntroductionFacts(
        closed=ItemFacts(items=items).nothing_left() or "",
        items=[entry for entry in items if entry.refusal],
        offered=_offered(items),
        other_items=_offered(others, elsewhere),
        orders=order_entries([order for order in stock if order.row.order_number in numbers], day),
        fits={"": _fitting(stock, day), **{order.row.order_number: _fitting([order], day) for order in stock}},
        bike_items={
            bike.public_id: item_id(order, line) for order in stock for line in order.lines for bike in line.bikes
        },
    )


def _offered(items: Iterable[StockItem], flow: str = "") -> list[OfferedItem]:
    return [mapped(OfferedItem, entry, flow=flow) for entry in items if not entry.refusal][:MAX_OFFERED]


def _fitting(orders: Iterable[OrderStock], day: date) -> str:
    """The flow for what can be returned of these orders; if nothing can, the one that gives the reason."""
    lines = [(order, line) for order in orders for line in order.lines]
    free = [(order, line) for order, line in lines if line_refusal(order, line, day) is None] or lines
    return ACCESSORIES.name if free and not any(bikes_and_parts(line) for _, line in free) else RETURN.name
