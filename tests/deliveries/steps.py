"""Helpers that open the delivery pages through the framework's own pipeline, and fill or free delivery days."""

from typing import Any

from portal.deliveries.pages.state import DeliveryDatePage
from tests.support.connections import Shop
from tests.support.people import DAAN
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.waiting import until

FREE, PENDING, CONFIRMED, GONE, PARTED, UNPLANNED = (
    "900000071", "900000072", "900000073", "900000077", "900000078", "900000079",
)  # fmt: skip


async def opened(tabs: Pipeline, shop: Shop, name: str, page: Any, path: str, who: tuple[str, str] = DAAN) -> Tab:
    tab = signed_in(tabs.tab(f"{name}-{path}"), await shop.token(*who))
    return await tab.send(page.load, path=path)


async def dates(tabs: Pipeline, shop: Shop, number: str, name: str = "dates", page: str = "") -> Tab:
    return await opened(tabs, shop, name, DeliveryDatePage, f"/delivery-date/{number}{page}")


def free_day(tab: Tab, place: int = -1) -> tuple[str, str]:
    """The week id and ISO day of a free day; `place` is its index among the free days."""
    weeks = tab.shown(DeliveryDatePage, "dates").weeks
    return [(week.id, str(day.day)) for week in weeks for day in week.days if day.free][place]


async def chosen(tabs: Pipeline, shop: Shop, name: str, place: int = -1) -> tuple[Tab, str]:
    """A tab on the check page of a free day, and that day."""
    _week, day = free_day(await dates(tabs, shop, FREE, name), place)
    return await dates(tabs, shop, FREE, name, f"/check?day={day}"), day


async def fill(shop: Shop, day: str) -> None:
    """Leave no free place on a day."""
    await shop.alter(
        "INSERT INTO delivery_days (country_code, day, capacity, taken) VALUES ('NL', ?, 0, 0)"
        " ON CONFLICT (country_code, day) DO UPDATE SET capacity = taken",
        day,
    )


async def empty(shop: Shop) -> None:
    """Undo `fill` for all days."""
    await shop.alter("DELETE FROM delivery_days WHERE capacity = 0")
    await shop.alter("UPDATE delivery_days SET capacity = 12 WHERE capacity = taken")


async def lose_mail(shop: Shop) -> None:
    """Let the mail that asks to confirm a day count as given up, once no mail is on its way."""
    lost = (
        "UPDATE outbox_mails SET dropped_at = datetime('now') WHERE template = 'confirm_delivery_date'"
        " AND NOT EXISTS (SELECT 1 FROM outbox_mails WHERE sent_at IS NULL AND dropped_at IS NULL)"
    )

    async def is_lost() -> bool:
        return await shop.alter(lost) > 0

    await until(is_lost)
