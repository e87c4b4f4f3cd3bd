"""The operations of withdrawals, and their models (Directive 2023/2673)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account
from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import Model, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.returns.api import EqualBike
from portal.vocabulary.contracts import DeclarationStatus


class GuestOrder(Model):
    """What a guest enters to identify an order; not validated yet."""

    order_number: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)


class WithdrawableItem(Model):
    """An item of which up to `most` units can be withdrawn. `item_id` is such as '900000001-3'.

    `bikes`: of equal bikes, what tells them apart; empty for a guest.
    """

    item_id: str
    name: str
    item_color: str = ""
    frame_size: str = ""
    most: int
    bikes: list[EqualBike] = Field(default_factory=list)


class Withdrawable(Model):
    """What can be withdrawn of an order. `until` is the last day; `None` while a part has not arrived."""

    order_number: str
    until: date | None = None
    items: list[WithdrawableItem]


class WithdrawableOrder(Model):
    """An order from which something can be withdrawn. `until`: the last day; `None` while a part has not arrived."""

    order_number: str
    order_date: date
    until: date | None = None
    names: list[str]


class WithdrawnItem(Model):
    """An item, and the number of its units that are withdrawn.

    `bikes`: ids of those of equal bikes that are meant; without them staff say which have arrived.
    """

    item_id: str = Field(max_length=40)
    count: int = Field(ge=1, le=9999)
    bikes: list[str] = Field(default_factory=list, max_length=100)


class WithdrawalEntry(Model):
    """A declaration.

    `name`: of the person who declares; not validated yet.
    `items`: empty for the whole order.
    `key`: random; the same key sent twice makes one declaration.
    """

    order_number: str = Field(default="", max_length=1000)
    name: str = Field(default="", max_length=1000)
    items: list[WithdrawnItem] = Field(default_factory=list, max_length=100)
    key: str = Field(min_length=8, max_length=64)


class GuestWithdrawal(WithdrawalEntry):
    email: str = Field(default="", max_length=1000)


class Declaration(Model):
    """A withdrawal declared without a login, and the content of its receipt, which is also mailed.

    `received_at`: when it was declared (UTC).
    `email`: where the receipt was mailed; masked for a guest.
    `status`: while it is `received`, nothing has changed for the order.
    """

    reference: str
    received_at: datetime
    account: Account
    email: str
    status: Annotated[DeclarationStatus, otherwise(DeclarationStatus, DeclarationStatus.UNKNOWN)]


class WithdrawalReceipt(Model):
    """The receipt of a customer's withdrawal, which is also mailed.

    `received_at`: when it was declared (UTC).
    `account`: of the return that it became.
    `return_id`: of the stored return.
    `battery`: whether the battery question is open. The customer gets the return address after answering it.
    """

    reference: str
    order_number: str
    name: str
    received_at: datetime
    lines: list[str]
    email: str
    account: Account
    return_id: str
    battery: bool = False


OrderNumber = Annotated[str, Field(default="", max_length=1000, description="Number of the order; empty for all.")]

_OFFER = (
    DeclaredRefusal(InvalidInput, Code.INVALID_ORDER),
    DeclaredRefusal(Refused, Code.ORDER_ID_NOT_FOUND, Code.WITHDRAWAL_PERIOD_OVER, Code.NOTHING_FOUND),
)

_DECLARE = (
    *_OFFER,
    DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER, Code.INVALID_CHOICE),
    DeclaredRefusal(Refused, Code.RETURN_REQUEST_ALREADY_EXISTS),
)

_GUEST = (
    DeclaredRefusal(InvalidInput, Code.MISSING_EMAIL_ADDRESS, Code.INVALID_EMAIL),
    DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
)


_ANSWER = (
    DeclaredRefusal(Conflict, Code.STATUS_CHANGED),
    DeclaredRefusal(
        Refused,
        Code.ORDER_ID_NOT_FOUND,
        Code.WITHDRAWAL_PERIOD_OVER,
        Code.NOTHING_FOUND,
        Code.RETURN_REQUEST_ALREADY_EXISTS,
    ),
)


class WithdrawalsApi(Protocol):
    @operation("GET", "/withdrawable", refuses=_OFFER)
    async def withdrawable(self, token: Token, order_number: OrderNumber) -> Withdrawable:
        """What the customer can withdraw of an order."""

    @operation("GET", "/withdrawable/orders")
    async def withdrawable_orders(self, token: Token) -> list[WithdrawableOrder]:
        """The customer's orders from which something can be withdrawn today, newest first."""

    @operation("POST", "/withdrawals", refuses=_DECLARE)
    async def withdraw(self, token: Token, entry: WithdrawalEntry) -> WithdrawalReceipt:
        """Declare a withdrawal and mail the receipt. The same key again gives the same receipt."""

    @operation("POST", "/guest/withdrawable", refuses=(*_OFFER, *_GUEST))
    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        """What a guest can withdraw of an order.

        `order_id_not_found`: the order number or the e-mail address is wrong; the answer does not say which.
        """

    @operation("POST", "/guest/withdrawals", refuses=(*_DECLARE, *_GUEST))
    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> Declaration:
        """Declare a withdrawal as a guest, and mail the receipt with a link that confirms it.

        It is received, and changes nothing until it is confirmed. The same key, or an open declaration of the same
        items, gives the same answer.
        """

    @operation("GET", "/withdrawals/declared", refuses=(DeclaredRefusal(InvalidInput, Code.INVALID_ORDER),))
    async def declared(self, token: Token, order_number: OrderNumber) -> list[Declaration]:
        """The declarations for an order of the customer that wait for a confirmation, oldest first."""

    @operation("POST", "/withdrawals/declared/{reference}/confirm", refuses=_ANSWER)
    async def confirm_declared(self, token: Token, reference: str) -> WithdrawalReceipt:
        """Confirm a declaration: its items are withdrawn as of the day it was declared. Again gives the same receipt.

        `status_changed`: it was taken back.
        """

    @operation("POST", "/withdrawals/declared/{reference}/take-back", refuses=_ANSWER)
    async def take_back_declared(self, token: Token, reference: str) -> Declaration:
        """Take back a declaration that was not confirmed; once more changes nothing.

        `status_changed`: it was confirmed.
        """
