"""A delivery that gets another status is an event, together with the change."""

from __future__ import annotations

import jsonschema_rs
import pytest
from sqlmodel import select

from portal.backend.backoffice import NotAllowed, TransitionRequest
from portal.exports.api import WebhookEntry
from portal.exports.provider import webhooks
from portal.exports.provider.delivery import WebhookDelivery
from portal.exports.rules import schema
from portal.tables.exports import WebhookDeliveryRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from tests.support.furnished import Furnished
from tests.support.receiver import Receiver

ORDER = "900000071"


async def move(shop: Furnished, status: str) -> None:
    await shop.application.back_office.move("shipment", ORDER, TransitionRequest(status=status))


async def test_a_new_status_of_a_delivery_is_sent(furnished: Furnished, receiver: Receiver) -> None:
    context = furnished.context
    async with context.database.transaction() as session:
        await webhooks.add(session, context.settings, WebhookEntry(url=receiver.url), context.clock())
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.IN_STOCK}, order_number=ORDER)
    await move(furnished, "backorder")
    await move(furnished, "backorder")
    with pytest.raises(NotAllowed):
        await move(furnished, "order_delivered")
    async with context.database.session() as session:
        rows = (await session.exec(select(WebhookDeliveryRow))).all()
    for row in rows:
        await WebhookDelivery(context).deliver(row.id or 0)
    (request,) = receiver.received
    assert request.event["data"] == {"order": ORDER, "before": "in_stock", "status": "backorder"}
    jsonschema_rs.validate(schema(), request.event)
