"""Order status and the change of a delivery day, through the framework's own pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from portal.contract.errors import Conflict, ProviderError, Refused, TooMany, Unavailable
from portal.contract.street import provider
from portal.domain.codes import Code
from portal.domain.date_changes import DateChangeStatus
from portal.domain.statuses import DeliveryStatus
from portal.provider.backoffice.moves import Wish
from portal.provider.house import House
from portal.settings import Settings
from portal.states import live
from portal.states.dashboard import Dashboard
from portal.states.delivery_date import DeliveryDatePage
from portal.states.order_status import OrderStatusPage
from portal.states.page import FAILED, MISSING, READY
from portal.states.toasts import Toasts
from tests.contract.people import BRAM, DAAN, SANNE
from tests.portal.conftest import signed_in
from tests.portal.test_live_states import begin, until
from tests.support.pipeline import Pipeline, Tab
from tests.support.ways import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")
FREE, PENDING, CONFIRMED, GONE, PARTED, UNPLANNED = (
    "900000071", "900000072", "900000073", "900000077", "900000078", "900000079",
)  # fmt: skip
STATUSES = [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN]


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop: Shop) -> AsyncIterator[House]:
    """The back office, as a process of its own would be."""
    house = House(Settings.model_validate({"data_dir": shop.data_dir}))
    yield house
    await house.context.database.close()


@pytest_asyncio.fixture(loop_scope="module")
async def untouched(shop: Shop) -> AsyncIterator[None]:
    """Leave the wish of the free order as it was: there is none."""
    yield
    query = "DELETE FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"
    await shop.alter(query, FREE)


async def opened(tabs: Pipeline, shop: Shop, name: str, page: Any, path: str, who: tuple[str, str] = DAAN) -> Tab:
    tab = signed_in(tabs.tab(f"{name}-{path}"), await shop.token(*who))
    return await tab.send(page.load, path=path)


async def dates(tabs: Pipeline, shop: Shop, number: str, name: str = "dates", page: str = "") -> Tab:
    return await opened(tabs, shop, name, DeliveryDatePage, f"/delivery-date/{number}{page}")


def free_day(tab: Tab, place: int = -1) -> tuple[str, str]:
    """A week and a day in it that can be chosen."""
    weeks = tab.shown(DeliveryDatePage, "dates").weeks
    return [(week.id, day.day) for week in weeks for day in week.days if day.free][place]


async def chosen(tabs: Pipeline, shop: Shop, name: str, place: int = -1) -> tuple[Tab, str]:
    """The check page for a day."""
    _week, day = free_day(await dates(tabs, shop, FREE, name), place)
    return await dates(tabs, shop, FREE, name, f"/check?day={day}"), day


@pytest.mark.parametrize("place", range(14))
async def test_each_of_the_fourteen_statuses_is_told_with_its_history(tabs: Pipeline, shop: Shop, place: int) -> None:
    tab = await opened(tabs, shop, "status", OrderStatusPage, f"/order-status/{900_000_701 + place}", BRAM)
    order = tab.shown(OrderStatusPage, "order")
    assert (tab.shown(OrderStatusPage, "face"), order.status) == (READY, STATUSES[place].value)
    assert order.events[0].status == order.status
    assert order.events[-1].status == "order_being_processed"
    assert [item.name for item in order.waiting] or order.parts[0].content, "what is in it is always told"


async def test_an_order_in_parts_is_told_part_by_part(tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(tabs, shop, "parts", OrderStatusPage, f"/order-status/{PARTED}")
    order = tab.shown(OrderStatusPage, "order")
    bike, rest = order.parts
    assert (bike.status, bool(bike.day), rest.status, rest.day) == ("order_assembled", True, "order_delivered", "")
    assert rest.url.startswith("https://")
    assert [(item.quantity, item.name) for item in order.waiting] == [(1, "Kettingslot ART 3, 110 cm")]
    assert order.partly


@pytest.mark.parametrize("number", [FREE, "900009999", "x", "..%2f.."])
async def test_the_order_of_somebody_else_is_not_found(tabs: Pipeline, shop: Shop, number: str) -> None:
    for page, path in ((OrderStatusPage, "order-status"), (DeliveryDatePage, "delivery-date")):
        tab = await opened(tabs, shop, "foreign", page, f"/{path}/{number}", SANNE)
        assert tab.shown(page, "face") == MISSING


async def test_what_cannot_be_loaded_says_so_and_is_asked_again(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> Any:
        raise Unavailable

    for page, path, asked in (
        (OrderStatusPage, f"/order-status/{FREE}", "order_status"),
        (DeliveryDatePage, f"/delivery-date/{FREE}", "delivery_dates"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(provider(), asked, away)
            tab = await opened(tabs, shop, "away", page, path)
            assert tab.shown(page, "face") == FAILED
        await tab.send(page.load, path=path)
        assert tab.shown(page, "face") == READY


async def test_the_page_of_an_order_follows_its_delivery(
    tabs: Pipeline, shop: Shop, office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SETTLED_SECONDS", 0.05)
    number = UNPLANNED
    for page, where in ((OrderStatusPage, f"/order-status/{number}"), (Dashboard, "/dashboard")):
        tab = await opened(tabs, shop, "live", page, where)
        watching = await begin(tab, page.watch, where)
        await asyncio.sleep(0.5)
        standing = await office.back_office.stand("shipment", number)
        target = next(status for status in standing.possible if status != "order_cancelled")
        await office.back_office.move("shipment", number, Wish(status=target, note="Even geduld."))
        await until(lambda tab=tab, page=page: tab.shown(page, "news") == 1, 2.5)
        assert target in repr(tab.deltas)
        watching.cancel()


@pytest.mark.parametrize(
    ("number", "standing"),
    [
        (FREE, ""),
        (PENDING, DateChangeStatus.WAITING_FOR_CUSTOMER),
        (CONFIRMED, DateChangeStatus.WAITING_FOR_RETAILER),
        ("900000074", ""),
        ("900000075", ""),
        ("900000076", ""),
        (GONE, Code.ALREADY_HANDED_OVER),
        (UNPLANNED, Code.DELIVERY_NOT_PLANNED),
    ],
)
async def test_the_page_has_a_face_for_every_standing(tabs: Pipeline, shop: Shop, number: str, standing: str) -> None:
    for page in ("", "/choose", "/check?day=2026-06-09"):
        view = (await dates(tabs, shop, number, page=page)).shown(DeliveryDatePage, "dates")
        assert view.standing == standing
        assert bool(view.weeks) == (standing == "")
        assert view.change.pending == standing.startswith("waiting")


async def test_an_order_without_the_feature_and_a_shop_without_days_say_so(tabs: Pipeline, shop: Shop) -> None:
    number = "900000076"
    features = "UPDATE orders SET features = ? WHERE order_number = ?"
    [kept] = [row for row in await _rows(shop, "SELECT features FROM orders WHERE order_number = ?", number)]
    await shop.alter(features, "[]", number)
    view = (await dates(tabs, shop, number, "feature")).shown(DeliveryDatePage, "dates")
    assert view.standing == Code.DATE_CHANGE_NOT_OFFERED
    await shop.alter(features, kept, number)
    weeks = (await dates(tabs, shop, FREE, "none-left")).shown(DeliveryDatePage, "dates").weeks
    for week in weeks:
        for entry in week.days:
            await _fill(shop, entry.day)
    tab = await dates(tabs, shop, FREE, "none-left-now")
    view = tab.shown(DeliveryDatePage, "dates")
    await _empty(shop)
    assert view.standing == Code.NO_DELIVERY_OPTIONS
    assert timedelta(minutes=59) < datetime.fromisoformat(view.retry_at) - datetime.now(UTC) <= timedelta(hours=1)


async def test_a_week_and_a_day_of_it_are_asked_for_by_name(tabs: Pipeline, shop: Shop) -> None:
    path = f"/delivery-date/{FREE}/choose"
    tab = await dates(tabs, shop, FREE, "choose", "/choose")
    assert not tab.shown(DeliveryDatePage, "week"), "none is chosen beforehand"
    assert not tab.shown(DeliveryDatePage, "day")
    week, day = free_day(tab)
    other, _ = free_day(tab, 0)
    for form, wrong in (
        ({}, {"wrong_week": "required"}),
        ({"week": "2020-W01"}, {"wrong_week": "required"}),
        ({"week": week}, {"wrong_day": "required"}),
        ({"week": other, f"day-{other}": day}, {"wrong_day": "delivery_day_taken"}),
        ({"week": week, f"day-{week}": "2020-01-06"}, {"wrong_day": "delivery_day_taken"}),
    ):
        await tab.send(DeliveryDatePage.choose, path=path, form=form)
        assert tab.events == []
        assert {name: tab.shown(DeliveryDatePage, name) for name in wrong} == wrong
    await tab.send(DeliveryDatePage.choose, path=path, form={"week": week, f"day-{week}": day})
    assert f"/delivery-date/{FREE}/check?day={day}" in repr(tab.events)


async def test_the_check_page_needs_a_day_that_can_be_had(tabs: Pipeline, shop: Shop) -> None:
    planned = (await dates(tabs, shop, FREE, "planned")).shown(DeliveryDatePage, "dates").day
    for query, code in (
        ("", ""),
        ("?day=", ""),
        ("?day=%3Cscript%3E", ""),
        ("?day=2020-01-06", "delivery_day_taken"),
        (f"?day={planned}", "same_delivery_day"),
    ):
        tab = await dates(tabs, shop, FREE, f"check{query}", f"/check{query}")
        assert f"/delivery-date/{FREE}/choose" in repr(tab.events)
        assert (tab.shown(DeliveryDatePage, "wrong_week") or "") == code
        # The page it leads to tells it; opened once more it does not.
        await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
        assert tab.shown(DeliveryDatePage, "wrong_week") == (None if code else "")
        await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
        assert not tab.shown(DeliveryDatePage, "wrong_week")


@pytest.mark.usefixtures("untouched")
async def test_a_day_is_asked_for_once_and_waits_for_the_mail(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "ask")
    path = f"/delivery-date/{FREE}/check?day={day}"
    assert (tab.shown(DeliveryDatePage, "day"), tab.events) == (day, [])
    view = tab.shown(DeliveryDatePage, "dates")
    assert (view.new_start, view.new_until) == ("17:30", "20:00"), "an evening stays an evening"
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    view = tab.shown(DeliveryDatePage, "dates")
    assert (view.standing, view.change.new, view.change.start) == ("waiting_for_customer", day, "17:30")
    assert "@" in view.change.email
    assert DAAN[1] not in repr(tab.deltas), "the address is masked"
    assert f"/delivery-date/{FREE}" in repr(tab.events)
    # Pressed again, as by another tab: it is the same wish, and the page says that there is one.
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == Code.DATE_CHANGE_PENDING
    order = await opened(tabs, shop, "asked", OrderStatusPage, f"/order-status/{FREE}")
    shown = order.shown(OrderStatusPage, "order")
    assert (shown.refusal, shown.change.status) == (Code.DATE_CHANGE_PENDING, "waiting_for_customer")

    mails = len(shop.mailbox.mails_to(DAAN[1]))
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "resent") is True
    await asyncio.to_thread(shop.mailbox.wait_for, DAAN[1], after=mails)
    await tab.send(DeliveryDatePage.withdraw, path=f"/delivery-date/{FREE}")
    view = tab.shown(DeliveryDatePage, "dates")
    assert (view.standing, view.change.status) == ("", "cancelled")
    assert tab.shown(DeliveryDatePage, "withdrawn") == 1
    assert "Je aanvraag is ingetrokken" in repr(tab.shown(Toasts, "items"))


@pytest.mark.usefixtures("untouched")
async def test_a_mail_that_could_not_be_sent_is_told(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "mail-failed")
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    await shop.alter("UPDATE outbox_mails SET dropped_at = datetime('now') WHERE template = 'confirm_delivery_date'")
    change = (await dates(tabs, shop, FREE, "mail-failed-now")).shown(DeliveryDatePage, "dates").change
    assert (change.pending, change.email_failed) == (True, True)


async def test_a_day_that_was_taken_meanwhile_is_told_where_another_can_be_chosen(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "taken")
    path = f"/delivery-date/{FREE}/check?day={day}"
    await _fill(shop, day)
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert f"/delivery-date/{FREE}/choose" in repr(tab.events)
    assert "De leverdatum kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
    assert tab.shown(DeliveryDatePage, "wrong_week") is None, "what was found wrong is kept for this page"
    assert {entry.free for week in tab.shown(DeliveryDatePage, "dates").weeks for entry in week.days} == {True, False}
    await _empty(shop)


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
async def test_why_a_day_could_not_be_asked_for_is_told_in_the_page_and_in_the_corner(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch, error: ProviderError, failure: Code
) -> None:
    tab, day = await chosen(tabs, shop, f"refused-{failure}")

    async def refuse(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(provider(), "request_delivery_date", refuse)
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == failure
    assert tab.shown(DeliveryDatePage, "attempt") == 1
    assert bool(tab.shown(DeliveryDatePage, "retry_at")) == (failure is Code.MAIL_SENT_RECENTLY)
    assert bool(tab.events) == isinstance(error, (Refused, Conflict)), "a rule is told by the first page"
    assert "De leverdatum kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))


async def test_what_no_longer_waits_is_shown_as_it_stands(tabs: Pipeline, shop: Shop) -> None:
    tab = await dates(tabs, shop, FREE, "nothing-waits")
    for handler in (DeliveryDatePage.resend, DeliveryDatePage.withdraw):
        await tab.send(handler, path=f"/delivery-date/{FREE}")
        assert tab.shown(DeliveryDatePage, "failure") in (None, "")
        assert tab.shown(DeliveryDatePage, "resent") is not True


async def test_a_wait_before_the_next_mail_is_told(tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await dates(tabs, shop, PENDING, "wait")

    async def refuse(*_: Any) -> Any:
        raise TooMany(Code.MAIL_SENT_RECENTLY, retry_at=datetime(2026, 6, 3, tzinfo=UTC))

    monkeypatch.setattr(provider(), "resend_delivery_date", refuse)
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{PENDING}")
    assert tab.shown(DeliveryDatePage, "failure") == Code.MAIL_SENT_RECENTLY
    assert tab.shown(DeliveryDatePage, "retry_at").startswith("2026-06-03")
    assert "We hebben je net een e-mail gestuurd." in repr(tab.shown(Toasts, "items"))


async def _fill(shop: Shop, day: str) -> None:
    """Take every place of a day."""
    await shop.alter(
        "INSERT INTO delivery_days (country_code, day, capacity, taken) VALUES ('NL', ?, 0, 0)"
        " ON CONFLICT (country_code, day) DO UPDATE SET capacity = taken",
        day,
    )


async def _empty(shop: Shop) -> None:
    """Give the places back."""
    await shop.alter("DELETE FROM delivery_days WHERE capacity = 0")
    await shop.alter("UPDATE delivery_days SET capacity = 12 WHERE capacity = taken")


async def _rows(shop: Shop, query: str, *values: Any) -> list[Any]:
    import sqlite3

    def ask() -> list[Any]:
        with sqlite3.connect(shop.data_dir / "portal.db", timeout=10) as connection:
            return [row[0] for row in connection.execute(query, values).fetchall()]

    return await asyncio.to_thread(ask)
