"""Requests that are filled in and sent, over the provider API."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission

_NOTHING = TypeAdapter[Any](Any)
_FLOW_START = TypeAdapter(FlowStart)
_DRAFT = TypeAdapter(Draft)
_RECEIPT = TypeAdapter(Receipt)


class DraftCalls(Calls):
    """The operations on drafts; what they say is said in the contract."""

    async def flow_start(self, token: str, flow: str) -> FlowStart:
        """What is known before a request is begun."""
        return await self._get("flow_start", f"/flows/{await self._known_form(token, flow)}", token, _FLOW_START)

    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        """Begin a request, or go on with the one that was begun."""
        return await self._send("open_draft", "POST", "/drafts", token, start, _DRAFT)

    async def draft(self, token: str, draft_id: str) -> Draft:
        """A request that is being filled in, or was sent."""
        return await self._get("draft", f"/drafts/{await self._known_form(token, draft_id)}", token, _DRAFT)

    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        """Keep the answers to one step."""
        path = f"/drafts/{await self._known_form(token, draft_id)}/step"
        return await self._send("save_step", "PUT", path, token, entry, _DRAFT)

    async def discard_draft(self, token: str, draft_id: str) -> None:
        """Throw a request away that was not sent."""
        path = f"/drafts/{await self._known_form(token, draft_id)}/discard"
        await self._send("discard_draft", "POST", path, token, None, _NOTHING)

    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        """Send a request."""
        path = f"/drafts/{await self._known_form(token, draft_id)}/submit"
        return await self._send("submit_draft", "POST", path, token, submission, _RECEIPT)
