"""Deliveries and their day, over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.answers import CALENDAR
from portal.client.calls import Calls
from portal.contract.base import Document, Locale
from portal.contract.delivery import DateChange, DateChangeSent, DateChoice, DeliveryDates, OrderStatus

_ORDER_STATUS = TypeAdapter(OrderStatus)
_DELIVERY_DATES = TypeAdapter(DeliveryDates)
_DATE_CHANGE = TypeAdapter(DateChange)
_DATE_CHANGE_SENT = TypeAdapter(DateChangeSent)


class DeliveryCalls(Calls):
    """The operations on deliveries; what they say is said in the contract."""

    async def order_status(self, token: str, order_number: str) -> OrderStatus:
        """Where an order is, part by part."""
        return await self._get("order_status", await self._path(token, order_number, "status"), token, _ORDER_STATUS)

    async def delivery_dates(self, token: str, order_number: str) -> DeliveryDates:
        """What the delivery day can be changed to, or why it cannot."""
        path = await self._path(token, order_number, "delivery-dates")
        return await self._get("delivery_dates", path, token, _DELIVERY_DATES)

    async def request_delivery_date(self, token: str, order_number: str, choice: DateChoice) -> DateChangeSent:
        """Ask for another day."""
        path = await self._path(token, order_number, "delivery-date")
        return await self._send("request_delivery_date", "POST", path, token, choice, _DATE_CHANGE_SENT)

    async def resend_delivery_date(self, token: str, order_number: str) -> DateChangeSent:
        """Mail the link of the pending change again."""
        path = await self._path(token, order_number, "delivery-date/resend")
        return await self._send("resend_delivery_date", "POST", path, token, None, _DATE_CHANGE_SENT)

    async def cancel_delivery_date(self, token: str, order_number: str) -> DateChange:
        """Take back a wish that is pending."""
        path = await self._path(token, order_number, "delivery-date/cancel")
        return await self._send("cancel_delivery_date", "POST", path, token, None, _DATE_CHANGE)

    async def delivery_date_pdf(self, token: str, order_number: str, locale: Locale) -> Document:
        """What was asked for and decided last, on paper."""
        path = await self._path(token, order_number, "delivery-date/pdf")
        return await self._document("delivery_date_pdf", path, token, locale=locale)

    async def delivery_calendar(self, token: str, order_number: str, locale: Locale) -> Document:
        """The planned delivery as an appointment."""
        path = await self._path(token, order_number, "calendar")
        return await self._document("delivery_calendar", path, token, CALENDAR, locale=locale)

    async def _path(self, token: str, order_number: str, rest: str) -> str:
        return f"/orders/{await self._known_form(token, order_number)}/{rest}"
