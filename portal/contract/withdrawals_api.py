"""Withdrawing from a purchase, with and without a session (Directive 2023/2673)."""

from __future__ import annotations

from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.operations import Refusal, Token, operation
from portal.contract.session import Origin
from portal.contract.withdrawals import (
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawalEntry,
    WithdrawalReceipt,
)
from portal.domain.codes import Code

OrderNumber = Annotated[str, Field(default="", max_length=1000, description="Number of the order; empty for all.")]

_OFFER = (
    Refusal(InvalidInput, Code.INVALID_ORDER),
    Refusal(Refused, Code.ORDER_ID_NOT_FOUND, Code.WITHDRAWAL_PERIOD_OVER, Code.NOTHING_FOUND),
)
_DECLARE = (
    *_OFFER,
    Refusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER),
    Refusal(Refused, Code.RETURN_REQUEST_ALREADY_EXISTS),
)
_GUEST = (
    Refusal(InvalidInput, Code.MISSING_EMAIL_ADDRESS, Code.INVALID_EMAIL),
    Refusal(TooMany, Code.TOO_MANY_REQUESTS),
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
