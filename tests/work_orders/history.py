"""Helpers that read requests, events and mails from the database, without the services."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from portal.tables.messages import OutboxMail
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.work_orders.api import WorkOrdersApi
from tests.support.furnished import Furnished


async def events(shop: Furnished, reference: str) -> Sequence[WorkOrderEventRow]:
    """Return the events of a request, in the order in which they were stored."""
    async with shop.context.database.session() as session:
        query = select(WorkOrderEventRow).join(RequestRow, col(RequestRow.id) == WorkOrderEventRow.request_id)
        return (await session.exec(query.where(RequestRow.reference == reference).order_by("id"))).all()


async def mails(shop: Furnished, template: str = "work_order_status") -> list[OutboxMail]:
    """Return the mails in the outbox that use a template."""
    return await shop.rows(OutboxMail, template=template)


async def reference_of(shop: Furnished, customer: tuple[str, str], **like: Any) -> str:
    """Return the reference of the first request of a customer whose fields have these values.

    Raises:
        LookupError: no request matches.
    """
    token = await shop.log_in(customer)
    for entry in (await shop.ask(WorkOrdersApi).service_requests(token)).items:
        if all(getattr(entry, name) == value for name, value in like.items()):
            return entry.reference
    raise LookupError(like)
