"""A delivery that gets another status is an event; events name whom they are about by the ids of the shop."""

from __future__ import annotations

import jsonschema_rs
import pytest
from sqlmodel import col, select

from portal.backend.backoffice import NotAllowed, TransitionRequest
from portal.exports.api import WebhookEntry
from portal.exports.provider import webhooks
from portal.exports.provider.webhooks import WebhookSender
from portal.exports.rules import schema
from portal.tables.bikes import BikeRow
from portal.tables.exports import WebhookDeliveryRow
from portal.tables.imports import ImportedRow
from portal.tables.orders import OrderRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.deliveries import DeliveryStatus
from tests.support.delivery import work
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
        await WebhookSender(context).deliver(row.id)
    (request,) = receiver.received
    about = {"customer": None, "order": None, "order_number": ORDER, "order_numbers": [ORDER], "bike": None}
    assert request.event["data"] == {"order": ORDER, "about": about, "before": "in_stock", "status": "backorder"}
    jsonschema_rs.validate(schema(), request.event)


async def test_an_event_names_whom_it_is_about_by_the_ids_of_the_shop(furnished: Furnished, receiver: Receiver) -> None:
    context = furnished.context
    async with context.database.transaction() as session:
        await webhooks.add(session, context.settings, WebhookEntry(url=receiver.url), context.clock())
        query = select(RequestRow, BikeRow).join(BikeRow, col(BikeRow.id) == col(RequestRow.bike_id))
        request, bike = (await session.exec(query.where(RequestRow.status == "in_repair").limit(1))).one()
        order = (await session.exec(select(OrderRow).where(OrderRow.id == bike.order_id))).one()
        keys = {"customers": request.customer_id, "orders": order.id, "bikes": bike.id}
        session.add_all(
            ImportedRow(
                source="erp", kind=kind, external_id=f"{kind[0]}-7", row_id=key or 0, customer_id=request.customer_id,
                fingerprint="", imported_at=context.clock(),
            )
            for kind, key in keys.items()
        )  # fmt: skip
        number, reference = order.order_number, request.reference
    await furnished.application.back_office.move("work-order", reference, TransitionRequest(status="wait_for_parts"))
    await work(context)
    (event,) = [each.event for each in receiver.received if each.event["data"]["case"]["reference"] == reference]
    jsonschema_rs.validate(schema(), event)
    assert event["data"]["about"] == {
        "customer": {"source": "erp", "external_id": "c-7"},
        "order": {"source": "erp", "external_id": "o-7"},
        "order_number": number,
        "order_numbers": [number],
        "bike": {"source": "erp", "external_id": "b-7"},
    }
