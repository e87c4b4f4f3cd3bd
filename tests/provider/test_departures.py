"""Every cell of the table of departures, on the page of the customer, in their mail, on the desk and in the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest

from portal.backend.backoffice import TransitionRequest
from portal.cases.models import CaseDetail
from portal.contract.account import Account, AccountFact, Direction
from portal.contract.errors import Conflict, NotFound, ProviderError
from portal.contract.models import OngoingKind
from portal.contracts.api import ContractsApi
from portal.deliveries.api import DeliveriesApi
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.orders.api import OrdersApi
from portal.overview.api import BikeHome, MileageEntry, OverviewApi
from portal.recalls.api import RecallsApi
from portal.returns.api import ReturnDetail, ReturnsApi
from portal.returns.rules.settlement import SETTLEMENT_NAMES, SettlementKind
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.cases import CaseState
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.deliveries import DATE_CHANGE_LABELS, DateChangeStatus
from portal.vocabulary.departures import (
    DEPARTURES,
    GONE,
    Departure,
    Dependent,
    Effect,
    Money,
    goes_on,
    outcome,
    refusal,
)
from portal.vocabulary.orders import InvoiceStatus
from portal.vocabulary.returns import DONE, ReturnStatus
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.api import WorkOrdersApi
from tests.support.departing import MONTHLY, PAID, UNSENT, Departing
from tests.support.living import Living
from tests.support.staff import ESRA, staff_token


class Channel(StrEnum):
    """Where a cell says something."""

    PAGE = "page"
    MAIL = "mail"
    DESK = "desk"
    API = "api"


_D, _C = Dependent, Channel
NEW = {Feature.REPAIR, Feature.SERVICE, Feature.CLAIM, Feature.INSURANCE, Feature.SERVICE_PACKAGE, Feature.RETURN}
SILENT = (_D.PAGES, _D.BACK_OFFICE, _D.BIKE_LIST, _D.WARRANTY, _D.REMINDER)
"""Nobody is mailed that a door closes or that something is not shown any more; no mail reminds of a service."""

NO_DOOR: dict[tuple[Dependent, Channel], str] = {
    **{(dependent, _C.MAIL): "no mail is about it" for dependent in SILENT},
    (_D.DATE_CHANGE, _C.MAIL): "the mail about the order says it",
    (_D.OTHER_RETURN, _C.MAIL): "an open return goes on",
    (_D.INSURANCE, _C.API): "staff end a contract only by processing its end",
    (_D.PACKAGE, _C.API): "staff end a contract only by processing its end",
    (_D.INVOICE, _C.API): "the back office moves no invoice",
    (_D.INVOICE, _C.DESK): "an invoice is no case",
    (_D.DELIVERY, _C.DESK): "a delivery is no case",
    (_D.RECALL, _C.DESK): "a recall is no case",
    (_D.RECALL, _C.API): "the back office moves no recall",
    (_D.REMINDER, _C.DESK): "staff remind nobody of a service",
    (_D.REMINDER, _C.API): "staff remind nobody of a service",
    (_D.PAGES, _C.DESK): "it is the door of the customer",
    (_D.PAGES, _C.API): "it is the door of the customer",
    (_D.BACK_OFFICE, _C.PAGE): "it is the door of staff",
    (_D.BIKE_LIST, _C.DESK): "staff see every bike that a customer had",
    (_D.BIKE_LIST, _C.API): "the back office lists no bikes",
    (_D.WARRANTY, _C.DESK): "staff see the warranty of work under way",
    (_D.WARRANTY, _C.API): "the back office keeps no mileage",
}
"""What of the table has no channel, and why."""


@dataclass
class Described:
    """What the channels tell after a departure, and what of it is wrong.

    Attributes:
        homes: the pages of the bikes; None where the customer has none.
        details: the returns of the bikes.
        mails: texts of the mails since the departure.
        looked: the cells that were looked at.
    """

    departing: Departing
    departure: Departure
    staff: str
    homes: list[BikeHome | None] = field(default_factory=list)
    details: list[ReturnDetail] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    looked: set[tuple[Dependent, Channel]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def same(self, dependent: Dependent, channel: Channel, found: Any, expected: Any) -> None:
        """Note a cell, and what differs from it."""
        self.looked.add((dependent, channel))
        if found != expected:
            self.wrong.append(f"{dependent} {channel}: {found!r} instead of {expected!r}")

    def mailed(self, dependent: Dependent, sentence: str) -> None:
        """Note whether a mail says a sentence in the language of the customer. No mail is about an arrival."""
        self.looked.add((dependent, _C.MAIL))
        if self.departure is Departure.RECEIVED:
            return
        text = gettext_for("nl")(sentence)
        if not any(text in mail for mail in self.mails):
            self.wrong.append(f"{dependent} mail: nothing says {text!r}")

    def ahead(self, kind: str) -> int:
        """How many days of a kind the pages of the bikes still announce."""
        return sum(event.ahead and event.kind == kind for home in self.homes if home for event in home.timeline)

    async def case(self, kind: str, reference: str) -> CaseDetail | None:
        """What the desk shows."""
        return await self.departing.case(self.staff, kind, reference)

    async def refused(self, kind: str, reference: str, status: str, **more: Any) -> Code | None:
        """Why the back office cannot move something; None if it can, which is undone."""
        back_office = self.departing.shop.application.back_office
        try:
            await back_office.move(kind, reference, TransitionRequest(status=status, **more))
        except Conflict as conflict:
            return conflict.code
        return None


def _history(case: CaseDetail) -> str:
    return " ".join(event.text.en for event in case.events)


def _facts(account: Account) -> set[str]:
    return _lines(account.facts)


def _lines(facts: Sequence[AccountFact]) -> set[str]:
    return {line.en for fact in facts for line in fact.lines}


async def _contract(told: Described, dependent: Dependent) -> None:
    cell, departing = outcome(told.departure, dependent), told.departing
    ended, name = cell.effect is Effect.ENDS, dependent.value
    found = await departing.ask(ContractsApi).contract(departing.token, departing.open[name])
    home = told.homes[0]
    shown = home and (home.bike.insurance if dependent is _D.INSURANCE else home.bike.service_package)
    told.same(dependent, _C.PAGE, bool(shown), home is not None and not ended)
    if ended:
        told.mailed(dependent, cell.customer)
        assert found.end
        told.same(dependent, _C.PAGE, (found.running, found.end.kind), (False, EndKind.DEPARTURE))
        told.same(dependent, _C.PAGE, found.end.account.meaning.en, cell.customer)
        # Two months were collected; 41 days of them were used.
        everything = cell.money is Money.EVERYTHING
        refund = found.end.account.money.total
        told.same(dependent, _C.PAGE, (refund == 2 * MONTHLY, 0 < refund <= 2 * MONTHLY), (everything, True))
        case = await told.case("contract-end", found.end.reference)
        told.same(dependent, _C.DESK, bool(case and cell.staff in _history(case)), True)
        told.same(dependent, _C.DESK, case and case.account.money.total, refund)
        return
    told.same(dependent, _C.PAGE, found.running, True)
    told.same(dependent, _C.PAGE, cell.customer in _facts(told.details[0].account), True)
    told.same(dependent, _C.PAGE, cell.customer in _lines(home.consequences if home else []), True)
    told.mailed(dependent, cell.customer)
    case = await told.case(*_return_case(told))
    told.same(dependent, _C.DESK, case and cell.customer in _facts(case.account), True)


def _return_case(told: Described) -> tuple[str, str]:
    kind = "withdrawal" if told.departure is Departure.WITHDRAWN else "return"
    return kind, told.departing.returns[0]


async def _work(told: Described, dependent: Dependent) -> None:
    departing, cell = told.departing, outcome(told.departure, dependent)
    kind = RequestKind(dependent.value)
    reference = departing.open[dependent.value]
    case = await told.case(kind.value, reference)
    assert case
    possible = (await departing.shop.application.back_office.current_status("work-order", reference)).possible
    if cell.effect is Effect.ENDS:
        told.same(dependent, _C.DESK, (case.state, case.steps, case.can_plan), (CaseState.DONE, [], False))
        told.same(dependent, _C.DESK, cell.staff in _history(case), True)
        told.same(dependent, _C.API, possible, [])
        told.mailed(dependent, cell.customer)
    else:
        told.same(dependent, _C.DESK, case.account.meaning.en, cell.staff)
        closed = refusal(told.departure, _D.BACK_OFFICE)
        told.same(dependent, _C.DESK, case.can_plan, closed is None)
        told.same(dependent, _C.API, await told.refused("work-order", reference, "wait_for_object"), closed)
        told.mailed(dependent, cell.customer)
    try:
        shown = await departing.ask(WorkOrdersApi).service_request(departing.token, reference)
    except NotFound:
        told.same(dependent, _C.PAGE, told.departure, Departure.GIVEN_AWAY)
        return
    if cell.effect is Effect.ENDS:
        note = gettext_for("nl")(cell.customer)
        told.same(dependent, _C.PAGE, (shown.status.value, shown.events[-1].note), ("cancelled", note))
    else:
        told.same(dependent, _C.PAGE, shown.account.meaning.en, cell.customer)
        told.same(dependent, _C.PAGE, shown.planned_date, None)
    told.same(dependent, _C.PAGE, shown.account.next_steps, [])
    told.same(dependent, _C.PAGE, told.ahead(kind.value), 0)


async def _insurance_request(told: Described) -> None:
    departing, dependent = told.departing, _D.INSURANCE_REQUEST
    cell, reference = outcome(told.departure, dependent), departing.open["insurance_request"]
    case = await told.case("insurance", reference)
    assert case
    if cell.effect is Effect.ENDS:
        told.same(dependent, _C.DESK, (case.state, case.steps), (CaseState.DONE, []))
        told.same(dependent, _C.DESK, cell.staff in _history(case), True)
        told.mailed(dependent, cell.customer)
        told.same(dependent, _C.API, await told.refused("insurance", reference, "finished"), Code.STATUS_NOT_ALLOWED)
    else:
        closed = refusal(told.departure, dependent)
        told.same(dependent, _C.DESK, case.account.meaning.en, cell.staff)
        steps = {step.status for step in case.steps}
        told.same(dependent, _C.DESK, "finished" in steps, closed is None)
        told.mailed(dependent, cell.customer)
        found = await told.refused("insurance", reference, "finished", policy_number="P-1")
        told.same(dependent, _C.API, found, closed)
    try:
        shown = await departing.ask(OverviewApi).own_request(departing.token, reference)
    except NotFound:
        told.same(dependent, _C.PAGE, told.departure, Departure.GIVEN_AWAY)
        return
    if cell.effect is Effect.ENDS:
        told.same(dependent, _C.PAGE, gettext_for("nl")(cell.customer) in _facts(shown.account), True)
    else:
        told.same(dependent, _C.PAGE, shown.account.meaning.en, cell.customer)


async def _date_change(told: Described) -> None:
    departing, dependent = told.departing, _D.DATE_CHANGE
    cell, reference = outcome(told.departure, dependent), departing.open["date_change"]
    shown = await departing.ask(OverviewApi).own_request(departing.token, reference)
    case = await told.case("date-change", reference)
    assert case
    if cell.effect is Effect.ENDS:
        told.same(dependent, _C.PAGE, gettext_for("nl")(cell.customer) in _facts(shown.account), True)
        told.same(dependent, _C.DESK, (case.state, case.steps), (CaseState.DONE, []))
        told.same(dependent, _C.DESK, cell.staff in _history(case), True)
        found = await told.refused("date-change", reference, "accepted")
        told.same(dependent, _C.API, found, Code.STATUS_NOT_ALLOWED)
        return
    told.same(dependent, _C.PAGE, shown.account.status.en, DATE_CHANGE_LABELS[DateChangeStatus.WAITING_FOR_RETAILER])
    told.same(dependent, _C.DESK, "accepted" in {step.status for step in case.steps}, True)
    told.same(dependent, _C.API, await told.refused("date-change", reference, "accepted"), None)


async def _delivery(told: Described) -> None:
    departing, dependent = told.departing, _D.DELIVERY
    cell, number = outcome(told.departure, dependent), departing.number
    shown = await departing.ask(DeliveriesApi).order_status(departing.token, number)
    dashboard = await departing.ask(OverviewApi).dashboard(departing.token)
    ongoing = [entry for entry in dashboard.ongoing if entry.kind is OngoingKind.DELIVERY]
    moved = await told.refused("shipment", number, "ready_for_transport")
    if cell.effect is not Effect.ENDS:
        told.same(dependent, _C.PAGE, (shown.scheduled is not None, len(ongoing)), (True, 1))
        told.same(dependent, _C.API, moved, None)
        told.looked.add((dependent, _C.MAIL))
        return
    told.same(dependent, _C.PAGE, shown.account.meaning.en, cell.customer)
    told.same(dependent, _C.PAGE, (shown.account.next_steps, ongoing, told.ahead("delivery")), ([], [], 0))
    day = local_day(departing.shop.context.clock()) + timedelta(days=3)
    planned = await told.refused("shipment", number, "order_cancelled", planned_date=day)
    told.same(dependent, _C.API, (moved, planned), (Code.ORDER_CANCELLED, Code.ORDER_CANCELLED))
    if told.departure is Departure.CANCELLED:
        # What was paid goes back, and one mail says both.
        told.mailed(dependent, "It was cancelled, so you don’t get it and don’t pay for it.")
    else:
        told.mailed(dependent, told.details[0].account.next_steps[0].en)


async def _invoice(told: Described) -> None:
    departing, dependent = told.departing, _D.INVOICE
    cell = outcome(told.departure, dependent)
    orders = departing.ask(OrdersApi)
    order = await orders.order(departing.token, departing.number)
    invoice = await orders.invoice(departing.token, order.invoices[0].invoice_id)
    left = order.total - PAID
    if cell.money is Money.SET_OFF:
        # What the bikes cost is more than what is unpaid, and the other return has its share in it.
        told.same(dependent, _C.PAGE, (order.due == left, invoice.payment), (cell.effect is Effect.WAITS, None))
        told.same(dependent, _C.PAGE, order.due_later, order.due)
        told.mailed(dependent, SETTLEMENT_NAMES[SettlementKind.NOT_PAID])
    elif cell.money is Money.NOT_OWED:
        told.same(dependent, _C.PAGE, (order.due, invoice.payment, invoice.status), (0, None, InvoiceStatus.CANCELLED))
        told.same(dependent, _C.PAGE, await _refunded(told), PAID)
        told.looked.add((dependent, _C.MAIL))
    else:
        told.same(dependent, _C.PAGE, (order.due, bool(invoice.payment)), (left, True))
        told.looked.add((dependent, _C.MAIL))


async def _refunded(told: Described) -> Decimal:
    """What closed returns of the order pay back."""
    returns, token = told.departing.ask(ReturnsApi), told.departing.token
    found = [await returns.return_detail(token, entry.return_id) for entry in (await returns.returns(token)).items]
    closed = [entry.account.money for entry in found if entry.status in DONE]
    return sum((money.total for money in closed if money.direction is Direction.CUSTOMER_RECEIVES), Decimal())


async def _other_return(told: Described) -> None:
    departing, dependent = told.departing, _D.OTHER_RETURN
    lines = (await departing.ask(OverviewApi).line_actions(departing.token, departing.number))[:3]
    doors = [action.refusal for line in lines for action in line.actions if action.feature is Feature.RETURN]
    told.same(dependent, _C.PAGE, [door is None for door in doors], [goes_on(told.departure, dependent)] * 3)
    if told.departure in UNSENT:
        # Nothing was sent, so that no return was open.
        told.looked |= {(dependent, _C.DESK), (dependent, _C.API)}
        return
    reference = departing.open["other_return"]
    listed = (await departing.ask(ReturnsApi).returns(departing.token)).items
    found = next(entry for entry in listed if entry.reference == reference)
    case = await told.case("return", reference)
    told.same(dependent, _C.PAGE, found.status, ReturnStatus.REQUEST_RECEIVED)
    told.same(dependent, _C.DESK, bool(case and case.steps), True)
    told.same(dependent, _C.API, await told.refused("return", reference, ReturnStatus.RECEIVED), None)


async def _recall(told: Described) -> None:
    departing, dependent = told.departing, _D.RECALL
    stays = goes_on(told.departure, dependent)
    (notice,) = await departing.notices()
    shown = await departing.ask(RecallsApi).recall(departing.token, notice)
    told.same(dependent, _C.PAGE, bool(shown.items), stays)
    # The new owner of a bike that was given away is warned instead.
    await departing.recall("AFTER")
    told.same(dependent, _C.MAIL, len(await departing.notices()) == 2, stays)


async def _reminder(told: Described) -> None:
    told.same(_D.REMINDER, _C.PAGE, [home for home in told.homes if home and home.clock], [])


async def _pages(told: Described) -> None:
    departing, dependent = told.departing, _D.PAGES
    closed = refusal(told.departure, dependent)
    actions = [action for home in told.homes if home for action in home.actions]
    told.same(dependent, _C.PAGE, {action.feature for action in actions if action.opening is Opening.OPEN} & NEW, set())
    told.same(dependent, _C.PAGE, closed is None, False)
    for flow in ("repair-request", "service-request", "insurance-request"):
        with suppress(ProviderError):
            await departing.shop.fill(departing.token, flow, departing.bikes[2])
            told.same(dependent, _C.PAGE, f"{flow} begins", closed)
    lines = (await departing.ask(OverviewApi).line_actions(departing.token, departing.number))[:3]
    started = {action.feature for line in lines for action in line.actions if not action.refusal}
    told.same(dependent, _C.PAGE, started - {Feature.RETURN}, set())


async def _back_office(told: Described) -> None:
    departing, dependent = told.departing, _D.BACK_OFFICE
    if told.departure is Departure.GIVEN_AWAY:
        # For its new owner everything can be planned.
        await departing.ask_work(0, RequestKind.REPAIR)
        closed = None
    else:
        closed = refusal(told.departure, dependent)
        if told.departure in GONE:
            await departing.ask_work(0, RequestKind.REPAIR)
    await departing.open_cases()
    reference = departing.open["repair"]
    case = await told.case("repair", reference)
    told.same(dependent, _C.DESK, case and case.can_plan, closed is None)
    day = local_day(departing.shop.context.clock()) + timedelta(days=8)
    found = await told.refused("work-order", reference, case.status if case else "", planned_date=day)
    told.same(dependent, _C.API, found, closed)


async def _bike_list(told: Described) -> None:
    left = told.departing.bikes if goes_on(told.departure, _D.BIKE_LIST) else []
    told.same(_D.BIKE_LIST, _C.PAGE, sorted(await told.departing.listed()), sorted(left))


async def _warranty(told: Described) -> None:
    departing, dependent, stays = told.departing, _D.WARRANTY, goes_on(told.departure, _D.WARRANTY)
    told.same(dependent, _C.PAGE, [bool(home and home.warranty) for home in told.homes], [stays] * 3)
    try:
        await departing.ask(OverviewApi).enter_mileage(departing.token, departing.bikes[0], MileageEntry(mileage="12"))
    except ProviderError as error:
        told.same(dependent, _C.PAGE, error.code, refusal(told.departure, _D.PAGES))
        told.same(dependent, _C.PAGE, stays, False)
    else:
        told.same(dependent, _C.PAGE, stays, True)


CHECKS: dict[Dependent, Callable[[Described], Awaitable[None]]] = {
    _D.INSURANCE: lambda told: _contract(told, _D.INSURANCE),
    _D.PACKAGE: lambda told: _contract(told, _D.PACKAGE),
    _D.INSURANCE_REQUEST: _insurance_request,
    _D.REPAIR: lambda told: _work(told, _D.REPAIR),
    _D.SERVICE: lambda told: _work(told, _D.SERVICE),
    _D.CLAIM: lambda told: _work(told, _D.CLAIM),
    _D.DATE_CHANGE: _date_change,
    _D.DELIVERY: _delivery,
    _D.INVOICE: _invoice,
    _D.RECALL: _recall,
    _D.REMINDER: _reminder,
    _D.PAGES: _pages,
    _D.BIKE_LIST: _bike_list,
    _D.WARRANTY: _warranty,
    _D.BACK_OFFICE: _back_office,
    _D.OTHER_RETURN: _other_return,
}
"""One check of each row. The last ones change what the others look at."""


@pytest.mark.parametrize("departure", DEPARTURES)
async def test_every_cell_holds_on_every_channel(living: Living, departure: Departure) -> None:
    sent = departure not in UNSENT
    departing = await Departing.begin(living, sent=sent)
    await departing.furnish(sent=sent)
    before = await departing.mails()
    await departing.depart(departure)
    told = Described(departing, departure, await staff_token(living, ESRA))
    told.mails = [mail for mail in await departing.mails() if mail not in before]
    for bike_id in departing.bikes:
        with suppress(NotFound):
            told.homes.append(await departing.ask(OverviewApi).bike_home(departing.token, bike_id))
            continue
        told.homes.append(None)
    for entry in (await departing.ask(ReturnsApi).returns(departing.token)).items:
        if entry.reference in departing.returns:
            told.details.append(await departing.ask(ReturnsApi).return_detail(departing.token, entry.return_id))
    told.details.reverse()
    assert [home and home.bike.departure for home in told.homes] == [
        None if departure is Departure.GIVEN_AWAY else departure
    ] * 3
    for check in CHECKS.values():
        await check(told)
    unseen = {(dependent, channel) for dependent in Dependent for channel in Channel} - told.looked - set(NO_DOOR)
    assert not unseen
    assert not told.wrong, "\n".join(told.wrong)
