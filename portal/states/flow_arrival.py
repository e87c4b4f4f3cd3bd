"""What has to be looked up when a customer arrives at a page of a flow, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from portal.contract.drafts import Draft, FlowStart, Receipt
from portal.contract.errors import NotFound
from portal.contract.flow_api import FlowApi
from portal.contract.registry import ask
from portal.domain.dates import now
from portal.domain.flow import CONFIRMATION
from portal.states.flow_place import Address

JUST_SENT = timedelta(hours=1)
"""How long a step of a request that was sent says so, when the tab itself does not remember it."""


class Arrival(Enum):
    """Where the customer should be."""

    HERE = "here"
    SENT = "sent"
    TO_INTRO = "intro"
    TO_NEXT = "next"
    """At the first open step of the draft that the address names."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found.

    Attributes:
        arrival: where the customer should be.
        draft: the request that is being filled in.
        start: what is known of the flow itself.
        receipt: the request that was sent.
    """

    arrival: Arrival
    draft: Draft | None = None
    start: FlowStart | None = None
    receipt: Receipt | None = None


async def look_up(token: str, place: Address, known: str) -> Found:
    """Look up what a page needs.

    Args:
        token: of the session.
        place: the page.
        known: the draft that this tab worked on; empty when it does not remember one.
    """
    if place.step is place.flow.intro_step:
        return await _intro(token, place)
    if place.last_part == CONFIRMATION:
        return await _confirmation(token, place, known)
    draft = await _draft(token, known) if known else None
    if draft is None:
        start = await ask(FlowApi).flow_start(token, place.flow.name)
        if start.drafts:
            draft = await _draft(token, start.drafts[0].draft_id)
        elif start.receipt is not None and now() - start.receipt.sent_at < JUST_SENT:
            return Found(Arrival.SENT, receipt=start.receipt)
        if draft is None:
            return Found(Arrival.TO_INTRO, start=start)
    if draft.receipt is not None:
        return Found(Arrival.SENT, receipt=draft.receipt)
    return Found(Arrival.HERE, draft=draft)


async def _intro(token: str, place: Address) -> Found:
    if wanted := place.query.get("draft", ""):
        draft = await _draft(token, wanted)
        if draft is not None and draft.receipt is None and draft.flow == place.flow.name:
            return Found(Arrival.TO_NEXT, draft=draft)
    return Found(Arrival.HERE, start=await ask(FlowApi).flow_start(token, place.flow.name))


async def _confirmation(token: str, place: Address, known: str) -> Found:
    draft = await _draft(token, known) if known else None
    if draft is not None and draft.receipt is not None:
        return Found(Arrival.HERE, receipt=draft.receipt)
    start = await ask(FlowApi).flow_start(token, place.flow.name)
    return Found(Arrival.HERE, start=start, receipt=start.receipt)


async def _draft(token: str, draft_id: str) -> Draft | None:
    try:
        return await ask(FlowApi).draft(token, draft_id)
    except NotFound:
        return None
