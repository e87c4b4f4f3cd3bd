"""Links in mails. What is at the end of one travels in the body, so that no log holds it; no session is needed."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.links import LinkEntry, LinkSent, LinkView
from portal.provider.api.access import Services
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["links"])


@router.post(
    "/links/look",
    operation_id="link",
    summary="What a mailed link is good for; changes nothing",
    responses=refusals(413, 422),
)
async def link(entry: LinkEntry, provider: Services) -> Answer[LinkView]:
    """Tell about a link."""
    return Answer[LinkView](data=await provider.link(entry))


@router.post(
    "/links/confirm",
    operation_id="confirm_link",
    summary="Confirm what a mailed link is about, once",
    responses=refusals(403, 413, 422),
)
async def confirm_link(entry: LinkEntry, provider: Services) -> Answer[LinkView]:
    """Use a link."""
    return Answer[LinkView](data=await provider.confirm_link(entry))


@router.post(
    "/links/resend",
    operation_id="resend_link",
    summary="Mail a new link for the same request",
    responses=refusals(403, 413, 422, 429),
)
async def resend_link(entry: LinkEntry, provider: Services) -> Answer[LinkSent]:
    """Send a link again."""
    return Answer[LinkSent](data=await provider.resend_link(entry))
