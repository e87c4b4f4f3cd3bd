"""Returns as the pages of their flows show them: items, orders, stores, days, articles, amounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from portal.domain.codes import Code
from portal.flows import FLOWS
from portal.states.views.bikes import safe_color


@dataclass(frozen=True, slots=True)
class CountView:
    """So many of an item: `value` is sent, such as '900000001-3*2'."""

    value: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class ItemView:
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
class OrderView:
    """An order of which products can be returned. `email`: where the link went of the return that waits for it."""

    id: str = ""
    refusal: str = ""
    action: str = ""
    href: str = ""
    day: str = ""
    email: str = ""
    products: list[ItemView] = field(default_factory=list)


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


def item_view(entry: Mapping[str, Any], picked: Sequence[str] = ()) -> ItemView:
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
    return ItemView(
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


def _instead(refusal: str, order: str, *, is_bike: bool = False, waiting: str = "") -> tuple[str, str]:
    """What can be done about something that cannot be returned, and where."""
    if waiting:
        return "return", f"/returns/{waiting}"
    if refusal in _HELD:
        return "returns", "/returns"
    if refusal == Code.ORDER_NOT_SHIPPED:
        return "order", f"/orders/{order}"
    if refusal == Code.OLDER_THAN_100_DAYS and is_bike:
        return "repair", FLOWS["repair-request"].path
    return "contact", "/contact?topic=return"


def order_view(entry: Mapping[str, Any], items: Sequence[ItemView]) -> OrderView:
    """Tell an order among the facts, with its items."""
    waiting = entry.get("waiting") or {}
    action, href = _instead(entry["refusal"], entry["id"], waiting=str(waiting.get("return_id", "")))
    return OrderView(
        id=entry["id"],
        refusal=entry["refusal"],
        action=action,
        href=href,
        day=entry["day"],
        email=str(waiting.get("email", "")),
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
