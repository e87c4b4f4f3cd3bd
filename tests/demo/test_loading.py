"""The demonstration shop in the database: loaded once, reset, brought to today."""

import hashlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image
from sqlmodel import col, select

from portal import demo
from portal.backend.files.store import store_of
from portal.demo.stories import INSURANCES, RETURNS
from portal.flow.provider.cleanup import PREVIEW
from portal.imports.provider.importer import Importer
from portal.imports.rules.reading import read_file
from portal.kernel.days import local_day, now
from portal.kernel.terms import INSURANCE_DAYS, RETURN_DAYS
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables import metadata
from portal.tables.drafts import UploadRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnKind
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.furnished import Furnished
from tests.support.many_orders import many_orders
from tests.support.production import PRODUCTION

_CUSTOMERS = Path(__file__).parents[2] / "docs" / "samples" / "customers.jsonl"


Open = Callable[..., Application]


@pytest_asyncio.fixture
async def opened(tables_url: str, tmp_path: Path) -> AsyncIterator[Open]:
    """Open the portal with an empty database, at a moment or now; again at another moment."""
    applications: list[Application] = []

    def open_at(moment: datetime | None = None) -> Application:
        settings = Settings(database_url=tables_url, data_dir=tmp_path)
        applications.append(Application(settings, clock=lambda: moment or now()))
        return applications[-1]

    yield open_at
    for application in applications:
        await application.close()


async def _contents(application: Application) -> dict[str, list[tuple[Any, ...]]]:
    async with application.context.database.session() as session:
        connection = await session.connection()
        return {
            name: [tuple(row) for row in await connection.execute(table.select().order_by(*table.primary_key))]
            for name, table in metadata.tables.items()
        }


def _without_keys(table: str, contents: dict[str, list[tuple[Any, ...]]]) -> list[dict[str, Any]]:
    """The rows of a table without the keys, which differ from load to load."""
    names = [column.name for column in metadata.tables[table].columns]
    rows = [dict(zip(names, row, strict=True)) for row in contents[table]]
    return [{name: row[name] for name in names if name == "public_id" or not name.endswith("id")} for row in rows]


@pytest.mark.each_database
async def test_a_reset_gives_the_same_shop_again(furnished: Furnished) -> None:
    def public(contents: dict[str, list[tuple[Any, ...]]]) -> dict[str, set[str]]:
        names = {"orders": 1, "bikes": 1, "invoices": 1, "customers": 1, "requests": 1}
        return {table: {row[column] for row in contents[table]} for table, column in names.items()}

    before = await _contents(furnished.application)
    await furnished.log_in(("900000001", "sanne@example.com"))
    await many_orders(furnished, "eva@example.com", 5)
    assert not await demo.load(furnished)
    assert await demo.load(furnished, reset=True)
    assert await demo.add_stories(furnished)
    after = await _contents(furnished.application)
    assert public(after) == public(before)
    assert after["sessions"] == []
    assert {name: len(rows) for name, rows in after.items()} == {name: len(rows) for name, rows in before.items()}


@pytest.mark.each_database
async def test_a_shop_that_was_loaded_earlier_is_brought_to_today(opened: Open) -> None:
    aged: dict[str, list[tuple[Any, ...]]] = {}
    # The newest parcel that has arrived came, and so the first order was made, on the same day for the last two.
    for day in (date(2026, 1, 31), date(2026, 12, 31), date(2027, 1, 1)):
        shop = opened(datetime.combine(day, time(12), UTC))
        await demo.keep_young(shop)
        moved = await _contents(shop)
        assert await demo.load(shop, reset=True)
        fresh = await _contents(shop)
        for table in ("orders", "shipments", "bikes", "invoices", "requests", "partners"):
            assert _without_keys(table, moved) == _without_keys(table, fresh)
            assert not aged or _without_keys(table, moved) != _without_keys(table, aged)
        aged = fresh


async def test_the_stories_of_staff_stay_young(opened: Open) -> None:
    first = datetime(2026, 3, 2, 12, tzinfo=UTC)
    old = opened(first)
    await demo.keep_young(old)
    assert await demo.add_stories(old)
    assert await demo.add_photos(old)
    aged = await _contents(old)
    new = opened(first + timedelta(days=70))
    await demo.keep_young(new)
    moved = await _contents(new)
    columns = {"cases": "opened_at", "case_events": "happened_at", "uploads": "created_at", "requests": "created_at"}
    for table, column in columns.items():
        place = [each.name for each in metadata.tables[table].columns].index(column)
        before, after = ([row[place] for row in contents[table]] for contents in (aged, moved))
        # A day is skipped or repeated where nothing happens on a Sunday.
        assert {(later - earlier).days for earlier, later in zip(before, after, strict=True)} <= {68, 69, 70, 71}


async def test_the_stories_keep_to_the_terms(furnished: Furnished) -> None:
    of_story = col(OrderRow.order_number).startswith("8100")
    bought = col(OrderRow.order_number) == col(ReturnRow.order_number)
    returns = select(ReturnRow.created_at, OrderRow.ordered_at).join(OrderRow, bought).where(of_story)
    same_customer = col(OrderRow.customer_id) == col(InsuranceRequestRow.customer_id)
    insured = select(InsuranceRequestRow.created_at, OrderRow.ordered_at).join(OrderRow, same_customer).where(of_story)
    async with furnished.context.database.session() as session:
        for query, count, term in ((returns, RETURNS, RETURN_DAYS), (insured, INSURANCES, INSURANCE_DAYS)):
            found = (await session.exec(query)).all()
            assert len(found) == count
            assert all(timedelta() < asked - ordered < timedelta(days=term) for asked, ordered in found)


async def test_photos_of_the_stories_can_be_opened(opened: Open) -> None:
    application = opened()
    await demo.keep_young(application)
    assert await demo.add_stories(application)
    assert await demo.add_photos(application)
    store = store_of(application.context.settings)
    async with application.context.database.session() as session:
        rows = (await session.exec(select(UploadRow))).all()
        keys = set(await session.exec(select(RequestRow.draft_key)))
        returns = set(await session.exec(select(ReturnRow.public_id)))
    assert len(rows) >= 90
    assert {row.request_key for row in rows} <= keys | returns
    assert len({row.sha256 for row in rows}) <= 10, "few drawings serve all cases"
    for row in rows[:: len(rows) // 8]:
        content = b"".join([piece async for piece in store.read(row.key)])
        assert (len(content), hashlib.sha256(content).hexdigest()) == (row.stored_size, row.sha256)
        assert Image.open(BytesIO(content)).format == "JPEG"
        assert [piece async for piece in store.read(row.key + PREVIEW)]


async def test_own_changes_survive_the_new_dates(opened: Open) -> None:
    shop, later = (Furnished(opened(datetime(2026, 5, day, 12, tzinfo=UTC))) for day in (1, 9))
    await demo.keep_young(shop)
    await shop.change(OrderRow, {"payment_method": "Contant"}, order_number="900000001")
    await demo.keep_young(shop)
    await demo.keep_young(later)
    async with later.context.database.session() as session:
        row = (await session.exec(select(OrderRow).where(OrderRow.order_number == "900000001"))).one()
    assert row.payment_method == "Contant"
    assert local_day(row.ordered_at) == date(2026, 4, 30)


async def test_days_that_staff_planned_move_with_the_shop_when_the_clock_goes_forward(opened: Open) -> None:
    """In the night of 28 March an hour is left out: what is moved by days is moved by an hour less."""
    shop, planned = Furnished(opened(datetime(2027, 3, 27, 12, tzinfo=UTC))), date(2027, 4, 5)
    await demo.keep_young(shop)
    assert await demo.add_stories(shop)
    await shop.change(WorkOrderEventRow, {"planned_date": planned}, status=WorkOrderStatus.IN_REPAIR)
    await shop.change(ReturnRow, {"pickup_day": planned}, kind=ReturnKind.RETURN)
    bought = select(col(ReturnRow.pickup_day), OrderRow.ordered_at)
    bought = bought.join(OrderRow, col(OrderRow.order_number) == ReturnRow.order_number)
    bought = bought.where(ReturnRow.kind == ReturnKind.RETURN).order_by(col(ReturnRow.id))

    async def after_the_purchase(shop: Furnished) -> list[timedelta]:
        async with shop.context.database.session() as session:
            return [day - local_day(moment) for day, moment in await session.exec(bought) if day]

    before = await after_the_purchase(shop)
    later = Furnished(opened(datetime(2027, 4, 20, 12, tzinfo=UTC)))
    await demo.keep_young(later)
    assert len(before) == RETURNS
    assert await after_the_purchase(later) == before
    async with later.context.database.session() as session:
        moved = select(col(WorkOrderEventRow.planned_date))
        moved = moved.where(WorkOrderEventRow.status == WorkOrderStatus.IN_REPAIR)
        assert set(await session.exec(moved)) == {planned + timedelta(days=24)}


async def test_an_insurance_starts_on_the_local_day_on_which_it_was_taken_out(opened: Open) -> None:
    # It was taken out 500 hours ago, which is at half past midnight.
    application = opened(datetime(2026, 6, 3, 18, 30, tzinfo=UTC))
    await demo.keep_young(application)
    async with application.context.database.session() as session:
        taken_out = select(InsuranceRequestRow).where(InsuranceRequestRow.status == InsuranceStatus.FINISHED)
        row = (await session.exec(taken_out)).one()
    assert row.starts_on == local_day(row.created_at) == date(2026, 5, 14)


async def test_an_imported_shop_gets_nothing_of_the_demonstration(opened: Open, tmp_path: Path) -> None:
    application = opened()
    importer = Importer(application.context, "shop", folder=tmp_path)
    await importer.store("customers", read_file(_CUSTOMERS), _CUSTOMERS.name)
    before = await _contents(application)
    assert before["customers"]
    await demo.keep_young(application)
    assert not await demo.add_stories(application)
    assert not await demo.add_photos(application)
    assert await _contents(application) == before


async def test_the_demonstration_is_not_for_production(tmp_path: Path) -> None:
    settings = Settings.model_validate({**PRODUCTION, "data_dir": tmp_path})
    application = Application(settings)
    with pytest.raises(RuntimeError):
        await demo.load(application)
    await application.close()
