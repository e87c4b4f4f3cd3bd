"""Withdrawals: the models that travel, and the operations (Directive 2023/2673)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.models import Model
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.returns.api import Settlement


class GuestOrder(Model):
    """Who withdraws without a session: order number and e-mail address, raw as typed."""

    order_number: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)


class WithdrawableItem(Model):
    """An item that can be withdrawn from; `most` units of it."""

    item_id: str
    name: str
    item_color: str = ""
    frame_size: str = ""
    most: int


class Withdrawable(Model):
    """What can be withdrawn from. `until`: last day; none while something of the order is still to come."""

    order_number: str
    until: date | None = None
    items: list[WithdrawableItem]


class WithdrawnItem(Model):
    """So many units of an item."""

    item_id: str = Field(max_length=40)
    count: int = Field(ge=1, le=9999)


class WithdrawalEntry(Model):
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


class WithdrawalReceipt(Model):
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


OrderNumber = Annotated[str, Field(default="", max_length=1000, description="Number of the order; empty for all.")]

_OFFER = (
    DeclaredRefusal(InvalidInput, Code.INVALID_ORDER),
    DeclaredRefusal(Refused, Code.ORDER_ID_NOT_FOUND, Code.WITHDRAWAL_PERIOD_OVER, Code.NOTHING_FOUND),
)

_DECLARE = (
    *_OFFER,
    DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER),
    DeclaredRefusal(Refused, Code.RETURN_REQUEST_ALREADY_EXISTS),
)

_GUEST = (
    DeclaredRefusal(InvalidInput, Code.MISSING_EMAIL_ADDRESS, Code.INVALID_EMAIL),
    DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
)


class WithdrawalsApi(Protocol):
    """Withdrawals."""

    @operation("GET", "/withdrawable", refuses=_OFFER)
    async def withdrawable(self, token: Token, order_number: OrderNumber) -> Withdrawable:
        """What the customer can withdraw from."""
        ...

    @operation("POST", "/withdrawals", refuses=_DECLARE)
    async def withdraw(self, token: Token, entry: WithdrawalEntry) -> WithdrawalReceipt:
        """Declare a withdrawal. The receipt goes out at once; with the same key again, it is the same one."""
        ...

    @operation("POST", "/guest/withdrawable", refuses=(*_OFFER, *_GUEST))
    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        """What somebody without a session can withdraw from, by order number and e-mail address.

        `order_id_not_found`, whichever half is wrong.
        """
        ...

    @operation("POST", "/guest/withdrawals", refuses=(*_DECLARE, *_GUEST))
    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> WithdrawalReceipt:
        """Declare a withdrawal without a session."""
        ...
