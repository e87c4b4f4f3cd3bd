"""A request that waits for an answer of the customer says so wherever it is listed, whatever its kind."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from portal.contracts.api import ContractsApi
from portal.conversations.api import StaffConversationsApi
from portal.deliveries.api import DeliveriesApi
from portal.frontend.models import viewed
from portal.insurance.api import InsuranceApi
from portal.overview.api import OverviewApi
from portal.overview.pages.views import OngoingEntry
from portal.returns.api import ReturnsApi
from portal.returns.pages.state import ListedReturn
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import ASKED_MEANING, ASKED_STATUS, CONVERSATION_PAGES, Asks, CaseKind
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.pages.requests import listed_request
from tests.support.conversing import (
    ON_REQUEST_PAGE,
    CaseName,
    answer,
    case_of_repair,
    case_of_return,
    case_on_request_page,
    message,
    staff_token,
)
from tests.support.customers import JORIS, ROOS
from tests.support.furnished import Furnished

Entry = tuple[str, str, bool]
"""Status and meaning in English, and whether the entry waits for an answer."""

ASKED: Entry = (ASKED_STATUS, ASKED_MEANING, True)


def told(entry: Any) -> Entry:
    return entry.account.status.en, entry.account.meaning.en, entry.asked


async def entry_of(shop: Furnished, customer: str, reference: str) -> Entry:
    """The entry of a request on the dashboard, and its tone."""
    (entry,) = [
        each for each in (await shop.ask(OverviewApi).dashboard(customer)).ongoing if each.reference == reference
    ]
    assert viewed(OngoingEntry, entry).tone == "warn" or not entry.asked
    return entry.label["en"], entry.meaning["en"], entry.asked


async def maintenance(shop: Furnished, customer: str, reference: str) -> list[Entry]:
    """The list of service requests, and its tone."""
    found = (await shop.ask(WorkOrdersApi).service_requests(customer)).items
    entry = next(each for each in found if each.reference == reference)
    assert (listed_request(entry).tone == "warn") is entry.asked
    return [told(entry), await entry_of(shop, customer, reference)]


async def returns(shop: Furnished, customer: str, reference: str) -> list[Entry]:
    """The list of returns, and its tone."""
    found = (await shop.ask(ReturnsApi).returns(customer)).items
    entry = next(each for each in found if each.reference == reference)
    assert (viewed(ListedReturn, entry).tone == "warn") is entry.asked
    return [(entry.label.en, entry.meaning.en, entry.asked), await entry_of(shop, customer, entry.return_id)]


async def insurance(shop: Furnished, customer: str, reference: str) -> list[Entry]:
    """The list of bikes with their insurance, that of requests, and the page of the bike."""
    api = shop.ask(InsuranceApi)
    bikes = [bike for bike in (await api.insurance_bikes(customer)).items if bike.request]
    (bike,) = [bike for bike in bikes if bike.request and bike.request.reference == reference]
    home = await shop.ask(OverviewApi).bike_home(customer, bike.bike_id)
    listed = [each for each in (await api.insurance_requests(customer)).items if each.reference == reference]
    shown = [told(entry) for entry in (bike.request, home.insurance, *listed)]
    return [*shown, await entry_of(shop, customer, reference)]


async def date_change(shop: Furnished, customer: str, reference: str) -> list[Entry]:
    """The page of the delivery day, and that of the order's status."""
    row = await shop.row(DateChangeRow, reference=reference)
    order = await shop.row(OrderRow, id=row.order_id)
    api = shop.ask(DeliveriesApi)
    dates = await api.delivery_dates(customer, order.order_number)
    status = await api.order_status(customer, order.order_number)
    return [told(dates.change), told(status.change)]


async def contract_end(shop: Furnished, customer: str, reference: str) -> list[Entry]:
    """The list of contracts, and the page of the contract."""
    api = shop.ask(ContractsApi)
    (listed,) = [each for each in await api.contracts(customer) if each.end and each.end.reference == reference]
    return [told(listed.end), told((await api.contract(customer, listed.reference)).end)]


@dataclass(frozen=True)
class InLists:
    """Where a kind of request is listed, and a case of this kind with its customer."""

    look: Callable[[Furnished, str, str], Awaitable[list[Entry]]]
    case: Callable[[Furnished], Awaitable[CaseName]]
    customer: tuple[str, str]


async def _repair(shop: Furnished) -> CaseName:
    return await case_of_repair(shop.context, JORIS[1])


async def _return(shop: Furnished) -> CaseName:
    roos = await shop.row(CustomerRow, email=ROOS[1])
    row = await shop.row(ReturnRow, customer_id=roos.id, status=ReturnStatus.PICKUP_CONFIRMED)
    return await case_of_return(shop.context, row)


def _on_page(kind: CaseKind) -> Callable[[Furnished], Awaitable[CaseName]]:
    return lambda shop: case_on_request_page(shop.context, kind)


LISTED: Mapping[str, InLists] = {
    "/maintenance": InLists(maintenance, _repair, JORIS),
    "/returns": InLists(returns, _return, ROOS),
    CaseKind.INSURANCE: InLists(insurance, _on_page(CaseKind.INSURANCE), ON_REQUEST_PAGE[CaseKind.INSURANCE].customer),
    CaseKind.DATE_CHANGE: InLists(
        date_change, _on_page(CaseKind.DATE_CHANGE), ON_REQUEST_PAGE[CaseKind.DATE_CHANGE].customer
    ),
    CaseKind.CONTRACT_END: InLists(
        contract_end, _on_page(CaseKind.CONTRACT_END), ON_REQUEST_PAGE[CaseKind.CONTRACT_END].customer
    ),
}
"""By page of the conversation; by kind where several kinds share the page of a request."""


def test_every_kind_with_a_conversation_is_listed_somewhere() -> None:
    assert all(kind in LISTED or page in LISTED for kind, page in CONVERSATION_PAGES.items())


@pytest.mark.parametrize("where", LISTED)
async def test_a_list_says_that_a_request_waits_for_the_answer_until_it_is_there(
    furnished: Furnished, where: str
) -> None:
    listed = LISTED[where]
    case, customer = await listed.case(furnished), await furnished.log_in(listed.customer)
    desk = await staff_token(furnished.context, Role.SERVICE_DESK)
    staff = furnished.ask(StaffConversationsApi)
    before = await listed.look(furnished, customer, case.reference)
    assert not any(asked for *_, asked in before)
    await staff.send_message(desk, case.kind, case.reference, message(asks=Asks.NOTHING))
    assert await listed.look(furnished, customer, case.reference) == before
    await staff.send_message(desk, case.kind, case.reference, message(asks=Asks.PHOTO))
    assert await listed.look(furnished, customer, case.reference) == [ASKED] * len(before)
    await answer(furnished, customer, case)
    assert await listed.look(furnished, customer, case.reference) == before
