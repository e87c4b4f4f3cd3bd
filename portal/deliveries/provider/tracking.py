"""Links that follow a delivery without a login (decision 0127).

A link is an encrypted, signed code of the order and a last moment. Nothing of it is stored: it shows no more than where
the delivery is, and dies by itself.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlmodel import select
from typing_extensions import override

from portal.backend.database import find_one
from portal.backend.security import Purpose, decrypt, encrypt
from portal.backend.service import Service
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.deliveries.api import DeliveriesApi, OrderStatus, TrackedPart, Tracking, TrackingEntry
from portal.deliveries.provider.moving import load_status
from portal.settings import Settings
from portal.tables.orders import OrderRow
from portal.vocabulary.links import TRACKING_LIFETIME


def tracking_code(settings: Settings, order: OrderRow, now: datetime) -> str:
    """The last part of the address of a link to a delivery, valid from `now` for `TRACKING_LIFETIME`."""
    until = int((now + TRACKING_LIFETIME).timestamp())
    return encrypt(settings, f"{order.id} {until}", Purpose.TRACKING).rstrip("=")


def order_of(settings: Settings, code: str, now: datetime) -> int:
    """The key of the order of a link."""
    try:
        order, until = decrypt(settings, code + "=" * (-len(code) % 4), Purpose.TRACKING).split()
    except ValueError:
        raise NotFound from None
    if datetime.fromtimestamp(int(until), UTC) <= now:
        raise NotFound
    return int(order)


class TrackingService(Service, DeliveriesApi):
    """The operation behind these links."""

    @override
    async def tracking(self, entry: TrackingEntry) -> Tracking:
        key = order_of(self._context.settings, entry.code, self._context.clock())
        async with self._context.database.session() as session:
            order = await find_one(session, select(OrderRow).where(OrderRow.id == key))
            return _shown(await load_status(session, order))


def _shown(order: OrderStatus) -> Tracking:
    account = order.account
    return Tracking(
        status=account.status,
        meaning=account.meaning,
        phases=account.phases,
        phase=account.phase,
        when=account.handover.when if account.handover else LocalizedText(),
        parts=[
            TrackedPart(
                status=part.account.status,
                when=part.account.handover.when if part.account.handover else LocalizedText(),
                carrier=part.carrier,
                tracking_code=part.tracking_code,
                tracking_url=part.tracking_url,
            )
            for part in order.shipments
        ],
    )
