"""The page of a case, its job card and its next steps say what the customer's own page says (part-2 §9)."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from sqlmodel import col, select

from portal.backend.cases import hide
from portal.backend.sessions import Sessions
from portal.cases.api import CasesApi, JobCards
from portal.cases.desk.case import case as case_page
from portal.cases.models import CaseDetail
from portal.contract.account import Account, AccountHandover, AccountMoney, LocalizedText
from portal.contract.session import Origin
from portal.contracts.api import ContractsApi, GuestEnd
from portal.deliveries.api import DeliveriesApi
from portal.insurance.api import InsuranceApi
from portal.returns.api import ReturnsApi
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseKind, kind_path
from portal.vocabulary.contracts import EndKind, EndStatus
from portal.vocabulary.deliveries import DateChangeStatus, Window
from portal.vocabulary.insurance import INSURANCE_REQUESTS, InsuranceStatus, InsuranceType
from portal.vocabulary.returns import BatteryState, ReturnKind, ReturnMethod, ReturnStatus
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, Handover, WorkOrderStatus
from portal.withdrawals.api import GuestWithdrawal, WithdrawalsApi
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.provider.backoffice import KIND_OF_REQUEST
from tests.imports.test_dated import OTHER_SHOP
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.living import FLEUR
from tests.support.returning import BUNDLE
from tests.support.staff import CARLA, staff_token

EVERYTHING = frozenset(
    {"title", "status", "meaning", "way", "place", "cost", "facts", "amounts", "total", "besides", "note", "steps"}
)
BELGIAN = {
    "name": "Buren van 12", "street": "Veldstraat", "house_number": "82", "house_number_addon": "bus 3",
    "post_code": "9000", "city": "Gent", "country_code": "BE",
}  # fmt: skip
GUEST = Origin(address="192.0.2.77")

Ask = Callable[[Furnished, str], Awaitable[Account | None]]
"""Asks for the account of a request as the customer's own page does, with the customer's session."""


class Request:
    """A request of the demonstration that is brought to each of its statuses."""

    def __init__(self, case: CaseKind, row: Any, ask: Ask, statuses: Iterable[Any], **more: Any) -> None:
        self.kind, self.row, self.ask, self.more = case, row, ask, more
        self.statuses = [status for status in statuses if status.value != "unknown"]


async def token_of(shop: Furnished, customer_id: int) -> str:
    async with shop.context.database.transaction() as session:
        row = await session.get_one(CustomerRow, customer_id)
        return (await Sessions(shop.context).open(session, customer_id, row.public_id, BUNDLE)).jwt


async def first_of_each(shop: Furnished, query: Any, key: Callable[[Any], Any]) -> list[Any]:
    """The first row of each kind."""
    async with shop.context.database.session() as session:
        found: dict[Any, Any] = {}
        for row in await session.exec(query):
            found.setdefault(key(row), row)
        return list(found.values())


async def work_orders(shop: Furnished) -> list[Request]:
    """A request of each kind, with each handover, whose bike has no other one that is open."""
    query = select(RequestRow).order_by(col(RequestRow.id))
    async with shop.context.database.session() as session:
        busy = {row.bike_id: row.id for row in await session.exec(query) if row.status not in CLOSED_WORK_ORDER}
    alone = query.where(col(RequestRow.id).in_(busy.values()))
    rows = await first_of_each(shop, alone, lambda row: row.kind)
    assert {row.kind for row in rows} == set(KIND_OF_REQUEST)

    def ask(row: RequestRow) -> Ask:
        async def account(shop: Furnished, token: str) -> Account:
            return (await shop.ask(WorkOrdersApi).service_request(token, row.reference)).account

        return account

    return [
        Request(
            KIND_OF_REQUEST[row.kind], row, ask(row), WorkOrderStatus,
            details={**(row.details or {}), "handed_over": handover, "home": BELGIAN},
        )
        for row in rows
        for handover in (None, *Handover)
    ]  # fmt: skip


async def returns(shop: Furnished) -> list[Request]:
    """A return of each kind, with each method."""
    (row,) = await first_of_each(shop, select(ReturnRow).order_by(col(ReturnRow.id)), lambda _: "")

    async def ask(shop: Furnished, token: str) -> Account:
        return (await shop.ask(ReturnsApi).return_detail(token, row.public_id)).account

    picked_up = {"pickup_day": date(2099, 6, 16), "pickup_window": Window.EVENING, "address": BELGIAN}
    return [
        Request(
            CaseKind.RETURN, row, ask, ReturnStatus, kind=kind, method=method,
            **(picked_up if method is ReturnMethod.PICK_UP else {"pickup_day": None, "pickup_window": None}),
        )
        for kind in ReturnKind
        for method in ReturnMethod
        if kind not in (ReturnKind.UNKNOWN, ReturnKind.WITHDRAWAL)
    ]  # fmt: skip


async def insurances(shop: Furnished) -> list[Request]:
    rows = await first_of_each(shop, select(InsuranceRequestRow).order_by(col(InsuranceRequestRow.id)), lambda _: "")

    def ask(row: InsuranceRequestRow) -> Ask:
        async def account(shop: Furnished, token: str) -> Account | None:
            async with shop.context.database.session() as session:
                bike = await session.get_one(BikeRow, row.bike_id)
            found = (await shop.ask(InsuranceApi).insurance_options(token, bike.public_id)).bike.request
            return found.account if found and found.reference == row.reference else None

        return account

    # Staff set the status in which the insurer asks; the mailed link is over then.
    return [
        Request(CaseKind.INSURANCE, row, ask(row), InsuranceStatus, type=kind, waits_for_link=False)
        for row in rows
        for kind in InsuranceType
        if kind.value != "unknown"
    ]


async def date_changes(shop: Furnished) -> list[Request]:
    (row,) = await first_of_each(shop, select(DateChangeRow).order_by(col(DateChangeRow.id).desc()), lambda _: "")

    async def ask(shop: Furnished, token: str) -> Account | None:
        async with shop.context.database.session() as session:
            order = await session.get_one(OrderRow, row.order_id)
        change = (await shop.ask(DeliveriesApi).delivery_dates(token, order.order_number)).change
        return change.account if change and change.reference == row.reference else None

    return [Request(CaseKind.DATE_CHANGE, row, ask, set(DateChangeStatus) - {DateChangeStatus.EXPIRED})]


async def ends(shop: Furnished) -> list[Request]:
    async with shop.context.database.session() as session:
        query = select(PackageOrderRow.reference).join(CustomerRow).where(CustomerRow.email == FLEUR[1])
        contract = (await session.exec(query)).first()
    assert contract
    token = await shop.log_in(FLEUR)
    offered = (await shop.ask(ContractsApi).contract(token, contract)).offered or EndKind.CANCELLATION
    entry = GuestEnd(reference=contract, email=FLEUR[1], name="Fleur Smit", ending=offered, key="guest-pressed")
    reference = (await shop.ask(ContractsApi).guest_end(entry, GUEST)).reference
    mine = select(ContractEndRow).where(ContractEndRow.reference == reference)
    (row,) = await first_of_each(shop, mine, lambda _: "")

    async def ask(shop: Furnished, token: str) -> Account | None:
        end = (await shop.ask(ContractsApi).contract(token, contract)).end
        return end.account if end else None

    return [Request(CaseKind.CONTRACT_END, row, ask, EndStatus)]


async def opened(shop: Furnished, staff: str, kind: CaseKind, told: Account) -> CaseDetail:
    """The case of a request, after a check that its page says what the customer is told."""
    found = await shop.ask(CasesApi).case(staff, kind_path(kind), told.reference.replace(" ", ""))
    named = (kind, told.status.en)
    assert found.account == hide(told), named
    # A name for staff: it speaks to nobody.
    spoken = set(f"{found.status_label.en} {found.status_label.nl}".lower().split())
    assert spoken, named
    assert not spoken & {"you", "your", "je", "jou", "jouw"}, named
    return found


KINDS: Mapping[str, Callable[[Furnished], Awaitable[list[Request]]]] = {
    "work orders": work_orders,
    "returns": returns,
    "insurances": insurances,
    "date changes": date_changes,
    "ends of contracts": ends,
}


@pytest.mark.parametrize("kind", KINDS)
async def test_staff_read_what_the_customer_reads_in_every_status(furnished: Furnished, kind: str) -> None:
    staff, compared = await staff_token(furnished, CARLA), 0
    for request in await KINDS[kind](furnished):
        token = await token_of(furnished, request.row.customer_id)
        named = {"reference": request.row.reference}
        told: dict[str, Account] = {}
        promised: dict[str, tuple[LocalizedText, LocalizedText]] = {}
        names: dict[str, LocalizedText] = {}
        for status in request.statuses:
            await furnished.change(type(request.row), {"status": status, **request.more}, **named)
            account = await request.ask(furnished, token)
            if account is None:
                assert status in INSURANCE_REQUESTS.ends, "an insurance that ended leaves the customer's page"
                continue
            told[status.value] = account
            found = await opened(furnished, staff, request.kind, account)
            names[status.value] = found.status_label
            taken = {step.asks_note for step in found.steps}
            assert taken <= {request.kind is not CaseKind.CONTRACT_END}, (
                "a message that nobody would get is not asked for"
            )
            promised |= {step.status: (step.label, step.sentence) for step in found.steps}
            compared += 1
        for status, words in promised.items():
            if status in told:
                assert words == (names[status], told[status].meaning), (request.kind, status)
    assert compared > 3


async def test_staff_read_what_the_customer_reads_of_a_withdrawal_without_a_login(furnished: Furnished) -> None:
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Roos", key="guest-declared")
    declared = await furnished.ask(WithdrawalsApi).guest_withdraw(entry, GUEST)
    (own,) = await furnished.ask(WithdrawalsApi).declared(await furnished.log_in(ROOS), BUNDLE)
    assert own.account == declared.account
    staff = await staff_token(furnished, CARLA)
    found = await opened(furnished, staff, CaseKind.WITHDRAWAL, own.account)
    assert found.account == own.account, "nothing of it is hidden"
    assert {step.asks_note for step in found.steps} == {False}


async def test_a_withdrawal_goes_to_the_shop_of_its_customer_on_both_sides(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Roos", key="guest-declared")
    reference = (await furnished.ask(WithdrawalsApi).guest_withdraw(entry, GUEST)).reference
    receipt = await furnished.ask(WithdrawalsApi).confirm_declared(await furnished.log_in(ROOS), reference)
    await furnished.change(ReturnRow, {"battery": BatteryState.FINE}, reference=reference)
    await furnished.change(CustomerRow, {"source": "other"}, email=ROOS[1])
    token = await furnished.log_in(ROOS)
    monkeypatch.setattr(furnished.context.settings, "shops", {"other": OTHER_SHOP})
    own = (await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)).account
    (address,) = [fact for fact in own.facts if fact.label.en == "Send it to"]
    assert address.lines[0].en == OTHER_SHOP.brand.name
    assert (await opened(furnished, await staff_token(furnished, CARLA), CaseKind.WITHDRAWAL, own)).account == own


async def test_the_job_card_says_how_and_where_the_bike_is_handed_over(furnished: Furnished) -> None:
    staff = await staff_token(furnished, CARLA)
    for request in await work_orders(furnished):
        account = await request.ask(furnished, await token_of(furnished, request.row.customer_id))
        assert account
        card = JobCards(cases=f"{kind_path(request.kind)}/{request.row.reference}")
        pages = PdfReader(BytesIO((await furnished.ask(CasesApi).job_cards(staff, card)).content)).pages
        paper = "".join("".join(page.extract_text() for page in pages).split())
        way = account.handover
        case = await furnished.ask(CasesApi).case(staff, kind_path(request.kind), request.row.reference)
        assert case.bike
        numbers = [*case.bike.key_numbers, case.bike.battery_number, case.bike.tracker_number]
        assert not [number for number in numbers if number not in paper]
        said = [case.status_label, *(line for fact in account.facts for line in (fact.label, *fact.lines))]
        said += [way.how, way.when, *map(LocalizedText.same, way.place)] if way else []
        assert not [text.nl for text in said if "".join(text.nl.split()) not in paper.replace("\u00ad", "")]


def test_the_page_of_a_case_leaves_out_nothing_of_the_account() -> None:
    page = str(case_page().render())
    # The case has the status in words of staff; a day is for calendars.
    of_page = {*Account.model_fields} - {"reference", "status", "handover", "back", "money"}
    of_money = {*AccountMoney.model_fields} - {"direction"}
    of_way = {*AccountHandover.model_fields} - {"day"}
    assert not [name for name in of_page if f'?.["account"]?.["{name}"]' not in page]
    assert not [name for name in of_money if f'?.["account"]?.["money"]?.["{name}"]' not in page]
    assert not [name for name in of_way if f'?.["account"]?.["handover"]?.["{name}"]' not in page]
