"""What a handler calls when a request is made: the confirmation goes out if, and only if, the request is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.mail.texts import Template
from portal.provider.tables.requests import RequestRow

if TYPE_CHECKING:
    from portal.provider.flows.desk import Submission


async def confirm(session: AsyncSession, submission: Submission, request: RequestRow) -> bool:
    """Put the confirmation of a request into the outbox, in the transaction that makes the request.

    Nothing is rendered here: mail, PDF and appointment are made of the kept request when the mail leaves. The name of
    the message follows from the reference, so the database allows one confirmation for each request.

    Returns:
        True, for `Submitted.mailed`.
    """
    await submission.outbox.post(
        session,
        Template.REQUEST_CONFIRMATION,
        recipient=submission.owner.email,
        locale=submission.owner.locale,
        customer_id=submission.owner.customer_id,
        details={"reference": request.reference},
        name=f"confirmation.{request.reference}",
    )
    return True
