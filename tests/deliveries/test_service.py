"""Order status, shipment by shipment, and status changes by the back office."""

from __future__ import annotations

import pytest

from portal.backend.backoffice import NotAllowed
from portal.contract.common_api import ChangesApi, Watch
from portal.contract.errors import InvalidInput, NotFound
from portal.deliveries.api import DeliveriesApi
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import DeliveryStatus
from tests.support.application import refusal
from tests.support.customers import JORIS
from tests.support.living import BRAM, DAAN, FLEUR, OPEN, Living
from tests.support.people import ORDERS_OF_BRAM

S = DeliveryStatus
PARTED, COMING = "900000078", "900000077"


async def test_there_is_an_order_in_each_status(living: Living) -> None:
    token = await living.log_in(BRAM)
    found = [(await living.ask(DeliveriesApi).order_status(token, number)).status for number in ORDERS_OF_BRAM]
    assert found == list(ORDERS_OF_BRAM.values())


async def test_the_history_begins_with_the_order_and_ends_where_it_is(living: Living) -> None:
    token = await living.log_in(BRAM)
    for number in ORDERS_OF_BRAM:
        status = await living.ask(DeliveriesApi).order_status(token, number)
        assert status.events[0].status is S.ORDER_BEING_PROCESSED
        assert status.events[-1].status is status.status
        moments = [event.happened_at for event in status.events]
        assert moments == sorted(moments)


async def test_an_order_in_parts_is_shown_part_by_part(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), PARTED)
    bike, rest = status.shipments
    assert (bike.part, bike.status, [item.quantity for item in bike.items]) == (1, S.ORDER_ASSEMBLED, [1])
    assert bike.scheduled
    assert (rest.status, rest.tracking_url.startswith("https://")) == (S.ORDER_DELIVERED, True)
    assert [(item.name, item.quantity) for item in status.unshipped] == [("Kettingslot ART 3, 110 cm", 1)]
    assert status.partly_shipped
    assert status.status is S.ORDER_ASSEMBLED, "the order is as far as its last part"
    assert [event.status for event in status.events if event.part == 2] == [
        S.HANDOVER_TO_PARCEL_SERVICE,
        S.ORDER_DELIVERED,
    ]


async def test_an_order_in_one_parcel_holds_everything(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), COMING)
    assert [item.name for item in status.shipments[0].items] == ["Fietshelm Kruin", "Dubbele fietstas Kade, 28 liter"]
    assert (status.unshipped, status.partly_shipped) == ([], False)
    assert status.shipments[0].scheduled


async def test_an_order_without_a_parcel_is_still_to_come_as_a_whole(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), OPEN)
    assert (status.shipments, status.partly_shipped) == ([], False)
    assert [(item.name, item.quantity) for item in status.unshipped] == [
        ("Duinroos Zilt Comfort", 1),
        ("Kettingslot ART 3, 110 cm", 1),
    ]


async def test_the_order_of_somebody_else_is_not_found(living: Living) -> None:
    token = await living.log_in(JORIS)
    for number in (OPEN, "abc", "", "９00000071"):
        for call in (living.ask(DeliveriesApi).order_status, living.ask(DeliveriesApi).delivery_dates):
            with pytest.raises(NotFound):
                await call(token, number)


@pytest.mark.each_database
async def test_a_delivery_moves_along_its_graph_with_a_mail_and_pages_hear_of_it(living: Living) -> None:
    token = await living.log_in(DAAN)
    mark = (await living.ask(ChangesApi).changes(token, Watch(topics=[Topic.DELIVERIES]))).mark
    with pytest.raises(NotAllowed):
        await living.move("shipment", OPEN, "order_delivered")
    assert isinstance(await refusal(living.move("shipment", OPEN, "lost")), InvalidInput)
    for status in ("ready_for_transport", "driver_on_the_way", "order_delivered"):
        assert (await living.move("shipment", OPEN, status, partner="Kwiekpost")).status == status
    assert (await living.ask(ChangesApi).changes(token, Watch(topics=[Topic.DELIVERIES]))).mark == mark + 3
    order = await living.ask(DeliveriesApi).order_status(token, OPEN)
    assert order.status is S.ORDER_DELIVERED
    assert [event.status for event in order.events][-3:] == [
        S.READY_FOR_TRANSPORT,
        S.DRIVER_ON_THE_WAY,
        S.ORDER_DELIVERED,
    ]
    assert (order.shipments[0].carrier, bool(order.shipments[0].delivered_at)) == ("Kwiekpost", True)
    subjects = {mail.subject for mail in await living.mails(DAAN[1])}
    assert subjects == {f"Je bestelling is {status}: {OPEN}" for status in ("onderweg", "bezorgd")}


async def test_a_part_moves_on_its_own_and_the_order_follows_the_last_one(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.move("shipment", f"{PARTED}-1", "ready_for_transport")
    await living.move("shipment", f"{PARTED}-1", "handover_to_parcel_service")
    status = await living.ask(DeliveriesApi).order_status(token, PARTED)
    assert status.status is S.HANDOVER_TO_PARCEL_SERVICE
    assert [event.part for event in status.events][-2:] == [1, 1]
    assert [part.status for part in status.shipments] == [S.HANDOVER_TO_PARCEL_SERVICE, S.ORDER_DELIVERED]
    for unknown in (f"{PARTED}-3", f"{PARTED}-0", "900009999", "x"):
        with pytest.raises(NotFound):
            await living.application.back_office.current_status("shipment", unknown)


async def test_what_is_not_the_customers_is_not_revealed(living: Living) -> None:
    token = await living.log_in(FLEUR)
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).delivery_date_pdf(token, OPEN, "nl")
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).delivery_calendar(token, OPEN, "nl")
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).delivery_calendar(token, "900000081", "nl")
