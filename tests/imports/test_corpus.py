"""The corpus: what the pages of customers and the desk say of each order, however the files of the shop came."""

from __future__ import annotations

import csv
import random
import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from portal.backend.context import Context
from portal.bikes.api import BikesApi
from portal.contract.account import Direction
from portal.contract.session import CodeEntry, CodeRequest, Origin
from portal.imports.provider.importer import Importer
from portal.imports.rules.files import records_of
from portal.kernel.days import today
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.provider.application import Application
from portal.settings import Settings
from portal.staff.api.customers import CustomersApi, CustomerSearch
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportDifferenceRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ProductRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.staff import Role
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.imports.corpus import own, shopify
from tests.imports.corpus.files import SHOPS, Change, File, write, write_lines, write_rows
from tests.imports.corpus.orders import FOLDER, ORDERS, PEOPLE
from tests.support.application import Clock, code_in
from tests.support.living import Living
from tests.support.postgres import TABLES, PostgresCluster
from tests.support.returning import facts

Row = dict[str, str]

FREELY: dict[str, Any] = {
    "code_wait_seconds": 0,
    "codes_per_account_hour": 1000,
    "codes_per_address_hour": 1000,
    "country_domains": {},
}


@pytest.fixture
def sqlite_url(empty_tables: Path, tmp_path: Path) -> str:
    """A database with empty tables."""
    shutil.copytree(empty_tables, tmp_path / "tables")
    return f"sqlite+aiosqlite:///{tmp_path / 'tables' / 'portal.db'}"


@asynccontextmanager
async def shop_at(url: str, data_dir: Path) -> AsyncIterator[Living]:
    clock = Clock()
    application = Application(Settings(database_url=url, data_dir=data_dir, **FREELY), clock=clock)
    try:
        yield Living(application, clock)
    finally:
        await application.close()


async def take_in(context: Context, shop: str, files: Sequence[File]) -> None:
    """Import files one after the other, as the command does."""
    form = SHOPS[shop]
    for file in files:
        importer = Importer(context, form.value, folder=file.path.parent)
        await importer.store(file.kind, records_of(file.kind, form, file.path), file.path.name)


def truth(shop: str) -> dict[str, Row]:
    """What must be said of the orders of a shop, by number."""
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == [str(order.number) for order in ORDERS]
    sold_by = {str(order.number): order.shops for order in ORDERS}
    return {row["number"]: row for row in rows if shop in sold_by[row["number"]]}


_NO_PAGES = dict.fromkeys(
    "delivery payment lines adjustments total paid refunded open parcels returnable until back withdraw bikes adds_up"
    .split(), "",
)  # fmt: skip


async def told(shop: Living, numbers: Sequence[str]) -> dict[str, Row]:
    """What the services say of each order."""
    rejected = {row.external_id: row.field for row in await shop.rows(RejectedRecordRow, kind="orders")}
    found: dict[str, Row] = {}
    by_person: dict[str, list[Any]] = defaultdict(list)
    for order in ORDERS:
        if str(order.number) in numbers:
            by_person[order.person].append(order)
    stored = {row.order_number: row.customer_id for row in await shop.rows(OrderRow)}
    emails = {row.id: row.email for row in await shop.rows(CustomerRow)}
    for orders in by_person.values():
        for order in orders:
            ids = [key for key in rejected if key.endswith(str(order.number))]
            outcome = f"rejected {rejected[ids[0]]}" if ids else "left out"
            found[str(order.number)] = {"number": str(order.number), "outcome": outcome, **_NO_PAGES}
        known = [order for order in orders if order.order_number in stored]
        if known:
            number = known[0].order_number
            token = await shop.log_in((number, emails[stored[number]]))
            for order in known:
                found[str(order.number)] = await _pages(shop, token, order.order_number, str(order.number))
    return {number: found[number] for number in numbers}


async def _pages(shop: Living, token: str, number: str, key: str) -> Row:
    order = await shop.ask(OrdersApi).order(token, number)
    listed = await facts(shop.provider, token)
    about = next(entry for entry in listed["orders"] if entry["id"] == number)
    items = [entry for entry in listed["items"] if entry["id"].startswith(f"{number}-") and not entry["refusal"]]
    worth = sum((Decimal(amount) for entry in items for amounts in entry["worths"] for amount in amounts), Decimal(0))
    withdraw = ""
    if about["withdrawable"]:
        withdraw = _day(about["withdraw_until"]) if about["withdraw_until"] else "open"
    bikes = await shop.ask(BikesApi).bikes(token)
    delivered = sum(parcel.delivered_at is not None for parcel in order.shipments)
    return {
        "number": key,
        "outcome": "stored",
        "delivery": order.delivery_status.value if order.delivery_status else "",
        "payment": order.payment_status.value,
        "lines": ", ".join(f"{line.quantity} {line.name} {line.price}" for line in order.lines),
        "adjustments": ", ".join(f"{entry.name} {entry.amount}" for entry in order.adjustments),
        "total": str(order.total),
        "paid": str(order.paid),
        "refunded": str(order.refunded),
        "open": str(order.due),
        "parcels": f"{delivered}/{len(order.shipments)}",
        "returnable": str(sum(entry["max"] for entry in items)),
        "until": _day(min((entry["until"] for entry in items), default="")),
        "back": f"{min(worth, Decimal(worth if about.get('left') is None else about['left'])):.2f}",
        "withdraw": withdraw,
        "bikes": str(sum(bike.order_number == number for bike in bikes.items)),
        "adds_up": "yes" if order.adds_up else "no",
    }


def _day(text: str) -> str:
    return f"{(date.fromisoformat(text) - today()).days:+}" if text else ""


@pytest.mark.parametrize("letter", SHOPS)
async def test_the_pages_say_what_is_true_of_each_order(letter: str, sqlite_url: str, tmp_path: Path) -> None:
    async with shop_at(sqlite_url, tmp_path) as shop:
        await take_in(shop.context, letter, write(letter, tmp_path / "files", today()))
        expected = truth(letter)
        assert await told(shop, list(expected)) == expected


@pytest.mark.parametrize("letter", SHOPS)
async def test_units_that_are_withdrawn_one_by_one_give_back_what_was_paid(
    letter: str, sqlite_url: str, tmp_path: Path
) -> None:
    async with shop_at(sqlite_url, tmp_path) as shop:
        await take_in(shop.context, letter, write(letter, tmp_path / "files", today()))
        expected, given = {}, {}
        for order in ORDERS:
            row = truth(letter).get(str(order.number))
            if row and row["returnable"] != "0" and row["withdraw"] not in ("", "open"):
                expected[order.number] = Decimal(row["back"]) + order.costs
                given[order.number] = await _withdrawn(shop, order.order_number)
    assert given == expected


async def _withdrawn(shop: Living, number: str) -> Decimal:
    owner = (await shop.row(OrderRow, order_number=number)).customer_id
    token = await shop.log_in((number, (await shop.row(CustomerRow, id=owner)).email))
    withdrawals, given = shop.ask(WithdrawalsApi), Decimal(0)
    for item in (await withdrawals.withdrawable(token, number)).items:
        for _ in range(item.most):
            one = [WithdrawnItem(item_id=item.item_id, count=1)]
            entry = WithdrawalEntry(order_number=number, name="Test", items=one, key=token_hex(8))
            money = (await withdrawals.withdraw(token, entry)).account.money
            assert money.direction is not Direction.CUSTOMER_PAYS
            given += money.total
    return given


@pytest.mark.parametrize("letter", SHOPS)
async def test_everybody_can_log_in_and_the_desk_knows_them(letter: str, sqlite_url: str, tmp_path: Path) -> None:
    async with shop_at(sqlite_url, tmp_path) as shop:
        await take_in(shop.context, letter, write(letter, tmp_path / "files", today()))
        stored = {number: row for number, row in truth(letter).items() if row["outcome"] == "stored"}
        orders = {order.person: order for order in reversed(ORDERS) if str(order.number) in stored}
        bikes: dict[str, int] = defaultdict(int)
        for order in ORDERS:
            bikes[order.person] += int(stored.get(str(order.number), {}).get("bikes", 0))
        desk, staff = shop.ask(CustomersApi), await shop.log_in_staff(Role.SERVICE_DESK)
        found, expected = {}, {}
        for key, order in orders.items():
            person = PEOPLE[key]
            await _log_in(shop, order.order_number, person.email)
            (listed,) = (await desk.find_customers(staff, CustomerSearch(text=order.order_number))).items
            card = await desk.customer_card(staff, listed.customer_id)
            name = (card.first_name, card.last_name, card.email.casefold())
            found[key] = (*name, *(getattr(card.address, part) for part in _ADDRESS), len(card.bikes))
            name = (shown(person.first_name), shown(person.last_name or person.company), person.email.casefold())
            parts = (person.street, person.house_number, person.house_number_addon, person.post_code, person.city)
            address = (*map(shown, parts), person.country_code, person.e164)
            expected[key] = (*name, *address, bikes[key])
    assert found == expected


_ADDRESS = ("street", "house_number", "house_number_addon", "post_code", "city", "country_code", "phone")


def shown(text: str) -> str:
    """A text as forms clean it."""
    return {"2511br": "2511 BR"}.get(text, text).replace("\u200b", "").replace("\u00a0", " ")


async def _log_in(shop: Living, number: str, email: str) -> str:
    sent = await shop.ask(LoginApi).request_code(CodeRequest(email=email, order_number=number), Origin())
    to = (await shop.row(CustomerRow, id=(await shop.row(OrderRow, order_number=number)).customer_id)).email
    code = code_in((await shop.mails(to))[0].text)
    return (await shop.ask(LoginApi).authenticate(CodeEntry(token=code, challenge=sent.challenge), Origin())).jwt


State = dict[str, list[str]]

STORED = (
    CustomerRow, ProductRow, OrderRow, OrderLineRow, OrderAddressRow, ShipmentRow, ShipmentLineRow, BikeRow,
)  # fmt: skip
NAMED_BY: dict[str, str] = {
    "customers": "email", "orders": "order_number", "order_lines": "position", "shipments": "tracking_code",
}  # fmt: skip
"""By what a row that others refer to is named in a state."""

_OWN_TO_A_DATABASE = {"id", "public_id", "created_at", "updated_at", "refunded_at"}


async def state(shop: Living) -> State:
    """What is stored, without keys and the times of the import."""
    found: State = {}
    names: dict[tuple[str, int], str] = {}
    for table in STORED:
        sql, rows = table.__table__, await shop.rows(table)
        kept = [column for column in sql.columns if column.name not in _OWN_TO_A_DATABASE]

        def shown(row: Any, column: Any) -> str:
            value = getattr(row, column.name)
            key = next(iter(column.foreign_keys), None)
            return names[key.column.table.name, value] if key is not None and value is not None else str(value)

        lines = [" | ".join(f"{column.name}={shown(row, column)}" for column in kept) for row in rows]
        if name := NAMED_BY.get(sql.name):
            parent = next((column for column in kept if column.foreign_keys), None)
            for row in rows:
                of = f"{shown(row, parent)}/" if parent is not None and sql.name != "orders" else ""
                names[sql.name, row.id] = f"{of}{getattr(row, name)}"
        found[sql.name] = sorted(lines)
    for table in (WaitingRecordRow, RejectedRecordRow):
        found[table.__tablename__] = sorted(f"{row.kind} {row.external_id}" for row in await shop.rows(table))
    found["differences"] = [f"{row.field}" for row in await shop.rows(ImportDifferenceRow)]
    return found


def _shuffled(seed: int) -> Change:
    def change(records: list[Any]) -> list[Any]:
        return random.Random(seed).sample(records, len(records))

    return change


def _first(records: list[Any]) -> list[Any]:
    return records[: len(records) * 2 // 3]


def _last(records: list[Any]) -> list[Any]:
    return records[len(records) // 3 :]


def ways(letter: str, folder: Path) -> dict[str, list[File]]:
    """How the files of a shop can come, by name; each brings the same records."""
    day = today()
    whole = write(letter, folder / "whole", day)
    shuffled = [
        *write(letter, folder / "shuffled", day, _shuffled(1)),
        *write(letter, folder / "again", day, _shuffled(2)),
    ]
    found = {
        "whole": whole,
        "twice": [*whole, *whole],
        "last file first": whole[::-1],
        "shuffled, then in another order": shuffled,
        "in pieces that overlap": [
            file
            for name, part in (("last", _last), ("first", _first), ("last again", _last))
            for file in write(letter, folder / name, day, part)
        ],
    }
    if letter == "s":
        found["nested in edges"] = [
            File(kind, write_lines(folder / f"edges-{kind}.jsonl", records))
            for kind, records in (
                ("products", shopify.products()), ("customers", shopify.customers()), ("orders", shopify.orders(day)),
            )
        ]  # fmt: skip
    if letter == "o":
        cut = folder / "cut" / whole[-1].path.name
        cut.parent.mkdir()
        cut.write_bytes(whole[-1].path.read_bytes()[:-100])
        found["cut off, then whole"] = [*whole[:-1], File("orders", cut), whole[-1]]
        orders = own.orders(day)
        # What is in which parcel can be told in JSON Lines only.
        apart = [order for order in orders if any(parcel["lines"] for parcel in order["shipments"])]
        found["as CSV"] = [
            File("customers", write_rows(folder / "customers.csv", own.customers())),
            File("products", write_rows(folder / "products.csv", own.products())),
            File("orders", write_rows(folder / "orders.csv", [order for order in orders if order not in apart])),
            File("orders", write_lines(folder / "apart.jsonl", apart)),
        ]
    return found


@pytest.mark.parametrize("letter", SHOPS)
async def test_the_state_is_the_same_however_the_files_come(letter: str, empty_tables: Path, tmp_path: Path) -> None:
    states: dict[str, State] = {}
    for name, files in ways(letter, tmp_path / "files").items():
        data = tmp_path / name
        shutil.copytree(empty_tables, data)
        async with shop_at(f"sqlite+aiosqlite:///{data / 'portal.db'}", data) as shop:
            await take_in(shop.context, letter, files)
            states[name] = await state(shop)
    for name, found in states.items():
        assert found == states["whole"], name


@pytest.mark.postgres
@pytest.mark.parametrize("letter", SHOPS)
async def test_both_databases_end_in_the_same_state(
    letter: str, sqlite_url: str, postgres_cluster: PostgresCluster, tmp_path: Path
) -> None:
    files = write(letter, tmp_path / "files", today())
    postgres_url = postgres_cluster.create_database(TABLES)
    found = []
    for url in (sqlite_url, postgres_url):
        async with shop_at(url, tmp_path) as shop:
            await take_in(shop.context, letter, files)
            found.append(await state(shop))
    postgres_cluster.drop_database(postgres_url)
    assert found[0] == found[1]
