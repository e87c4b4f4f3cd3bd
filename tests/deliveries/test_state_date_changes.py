"""The state of the pages for another delivery day: sending a request, through the framework's own pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from portal.contract import registry
from portal.contract.errors import Conflict, ProviderError, Refused, TooMany, Unavailable
from portal.deliveries.pages.order_status import OrderStatusPage
from portal.deliveries.pages.state import DeliveryDatePage
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from tests.deliveries.steps import FREE, PENDING, chosen, dates, empty, fill, lose_mail, opened
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import DAAN
from tests.support.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def untouched(shop: Shop) -> AsyncIterator[None]:
    """Delete the requests for the free order after the test."""
    yield
    query = "DELETE FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"
    await shop.alter(query, FREE)


@pytest.mark.usefixtures("untouched")
async def test_a_day_is_asked_for_once_and_waits_for_the_mail(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "ask")
    path = f"/delivery-date/{FREE}/check?day={day}"
    assert (tab.shown(DeliveryDatePage, "day"), tab.events) == (day, [])
    view = tab.shown(DeliveryDatePage, "dates")
    assert view.new_window == ["17:30", "20:00"], "an evening stays an evening"
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    view = tab.shown(DeliveryDatePage, "dates")
    assert view.date_status == "waiting_for_customer"
    assert "17:30" in view.change.account.handover.when.nl
    assert view.change.email == DAAN[1], "the customer has to find the mail"
    assert f"/delivery-date/{FREE}" in repr(tab.events)
    # A second press, such as in another tab, makes no second request; the page shows that one is pending.
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == Code.DATE_CHANGE_PENDING
    order = await opened(tabs, shop, "asked", OrderStatusPage, f"/order-status/{FREE}")
    shown = order.shown(OrderStatusPage, "order")
    assert (shown.change_refusal, shown.change.status) == (Code.DATE_CHANGE_PENDING, "waiting_for_customer")

    mails = len(shop.mailbox.mails_to(DAAN[1]))
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "resent") is True
    await asyncio.to_thread(shop.mailbox.wait_for, DAAN[1], after=mails)
    await tab.send(DeliveryDatePage.withdraw, path=f"/delivery-date/{FREE}")
    view = tab.shown(DeliveryDatePage, "dates")
    assert (view.date_status, view.change.status) == ("", "cancelled")
    assert tab.shown(DeliveryDatePage, "withdrawn") == 1
    assert "Je aanvraag is geannuleerd" in repr(tab.shown(Toasts, "items"))


@pytest.mark.usefixtures("untouched")
async def test_a_mail_that_could_not_be_sent_is_reported(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "mail-failed")
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    await lose_mail(shop)
    change = (await dates(tabs, shop, FREE, "mail-failed-now")).shown(DeliveryDatePage, "dates").change
    assert (change.pending, change.email_failed) == (True, True)


async def test_a_day_that_was_taken_meanwhile_is_reported_where_another_can_be_chosen(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, day = await chosen(tabs, shop, "taken")
    path = f"/delivery-date/{FREE}/check?day={day}"
    await fill(shop, day)
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert f"/delivery-date/{FREE}/choose" in repr(tab.events)
    assert "De bezorgdag kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
    assert tab.shown(DeliveryDatePage, "wrong_week") is None, "what was found wrong is kept for this page"
    assert {entry.free for week in tab.shown(DeliveryDatePage, "dates").weeks for entry in week.days} == {True, False}
    await empty(shop)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (Unavailable(), Code.GENERAL_ERROR),
        (TooMany(Code.MAIL_SENT_RECENTLY, retry_at=datetime(2026, 6, 3, tzinfo=UTC)), Code.MAIL_SENT_RECENTLY),
        (Refused(Code.ALREADY_HANDED_OVER), Code.ALREADY_HANDED_OVER),
        (Refused(Code.DELIVERY_NOT_PLANNED), Code.DELIVERY_NOT_PLANNED),
        (Refused(Code.DATE_CHANGE_NOT_OFFERED), Code.DATE_CHANGE_NOT_OFFERED),
        (Refused(Code.NO_DELIVERY_OPTIONS), Code.NO_DELIVERY_OPTIONS),
        (Conflict(Code.DATE_CHANGE_PENDING), Code.DATE_CHANGE_PENDING),
    ],
)
async def test_why_a_day_could_not_be_asked_for_is_reported_in_the_page_and_in_the_corner(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch, error: ProviderError, failure: Code
) -> None:
    tab, day = await chosen(tabs, shop, f"refused-{failure}")

    async def refuse(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, request_delivery_date=refuse)])
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == failure
    assert tab.shown(DeliveryDatePage, "attempt") == 1
    assert bool(tab.shown(DeliveryDatePage, "retry_at")) == (failure is Code.MAIL_SENT_RECENTLY)
    assert bool(tab.events) == isinstance(error, (Refused, Conflict)), "the first page shows a rule"
    assert MESSAGES[Code.DATE_CHANGE_FAILED] in repr(tab.shown(Toasts, "items"))
    assert "De bezorgdag kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))


async def test_what_no_longer_waits_is_shown_as_it_stands(tabs: Pipeline, shop: Shop) -> None:
    tab = await dates(tabs, shop, FREE, "nothing-waits")
    for handler in (DeliveryDatePage.resend, DeliveryDatePage.withdraw):
        await tab.send(handler, path=f"/delivery-date/{FREE}")
        assert tab.shown(DeliveryDatePage, "failure") in (None, "")
        assert tab.shown(DeliveryDatePage, "resent") is not True


async def test_a_wait_before_the_next_mail_is_reported(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = await dates(tabs, shop, PENDING, "wait")

    async def refuse(*_: Any) -> Any:
        raise TooMany(Code.MAIL_SENT_RECENTLY, retry_at=datetime(2026, 6, 3, tzinfo=UTC))

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, resend_delivery_date=refuse)])
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{PENDING}")
    assert tab.shown(DeliveryDatePage, "failure") == Code.MAIL_SENT_RECENTLY
    assert tab.shown(DeliveryDatePage, "retry_at") == datetime(2026, 6, 3, tzinfo=UTC)
    assert "We hebben je net een e-mail gestuurd." in repr(tab.shown(Toasts, "items"))
