"""Order status and delivery day."""

from __future__ import annotations

from fastapi import APIRouter, Response

from portal.contract.base import Locale
from portal.contract.delivery import DateChange, DateChangeSent, DateChoice, DeliveryDates, OrderStatus
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.provider.api.invoices import attachment

router = APIRouter(prefix="/orders/{order_number}", tags=["deliveries"])
_PDF = {200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}}
_CALENDAR = {200: {"content": {"text/calendar": {"schema": {"type": "string"}}}}}


@router.get("/status", operation_id="order_status", summary="Where an order is", responses=refusals(401, 404))
async def order_status(token: Token, order_number: Reference, provider: Services) -> Answer[OrderStatus]:
    """Tell where an order is, part by part."""
    return Answer[OrderStatus](data=await provider.order_status(token, order_number))


@router.get(
    "/delivery-dates",
    operation_id="delivery_dates",
    summary="What the delivery day can be changed to, or why it cannot",
    responses=refusals(401, 404),
)
async def delivery_dates(token: Token, order_number: Reference, provider: Services) -> Answer[DeliveryDates]:
    """Tell the weeks with their days."""
    return Answer[DeliveryDates](data=await provider.delivery_dates(token, order_number))


@router.post(
    "/delivery-date",
    operation_id="request_delivery_date",
    summary="Ask for another delivery day; a link to confirm it is mailed",
    responses=refusals(401, 403, 404, 409, 413, 422, 429),
)
async def request_delivery_date(
    token: Token, order_number: Reference, choice: DateChoice, provider: Services
) -> Answer[DateChangeSent]:
    """Ask for another day."""
    return Answer[DateChangeSent](data=await provider.request_delivery_date(token, order_number, choice))


@router.post(
    "/delivery-date/resend",
    operation_id="resend_delivery_date",
    summary="Mail the link of the pending change again",
    responses=refusals(401, 403, 404, 429),
)
async def resend_delivery_date(token: Token, order_number: Reference, provider: Services) -> Answer[DateChangeSent]:
    """Mail it again."""
    return Answer[DateChangeSent](data=await provider.resend_delivery_date(token, order_number))


@router.post(
    "/delivery-date/cancel",
    operation_id="cancel_delivery_date",
    summary="Take back a wish for another day that is pending",
    responses=refusals(401, 404, 409),
)
async def cancel_delivery_date(token: Token, order_number: Reference, provider: Services) -> Answer[DateChange]:
    """Take it back."""
    return Answer[DateChange](data=await provider.cancel_delivery_date(token, order_number))


@router.get(
    "/delivery-date/pdf",
    operation_id="delivery_date_pdf",
    summary="The change of the delivery day on paper",
    response_class=Response,
    responses={**refusals(401, 404, 422), **_PDF},
)
async def delivery_date_pdf(
    token: Token, order_number: Reference, provider: Services, locale: Locale = "nl"
) -> Response:
    """Make the paper."""
    return attachment(await provider.delivery_date_pdf(token, order_number, locale))


@router.get(
    "/calendar",
    operation_id="delivery_calendar",
    summary="The planned delivery as an appointment",
    response_class=Response,
    responses={**refusals(401, 404, 422), **_CALENDAR},
)
async def delivery_calendar(
    token: Token, order_number: Reference, provider: Services, locale: Locale = "nl"
) -> Response:
    """Make the appointment."""
    return attachment(await provider.delivery_calendar(token, order_number, locale))
