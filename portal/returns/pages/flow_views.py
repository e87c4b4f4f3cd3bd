"""Returns as the pages of their flows show them: items, orders, stores, days, articles, amounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from portal.bikes.pages.state import safe_color
from portal.deliveries.rules import weeks
from portal.flow.registry import FLOWS
from portal.kernel.address import address_lines
from portal.kernel.codes import Code
from portal.returns.api import Settlement
from portal.returns.rules.settlement import SettlementKind


@dataclass(frozen=True, slots=True)
class CountView:
    """So many of an item: `value` is sent, such as '900000001-3*2'."""

    value: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class ReturnableItemView:
    """An item to return. Empty texts mean not known; days ISO 8601.

    Attributes:
        refusal: code of the reason why it cannot be chosen; empty when it can.
        action, href: what can be done instead, and where.
        order, day: number of its order and the day of that.
        about: colour and size.
        bundle: name of the set it was sold in.
        most: how many of it can be returned; until: last day for the first of them.
        counts: none to `most`, where there is more than one; picked: which of them was answered.
    """

    id: str = ""
    refusal: str = ""
    action: str = ""
    href: str = ""
    order: str = ""
    day: str = ""
    name: str = ""
    kind: str = "accessory"
    is_bike: bool = False
    about: str = ""
    color_code: str = "#475c54"
    bundle: str = ""
    frame_number: str = ""
    most: int = 0
    until: str = ""
    counts: list[CountView] = field(default_factory=list)
    picked: str = ""


@dataclass(frozen=True, slots=True)
class ReturnOrderView:
    """An order of which products can be returned. `email`: where the link went of the return that waits for it."""

    id: str = ""
    refusal: str = ""
    action: str = ""
    href: str = ""
    day: str = ""
    email: str = ""
    products: list[ReturnableItemView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChosenView:
    """What comes back."""

    name: str = ""
    count: int = 1
    order: str = ""
    kind: str = "accessory"
    is_bike: bool = False
    color_code: str = "#475c54"


@dataclass(frozen=True, slots=True)
class WithdrawView:
    """An order that can still be withdrawn from, until the end of a day (ISO 8601); empty before it was delivered."""

    order: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class ProductView:
    """An article of the shop. `dearer` is what it costs more than what comes back, `cheaper` what less; else empty."""

    id: str = ""
    gone: bool = False
    name: str = ""
    kind: str = "accessory"
    is_bike: bool = False
    about: str = ""
    color_code: str = "#475c54"
    price: str = ""
    dearer: str = ""
    cheaper: str = ""


def item_view(entry: Mapping[str, Any], picked: Sequence[str] = ()) -> ReturnableItemView:
    """Tell an item among the facts.

    Args:
        entry: the item.
        picked: what was answered: items with their counts.
    """
    most = int(entry["max"])
    counts = [CountView(f"{entry['id']}*{count}", count) for count in range(most + 1)] if most > 1 else []
    values = [count.value for count in counts]
    same = {name: entry[name] for name in ("id", "refusal", "order", "name", "kind", "is_bike")}
    action, href = _instead(entry["refusal"], entry["order"], is_bike=entry["is_bike"])
    return ReturnableItemView(
        **same,
        action=action,
        href=href,
        day=entry["order_day"],
        about=_about(entry),
        color_code=safe_color(entry["color_code"]),
        bundle=entry["bundle"],
        frame_number=entry["frame_number"],
        most=most,
        until=entry["until"],
        counts=counts,
        picked=next((value for value in values if value in picked), values[0] if values else ""),
    )


def _about(entry: Mapping[str, Any]) -> str:
    return " · ".join(text for text in (entry["color"], entry["size"]) if text)


_HELD = {Code.RETURN_REQUEST_EXISTS, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.ALREADY_RETURNED}


def _instead(refusal: str, order: str, *, is_bike: bool = False, pending: str = "") -> tuple[str, str]:
    """What can be done about something that cannot be returned, and where."""
    if pending:
        return "return", f"/returns/{pending}"
    if refusal in _HELD:
        return "returns", "/returns"
    if refusal == Code.ORDER_NOT_SHIPPED:
        return "order", f"/orders/{order}"
    if refusal == Code.OLDER_THAN_100_DAYS and is_bike:
        return "repair", FLOWS["repair-request"].path
    return "contact", "/contact?topic=return"


def order_view(entry: Mapping[str, Any], items: Sequence[ReturnableItemView]) -> ReturnOrderView:
    """Tell an order among the facts, with its items."""
    pending = entry.get("waiting") or {}
    action, href = _instead(entry["refusal"], entry["id"], pending=str(pending.get("return_id", "")))
    return ReturnOrderView(
        id=entry["id"],
        refusal=entry["refusal"],
        action=action,
        href=href,
        day=entry["day"],
        email=str(pending.get("email", "")),
        products=[item for item in items if item.order == entry["id"]],
    )


def product_view(entry: Mapping[str, Any], paid: Decimal) -> ProductView:
    """Tell an article of the shop beside what was paid for what comes back."""
    difference = Decimal(entry["price"]) - paid
    same = {name: entry[name] for name in ("id", "name", "kind", "is_bike", "price")}
    return ProductView(
        **same,
        gone=bool(entry["refusal"]),
        about=_about(entry),
        color_code=safe_color(entry["color_code"]),
        dearer=f"{difference:.2f}" if difference > 0 else "",
        cheaper=f"{-difference:.2f}" if difference < 0 else "",
    )


@dataclass(frozen=True, slots=True)
class HoursView:
    """The same hours on several days in a row; 1 is Monday."""

    first: int = 1
    last: int = 1
    hours: str = ""


@dataclass(frozen=True, slots=True)
class StoreOptionView:
    """A store to bring it to. `distance` in kilometres with one decimal, empty when not known."""

    id: str = ""
    name: str = ""
    address: str = ""
    phone: str = ""
    distance: str = ""
    hours: list[HoursView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PickupWeekView:
    """A week with the days that can be had (ISO 8601); `first` and `last` are its Monday and its Saturday."""

    number: int = 0
    first: str = ""
    last: str = ""
    days: list[str] = field(default_factory=list)


def store_view(entry: Mapping[str, Any]) -> StoreOptionView:
    """Tell a store among the facts."""
    return StoreOptionView(
        id=entry["id"],
        name=entry["name"],
        address=address_lines(entry).joined,
        phone=entry["phone"],
        distance=entry["distance_km"],
        hours=_hours(entry["hours"]),
    )


def _hours(days: Iterable[Mapping[str, Any]]) -> list[HoursView]:
    """Days in a row with the same hours together."""
    found: list[HoursView] = []
    for day in days:
        hours, weekday = f"{day['opens']}-{day['closes']}", int(day["weekday"])
        if found and (found[-1].hours, found[-1].last) == (hours, weekday - 1):
            found[-1] = HoursView(found[-1].first, weekday, hours)
        else:
            found.append(HoursView(weekday, weekday, hours))
    return found


def week_views(days: Sequence[str]) -> list[PickupWeekView]:
    """Days that can be had, week by week."""
    found = weeks([date.fromisoformat(day) for day in days])
    saturday = timedelta(days=5)
    return [
        PickupWeekView(
            number=week.number,
            first=week.first.isoformat(),
            last=(week.first + saturday).isoformat(),
            days=[day.isoformat() for day in week.days],
        )
        for week in found
    ]


@dataclass(frozen=True, slots=True)
class AmountLine:
    """A line of the settlement: what for, a value of `SettlementKind`; of what; how much, signed."""

    kind: str
    about: str
    amount: str


@dataclass(frozen=True, slots=True)
class Amounts:
    """What comes back, or is to be paid. `refund` and `charge` are empty when nothing does; `lines` may be none.

    Attributes:
        set_off: whether something that is not paid yet was taken off.
        open: what is still to be paid for the same orders beside it; empty for nothing.
    """

    lines: list[AmountLine] = field(default_factory=list)
    refund: str = ""
    charge: str = ""
    set_off: bool = False
    open: str = ""


def amounts(found: Settlement) -> Amounts:
    """Tell a settlement."""
    return Amounts(
        lines=[
            AmountLine(
                line.kind.value,
                f"{line.quantity} × {line.item}" if line.quantity > 1 else line.item,
                str(line.amount),
            )
            for line in found.lines
        ],
        refund=str(found.refund) if found.lines and not found.charge else "",
        charge=str(found.charge) if found.charge else "",
        set_off=any(line.kind is SettlementKind.NOT_PAID for line in found.lines),
        open=str(found.open) if found.open else "",
    )


def stored_amounts(stored: Mapping[str, Any]) -> Amounts:
    """Tell a settlement as a request keeps it; nothing while it has no lines."""
    return amounts(Settlement.model_validate(stored)) if stored.get("lines") else Amounts()
