"""Orders."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.base import Page
from portal.contract.orders import Order, OrderSummary
from portal.provider.api.access import PageNumber, Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["orders"])


@router.get("/orders", operation_id="orders", summary="Orders, newest first", responses=refusals(401, 422))
async def orders(token: Token, provider: Services, page: PageNumber = 1) -> Answer[Page[OrderSummary]]:
    """Tell one page of the customer's orders."""
    return Answer[Page[OrderSummary]](data=await provider.orders(token, page))


@router.get("/orders/{order_number}", operation_id="order", summary="One order", responses=refusals(401, 404))
async def order(token: Token, order_number: Reference, provider: Services) -> Answer[Order]:
    """Tell one order."""
    return Answer[Order](data=await provider.order(token, order_number))
