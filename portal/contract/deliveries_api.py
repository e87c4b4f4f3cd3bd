"""Where an order is, and moving its delivery to another day. The link in the mail is used by `confirm_link`."""

from __future__ import annotations

from typing import Protocol

from portal.contract.base import Document
from portal.contract.delivery import DateChange, DateChangeSent, DateChoice, DeliveryDates, OrderStatus
from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany, Unavailable
from portal.contract.operations import CALENDAR, PDF, FileLocale, Refusal, Token, operation
from portal.domain.codes import Code

_NO_CHANGE = Refusal(
    Refused,
    Code.ALREADY_HANDED_OVER,
    Code.COLLECTED_IN_STORE,
    Code.DELIVERY_FAILED,
    Code.ORDER_CANCELLED,
    Code.DELIVERY_NOT_PLANNED,
    Code.DATE_CHANGE_NOT_OFFERED,
)
"""The delivery of this order cannot be moved."""
_MAILED = Refusal(TooMany, Code.MAIL_SENT_RECENTLY)


class DeliveriesApi(Protocol):
    """Order status and delivery day (part-2 §2)."""

    @operation("GET", "/orders/{order_number}/status")
    async def order_status(self, token: Token, order_number: str) -> OrderStatus:
        """Where an order is, part by part."""
        ...

    @operation("GET", "/orders/{order_number}/delivery-dates")
    async def delivery_dates(self, token: Token, order_number: str) -> DeliveryDates:
        """What the delivery day can be changed to, or why it cannot."""
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date",
        refuses=(
            Refusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE, Code.SAME_DELIVERY_DAY, Code.DELIVERY_DAY_TAKEN),
            _NO_CHANGE,
            Refusal(Refused, Code.NO_DELIVERY_OPTIONS),
            Refusal(Conflict, Code.DATE_CHANGE_PENDING),
            _MAILED,
        ),
    )
    async def request_delivery_date(self, token: Token, order_number: str, choice: DateChoice) -> DateChangeSent:
        """Ask for another delivery day; a link to confirm it is mailed.

        What is not well formed is about the field `day`. `no_delivery_options` says in `retry_at` when to try again.
        """
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date/resend",
        refuses=(
            _NO_CHANGE,
            Refusal(Refused, Code.DELIVERY_DAY_TAKEN, Code.DATE_CHANGE_PENDING, Code.LINK_USED),
            _MAILED,
        ),
    )
    async def resend_delivery_date(self, token: Token, order_number: str) -> DateChangeSent:
        """Mail the link of the pending change again.

        Not found when nothing waits for a link.
        """
        ...

    @operation(
        "POST",
        "/orders/{order_number}/delivery-date/cancel",
        refuses=(Refusal(Conflict, Code.STATUS_CHANGED),),
    )
    async def cancel_delivery_date(self, token: Token, order_number: str) -> DateChange:
        """Take back a request for another day that is pending; its links become worthless.

        Not found when nothing is pending.
        """
        ...

    @operation(
        "GET",
        "/orders/{order_number}/delivery-date/pdf",
        media=PDF,
        refuses=(Refusal(Unavailable, Code.PDF_FAILED),),
    )
    async def delivery_date_pdf(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The change of the delivery day that was asked for and decided last, as a PDF.

        Not found when nothing was ever asked for.
        """
        ...

    @operation("GET", "/orders/{order_number}/calendar", media=CALENDAR)
    async def delivery_calendar(self, token: Token, order_number: str, locale: FileLocale) -> Document:
        """The planned delivery as an appointment (.ics), in local time.

        Not found while no day is planned.
        """
        ...
