"""The dashboard: what is going on, and what can be started (part-1 §2 Dashboard)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain

from typing_extensions import override

from portal.contract.account import Action, Dashboard, Ongoing, OngoingKind
from portal.domain.dashboard import OrderFacts, decide
from portal.domain.dates import local_day
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.repositories.deliveries import DeliveryRepository, OpenDelivery, OrderOutline
from portal.provider.repositories.drafts import DraftRepository
from portal.provider.repositories.requests import BikeRequest, RequestRepository
from portal.provider.repositories.returns import ReturnedUnit, ReturnRepository
from portal.provider.services import draft_shapes
from portal.provider.services.bike_facts import bike_facts
from portal.provider.services.bike_home import BikeHomeService
from portal.provider.services.returns import status_now
from portal.provider.services.user_data import switched_on
from portal.provider.tables.returns import ReturnRow

MOST_ONGOING = 20
"""Entries of what is going on that travel; more would be a list, and lists have their own pages."""


class OverviewService(BikeHomeService):
    """The dashboard, and everything about one bike."""

    @override
    async def dashboard(self, token: str) -> Dashboard:
        async with self._sessions.reading(token) as (owner, session):
            customer = await CustomerRepository(session, owner.customer_id).get()
            owned = await BikeRepository(session, owner.customer_id).all()
            requests = RequestRepository(session, owner.customer_id)
            open_requests = await requests.open()
            ever_requested = bool(open_requests) or await requests.exist()
            deliveries = DeliveryRepository(session, owner.customer_id)
            outlines = await deliveries.outlines()
            open_deliveries = await deliveries.open(MOST_ONGOING)
            returns = ReturnRepository(session, owner.customer_id)
            open_returns = await returns.open(MOST_ONGOING)
            returned = await returns.units(open_returns)
            drafts = await DraftRepository(session, owner.customer_id, self._context.clock()).unsent()
        features = switched_on([outline.features for outline in outlines])
        decisions = decide(
            frozenset(features),
            [bike_facts(entry) for entry in owned],
            [_order_facts(outline) for outline in outlines],
            any_request=ever_requested,
            day=local_day(self._context.clock()),
        )
        going_back = (
            _return(row, returned.get(row.id or 0, []))
            for row in open_returns
            if status_now(row, self._context.clock()) is row.status
        )
        going_on = chain(map(_request, open_requests), map(_delivery, open_deliveries), going_back)
        newest_first = sorted(going_on, key=lambda entry: entry[0], reverse=True)
        return Dashboard(
            first_name=customer.first_name,
            has_features=bool(features),
            actions=[
                Action(feature=entry.feature, opening=entry.opening, reason=entry.reason, until=entry.until)
                for entry in decisions.values()
            ],
            ongoing=[entry for _, entry in newest_first[:MOST_ONGOING]],
            drafts=[draft_shapes.summary(row, name) for row, name in drafts],
        )


def _order_facts(outline: OrderOutline) -> OrderFacts:
    return OrderFacts(
        features=frozenset(switched_on([outline.features])),
        shipped_on=None if outline.shipped_at is None else local_day(outline.shipped_at),
        status=outline.delivery_status,
        has_tracking=outline.travelling > 0,
    )


def _request(entry: BikeRequest) -> tuple[datetime, Ongoing]:
    request = entry.request
    return request.created_at, Ongoing(
        kind=OngoingKind.REQUEST,
        reference=request.reference,
        name=entry.bike.name,
        request_kind=request.kind,
        work_order_status=request.status,
        since=local_day(request.created_at),
        planned=request.planned_date,
        partner=entry.partner.name if entry.partner else "",
    )


def _delivery(entry: OpenDelivery) -> tuple[datetime, Ongoing]:
    return entry.ordered_at, Ongoing(
        kind=OngoingKind.DELIVERY,
        reference=entry.order_number,
        name=entry.name,
        delivery_status=entry.status,
        since=local_day(entry.ordered_at),
        planned=entry.scheduled_day,
        partner=entry.carrier,
    )


def _return(row: ReturnRow, units: Sequence[ReturnedUnit]) -> tuple[datetime, Ongoing]:
    return row.created_at, Ongoing(
        kind=OngoingKind.RETURN,
        reference=row.public_id,
        name=units[0].line.name if units else "",
        return_kind=row.kind,
        return_status=row.status,
        since=local_day(row.created_at),
        planned=row.pickup_day,
    )
