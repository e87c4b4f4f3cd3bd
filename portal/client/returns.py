"""Returns and withdrawals, over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.contract.base import Document, Locale, Page
from portal.contract.http import LAST_PAGE
from portal.contract.links import LinkSent
from portal.contract.returns import BatteryAnswer, Returnables, ReturnDetail, ReturnName, ReturnSummary, Settlement
from portal.contract.session import Origin
from portal.contract.withdrawals import (
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawalEntry,
    WithdrawalReceipt,
)

_RETURNABLES = TypeAdapter(Returnables)
_SETTLEMENT = TypeAdapter(Settlement)
_RETURNS = TypeAdapter(Page[ReturnSummary])
_RETURN = TypeAdapter(ReturnDetail)
_LINK_SENT = TypeAdapter(LinkSent)
_WITHDRAWABLE = TypeAdapter(Withdrawable)
_RECEIPT = TypeAdapter(WithdrawalReceipt)


class ReturnCalls(Calls):
    """The operations on returns; what they say is said in the contract."""

    async def returnables(self, token: str, order_number: str = "") -> Returnables:
        """What can be returned."""
        return await self._get("returnables", "/returnables", token, _RETURNABLES, order_number=order_number)

    async def refund_preview(self, token: str, draft_id: str) -> Settlement:
        """What the return that is being filled in is worth."""
        path = f"/drafts/{await self._known_form(token, draft_id)}/settlement"
        return await self._get("refund_preview", path, token, _SETTLEMENT)

    async def returns(self, token: str, page: int = 1) -> Page[ReturnSummary]:
        """The customer's returns."""
        return await self._get("returns", "/returns", token, _RETURNS, page=str(min(max(page, 1), LAST_PAGE)))

    async def return_detail(self, token: str, return_id: str) -> ReturnDetail:
        """One return."""
        return await self._get("return_detail", "/returns/detail", token, _RETURN, return_id=return_id)

    async def cancel_return(self, token: str, return_id: str) -> ReturnDetail:
        """Cancel a return."""
        entry = ReturnName(return_id=return_id)
        return await self._send("cancel_return", "POST", "/returns/cancel", token, entry, _RETURN)

    async def resend_return(self, token: str, return_id: str) -> LinkSent:
        """Mail the link again."""
        entry = ReturnName(return_id=return_id)
        return await self._send("resend_return", "POST", "/returns/resend", token, entry, _LINK_SENT)

    async def answer_battery(self, token: str, entry: BatteryAnswer) -> ReturnDetail:
        """Say how its battery is."""
        return await self._send("answer_battery", "POST", "/returns/battery", token, entry, _RETURN)

    async def return_label(self, token: str, return_id: str, locale: Locale) -> Document:
        """The label."""
        return await self._document("return_label", "/returns/label", token, return_id=return_id, locale=locale)

    async def return_summary_pdf(self, token: str, return_id: str, locale: Locale) -> Document:
        """The request with its amounts."""
        path = "/returns/summary"
        return await self._document("return_summary_pdf", path, token, return_id=return_id, locale=locale)

    async def withdrawable(self, token: str, order_number: str) -> Withdrawable:
        """What the customer can withdraw from."""
        return await self._get("withdrawable", "/withdrawable", token, _WITHDRAWABLE, order_number=order_number)

    async def withdraw(self, token: str, entry: WithdrawalEntry) -> WithdrawalReceipt:
        """Declare a withdrawal."""
        return await self._send("withdraw", "POST", "/withdrawals", token, entry, _RECEIPT)

    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        """What somebody without a session can withdraw from."""
        return await self._login("guest_withdrawable", "/guest/withdrawable", order, origin, _WITHDRAWABLE)

    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> WithdrawalReceipt:
        """Declare a withdrawal without a session."""
        return await self._login("guest_withdraw", "/guest/withdrawals", entry, origin, _RECEIPT)
