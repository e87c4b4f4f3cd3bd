"""Links of mails that follow a delivery without a login (decision 0127)."""

import re
from datetime import timedelta

import pytest

from portal.contract.errors import NotFound
from portal.deliveries.api import DeliveriesApi, TrackingEntry
from portal.tables.orders import ShipmentRow
from portal.vocabulary.links import TRACKING_LIFETIME
from tests.support.living import DAAN, OPEN, Living

PARTED = "900000078"
_CODE = re.compile(r"/track/([A-Za-z0-9_-]+)")


async def _mailed(living: Living, reference: str = OPEN) -> tuple[str, str]:
    """The text of the mail about a new status, and the code of the link in it."""
    await living.move("shipment", reference, "ready_for_transport", note="Even geduld.")
    text = (await living.mails(DAAN[1]))[0].text
    found = _CODE.search(text)
    assert found, text
    return text, found[1]


async def test_the_mail_has_day_hours_and_a_link_that_needs_no_login(living: Living) -> None:
    text, code = await _mailed(living)
    order = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), OPEN)
    assert order.account.handover
    assert order.account.handover.when.nl in text
    shown = await living.ask(DeliveriesApi).tracking(TrackingEntry(code=code))
    assert (shown.status, shown.when, shown.phase) == (
        order.account.status,
        order.account.handover.when,
        order.account.phase,
    )
    assert [(part.carrier, part.tracking_code) for part in shown.parts] == [
        (part.carrier, part.tracking_code) for part in order.shipments
    ]


async def test_the_link_tells_nothing_of_the_customer_or_the_order(living: Living) -> None:
    for reference in (OPEN, f"{PARTED}-1"):
        _, code = await _mailed(living, reference)
        token = await living.log_in(DAAN)
        number = reference.partition("-")[0]
        order = await living.ask(DeliveriesApi).order_status(token, number)
        shown = (await living.ask(DeliveriesApi).tracking(TrackingEntry(code=code))).model_dump_json().lower()
        assert order.account.handover
        items = [item.name for part in order.shipments for item in part.items] + [item.name for item in order.unshipped]
        for private in (number, "daan", *order.account.handover.place, *items):
            assert private.lower() not in shown, private


async def test_a_carrier_with_a_page_of_its_own_is_linked_instead(living: Living) -> None:
    await living.change(ShipmentRow, {"tracking_url": "https://carrier.example/3S1"})
    await living.move("shipment", f"{PARTED}-1", "ready_for_transport", note="Even geduld.")
    text = (await living.mails(DAAN[1]))[0].text
    assert "https://carrier.example/3S1" in text
    assert not _CODE.search(text)


async def test_a_finished_delivery_has_nothing_to_follow(living: Living) -> None:
    for status in ("ready_for_transport", "driver_on_the_way", "order_delivered"):
        await living.move("shipment", OPEN, status, note="Even geduld.")
        living.clock.forward(minutes=1)
    assert not _CODE.search((await living.mails(DAAN[1]))[0].text)


async def test_a_link_dies_and_cannot_be_made_up(living: Living) -> None:
    _, code = await _mailed(living)
    changed = code[:-4] + ("AAAA" if not code.endswith("AAAA") else "BBBB")
    for other in ("", "x", "é", code[:-1], changed, "A" * 300):
        with pytest.raises(NotFound):
            await living.ask(DeliveriesApi).tracking(TrackingEntry(code=other))
    living.clock.forward(seconds=(TRACKING_LIFETIME - timedelta(minutes=1)).total_seconds())
    await living.ask(DeliveriesApi).tracking(TrackingEntry(code=code))
    living.clock.forward(minutes=2)
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).tracking(TrackingEntry(code=code))
