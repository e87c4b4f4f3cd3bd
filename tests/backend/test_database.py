"""The database keeps what it is told, or nothing."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlmodel import select

from portal.backend.database import Database
from portal.contract.errors import Unavailable
from portal.orders.api import OrdersApi
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.orders import InvoiceRow, OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus
from tests.support.customers import SANNE
from tests.support.furnished import Furnished
from tests.support.postgres import PostgresCluster

pytestmark = pytest.mark.each_database
NUMBER = "900000001"


async def test_a_failed_transaction_leaves_nothing_behind(furnished: Furnished) -> None:
    async def fail() -> None:
        async with furnished.context.database.transaction() as session:
            row = (await session.exec(select(OrderRow).where(OrderRow.order_number == NUMBER))).one()
            row.payment_method = "Contant"
            await session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert (await furnished.one(OrderRow, order_number=NUMBER)).payment_method == "ideal"


async def test_moments_come_back_in_utc(furnished: Furnished) -> None:
    there = datetime(2026, 3, 29, 3, 0, tzinfo=timezone(timedelta(hours=2)))
    await furnished.change(OrderRow, {"ordered_at": there}, order_number=NUMBER)
    stored = (await furnished.one(OrderRow, order_number=NUMBER)).ordered_at
    assert stored == there
    assert stored.tzinfo is UTC


async def test_a_moment_without_zone_is_refused(furnished: Furnished) -> None:
    with pytest.raises(StatementError, match="time zone"):
        await furnished.change(OrderRow, {"ordered_at": datetime(2026, 1, 1)}, order_number=NUMBER)


async def test_a_status_of_a_newer_version_is_unknown_and_never_written(furnished: Furnished) -> None:
    async with furnished.context.database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("UPDATE orders SET delivery_status = 'by_drone'"))
    assert (await furnished.one(OrderRow, order_number=NUMBER)).delivery_status is DeliveryStatus.UNKNOWN
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(SANNE), NUMBER)
    assert order.delivery_status is DeliveryStatus.UNKNOWN
    assert not order.delivery_date_open
    with pytest.raises(StatementError, match="never stored"):
        await furnished.change(InvoiceRow, {"status": InvoiceStatus.UNKNOWN}, status=InvoiceStatus.CANCELLED)


async def test_writers_wait_for_each_other(furnished: Furnished) -> None:
    async def add_cent() -> None:
        async with furnished.context.database.transaction() as session:
            query = select(OrderRow).where(OrderRow.order_number == NUMBER).with_for_update()
            row = (await session.exec(query)).one()
            await asyncio.sleep(0.002)
            row.paid += Decimal("0.01")

    before = (await furnished.one(OrderRow, order_number=NUMBER)).paid
    await asyncio.gather(*(add_cent() for _ in range(20)))
    assert (await furnished.one(OrderRow, order_number=NUMBER)).paid == before + Decimal("0.20")


async def test_reading_goes_on_while_somebody_writes(furnished: Furnished) -> None:
    async with furnished.context.database.transaction() as session:
        row = (await session.exec(select(OrderRow).where(OrderRow.order_number == NUMBER))).one()
        row.payment_method = "Contant"
        await session.flush()
        assert (await asyncio.wait_for(furnished.one(OrderRow, order_number=NUMBER), 2)).payment_method == "ideal"
    assert (await furnished.one(OrderRow, order_number=NUMBER)).payment_method == "Contant"


async def test_a_database_that_is_away_is_reported_as_unavailable(tmp_path: Path) -> None:
    away = Database("postgresql+psycopg://portal@127.0.0.1:1/nothing")
    missing = Database(f"sqlite+aiosqlite:///{tmp_path / 'empty.db'}")
    locked = Database(f"sqlite+aiosqlite:///{tmp_path / 'locked.db'}?timeout=0.1")
    with closing(sqlite3.connect(tmp_path / "locked.db", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        for database in (away, missing, locked):
            with pytest.raises(Unavailable):
                async with database.transaction() as session:
                    await session.exec(select(OrderRow))
            await database.close()


@pytest.mark.postgres
async def test_a_restart_of_the_database_loses_nothing_and_is_survived(
    postgres_cluster: PostgresCluster, tmp_path: Path
) -> None:
    settings = Settings(database_url=postgres_cluster.create_database(), data_dir=tmp_path)
    await asyncio.to_thread(Application.prepare, settings)
    application = Application(settings)
    shop = Furnished(application)
    token = await shop.log_in(SANNE)
    await shop.change(OrderRow, {"payment_method": "Contant"}, order_number=NUMBER)
    await asyncio.to_thread(postgres_cluster.stop)
    try:
        with pytest.raises(Unavailable):
            await shop.ask(OrdersApi).orders(token)
    finally:
        await asyncio.to_thread(postgres_cluster.start)
    order = await shop.ask(OrdersApi).order(token, NUMBER)
    assert order.payment_method == "Contant"
    await application.close()
