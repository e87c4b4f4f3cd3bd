"""Operations on returns and withdrawals; a part of the Provider."""

from __future__ import annotations

from typing import Protocol

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


class ReturnOperations(Protocol):
    """Returns, exchanges and withdrawals (part-2 §2)."""

    async def returnables(self, token: str, order_number: str = "") -> Returnables:
        """What can be returned of an order, or of all, and why the rest cannot.

        Raises:
            Refused: `order_id_not_found`.
            InvalidInput: `invalid_order`, this is no order number.
        """
        ...

    async def refund_preview(self, token: str, draft_id: str) -> Settlement:
        """What the return that is being filled in is worth, as far as it is answered. Nothing is kept."""
        ...

    async def returns(self, token: str, page: int = 1) -> Page[ReturnSummary]:
        """The customer's returns, newest first. A page beyond the last is the last."""
        ...

    async def return_detail(self, token: str, return_id: str) -> ReturnDetail:
        """One return.

        Raises:
            InvalidInput: `missing_id_param`.
            Refused: `item_return_does_not_exist`.
        """
        ...

    async def cancel_return(self, token: str, return_id: str) -> ReturnDetail:
        """Cancel a return of which nothing was picked up yet. Done again, it stays cancelled.

        Raises:
            InvalidInput: `missing_id_param`.
            Refused: `item_return_does_not_exist`, `return_not_cancellable`.
        """
        ...

    async def resend_return(self, token: str, return_id: str) -> LinkSent:
        """Mail the link again; one that was not confirmed in time waits again.

        Raises:
            InvalidInput: `missing_id_param`.
            Refused: `item_return_does_not_exist`, `link_used`, `return_request_already_exists`, `invalid_itme`.
            TooMany: `mail_sent_recently` with `retry_at`.
        """
        ...

    async def answer_battery(self, token: str, entry: BatteryAnswer) -> ReturnDetail:
        """Say how the battery of a withdrawal is, once; only a safe one gets a label. The same again changes nothing.

        Raises:
            InvalidInput: `missing_id_param`; `required` or `invalid_choice` for the field `battery`.
            Refused: `item_return_does_not_exist`.
            Conflict: `status_changed`, this is not asked of it, or not any more.
        """
        ...

    async def return_label(self, token: str, return_id: str, locale: Locale) -> Document:
        """The label, as a PDF with code and QR.

        Raises:
            Refused: `item_return_does_not_exist`, `return_without_label`.
            Unavailable: `pdf_failed`.
        """
        ...

    async def return_summary_pdf(self, token: str, return_id: str, locale: Locale) -> Document:
        """The request with its amounts, as a PDF.

        Raises:
            Refused: `item_return_does_not_exist`.
            Unavailable: `pdf_failed`.
        """
        ...

    async def withdrawable(self, token: str, order_number: str) -> Withdrawable:
        """What the customer can withdraw from.

        Raises:
            InvalidInput: `invalid_order`.
            Refused: `order_id_not_found`, `withdrawal_period_over`, `nothing_found`.
        """
        ...

    async def withdraw(self, token: str, entry: WithdrawalEntry) -> WithdrawalReceipt:
        """Declare a withdrawal. The receipt goes out at once; with the same key again, it is the same one.

        Raises:
            InvalidInput: `invalid_order`, `required` or `invalid_number` by field.
            Refused: `order_id_not_found`, `withdrawal_period_over`, `nothing_found`, `return_request_already_exists`.
        """
        ...

    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        """The same for somebody without a session, by order number and e-mail address.

        Raises:
            InvalidInput: `missing_email_address`, `invalid_email`, `invalid_order`.
            Refused: `order_id_not_found`, whichever half is wrong; else as `withdrawable`.
            TooMany: `too_many_requests` with `retry_at`.
        """
        ...

    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> WithdrawalReceipt:
        """Declare a withdrawal without a session; as `withdraw` and `guest_withdrawable`."""
        ...
