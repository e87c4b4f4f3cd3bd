"""Whether something changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from portal.contract.changes import LONGEST_WAIT, NEVER_ASKED, Changes, Watch
from portal.provider.api.access import Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.vocabulary.actions import Topic

router = APIRouter(tags=["changes"])

Topics = Annotated[list[Topic], Query(min_length=1, max_length=len(Topic))]
Since = Annotated[int, Query(ge=NEVER_ASKED, le=2**53, description="The mark of the last answer.")]
Seconds = Annotated[int, Query(ge=0, le=LONGEST_WAIT, description="How long to wait while nothing changes.")]


@router.get(
    "/changes",
    operation_id="changes",
    summary="Whether something changed since the last answer; waits for it as long as is asked",
    responses=refusals(401, 422),
)
async def changes(
    token: Token, provider: Services, topics: Topics, since: Since = NEVER_ASKED, wait_seconds: Seconds = 0
) -> Answer[Changes]:
    """Tell the mark of some topics. Asking does not count as use of the session."""
    watch = Watch(topics=topics, since=since, wait_seconds=wait_seconds)
    return Answer[Changes](data=await provider.changes(token, watch))
