"""Returns and exchanges (part-2 §2-§4)."""

from __future__ import annotations

from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.base import Document, Page
from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany, Unavailable
from portal.contract.links import LinkSent
from portal.contract.operations import PDF, FileLocale, PageNumber, Refusal, Token, operation
from portal.contract.returns import BatteryAnswer, Returnables, ReturnDetail, ReturnName, ReturnSummary, Settlement
from portal.domain.codes import Code

ReturnId = Annotated[str, Field(default="", max_length=1000, description="Which return.")]
OrderNumber = Annotated[str, Field(default="", max_length=1000, description="Number of the order; empty for all.")]

_NAMED = (Refusal(InvalidInput, Code.MISSING_ID_PARAM), Refusal(Refused, Code.ITEM_RETURN_DOES_NOT_EXIST))
"""How everything is refused that names a return."""
_PDF_FAILED = Refusal(Unavailable, Code.PDF_FAILED)


class ReturnsApi(Protocol):
    """What goes back, and what became of it."""

    @operation(
        "GET",
        "/returnables",
        refuses=(Refusal(Refused, Code.ORDER_ID_NOT_FOUND), Refusal(InvalidInput, Code.INVALID_ORDER)),
    )
    async def returnables(self, token: Token, order_number: OrderNumber = "") -> Returnables:
        """What can be returned of an order, or of all, and why the rest cannot.

        `invalid_order`: this is no order number.
        """
        ...

    @operation("GET", "/drafts/{draft_id}/settlement")
    async def refund_preview(self, token: Token, draft_id: str) -> Settlement:
        """What the return that is being filled in is worth, as far as it is answered. Nothing is kept."""
        ...

    @operation("GET", "/returns")
    async def returns(self, token: Token, page: PageNumber = 1) -> Page[ReturnSummary]:
        """The customer's returns, newest first. A page beyond the last is the last."""
        ...

    @operation("GET", "/returns/detail", refuses=_NAMED)
    async def return_detail(self, token: Token, return_id: ReturnId) -> ReturnDetail:
        """One return."""
        ...

    @operation(
        "POST",
        "/returns/cancel",
        body=ReturnName,
        refuses=(*_NAMED, Refusal(Refused, Code.RETURN_NOT_CANCELLABLE)),
    )
    async def cancel_return(self, token: Token, return_id: str) -> ReturnDetail:
        """Cancel a return of which nothing was picked up yet. Done again, it stays cancelled."""
        ...

    @operation(
        "POST",
        "/returns/resend",
        body=ReturnName,
        refuses=(
            *_NAMED,
            Refusal(Refused, Code.LINK_USED, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.INVALID_TIME),
            Refusal(TooMany, Code.MAIL_SENT_RECENTLY),
        ),
    )
    async def resend_return(self, token: Token, return_id: str) -> LinkSent:
        """Mail the link again; a request that was not confirmed in time waits again."""
        ...

    @operation(
        "POST",
        "/returns/battery",
        refuses=(
            *_NAMED,
            Refusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE),
            Refusal(Conflict, Code.STATUS_CHANGED),
        ),
    )
    async def answer_battery(self, token: Token, entry: BatteryAnswer) -> ReturnDetail:
        """Say how the battery of a withdrawal is, once; only a safe one gets a label.

        The same answer again changes nothing. `required` and `invalid_choice` are about the field `battery`;
        `status_changed`: this is not asked of the return, or not any more.
        """
        ...

    @operation(
        "GET",
        "/returns/label",
        media=PDF,
        refuses=(*_NAMED, Refusal(Refused, Code.RETURN_WITHOUT_LABEL), _PDF_FAILED),
    )
    async def return_label(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The label, as a PDF with code and QR."""
        ...

    @operation("GET", "/returns/summary", media=PDF, refuses=(*_NAMED, _PDF_FAILED))
    async def return_summary_pdf(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The request with its amounts, as a PDF."""
        ...
