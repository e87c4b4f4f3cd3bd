"""What can be started for each line of an order: a return, a repair, an insurance (part-1 §2 Dashboard, part-2 §5)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.backoffice import known_reference
from portal.backend.sessions import Service
from portal.bikes.provider.queries import BikeQueries, OwnedBike, departure_of_bike
from portal.bikes.provider.service import work_order_refusal
from portal.contract.errors import NotFound
from portal.contracts.provider.account import end_account
from portal.contracts.provider.queries import ContractQueries
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.moving import ordered_units
from portal.deliveries.provider.queries import DateChangeQueries
from portal.insurance.provider.account import insurance_account
from portal.insurance.provider.queries import InsuranceQueries, insurance_refusal
from portal.insurance.rules import effective_status
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_order_number
from portal.login.provider.queries import switched_on
from portal.orders.provider.queries import OrderQueries
from portal.overview.api import LineAction, LineActions, OverviewApi, OwnRequest
from portal.overview.rules import LineFacts, line_actions
from portal.returns.flow.kinds import ACCESSORIES, RETURN
from portal.returns.provider.entries import bikes_and_parts, item_id, line_refusal
from portal.returns.provider.queries import LineStock, OrderStock, StockQueries
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.cases import REQUEST_PAGE, CaseKind
from portal.vocabulary.contracts import end_tone
from portal.vocabulary.deliveries import current_status, date_change_tone
from portal.vocabulary.insurance import insurance_tone


class LineActionsService(Service, OverviewApi):
    @override
    async def line_actions(self, token: str, order_number: str) -> list[LineActions]:
        now = self._context.clock()
        async with self._sessions.reading(token) as (owner, session):
            if not is_order_number(order_number):
                raise NotFound
            stock = await StockQueries(session, owner.customer_id, now).all(order_number)
            if not stock:
                raise NotFound
            (order,) = stock
            bikes = await BikeQueries(session, owner.customer_id).named(
                {bike.public_id for line in order.lines for bike in line.bikes}
            )
            latest = await InsuranceQueries(session, owner.customer_id).latest(bikes)
        offered = frozenset(switched_on([order.row.features]))
        owned = {entry.bike.id: entry for entry in bikes}
        insuring = {key: insurance_refusal(entry, latest.get(key or 0), now) for key, entry in owned.items()}
        return [_line(order, line, local_day(now), offered, owned, insuring, latest) for line in order.lines]


def _line(
    order: OrderStock,
    line: LineStock,
    day: date,
    offered: frozenset[Feature],
    owned: Mapping[int, OwnedBike],
    insuring: Mapping[int, Code | None],
    latest: Mapping[int, InsuranceRequestRow],
) -> LineActions:
    keys = [bike.id for bike in line.bikes if bike.id in owned]
    facts = LineFacts(
        return_refusal=line_refusal(order, line, day),
        repair_refusals=[work_order_refusal(owned[key]) for key in keys],
        insurance_refusals=[insuring[key] for key in keys],
    )
    pages: dict[Code | None, str] = {}
    if line.open_return:
        pages = dict.fromkeys((Code.RETURN_REQUEST_EXISTS, Code.BIKE_GOING_BACK), f"/returns/{line.open_return}")
    for key in keys[:1]:  # whose refusals are those of the line
        pages[Code.OPEN_WORK_ORDER_EXISTS] = f"/maintenance/{owned[key].open_request}"
        if key in latest:
            pages[Code.INSURANCE_REQUEST_EXISTS] = f"{REQUEST_PAGE}/{latest[key].reference}"
    flow = RETURN if bikes_and_parts(line) else ACCESSORIES
    return LineActions(
        position=line.row.position,
        item=item_id(order, line),
        bike_id=_first_open(keys, facts, owned),
        actions=[
            LineAction(
                feature=feature,
                refusal=refusal,
                flow=flow.name if feature is Feature.RETURN else "",
                page=pages.get(refusal, ""),
            )
            for feature, refusal in line_actions(facts, offered)
        ],
    )


def _first_open(keys: Sequence[int], facts: LineFacts, owned: Mapping[int, OwnedBike]) -> str | None:
    free = next((key for key, refusal in zip(keys, facts.repair_refusals, strict=True) if refusal is None), None)
    key = free if free is not None else next(iter(keys), None)
    return owned[key].bike.public_id if key is not None else None


class OwnRequestService(LineActionsService):
    @override
    async def own_request(self, token: str, reference: str) -> OwnRequest:
        known_reference(reference)
        now = self._context.clock()
        async with self._sessions.reading(token) as (owner, session):
            for find in (_insurance, _date_change, self._contract_end):
                try:
                    return await find(session, owner.customer_id, reference, now)
                except NotFound:
                    continue
        raise NotFound

    async def _contract_end(
        self, session: AsyncSession, customer_id: int, reference: str, _now: datetime
    ) -> OwnRequest:
        contract, row = await ContractQueries(session, customer_id).end_named(reference)
        return OwnRequest(
            kind=CaseKind.CONTRACT_END,
            reference=reference,
            account=end_account(contract, row, self._settings),
            tone=end_tone(row.status),
            page=f"/contracts/{contract.reference}",
        )


async def _insurance(session: AsyncSession, customer_id: int, reference: str, now: datetime) -> OwnRequest:
    row, bike = await InsuranceQueries(session, customer_id).get(reference=reference, lock=False)
    status = effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link)
    return OwnRequest(
        kind=CaseKind.INSURANCE,
        reference=reference,
        account=insurance_account(row, bike, now, await departure_of_bike(session, bike)),
        tone=insurance_tone(status),
        page=f"/insurance-package?bike={bike.public_id}",
    )


async def _date_change(session: AsyncSession, customer_id: int, reference: str, now: datetime) -> OwnRequest:
    row, order = await DateChangeQueries(session, customer_id).get(reference)
    items = ordered_units(await OrderQueries(session, customer_id).lines(order))
    return OwnRequest(
        kind=CaseKind.DATE_CHANGE,
        reference=reference,
        account=date_change_account(order, items, row, now),
        tone=date_change_tone(current_status(row.status, row.link_expires_at, now)),
        page=f"/delivery-date/{order.order_number}",
    )
