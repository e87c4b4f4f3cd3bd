"""Loading the demonstration shop."""

from __future__ import annotations

import dataclasses
from typing import Protocol

from sqlalchemy import delete, func, text
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.countries import Country
from portal.domain.dates import local_day
from portal.provider.context import Context
from portal.provider.demo import customers as plans
from portal.provider.demo import refused, travelling
from portal.provider.demo.aftercare import complete_aftercare
from portal.provider.demo.build import BuiltCustomer, build_customer, build_order
from portal.provider.demo.days import Days
from portal.provider.demo.many import MANY_ORDERS, generated
from portal.provider.demo.partners import complete_partners, partners
from portal.provider.demo.plans import Person, Place
from portal.provider.demo.redate import redate
from portal.provider.demo.returned import complete_returns
from portal.provider.demo.returning import RETURNING
from portal.provider.demo.services import complete_service_products
from portal.provider.demo.stock import complete_articles
from portal.provider.demo.store import save_customers, save_orders
from portal.provider.tables import metadata
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.orders import OrderRow

CUSTOMERS = (
    plans.EVERYTHING,
    plans.OPEN_REPAIR,
    plans.UNKNOWN_FRAME,
    plans.NOT_SHIPPED,
    plans.TOO_LATE,
    refused.LEASE,
    refused.OTHER_COUNTRY,
    refused.NO_FEATURES,
    MANY_ORDERS,
    refused.ONLY_UNKNOWN_FRAME,
    refused.NO_ORDERS,
    RETURNING,
    travelling.DATES,
    travelling.STATUSES,
    travelling.INSURANCES,
)
_LOCK = 7_160_461_903
"""Number of the PostgreSQL lock of the one process that loads."""
_FIRST_NUMBER = 800_000_001
"""Number of the first generated order."""


class Furnished(Protocol):
    """A house, as far as loading needs to know it."""

    @property
    def context(self) -> Context:
        """The common parts of the house."""
        ...


async def load(house: Furnished, reset: bool = False) -> bool:
    """Load the demonstration shop into an empty database.

    Args:
        house: where to; its tables are there.
        reset: throw away everything in the database first, sessions and mails included.

    Returns:
        Whether it was loaded; not, when the database holds customers already.

    Raises:
        RuntimeError: not a demonstration.
    """
    if not house.context.settings.demonstration:
        raise RuntimeError("the demonstration shop is not for production")
    days = _days(house)
    async with house.context.database.transaction() as session:
        await _alone(session)
        if reset:
            connection = await session.connection()
            for table in reversed(metadata.sorted_tables):
                await connection.execute(delete(table))
        elif not await _is_empty(session):
            return False
        await save_customers(session, _built(days), partners(days))
        await complete_service_products(session)
        await complete_articles(session)
        await complete_returns(session, days, house.context.clock())
        await complete_aftercare(session, days, house.context.clock())
    return True


async def keep_young(house: Furnished) -> None:
    """Load the shop into an empty database; move the dates of one that was loaded on an earlier day."""
    if await load(house):
        return
    days = _days(house)
    async with house.context.database.transaction() as session:
        await _alone(session)
        workshops = list(partners(days).values())
        await redate(session, _built(days), workshops)
        await complete_partners(session, workshops)
        await complete_service_products(session)
        await complete_articles(session)
        await complete_returns(session, days, house.context.clock())
        await complete_aftercare(session, days, house.context.clock())


async def many_orders(house: Furnished, customer: str, count: int) -> list[str]:
    """Give a customer more orders, all of accessories and invoiced when sent.

    Args:
        house: where to.
        customer: e-mail address of the customer.
        count: how many orders.

    Returns:
        Their order numbers, newest first.
    """
    days = _days(house)
    async with house.context.database.transaction() as session:
        row = (await session.exec(select(CustomerRow).where(CustomerRow.email_key == customer.casefold()))).one()
        theirs = select(func.count()).select_from(OrderRow).where(col(OrderRow.order_number).startswith("8"))
        first = _FIRST_NUMBER + (await session.exec(theirs)).one()
        person = _person(row)
        built = [
            build_order(dataclasses.replace(plan, number=str(first + place)), person, days)
            for place, plan in enumerate(generated(customer, count))
        ]
        await save_orders(session, row.id or 0, built, {})
    return [order.row.order_number for order in built]


def _days(house: Furnished) -> Days:
    return Days(local_day(house.context.clock()))


def _built(days: Days) -> list[BuiltCustomer]:
    return [build_customer(plan, days) for plan in CUSTOMERS]


def _person(row: CustomerRow) -> Person:
    place = Place(
        row.street, row.house_number, row.post_code, row.city, Country(row.country_code), row.house_number_addon
    )
    return Person(row.first_name, row.last_name, row.email, place, row.phone, row.prefix, row.locale)


async def _is_empty(session: AsyncSession) -> bool:
    return (await session.exec(select(CustomerRow.id).limit(1))).first() is None


async def _alone(session: AsyncSession) -> None:
    """Wait until no other process loads. On SQLite the write lock of the transaction does that."""
    connection = await session.connection()
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
