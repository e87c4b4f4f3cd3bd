"""What is another customer's answers as if it were not there."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from portal.bikes.api import BikesApi
from portal.contract.common_api import ChangesApi, SessionApi, Watch
from portal.contract.errors import NotFound
from portal.contract.registry import Provider
from portal.kernel.days import today
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import AMBER, EVA, EVERYBODY, JORIS, MAX, SANNE
from tests.support.furnished import Furnished

pytestmark = pytest.mark.each_database

ONE_OF: dict[str, Callable[[Provider, str, str], Awaitable[object]]] = {
    "order": lambda provider, token, name: provider.ask(OrdersApi).order(token, name),
    "bike": lambda provider, token, name: provider.ask(BikesApi).bike(token, name),
    "request": lambda provider, token, name: provider.ask(WorkOrdersApi).service_request(token, name),
    "invoice": lambda provider, token, name: provider.ask(OrdersApi).invoice_pdf(token, name, "nl"),
    "document": lambda provider, token, name: provider.ask(WorkOrdersApi).request_document(token, name, "nl"),
    "appointment": lambda provider, token, name: provider.ask(WorkOrdersApi).request_calendar(token, name, "nl"),
}

NAMES_NOTHING = [
    "", " ", "0", "-1", "9" * 400, "900000001 ", "９００００００００１", "900000001\n", "1 OR 1=1", "' OR ''='",
    "%", "_", "\x00", "900000001\x00", "\ud800", "../900000001", "None", "ABCDEFGHJK", "null", "1e9",
]  # fmt: skip

OF_CUSTOMERS = ("customers", "orders", "order_lines", "order_addresses", "shipments", "bikes", "invoices", "requests",
                "work_order_events", "changes")  # fmt: skip


async def _ids(shop: Furnished, customer: tuple[str, str]) -> dict[str, set[str]]:
    token = await shop.log_in(customer)
    orders = await shop.ask(OrdersApi).orders(token)
    first, second = await shop.ask(OrdersApi).invoices(token), await shop.ask(OrdersApi).invoices(token, 2)
    requests = (await shop.ask(WorkOrdersApi).service_requests(token)).items
    return {
        "document": {entry.reference for entry in requests},
        "appointment": {entry.reference for entry in requests if entry.account.handover and entry.account.handover.day},
        "order": {entry.order_number for entry in orders.items},
        "request": {entry.reference for entry in requests},
        "bike": {entry.bike_id for entry in (await shop.ask(BikesApi).bikes(token)).items},
        "invoice": {entry.invoice_id for entry in (*first.items, *second.items)},
    }


@pytest.fixture(autouse=True)
async def _planned(furnished: Furnished) -> None:
    """Only work on a day ahead has an appointment."""
    still_open = select(RequestRow).where(col(RequestRow.status).not_in(CLOSED_WORK_ORDER))
    async with furnished.context.database.transaction() as session:
        for row in await session.exec(still_open):
            row.status, row.planned_date = WorkOrderStatus.WAIT_FOR_OBJECT, today() + timedelta(days=3)


@pytest.mark.parametrize("kind", ONE_OF)
async def test_nobody_opens_what_another_customer_owns(furnished: Furnished, kind: str) -> None:
    theirs = set().union(*[(await _ids(furnished, customer))[kind] for customer in EVERYBODY if customer != JORIS])
    assert len(theirs) >= (1 if kind == "appointment" else 6)
    token = await furnished.log_in(JORIS)
    for name in theirs:
        with pytest.raises(NotFound):
            await ONE_OF[kind](furnished.provider, token, name)


@pytest.mark.parametrize("kind", ONE_OF)
async def test_the_owner_opens_everything_on_the_lists(furnished: Furnished, kind: str) -> None:
    owner = JORIS if kind == "appointment" else SANNE
    own = (await _ids(furnished, owner))[kind]
    token = await furnished.log_in(owner)
    assert own
    for name in own:
        assert await ONE_OF[kind](furnished.provider, token, name)


@pytest.mark.parametrize("kind", ONE_OF)
async def test_what_names_nothing_is_not_found(furnished: Furnished, kind: str) -> None:
    token = await furnished.log_in(SANNE)
    for name in NAMES_NOTHING:
        with pytest.raises(NotFound):
            await ONE_OF[kind](furnished.provider, token, name)


async def test_lists_hold_nothing_of_others(furnished: Furnished) -> None:
    eva = await _ids(furnished, EVA)
    assert eva["order"] == {"900000008"}
    assert eva["bike"] == set()
    assert len(eva["invoice"]) == 1
    assert (await furnished.ask(WorkOrdersApi).service_requests(await furnished.log_in(EVA))).total == 0


async def test_every_statement_carries_the_owner(furnished: Furnished) -> None:
    token = await furnished.log_in(AMBER)
    provider = furnished.provider
    bike = (await provider.ask(BikesApi).bikes(token)).items[0].bike_id
    invoice = (await provider.ask(OrdersApi).invoices(token)).items[0].invoice_id
    with furnished.statements() as sent:
        await provider.ask(SessionApi).customer_info(token)
        await provider.ask(OverviewApi).dashboard(token)
        await provider.ask(OrdersApi).orders(token)
        await provider.ask(OrdersApi).order(token, "900000013")
        await provider.ask(OrdersApi).invoices(token)
        await provider.ask(OrdersApi).invoice_pdf(token, invoice, "en")
        await provider.ask(BikesApi).bikes(token)
        await provider.ask(BikesApi).bike(token, bike)
        await provider.ask(WorkOrdersApi).service_requests(token)
        with pytest.raises(NotFound):
            await provider.ask(WorkOrdersApi).request_document(token, "ABCDEFGH", "en")
        await provider.ask(ChangesApi).changes(token, Watch(topics=[Topic.REQUESTS]))
    asking = [statement for statement in sent if any(f"FROM {table}" in statement for table in OF_CUSTOMERS)]
    assert len(asking) > 20
    for statement in asking:
        condition = statement.partition("WHERE")[2]
        assert "customer_id = " in condition or "customers.id = " in condition, statement


async def test_many_bikes_of_one_customer_are_all_their_own(furnished: Furnished) -> None:
    assert len((await _ids(furnished, MAX))["bike"]) == 3
