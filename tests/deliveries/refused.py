"""Provokes every refusal of the delivery operations and links."""

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest

from portal.backend.pdf import DocumentError
from portal.deliveries.api import DateChoice, DeliveriesApi
from portal.deliveries.provider import documents as delivery_documents
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.links.api import LinkEntry, LinksApi
from portal.tables.deliveries import DeliveryDayRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.links import LinkPurpose
from tests.support.living import DAAN, FLEUR, OPEN, PENDING, Living
from tests.support.messages import provokes


@provokes(Code.ALREADY_HANDED_OVER)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await shop.move("shipment", OPEN, "ready_for_transport")
    await shop.move("shipment", OPEN, "handover_to_parcel_service")
    await shop.request_day(token, OPEN, day)


async def _ask_with(shop: Living, status: DeliveryStatus) -> None:
    """Request another day for an order that got this status after its days were loaded."""
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await shop.change(OrderRow, {"delivery_status": status}, order_number=OPEN)
    await shop.request_day(token, OPEN, day)


for _status, _code in (
    (DeliveryStatus.ORDER_CANCELLED, Code.ORDER_CANCELLED),
    (DeliveryStatus.ORDER_READY_FOR_PICKUP, Code.COLLECTED_IN_STORE),
    (DeliveryStatus.ORDER_NOT_DELIVERED, Code.DELIVERY_FAILED),
):
    provokes(_code)(partial(_ask_with, status=_status))


@provokes(Code.DELIVERY_NOT_PLANNED)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    await shop.request_day(token, "900000079", await shop.free_day(token, OPEN))


@provokes(Code.DATE_CHANGE_NOT_OFFERED)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await shop.change(OrderRow, {"features": []}, order_number=OPEN)
    await shop.request_day(token, OPEN, day)


@provokes(Code.DATE_CHANGE_PENDING)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    await shop.request_day(token, PENDING, await shop.free_day(token, OPEN))


@provokes(Code.NO_DELIVERY_OPTIONS)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day, today = await shop.free_day(token, OPEN), shop.clock.now.date()
    for ahead in range(60):
        await _full(shop, today + timedelta(days=ahead))
    await shop.request_day(token, OPEN, day)


@provokes(Code.DELIVERY_DAY_TAKEN)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await _full(shop, day)
    await shop.request_day(token, OPEN, day)


@provokes(Code.SAME_DELIVERY_DAY)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    planned = (await shop.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    await shop.request_day(token, OPEN, planned.day if planned else None)


@provokes(Code.REQUIRED)
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).request_delivery_date(await shop.log_in(DAAN), OPEN, DateChoice(day=""))


@provokes(Code.INVALID_CHOICE)
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).request_delivery_date(await shop.log_in(DAAN), OPEN, DateChoice(day="2020-01-06"))


@provokes(Code.NOT_FOUND)
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).order_status(await shop.log_in(FLEUR), OPEN)


@provokes(Code.PDF_FAILED)
async def _(shop: Living) -> None:
    def broken(*_: Any) -> bytes:
        raise DocumentError("the compiler is away")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(delivery_documents, "date_change_pdf", broken)
        await shop.ask(DeliveriesApi).delivery_date_pdf(await shop.log_in(DAAN), PENDING, "nl")


@provokes(Code.INVALID_HASH)
async def _(shop: Living) -> None:
    await shop.confirm("a" * 43)


@provokes(Code.MISSING_HASH)
async def _(shop: Living) -> None:
    await shop.confirm("")


@provokes(Code.LINK_USED)
async def _(shop: Living) -> None:
    await shop.request_day(await shop.log_in(DAAN))
    end = await shop.end(DAAN[1])
    await shop.confirm(end)
    await shop.ask(LinksApi).resend_link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))


@provokes(Code.STATUS_NOT_ALLOWED)
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "order_delivered")


@provokes(Code.STATUS_CHANGED)
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "ready_for_transport", seen=DeliveryStatus.IN_STOCK)


@provokes(Code.INVALID_INPUT)
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "lost")


async def _full(shop: Living, day: date) -> None:
    async with shop.context.database.transaction() as session:
        await session.merge(DeliveryDayRow(country_code=Country.NL, day=day, capacity=0, taken=0))
