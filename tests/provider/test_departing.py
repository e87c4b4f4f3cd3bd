"""No sequence of requests and departures leaves an open promise about a bike or an order that is gone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from portal.contract.errors import NotFound, ProviderError
from portal.contract.models import OngoingKind
from portal.contracts.api import ContractsApi
from portal.deliveries.api import DeliveriesApi
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import TextMessageRow
from portal.tables.orders import OrderRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.cases import CaseKind, CaseState
from portal.vocabulary.deliveries import PENDING
from portal.vocabulary.departures import GONE, Departure, Dependent, goes_on, outcome
from portal.vocabulary.insurance import OPEN_INSURANCE
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind
from tests.support.departing import Departing
from tests.support.living import Living

WITH_BIKE = (CaseKind.REPAIR, CaseKind.SERVICE, CaseKind.CLAIM, CaseKind.INSURANCE)
NEW = {Feature.REPAIR, Feature.SERVICE, Feature.CLAIM, Feature.INSURANCE, Feature.SERVICE_PACKAGE}
_R = ReturnStatus


class Walk:
    """What customer, staff and shop do with the first bike of an order, each as far as the services let them."""

    def __init__(self, departing: Departing, *, sent: bool) -> None:
        self.departing, self.sent = departing, sent
        self.gave_away = False

    async def _hang(self, name: str, make: Callable[[], Awaitable[str]]) -> None:
        """Make something for the bike once, while its customer could."""
        if name not in self.departing.open and not self.gave_away and await self.departing.departure() is None:
            await make()
            await self.departing.open_cases()

    async def repair(self) -> None:
        await self._hang("repair", lambda: self.departing.ask_work(0, RequestKind.REPAIR))

    async def ask_insurance(self) -> None:
        await self._hang("insurance_request", lambda: self.departing.ask_insurance(0))

    async def insure(self) -> None:
        await self._hang("insurance", lambda: self.departing.insure(0))

    async def take_package(self) -> None:
        await self._hang("package", lambda: self.departing.take_package(0))

    async def ask_day(self) -> None:
        await self.departing.shop.request_day(self.departing.token, self.departing.number)

    async def send_back(self) -> None:
        await self.departing.send_back(0)

    async def have_picked_up(self) -> None:
        await self.departing.send_back(0, picked_up=True)
        await self.departing.move_returns(_R.PICKUP_REQUEST_CREATED, _R.PICKUP_CONFIRMED)

    async def withdraw(self) -> None:
        await self.departing.withdraw(*([0] if self.sent else []))

    async def withdraw_all(self) -> None:
        await self.departing.withdraw()

    async def keep(self) -> None:
        await self.departing.cancel_returns()

    async def receive(self) -> None:
        await self.departing.move_returns(_R.RECEIVED)

    async def close(self) -> None:
        await self.departing.move_returns(_R.RECEIVED, _R.CLOSED)

    async def reject(self) -> None:
        await self.departing.move_returns(_R.RECEIVED, _R.REJECTED)

    async def cancel_order(self) -> None:
        await self.departing.cancel_order()

    async def cancel_by_shop(self) -> None:
        await self.departing.cancel_by_shop(sent=self.sent)

    async def give_away(self) -> None:
        await self.departing.give_away(sent=self.sent)
        self.gave_away = True

    async def take(self, step: str) -> None:
        """One step, which the services may refuse; what they refuse changes nothing."""
        # Where nothing can be returned or moved, there are no stores and no days to choose from.
        with suppress(ProviderError, KeyError, IndexError):
            await getattr(self, step)()


REQUESTS = ("repair", "ask_insurance", "insure", "take_package", "ask_day")
LEAVES = (
    "send_back", "have_picked_up", "withdraw", "withdraw_all", "cancel_order", "cancel_by_shop", "give_away"
)  # fmt: skip
STEPS = (*REQUESTS, *LEAVES, "keep", "receive", "close", "close", "reject")


async def _promises(walk: Walk) -> list[str]:
    """What is still promised about a bike or an order that is gone."""
    departing = walk.departing
    bike = await departing.bike()
    found: list[str] = []
    async with departing.shop.context.database.session() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == departing.number))).one()
        customer = order.customer_id
        requests = (await session.exec(select(RequestRow).where(RequestRow.customer_id == customer))).all()
        insurances = (
            await session.exec(select(InsuranceRequestRow).where(InsuranceRequestRow.customer_id == customer))
        ).all()
        days = (await session.exec(select(DateChangeRow).where(DateChangeRow.order_id == order.id))).all()
        cases = (await session.exec(select(CaseRow).where(CaseRow.customer_id == customer))).all()
        texts = (await session.exec(select(TextMessageRow).where(col(TextMessageRow.customer_id) == customer))).all()
        stored = (await session.exec(select(BikeRow).where(BikeRow.id == bike.id))).one()
    departure = Departure.GIVEN_AWAY if walk.gave_away else await departing.departure()
    if departure in GONE:
        found += [f"request {row.status}" for row in requests if row.status not in CLOSED_WORK_ORDER]
        found += [f"insurance {row.status}" for row in insurances if row.status in OPEN_INSURANCE]
        found += ["bank account" for row in insurances if row.iban]
        found += [f"case {row.kind}" for row in cases if row.kind in WITH_BIKE and row.state is not CaseState.DONE]
        found += [f"insured {stored.insurance}"] * bool(stored.insurance and departure is not Departure.GIVEN_AWAY)
        contracts = await departing.ask(ContractsApi).contracts(departing.token)
        found += [f"contract {entry.product.en}" for entry in contracts if entry.running]
    if not goes_on(departure, Dependent.DATE_CHANGE):
        found += [f"day {row.status}" for row in days if row.status in PENDING or row.holds_place]
        found += await _delivery(departing)
    if departure is Departure.RETURNED:
        found += ["text message" for row in texts if row.dropped_at is None and row.sent_at is None]
    found += await _doors(walk, departure)
    return found


async def _delivery(departing: Departing) -> list[str]:
    shown = await departing.ask(DeliveriesApi).order_status(departing.token, departing.number)
    dashboard = await departing.ask(OverviewApi).dashboard(departing.token)
    order = await departing.ask(OrdersApi).order(departing.token, departing.number)
    ongoing = [entry for entry in dashboard.ongoing if entry.kind in (OngoingKind.DELIVERY, OngoingKind.INVOICE)]
    return [
        *[f"delivery next {step.en}" for step in shown.account.next_steps],
        *[f"ongoing {entry.kind}" for entry in ongoing],
        *["day of delivery"] * bool(shown.account.handover and shown.account.handover.when.en),
        *[f"due {order.due}"] * bool(order.due),
    ]


async def _doors(walk: Walk, departure: Departure | None) -> list[str]:
    departing = walk.departing
    listed = departing.bikes[0] in await departing.listed()
    found = ["listed"] * (listed and not goes_on(departure, Dependent.BIKE_LIST))
    try:
        home = await departing.ask(OverviewApi).bike_home(departing.token, departing.bikes[0])
    except NotFound:
        return found + ["no page"] * (departure is not Departure.GIVEN_AWAY)
    opened = {action.feature for action in home.actions if action.opening is Opening.OPEN}
    found += [f"door {feature}" for feature in sorted(opened & NEW)] if departure else []
    found += ["warranty"] * bool(home.warranty and not goes_on(departure, Dependent.WARRANTY))
    found += ["reminder"] * bool(home.clock and not goes_on(departure, Dependent.REMINDER))
    found += [f"ahead {event.kind}" for event in home.timeline if event.ahead and departure in GONE]
    found += [f"insured {home.bike.insurance}"] * bool(home.bike.insurance and departure in GONE)
    # Whatever waits says so.
    shown = outcome(departure, Dependent.INSURANCE_REQUEST).customer
    waits = home.insurance and home.insurance.status in OPEN_INSURANCE and departure
    found += ["insurance goes on"] * bool(waits and home.insurance and home.insurance.account.meaning.en != shown)
    return found


@given(
    sent=st.booleans(), first=st.sampled_from(REQUESTS), then=st.lists(st.sampled_from(STEPS), min_size=1, max_size=3)
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_no_sequence_leaves_an_open_promise_about_what_is_gone(
    living: Living, sent: bool, first: str, then: list[str]
) -> None:
    walk = Walk(await Departing.begin(living, sent=sent), sent=sent)
    for step in (first, *then):
        await walk.take(step)
    assert not await _promises(walk)
