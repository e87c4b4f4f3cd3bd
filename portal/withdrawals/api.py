"""Withdrawing from a purchase within 14 days, without a reason (Directive 2023/2673; part-2 §11)."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from portal.contract.base import Shape
from portal.contract.returns import Settlement


class GuestOrder(Shape):
    """Who withdraws without a session: order number and e-mail address, raw as typed."""

    order_number: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)


class WithdrawableItem(Shape):
    """An item that can be withdrawn from; `most` units of it."""

    item_id: str
    name: str
    item_color: str = ""
    frame_size: str = ""
    most: int


class Withdrawable(Shape):
    """What can be withdrawn from. `until`: last day; none while something of the order is still to come."""

    order_number: str
    until: date | None = None
    items: list[WithdrawableItem]


class WithdrawnItem(Shape):
    """So many units of an item."""

    item_id: str = Field(max_length=40)
    count: int = Field(ge=1, le=9999)


class WithdrawalEntry(Shape):
    """A declaration. Without items it is about the whole order.

    Attributes:
        name: of the person who declares, raw.
        key: the same one sent twice is one declaration.
    """

    order_number: str = Field(default="", max_length=1000)
    name: str = Field(default="", max_length=1000)
    items: list[WithdrawnItem] = Field(default_factory=list, max_length=100)
    key: str = Field(min_length=8, max_length=64)


class GuestWithdrawal(WithdrawalEntry):
    """A declaration without a session."""

    email: str = Field(default="", max_length=1000)


class WithdrawalReceipt(Shape):
    """The receipt; the same goes out by mail at once. `lines` are the items in words, `email` is masked.

    `battery`: something of it has a battery: where to send it is told when the customer has said how that is.
    """

    reference: str
    order_number: str
    name: str
    received_at: datetime
    lines: list[str]
    email: str
    settlement: Settlement
    return_id: str = ""
    battery: bool = False
