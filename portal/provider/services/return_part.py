"""The part of the Provider that is about returns and withdrawals."""

from __future__ import annotations

from portal.contract.base import Document, Locale, Page
from portal.contract.links import LinkSent
from portal.contract.returns import BatteryAnswer, Returnables, ReturnDetail, ReturnSummary, Settlement
from portal.contract.session import Origin
from portal.contract.withdrawals import (
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawalEntry,
    WithdrawalReceipt,
)
from portal.provider.services.returns import ReturnServices
from portal.provider.services.withdrawals import WithdrawalServices


class ReturnPart:
    """Answers the operations of `contract.return_operations`; what each does is said there."""

    _returns: ReturnServices
    _withdrawals: WithdrawalServices

    async def returnables(self, token: str, order_number: str = "") -> Returnables:
        """What can be returned."""
        return await self._returns.returnables(token, order_number)

    async def refund_preview(self, token: str, draft_id: str) -> Settlement:
        """What the return that is being filled in is worth."""
        return await self._returns.refund_preview(token, draft_id)

    async def returns(self, token: str, page: int = 1) -> Page[ReturnSummary]:
        """A page of returns."""
        return await self._returns.returns(token, page)

    async def return_detail(self, token: str, return_id: str) -> ReturnDetail:
        """One return."""
        return await self._returns.return_detail(token, return_id)

    async def cancel_return(self, token: str, return_id: str) -> ReturnDetail:
        """Cancel a return."""
        return await self._returns.cancel_return(token, return_id)

    async def resend_return(self, token: str, return_id: str) -> LinkSent:
        """Mail the link again."""
        return await self._returns.resend_return(token, return_id)

    async def answer_battery(self, token: str, entry: BatteryAnswer) -> ReturnDetail:
        """Say how its battery is."""
        return await self._returns.answer_battery(token, entry)

    async def return_label(self, token: str, return_id: str, locale: Locale) -> Document:
        """The label."""
        return await self._returns.return_label(token, return_id, locale)

    async def return_summary_pdf(self, token: str, return_id: str, locale: Locale) -> Document:
        """The request with its amounts."""
        return await self._returns.return_summary_pdf(token, return_id, locale)

    async def withdrawable(self, token: str, order_number: str) -> Withdrawable:
        """What the customer can withdraw from."""
        return await self._withdrawals.withdrawable(token, order_number)

    async def withdraw(self, token: str, entry: WithdrawalEntry) -> WithdrawalReceipt:
        """Declare a withdrawal."""
        return await self._withdrawals.withdraw(token, entry)

    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        """What somebody without a session can withdraw from."""
        return await self._withdrawals.guest_withdrawable(order, origin)

    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> WithdrawalReceipt:
        """Declare a withdrawal without a session."""
        return await self._withdrawals.guest_withdraw(entry, origin)
