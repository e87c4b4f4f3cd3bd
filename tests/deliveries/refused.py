"""Provokes every refusal of the delivery operations and links, each with its texts."""

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
from tests.support.messages import says


@says(
    Code.ALREADY_HANDED_OVER,
    "Your order is already with the carrier or delivered, so the day can no longer be changed.",
    "Je bestelling is al bij de vervoerder of bezorgd. De bezorgdag kan niet meer worden gewijzigd.",
)
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


for _status, _code, _english, _dutch in (
    (
        DeliveryStatus.ORDER_CANCELLED,
        Code.ORDER_CANCELLED,
        "This order was cancelled. Contact us if you have a question about it.",
        "Deze bestelling is geannuleerd. Neem contact op als je er een vraag over hebt.",
    ),
    (
        DeliveryStatus.ORDER_READY_FOR_PICKUP,
        Code.COLLECTED_IN_STORE,
        "You’re collecting this order from the store, so it has no delivery day.",
        "Deze bestelling haal je op in de winkel. Er is dus geen bezorgdag.",
    ),
    (
        DeliveryStatus.ORDER_NOT_DELIVERED,
        Code.DELIVERY_FAILED,
        "We couldn’t deliver your order. Contact us to plan a new delivery.",
        "De bezorging is niet gelukt. Neem contact op om een nieuwe bezorging te plannen.",
    ),
):
    says(_code, _english, _dutch)(partial(_ask_with, status=_status))


@says(
    Code.DELIVERY_NOT_PLANNED,
    "No delivery day is planned yet. As soon as there is one, you can change it.",
    "Er is nog geen bezorgdag gepland. Zodra die er is, kun je hem wijzigen.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    await shop.request_day(token, "900000079", await shop.free_day(token, OPEN))


@says(
    Code.DATE_CHANGE_NOT_OFFERED,
    "You can’t change the delivery day of this order here. Contact us.",
    "De bezorgdag van deze bestelling kun je hier niet wijzigen. Neem contact met ons op.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await shop.change(OrderRow, {"features": []}, order_number=OPEN)
    await shop.request_day(token, OPEN, day)


@says(
    Code.DATE_CHANGE_PENDING,
    "You’ve already asked for another delivery day. Wait until that is settled.",
    "Je hebt al een andere bezorgdag aangevraagd. Wacht tot die aanvraag is afgehandeld.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    await shop.request_day(token, PENDING, await shop.free_day(token, OPEN))


@says(
    Code.NO_DELIVERY_OPTIONS,
    "There are no delivery options at the moment. Try again in an hour.",
    "Er zijn op dit moment geen bezorgopties. Probeer het over een uur opnieuw.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day, today = await shop.free_day(token, OPEN), shop.clock.now.date()
    for ahead in range(60):
        await _full(shop, today + timedelta(days=ahead))
    await shop.request_day(token, OPEN, day)


@says(
    Code.DELIVERY_DAY_TAKEN,
    "This day is no longer available. Choose another day.",
    "Deze dag is niet meer beschikbaar. Kies een andere dag.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    day = await shop.free_day(token, OPEN)
    await _full(shop, day)
    await shop.request_day(token, OPEN, day)


@says(
    Code.SAME_DELIVERY_DAY,
    "Your order is already planned for this day. Choose another day.",
    "Je bestelling staat al op deze dag gepland. Kies een andere dag.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(DAAN)
    planned = (await shop.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    await shop.request_day(token, OPEN, planned.day if planned else None)


@says(Code.REQUIRED, "is required", "is verplicht")
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).request_delivery_date(await shop.log_in(DAAN), OPEN, DateChoice(day=""))


@says(Code.INVALID_CHOICE, "Choose one of the options.", "Kies uit wat er wordt aangeboden.")
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).request_delivery_date(await shop.log_in(DAAN), OPEN, DateChoice(day="2020-01-06"))


@says(Code.NOT_FOUND, "We couldn’t find this.", "We konden dit niet vinden.")
async def _(shop: Living) -> None:
    await shop.ask(DeliveriesApi).order_status(await shop.log_in(FLEUR), OPEN)


@says(Code.PDF_FAILED, "PDF could not be downloaded.", "PDF kon niet gedownload worden.")
async def _(shop: Living) -> None:
    def broken(*_: Any) -> bytes:
        raise DocumentError("the compiler is away")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(delivery_documents, "date_change_pdf", broken)
        await shop.ask(DeliveriesApi).delivery_date_pdf(await shop.log_in(DAAN), PENDING, "nl")


@says(
    Code.INVALID_HASH,
    "Invalid redirect. Please contact our customer support.",
    "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
)
async def _(shop: Living) -> None:
    await shop.confirm("a" * 43)


@says(
    Code.MISSING_HASH,
    "Invalid redirect. Please contact our customer support.",
    "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
)
async def _(shop: Living) -> None:
    await shop.confirm("")


@says(Code.LINK_USED, "This request has already been confirmed.", "Deze aanvraag is al bevestigd.")
async def _(shop: Living) -> None:
    await shop.request_day(await shop.log_in(DAAN))
    end = await shop.end(DAAN[1])
    await shop.confirm(end)
    await shop.ask(LinksApi).resend_link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))


@says(
    Code.STATUS_NOT_ALLOWED,
    "This status can’t follow the current one.",
    "Deze status kan niet op de huidige volgen.",
)
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "order_delivered")


@says(
    Code.STATUS_CHANGED,
    "Someone else changed this in the meantime.",
    "Iemand anders heeft dit intussen gewijzigd.",
)
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "ready_for_transport", seen=DeliveryStatus.IN_STOCK)


@says(Code.INVALID_INPUT, "Not all fields are filled correctly", "Niet alle velden zijn goed ingevuld.")
async def _(shop: Living) -> None:
    await shop.move("shipment", OPEN, "lost")


async def _full(shop: Living, day: date) -> None:
    async with shop.context.database.transaction() as session:
        await session.merge(DeliveryDayRow(country_code=Country.NL, day=day, capacity=0, taken=0))
