"""Requests that are being filled in, and sending them."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["requests"])


@router.get(
    "/flows/{flow}",
    operation_id="flow_start",
    summary="What can be chosen in a flow, and what was begun or sent before",
    responses=refusals(401, 404),
)
async def flow_start(token: Token, flow: Reference, provider: Services) -> Answer[FlowStart]:
    """Tell what is known before a request is begun."""
    return Answer[FlowStart](data=await provider.flow_start(token, flow))


@router.post(
    "/drafts",
    operation_id="open_draft",
    summary="Begin a request, or go on with the one that was begun",
    responses=refusals(401, 403, 404, 413, 422),
)
async def open_draft(token: Token, start: DraftStart, provider: Services) -> Answer[Draft]:
    """Begin a request."""
    return Answer[Draft](data=await provider.open_draft(token, start))


@router.get(
    "/drafts/{draft_id}",
    operation_id="draft",
    summary="A request that is being filled in, or was sent",
    responses=refusals(401, 404),
)
async def draft(token: Token, draft_id: Reference, provider: Services) -> Answer[Draft]:
    """Tell a draft."""
    return Answer[Draft](data=await provider.draft(token, draft_id))


@router.put(
    "/drafts/{draft_id}/step",
    operation_id="save_step",
    summary="Keep the answers to one step",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
async def save_step(token: Token, draft_id: Reference, entry: StepEntry, provider: Services) -> Answer[Draft]:
    """Save a step."""
    return Answer[Draft](data=await provider.save_step(token, draft_id, entry))


@router.post(
    "/drafts/{draft_id}/discard",
    operation_id="discard_draft",
    summary="Throw a request away that was not sent",
    responses=refusals(401, 404),
)
async def discard_draft(token: Token, draft_id: Reference, provider: Services) -> Answer[None]:
    """Delete a draft."""
    await provider.discard_draft(token, draft_id)
    return Answer[None](data=None)


@router.post(
    "/drafts/{draft_id}/submit",
    operation_id="submit_draft",
    summary="Send a request; with the same key again, it stays one request",
    responses=refusals(401, 403, 404, 413, 422),
)
async def submit_draft(
    token: Token, draft_id: Reference, submission: Submission, provider: Services
) -> Answer[Receipt]:
    """Send a request."""
    return Answer[Receipt](data=await provider.submit_draft(token, draft_id, submission))
