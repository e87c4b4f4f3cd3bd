"""Where an order is (part-2 §2 Order status)."""

from __future__ import annotations

from typing_extensions import override

from portal.contract.delivery import OrderStatus
from portal.domain.codes import Code
from portal.provider.delivery_moves import days_with_places, still_waits, why_not
from portal.provider.links import Subject
from portal.provider.repositories.date_changes import DateChangeRepository
from portal.provider.repositories.orders import OrderRepository
from portal.provider.repositories.shipments import ShipmentRepository
from portal.provider.services import delivery_shapes as shapes
from portal.provider.services.delivery_dates import DeliveryDateService
from portal.provider.services.delivery_papers import DeliveryDocumentService
from portal.vocabulary.links import LinkPurpose


class DeliveriesService(DeliveryDateService, DeliveryDocumentService):
    """Where an order is, moving its delivery to another day, and the documents about it."""

    @override
    async def order_status(self, token: str, order_number: str) -> OrderStatus:
        async with self._sessions.reading(token) as (owner, session):
            shapes.known_number(order_number)
            settings, now = self._context.settings, self._context.clock()
            orders = OrderRepository(session, owner.customer_id)
            order = await orders.get(order_number)
            shipments = ShipmentRepository(session, owner.customer_id)
            parts = await shipments.all(order)
            status = shapes.order_status(
                order,
                await orders.lines(order),
                parts,
                await shipments.contents(order),
                await shipments.events(order),
            )
            change = await DateChangeRepository(session, owner.customer_id).latest(order)
            refusal, told = why_not(order, parts), None
            if change is not None:
                about = Subject(change.id or 0, owner.customer_id)
                waiting = await self._links.waiting(session, LinkPurpose.DELIVERY_DATE, about)
                told = shapes.date_change(change, now, waiting)
                free = await days_with_places(session, settings, order.country_code, now)
                if refusal is None and still_waits(change, free, now):
                    refusal = Code.DATE_CHANGE_PENDING
        return status.model_copy(update={"change_refusal": refusal, "change": told})
