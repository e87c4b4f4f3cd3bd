"""Returns, exchanges and withdrawals."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from portal.contract.base import Document, Locale, Page
from portal.contract.links import LinkSent
from portal.contract.returns import BatteryAnswer, Returnables, ReturnDetail, ReturnName, ReturnSummary, Settlement
from portal.contract.withdrawals import (
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawalEntry,
    WithdrawalReceipt,
)
from portal.provider.api.access import FromWhere, PageNumber, Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.provider.api.invoices import content_disposition

router = APIRouter(tags=["returns"])
OrderNumber = Annotated[str, Query(max_length=1000, description="Number of the order; empty for all.")]
ReturnId = Annotated[str, Query(max_length=1000, description="Which return.")]
_PDF = {
    200: {
        "description": "The file.",
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
    },
    **refusals(401, 403, 422),
}


@router.get(
    "/returnables",
    operation_id="returnables",
    summary="What can be returned of an order or of all, and why the rest cannot",
    responses=refusals(401, 403, 422),
)
async def returnables(token: Token, provider: Services, order_number: OrderNumber = "") -> Answer[Returnables]:
    """Tell what can be returned."""
    return Answer[Returnables](data=await provider.returnables(token, order_number))


@router.get(
    "/drafts/{draft_id}/settlement",
    operation_id="refund_preview",
    summary="What the return that is being filled in is worth",
    responses=refusals(401, 404),
)
async def refund_preview(token: Token, draft_id: Reference, provider: Services) -> Answer[Settlement]:
    """Tell the amounts of a draft."""
    return Answer[Settlement](data=await provider.refund_preview(token, draft_id))


@router.get("/returns", operation_id="returns", summary="Returns, newest first", responses=refusals(401, 422))
async def returns(token: Token, provider: Services, page: PageNumber = 1) -> Answer[Page[ReturnSummary]]:
    """Tell one page of the customer's returns."""
    return Answer[Page[ReturnSummary]](data=await provider.returns(token, page))


@router.get("/returns/detail", operation_id="return_detail", summary="One return", responses=refusals(401, 403, 422))
async def return_detail(token: Token, provider: Services, return_id: ReturnId = "") -> Answer[ReturnDetail]:
    """Tell one return."""
    return Answer[ReturnDetail](data=await provider.return_detail(token, return_id))


@router.post(
    "/returns/cancel",
    operation_id="cancel_return",
    summary="Cancel a return of which nothing was picked up",
    responses=refusals(401, 403, 413, 422),
)
async def cancel_return(token: Token, entry: ReturnName, provider: Services) -> Answer[ReturnDetail]:
    """Cancel a return."""
    return Answer[ReturnDetail](data=await provider.cancel_return(token, entry.return_id))


@router.post(
    "/returns/resend",
    operation_id="resend_return",
    summary="Mail the link that confirms a return again",
    responses=refusals(401, 403, 413, 422, 429),
)
async def resend_return(token: Token, entry: ReturnName, provider: Services) -> Answer[LinkSent]:
    """Send the link again."""
    return Answer[LinkSent](data=await provider.resend_return(token, entry.return_id))


@router.post(
    "/returns/battery",
    operation_id="answer_battery",
    summary="Say how the battery of a withdrawal is; only a safe one gets a label",
    responses=refusals(401, 403, 409, 413, 422),
)
async def answer_battery(token: Token, entry: BatteryAnswer, provider: Services) -> Answer[ReturnDetail]:
    """Take the answer."""
    return Answer[ReturnDetail](data=await provider.answer_battery(token, entry))


@router.get(
    "/returns/label",
    operation_id="return_label",
    summary="The label of a return as a PDF",
    response_class=Response,
    responses=_PDF,
)
async def return_label(token: Token, provider: Services, return_id: ReturnId = "", locale: Locale = "nl") -> Response:
    """Send a label as a file."""
    return _file(await provider.return_label(token, return_id, locale))


@router.get(
    "/returns/summary",
    operation_id="return_summary_pdf",
    summary="A return with its amounts as a PDF",
    response_class=Response,
    responses=_PDF,
)
async def return_summary_pdf(
    token: Token, provider: Services, return_id: ReturnId = "", locale: Locale = "nl"
) -> Response:
    """Send a summary as a file."""
    return _file(await provider.return_summary_pdf(token, return_id, locale))


@router.get(
    "/withdrawable",
    operation_id="withdrawable",
    summary="What the customer can withdraw from",
    responses=refusals(401, 403, 422),
)
async def withdrawable(token: Token, provider: Services, order_number: OrderNumber = "") -> Answer[Withdrawable]:
    """Tell what can be withdrawn from."""
    return Answer[Withdrawable](data=await provider.withdrawable(token, order_number))


@router.post(
    "/withdrawals",
    operation_id="withdraw",
    summary="Declare a withdrawal; with the same key again, it stays one",
    responses=refusals(401, 403, 413, 422),
)
async def withdraw(token: Token, entry: WithdrawalEntry, provider: Services) -> Answer[WithdrawalReceipt]:
    """Take a declaration."""
    return Answer[WithdrawalReceipt](data=await provider.withdraw(token, entry))


@router.post(
    "/guest/withdrawable",
    operation_id="guest_withdrawable",
    summary="What somebody without a session can withdraw from, by order number and e-mail address",
    responses=refusals(403, 413, 422, 429),
)
async def guest_withdrawable(order: GuestOrder, origin: FromWhere, provider: Services) -> Answer[Withdrawable]:
    """Tell what can be withdrawn from."""
    return Answer[Withdrawable](data=await provider.guest_withdrawable(order, origin))


@router.post(
    "/guest/withdrawals",
    operation_id="guest_withdraw",
    summary="Declare a withdrawal without a session",
    responses=refusals(403, 413, 422, 429),
)
async def guest_withdraw(entry: GuestWithdrawal, origin: FromWhere, provider: Services) -> Answer[WithdrawalReceipt]:
    """Take a declaration."""
    return Answer[WithdrawalReceipt](data=await provider.guest_withdraw(entry, origin))


def _file(document: Document) -> Response:
    return Response(
        document.content,
        media_type=document.media_type,
        headers={"Content-Disposition": content_disposition(document.name)},
    )
