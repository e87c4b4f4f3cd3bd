"""Views of the return flows, built from facts: items, orders, articles, stores, days and amounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from portal.contract.account import Direction
from portal.contract.models import Picture
from portal.deliveries.rules import weeks
from portal.flow.registry import FLOWS
from portal.kernel.address import address_lines
from portal.kernel.codes import Code
from portal.pictures.pages.views import picture_in
from portal.returns.api import EqualBike, Settlement
from portal.returns.flow.items import BIKES
from portal.returns.rules.settlement import SettlementKind, direction_of


@dataclass(frozen=True, slots=True)
class CountView:
    """A choice of how many units of an item; the form sends `value`, such as '900000001-3*2'."""

    value: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class ReturnableItemView:
    """An item to return. An empty text means unknown; days are ISO 8601.

    Attributes:
        refusal: code of the reason why it cannot be chosen; empty when it can.
        order: order number.
        day: day of the order.
        until: last day on which all of these can be returned.
        counts: choices from 0 to `most`; empty when `most` is 1, or when bikes are ticked instead.
    """

    id: str = ""
    refusal: str = ""
    action: str = ""
    href: str = ""
    order: str = ""
    day: str = ""
    name: str = ""
    is_bike: bool = False
    about: str = ""
    picture: Picture = field(default_factory=Picture)
    bundle: str = ""
    frame_number: str = ""
    most: int = 0
    until: str = ""
    counts: list[CountView] = field(default_factory=list)
    picked: str = ""
    bikes: list[EqualBike] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReturnOrderView:
    """An order in the older flow, with its products.

    Attributes:
        email: address to which the link of its unconfirmed return was mailed; else empty.
    """

    id: str = ""
    refusal: str = ""
    action: str = ""
    href: str = ""
    day: str = ""
    email: str = ""
    products: list[ReturnableItemView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OtherItemView:
    """An item that another flow returns; `refusal` is always empty."""

    flow: str
    id: str
    name: str
    picture: Picture
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class ChosenView:
    name: str = ""
    count: int = 1
    order: str = ""
    is_bike: bool = False
    bikes: str = ""
    picture: Picture = field(default_factory=Picture)


@dataclass(frozen=True, slots=True)
class WithdrawView:
    """An order that can still be withdrawn from. `until` is the last day (ISO 8601), empty before the delivery."""

    order: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class ProductView:
    """An article of the shop that the customer can choose in an exchange.

    Attributes:
        dearer: how much more it costs than the returned item; empty when it does not.
        cheaper: how much less it costs; empty when it does not.
    """

    id: str = ""
    gone: bool = False
    name: str = ""
    is_bike: bool = False
    about: str = ""
    picture: Picture = field(default_factory=Picture)
    price: str = ""
    dearer: str = ""
    cheaper: str = ""


def item_view(entry: Mapping[str, Any], picked: Sequence[str] = ()) -> ReturnableItemView:
    most = int(entry["max"])
    bikes = [EqualBike.model_validate(bike) for bike in entry.get(BIKES, ())]
    several = most > 1 and not bikes
    counts = [CountView(f"{entry['id']}*{count}", count) for count in range(most + 1)] if several else []
    values = [count.value for count in counts]
    same = {name: entry[name] for name in ("id", "refusal", "order", "name", "is_bike")}
    action, href = _instead(entry["refusal"], entry["order"], is_bike=entry["is_bike"])
    return ReturnableItemView(
        **same,
        action=action,
        href=href,
        day=entry["order_day"],
        about=_about(entry),
        picture=picture_in(entry),
        bundle=entry["bundle"],
        frame_number=entry["frame_number"],
        most=most,
        until=entry["until"],
        counts=counts,
        picked=next((value for value in values if value in picked), values[0] if values else ""),
        bikes=bikes,
    )


def _about(entry: Mapping[str, Any]) -> str:
    return " · ".join(text for text in (entry["color"], entry["size"]) if text)


_HELD = {Code.RETURN_REQUEST_EXISTS, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.ALREADY_RETURNED}


def _instead(refusal: str, order: str, *, is_bike: bool = False, pending: str = "") -> tuple[str, str]:
    """What the customer can do about an item that cannot be returned: key of the action, and its address."""
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
    pending = entry.get("pending") or {}
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
    difference = Decimal(entry["price"]) - paid
    same = {name: entry[name] for name in ("id", "name", "is_bike", "price")}
    return ProductView(
        **same,
        gone=bool(entry["refusal"]),
        about=_about(entry),
        picture=picture_in(entry),
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
    """A store that takes returns. `distance` is in kilometres with one decimal, empty when unknown."""

    id: str = ""
    name: str = ""
    address: str = ""
    phone: str = ""
    distance: str = ""
    hours: list[HoursView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PickupWeekView:
    """A week and its days with a pick-up (ISO 8601); `first` is its Monday, `last` its Saturday."""

    number: int = 0
    first: str = ""
    last: str = ""
    days: list[str] = field(default_factory=list)


def store_view(entry: Mapping[str, Any]) -> StoreOptionView:
    return StoreOptionView(
        id=entry["id"],
        name=entry["name"],
        address=address_lines(entry).joined,
        phone=entry["phone"],
        distance=entry["distance_km"],
        hours=_hours(entry["hours"]),
    )


def _hours(days: Iterable[Mapping[str, Any]]) -> list[HoursView]:
    """Group consecutive days with the same hours."""
    groups: list[HoursView] = []
    for day in days:
        hours, weekday = f"{day['opens']}-{day['closes']}", int(day["weekday"])
        if groups and (groups[-1].hours, groups[-1].last) == (hours, weekday - 1):
            groups[-1] = HoursView(groups[-1].first, weekday, hours)
        else:
            groups.append(HoursView(weekday, weekday, hours))
    return groups


def week_views(days: Sequence[str]) -> list[PickupWeekView]:
    saturday = timedelta(days=5)
    return [
        PickupWeekView(
            number=week.number,
            first=week.first.isoformat(),
            last=(week.first + saturday).isoformat(),
            days=[day.isoformat() for day in week.days],
        )
        for week in weeks([date.fromisoformat(day) for day in days])
    ]


@dataclass(frozen=True, slots=True)
class AmountLine:
    """A line of a settlement: a value of `SettlementKind`, the item or the order number, and the signed amount."""

    kind: str
    about: str
    amount: str


@dataclass(frozen=True, slots=True)
class Amounts:
    """A settlement that is not stored yet. Amounts are in euro as text; empty texts mean no amount."""

    lines: list[AmountLine] = field(default_factory=list)
    direction: str = Direction.NONE.value
    total: str = ""
    set_off: bool = False
    open: str = ""


def amounts(settlement: Settlement) -> Amounts:
    total = settlement.refund - settlement.charge
    return Amounts(
        lines=[
            AmountLine(
                line.kind.value,
                f"{line.quantity} × {line.item}" if line.quantity > 1 else line.item,
                str(line.amount),
            )
            for line in settlement.lines
        ],
        direction=direction_of(total).value,
        total=str(abs(total)) if settlement.lines else "",
        set_off=any(line.kind is SettlementKind.NOT_PAID for line in settlement.lines),
        open=str(settlement.open) if settlement.open else "",
    )


def stored_amounts(stored: Mapping[str, Any]) -> Amounts:
    """The view of a settlement as JSON; empty while it has no lines."""
    return amounts(Settlement.model_validate(stored)) if stored.get("lines") else Amounts()
