"""The service with which the administrator changes prices, tariffs and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import product
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import audit
from portal.backend.context import Context
from portal.backend.staff import StaffSessions
from portal.contract.errors import InvalidInput, NotFound
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.merging import plain
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.master_data.api import ALL_SHOPS, Entry, Period, PriceEntry, PriceHistory, PriceList, PricesApi, PriceState
from portal.master_data.provider import prices
from portal.master_data.rules import SHOP_KINDS, read_day, read_price
from portal.settings import Settings
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.insurance import INSURANCES
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.prices import PriceKind
from portal.vocabulary.services import JOBS, Drive, ServicePackage
from portal.vocabulary.terms import ShopTerm

Identity = Mapping[str, Any]
"""What a price is about, by name of the column."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which prices an operation is about; `shop` is empty for the common ones."""

    shop: str
    kind: PriceKind


class PricesService(PricesApi):
    """Implements `PricesApi`."""

    def __init__(self, context: Context, staff: StaffSessions) -> None:
        self._context = context
        self._staff = staff

    @override
    async def prices(self, token: str, shop: str, kind: str) -> PriceList:
        async with self._staff.reading(token, PricesApi.prices) as (_member, session):
            asked = self._asked(shop, kind)
            return self._answer(asked, list((await self._histories(session, asked)).values()))

    @override
    async def price(self, token: str, shop: str, kind: str, key: str) -> PriceList:
        async with self._staff.reading(token, PricesApi.price) as (_member, session):
            asked = self._asked(shop, kind)
            return self._answer(asked, [await self._history(session, asked, key)])

    @override
    async def change_price(self, token: str, shop: str, kind: str, key: str, entry: PriceEntry) -> PriceList:
        async with self._staff.changing(token, PricesApi.change_price) as (member, session):
            asked = self._asked(shop, kind)
            about = (await self._history(session, asked, key)).about
            values, problems = read_price(asked.kind, about, entry.values)
            day = read_day(entry.valid_from, self._today)
            if isinstance(day, Code):
                problems["valid_from"] = day
            if problems or isinstance(day, Code):
                raise InvalidInput(Code.INVALID_INPUT, fields=problems)
            await self._announce(session, asked, {**about, **values, _day_of(asked.kind): day})
            details = {"shop": asked.shop, "valid_from": day.isoformat(), **plain(values)}
            await audit.write(session, member, AuditAction.CHANGE_PRICE, asked.kind, key, details=details)
            return self._answer(asked, [await self._history(session, asked, key)])

    @override
    async def withdraw_price(self, token: str, shop: str, kind: str, key: str, valid_from: str) -> PriceList:
        async with self._staff.changing(token, PricesApi.withdraw_price) as (member, session):
            asked = self._asked(shop, kind)
            await self._history(session, asked, key)
            await prices.withdraw(session, asked.kind, f"{key}~{valid_from}", self._today, asked.shop)
            details = {"shop": asked.shop, "valid_from": valid_from}
            await audit.write(session, member, AuditAction.WITHDRAW_PRICE, asked.kind, key, details=details)
            return self._answer(asked, [await self._history(session, asked, key)])

    @property
    def _today(self) -> date:
        return local_day(self._context.clock())

    def _answer(self, asked: _Asked, found: list[PriceHistory]) -> PriceList:
        shops = sorted(self._context.settings.shops) if asked.kind in SHOP_KINDS else []
        return PriceList(kind=asked.kind, shop=asked.shop, prices=found, shops=shops, today=self._today)

    def _asked(self, shop: str, kind: str) -> _Asked:
        """Read shop and kind.

        Raises:
            NotFound: there is no such kind or shop, or the shop has no such prices of its own.
        """
        common = shop == ALL_SHOPS
        if kind not in set(PriceKind) or not (common or shop in self._context.settings.shops):
            raise NotFound
        if not common and kind not in SHOP_KINDS:
            raise NotFound
        return _Asked("" if common else shop, PriceKind(kind))

    async def _announce(self, session: AsyncSession, asked: _Asked, values: Identity) -> None:
        try:
            await prices.announce(session, asked.kind, values, self._today, asked.shop)
        except InvalidInput as refused:
            # Everything else was checked before: what remains is a day on which more deliveries are planned.
            if set(refused.fields) != {"capacity"}:
                raise
            raise InvalidInput(Code.INVALID_INPUT, fields={"capacity": Code.DELIVERY_DAY_TAKEN}) from None

    async def _history(self, session: AsyncSession, asked: _Asked, key: str) -> PriceHistory:
        found = (await self._histories(session, asked)).get(key)
        if found is None:
            raise NotFound
        return found

    async def _histories(self, session: AsyncSession, asked: _Asked) -> dict[str, PriceHistory]:
        """Everything of a kind, by what it is about: first what can be sold, then what else has a price."""
        subjects: dict[str, Identity] = {
            prices.entry_key(about): about for about in _subjects(asked.kind, self._context.settings)
        }
        stored: dict[str, list[Entry]] = {key: [] for key in subjects}
        names = [name for name in KINDS[asked.kind].natural[:-1] if name != "shop"]
        for entry in await prices.entries(session, asked.kind, self._today, asked.shop):
            key = entry.key.rpartition("~")[0]
            subjects.setdefault(key, {name: entry.values[name] for name in names})
            stored.setdefault(key, []).append(entry)
        return {key: _history(asked.kind, key, about, stored[key]) for key, about in subjects.items()}


def _subjects(kind: PriceKind, settings: Settings) -> Iterator[Identity]:
    """What can have a price of a kind, in the order of the list."""
    if kind is PriceKind.SERVICE_PRODUCTS:
        for drive, job, half in product(Drive, JOBS, (False, True)):
            yield {"job": job, "drive": drive, "half_price": half}
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
    """The field with the day."""
    return KINDS[kind].natural[-1]
