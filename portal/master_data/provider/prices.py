"""Prices, tariffs and places: what holds, what is announced, and changes of it.

The functions work in the caller's transaction; the service adds rights and the audit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import product
from typing import Any

from pydantic import ValidationError
from sqlalchemy import and_, delete, insert, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.staff import StaffSessions, write_audit
from portal.contract.errors import FIELD_CODES, InvalidInput, NotFound
from portal.imports.provider.kind import Kind, execute
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.merging import plain, table_of
from portal.imports.rules.records import DatedRecord
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.master_data.api import ALL_SHOPS, Entry, Period, PriceEntry, PriceHistory, PriceList, PricesApi, PriceState
from portal.master_data.rules import SHOP_KINDS, read_day, read_price
from portal.settings import Settings
from portal.tables.exchange import ImportedRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.insurance import INSURANCES
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.prices import PriceKind, ShopTerm
from portal.vocabulary.services import JOBS, Drive, ServicePackage

PRICES: Mapping[str, Kind] = {
    name: kind for name, kind in KINDS.items() if issubclass(kind.record, DatedRecord) or name == "delivery-days"
}
_OWN = "portal"
"""External id of a record that no shop sent."""


async def entries(session: AsyncSession, kind_name: str, today: date, shop: str = "") -> list[Entry]:
    kind = _kind(kind_name)
    table = table_of(kind.table)
    query = select(*(table.c[name] for name in _fields(kind))).order_by(*(table.c[name] for name in _named(kind)))
    if kind.per_shop:
        query = query.where(table.c.shop == shop)
    rows: list[dict[str, Any]] = [dict(row) for row in (await execute(session, query)).mappings()]
    current: dict[tuple[Any, ...], date] = {}
    for row in rows:
        if _day(kind, row) <= today:
            current[_about(kind, row)] = max(_day(kind, row), current.get(_about(kind, row), date.min))
    return [
        Entry(
            key=_key(kind, row),
            period=_period(_day(kind, row), today, current.get(_about(kind, row))),
            values=plain(row),
        )
        for row in rows
    ]


async def announce(
    session: AsyncSession, kind_name: str, values: Mapping[str, Any], today: date, shop: str = ""
) -> Entry:
    kind = _kind(kind_name)
    try:
        record = kind.record.model_validate({**values, "external_id": _OWN})
    except ValidationError as error:
        raise InvalidInput(Code.INVALID_INPUT, fields=_problems(error)) from None
    columns: dict[str, Any] = {**kind.columns(record, {}), **_of_shop(kind, shop)}
    day = kind.natural[-1]
    if columns[day] < today:
        raise InvalidInput(Code.INVALID_INPUT, fields={day: Code.INVALID_INPUT})
    table = table_of(kind.table)
    same = and_(*(table.c[name] == columns[name] for name in kind.natural))
    if kind_name == "delivery-days":
        taken = (await execute(session, select(table.c.taken).where(same).with_for_update())).scalar()
        if (taken or 0) > columns["capacity"]:
            raise InvalidInput(Code.INVALID_INPUT, fields={"capacity": Code.INVALID_INPUT})
    if (await execute(session, update(table).where(same).values(columns))).rowcount == 0:
        await execute(session, insert(table).values(columns))
    return Entry(key=_key(kind, columns), period=_period(columns[day], today, columns[day]), values=plain(columns))


async def withdraw(session: AsyncSession, kind_name: str, key: str, today: date, shop: str = "") -> None:
    kind = _kind(kind_name)
    if not issubclass(kind.record, DatedRecord):
        raise NotFound
    table = table_of(kind.table)
    query = select(table.c.id, *(table.c[name] for name in kind.natural)).where(table.c.valid_from > today)
    if kind.per_shop:
        query = query.where(table.c.shop == shop)
    rows: list[dict[str, Any]] = [dict(row) for row in (await execute(session, query)).mappings()]
    found = next((row["id"] for row in rows if _key(kind, row) == key), None)
    if found is None:
        raise NotFound
    await execute(session, delete(table).where(table.c.id == found))
    # The database may give the number to another row; an import must not take that one for its own.
    imported = table_of(ImportedRow)
    of_row = and_(imported.c.kind == kind.name, imported.c.row_id == found)
    await execute(session, update(imported).where(of_row).values(row_id=0))


def entry_key(identity: Mapping[str, Any]) -> str:
    return "~".join(str(value).lower() for value in plain(identity).values())


def _kind(name: str) -> Kind:
    if name not in PRICES:
        raise NotFound
    return PRICES[name]


def _fields(kind: Kind) -> list[str]:
    return [name for name in kind.record.model_fields if name != "external_id"]


def _day(kind: Kind, row: Mapping[str, Any]) -> date:
    """The day of a row: the last part of its natural key."""
    day: date = row[kind.natural[-1]]
    return day


def _about(kind: Kind, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a row is about, whatever its day. Days of a calendar follow no other."""
    names = _named(kind)[:-1] if issubclass(kind.record, DatedRecord) else kind.natural
    return tuple(row[name] for name in names)


def _key(kind: Kind, row: Mapping[str, Any]) -> str:
    return entry_key({name: row[name] for name in _named(kind)})


def _named(kind: Kind) -> tuple[str, ...]:
    return tuple(name for name in kind.natural if name != "shop")


def _of_shop(kind: Kind, shop: str) -> dict[str, str]:
    if kind.per_shop:
        return {"shop": shop}
    if shop:
        raise NotFound
    return {}


def _period(day: date, today: date, current: date | None) -> Period:
    if day > today:
        return Period.LATER
    return Period.NOW if day == current else Period.EARLIER


def _problems(error: ValidationError) -> dict[str, Code]:
    fields: dict[str, Code] = {}
    for problem in error.errors(include_url=False, include_input=False):
        name = str(problem["loc"][0]) if problem["loc"] else str(problem.get("ctx", {}).get("place", ""))
        fields.setdefault(name, FIELD_CODES.get(problem["type"], Code.INVALID_INPUT))
    return fields


Identity = Mapping[str, Any]
"""What a price is about, by name of the column."""


@dataclass(frozen=True, slots=True)
class _PriceScope:
    """Which prices an operation is about; `shop` is empty for the common ones."""

    shop: str
    kind: PriceKind


class PricesService(PricesApi):
    def __init__(self, context: Context, staff: StaffSessions) -> None:
        self._context = context
        self._staff = staff

    @override
    async def prices(self, token: str, shop: str, kind: str) -> PriceList:
        async with self._staff.reading(token, PricesApi.prices) as (_member, session):
            scope = self._scope(shop, kind)
            return self._answer(scope, list((await self._histories(session, scope)).values()))

    @override
    async def price(self, token: str, shop: str, kind: str, key: str) -> PriceList:
        async with self._staff.reading(token, PricesApi.price) as (_member, session):
            scope = self._scope(shop, kind)
            return self._answer(scope, [await self._history(session, scope, key)])

    @override
    async def change_price(self, token: str, shop: str, kind: str, key: str, entry: PriceEntry) -> PriceList:
        async with self._staff.changing(token, PricesApi.change_price) as (member, session):
            scope = self._scope(shop, kind)
            about = (await self._history(session, scope, key)).about
            values, problems = read_price(scope.kind, about, entry.values)
            day = read_day(entry.valid_from, self._today)
            if isinstance(day, Code):
                problems["valid_from"] = day
            if problems or isinstance(day, Code):
                raise InvalidInput(Code.INVALID_INPUT, fields=problems)
            await self._announce(session, scope, {**about, **values, _day_of(scope.kind): day})
            details = {"shop": scope.shop, "valid_from": day.isoformat(), **plain(values)}
            await write_audit(session, member, AuditAction.CHANGE_PRICE, scope.kind, key, details=details)
            return self._answer(scope, [await self._history(session, scope, key)])

    @override
    async def withdraw_price(self, token: str, shop: str, kind: str, key: str, valid_from: str) -> PriceList:
        async with self._staff.changing(token, PricesApi.withdraw_price) as (member, session):
            scope = self._scope(shop, kind)
            await self._history(session, scope, key)
            await withdraw(session, scope.kind, f"{key}~{valid_from}", self._today, scope.shop)
            details = {"shop": scope.shop, "valid_from": valid_from}
            await write_audit(session, member, AuditAction.WITHDRAW_PRICE, scope.kind, key, details=details)
            return self._answer(scope, [await self._history(session, scope, key)])

    @property
    def _today(self) -> date:
        return local_day(self._context.clock())

    def _answer(self, scope: _PriceScope, found: list[PriceHistory]) -> PriceList:
        shops = sorted(self._context.settings.shops) if scope.kind in SHOP_KINDS else []
        return PriceList(kind=scope.kind, shop=scope.shop, prices=found, shops=shops, today=self._today)

    def _scope(self, shop: str, kind: str) -> _PriceScope:
        common = shop == ALL_SHOPS
        if kind not in set(PriceKind) or not (common or shop in self._context.settings.shops):
            raise NotFound
        if not common and kind not in SHOP_KINDS:
            raise NotFound
        return _PriceScope("" if common else shop, PriceKind(kind))

    async def _announce(self, session: AsyncSession, scope: _PriceScope, values: Identity) -> None:
        try:
            await announce(session, scope.kind, values, self._today, scope.shop)
        except InvalidInput as refused:
            # Everything else was checked before: what remains is a day on which more deliveries are planned.
            if set(refused.fields) != {"capacity"}:
                raise
            raise InvalidInput(Code.INVALID_INPUT, fields={"capacity": Code.DELIVERY_DAY_TAKEN}) from None

    async def _history(self, session: AsyncSession, scope: _PriceScope, key: str) -> PriceHistory:
        found = (await self._histories(session, scope)).get(key)
        if found is None:
            raise NotFound
        return found

    async def _histories(self, session: AsyncSession, scope: _PriceScope) -> dict[str, PriceHistory]:
        subjects: dict[str, Identity] = {
            entry_key(about): about for about in _subjects(scope.kind, self._context.settings)
        }
        stored: dict[str, list[Entry]] = {key: [] for key in subjects}
        names = [name for name in KINDS[scope.kind].natural[:-1] if name != "shop"]
        for entry in await entries(session, scope.kind, self._today, scope.shop):
            if entry.values.get("half_price"):
                continue
            key = entry.key.rpartition("~")[0]
            subjects.setdefault(key, {name: entry.values[name] for name in names})
            stored.setdefault(key, []).append(entry)
        return {key: _history(scope.kind, key, about, stored[key]) for key, about in subjects.items()}


def _subjects(kind: PriceKind, settings: Settings) -> Iterator[Identity]:
    if kind is PriceKind.SERVICE_PRODUCTS:
        # With a package a service costs half of this price: nobody enters that (decision 0075).
        for drive, job in product(Drive, JOBS):
            yield {"job": job, "drive": drive, "half_price": False}
    elif kind is PriceKind.SERVICE_PACKAGES:
        yield from ({"package": package} for package in ServicePackage)
    elif kind is PriceKind.INSURANCES:
        yield from ({"insurer": insurer, "type": insurance} for insurer, insurance in INSURANCES)
    elif kind is PriceKind.TARIFFS:
        bikes = [item for item in ItemKind if item is not ItemKind.ACCESSORY]
        for (insurer, insurance), bike in product(INSURANCES, bikes):
            yield {"insurer": insurer, "type": insurance, "kind": bike}
    elif kind is PriceKind.TERMS:
        yield from ({"term": term} for term in ShopTerm)
    elif kind is PriceKind.DELIVERY_PLACES:
        for country, weekday in product(settings.countries, range(1, 8)):
            yield {"country_code": country, "weekday": weekday}
    else:
        yield from ({"country_code": country} for country in settings.countries)


def _history(kind: PriceKind, key: str, about: Identity, entries: list[Entry]) -> PriceHistory:
    day = _day_of(kind)

    def states(period: Period) -> list[PriceState]:
        return [
            PriceState(
                valid_from=entry.values[day],
                values={name: value for name, value in entry.values.items() if name not in {*about, day}},
            )
            for entry in entries
            if entry.period is period
        ]

    now = states(Period.NOW)
    return PriceHistory(
        key=key,
        about=plain(about),
        now=now[0] if now else None,
        announced=states(Period.LATER),
        earlier=states(Period.EARLIER)[::-1],
    )


def _day_of(kind: PriceKind) -> str:
    return KINDS[kind].natural[-1]
