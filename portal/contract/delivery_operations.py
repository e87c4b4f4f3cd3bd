"""Operations on deliveries; a part of the Provider."""

from __future__ import annotations

from typing import Protocol

from portal.contract.base import Document, Locale
from portal.contract.delivery import DateChange, DateChangeSent, DateChoice, DeliveryDates, OrderStatus


class DeliveryOperations(Protocol):
    """Order status and delivery date (part-2 §2). The link in the mail is used by `confirm_link`."""

    async def order_status(self, token: str, order_number: str) -> OrderStatus:
        """Where an order is, part by part."""
        ...

    async def delivery_dates(self, token: str, order_number: str) -> DeliveryDates:
        """What the delivery day can be changed to, or why it cannot."""
        ...

    async def request_delivery_date(self, token: str, order_number: str, choice: DateChoice) -> DateChangeSent:
        """Ask for another day; a link to confirm it is mailed.

        Raises:
            InvalidInput: `required`, `invalid_choice`, `same_delivery_day` or `delivery_day_taken`, field `day`.
            Refused: `already_handed_over`, `delivery_not_planned`, `date_change_not_offered`, `no_delivery_options`.
            Conflict: `date_change_pending`.
            TooMany: `mail_sent_recently`.
        """
        ...

    async def resend_delivery_date(self, token: str, order_number: str) -> DateChangeSent:
        """Mail the link of the pending change again.

        Raises:
            NotFound: nothing waits for a link.
            TooMany: `mail_sent_recently` with `retry_at`.
        """
        ...

    async def cancel_delivery_date(self, token: str, order_number: str) -> DateChange:
        """Take back a wish that is pending; its links become worthless.

        Raises:
            NotFound: nothing is pending.
        """
        ...

    async def delivery_date_pdf(self, token: str, order_number: str, locale: Locale) -> Document:
        """What was asked for and decided last, on paper.

        Raises:
            NotFound: nothing was ever asked for.
            Unavailable: `pdf_failed`.
        """
        ...

    async def delivery_calendar(self, token: str, order_number: str, locale: Locale) -> Document:
        """The planned delivery as an appointment (.ics), in local time.

        Raises:
            NotFound: no day is planned.
        """
        ...
