"""The words that tell a bike from another of its name."""

from sqlalchemy.orm import aliased
from sqlmodel import col, exists, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.account import LocalizedText
from portal.kernel.texts import Locale, gettext_for
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow

_END = 4
"""Characters of a frame number that tell bikes of one model apart."""

_other = aliased(BikeRow)
HAS_EQUAL = (
    exists()
    .where(
        col(_other.customer_id) == BikeRow.customer_id, col(_other.name) == BikeRow.name, col(_other.id) != BikeRow.id
    )
    .correlate(BikeRow)
)
"""Its customer has another bike of that name."""


def bike_mark(bike: BikeRow, locale: Locale) -> str:
    """The colour of a bike and the end of its frame number, as far as they are known."""
    _ = gettext_for(locale)
    end = (bike.frame_number or "")[-_END:]
    frame = _("frame number ending in {end}").replace("{end}", end) if end else ""
    return ", ".join(part for part in (bike.color_in(locale), frame) if part)


def bike_in_full(bike: BikeRow, locale: Locale) -> str:
    """The name of a bike with its mark, for a line of text."""
    return ", ".join(part for part in (bike.name_in(locale), bike_mark(bike, locale)) if part)


def bike_name(bike: BikeRow, locale: Locale, *, has_equal: bool) -> str:
    """The name of a bike, in full where its customer has another one of that name."""
    return bike_in_full(bike, locale) if has_equal else bike.name_in(locale)


def order_mark(number: str, locale: Locale) -> str:
    """The order of a bike or an item, for a line of text."""
    return gettext_for(locale)("order {number}").replace("{number}", number)


async def bike_called(session: AsyncSession, bike: BikeRow) -> LocalizedText:
    """`bike_name` in both languages, with its order if nothing else tells it from another one."""
    found = select(HAS_EQUAL, OrderRow.order_number).where(BikeRow.id == bike.id, OrderRow.id == BikeRow.order_id)
    has_equal, number = (await session.exec(found)).one()

    def called(locale: Locale) -> str:
        name = bike_name(bike, locale, has_equal=has_equal)
        return f"{name}, {order_mark(number, locale)}" if has_equal and not bike.frame_number else name

    return LocalizedText.each(called)
