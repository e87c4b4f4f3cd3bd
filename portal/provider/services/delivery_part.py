"""The part of the Provider that is about deliveries."""

from __future__ import annotations

from portal.contract.base import Document, Locale
from portal.contract.delivery import DateChange, DateChangeSent, DateChoice, DeliveryDates, OrderStatus
from portal.provider.context import Context
from portal.provider.services.deliveries import DeliveryServices
from portal.provider.services.delivery_dates import DeliveryDateServices
from portal.provider.services.delivery_papers import DeliveryPaperServices
from portal.provider.sessions import Sessions


class DeliveryPart:
    """Answers the operations of `contract.delivery_operations`."""

    def _open_deliveries(self, context: Context, sessions: Sessions) -> None:
        self._deliveries = DeliveryServices(context, sessions)
        self._delivery_dates = DeliveryDateServices(context, sessions)
        self._delivery_papers = DeliveryPaperServices(context, sessions)

    async def order_status(self, token: str, order_number: str) -> OrderStatus:
        """Where an order is."""
        return await self._deliveries.order_status(token, order_number)

    async def delivery_dates(self, token: str, order_number: str) -> DeliveryDates:
        """What the delivery day can be changed to."""
        return await self._delivery_dates.delivery_dates(token, order_number)

    async def request_delivery_date(self, token: str, order_number: str, choice: DateChoice) -> DateChangeSent:
        """Ask for another day."""
        return await self._delivery_dates.request_delivery_date(token, order_number, choice)

    async def resend_delivery_date(self, token: str, order_number: str) -> DateChangeSent:
        """Mail the link again."""
        return await self._delivery_dates.resend_delivery_date(token, order_number)

    async def cancel_delivery_date(self, token: str, order_number: str) -> DateChange:
        """Take back a wish that is pending."""
        return await self._delivery_dates.cancel_delivery_date(token, order_number)

    async def delivery_date_pdf(self, token: str, order_number: str, locale: Locale) -> Document:
        """The change of the day on paper."""
        return await self._delivery_papers.delivery_date_pdf(token, order_number, locale)

    async def delivery_calendar(self, token: str, order_number: str, locale: Locale) -> Document:
        """The delivery as an appointment."""
        return await self._delivery_papers.delivery_calendar(token, order_number, locale)
