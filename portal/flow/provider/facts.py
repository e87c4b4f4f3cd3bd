"""Drafts as what travels."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from portal.contract.drafts import Draft, DraftSummary, Receipt
from portal.contract.errors import NotFound, Refused
from portal.domain.flow import Journey
from portal.domain.identifiers import is_short_id
from portal.provider.flows.desk import HANDLERS, FlowHandler
from portal.provider.repositories.drafts import DraftRepository
from portal.provider.tables.drafts import DraftRow

KEPT = timedelta(days=30)
"""A draft after its last change, and the receipt of one that was sent."""


class Contents(Protocol):
    """A row of the table, whichever way it was read."""

    public_id: Any
    key: Any
    flow: Any
    subject: Any
    answers: Any
    completed: Any
    facts: Any
    version: Any
    expires_at: Any
    sent_at: Any
    reference: Any
    receipt: Any


def handler_of(flow: str) -> FlowHandler:
    """The retailer's side of a flow.

    Raises:
        NotFound: there is no flow of this name.
    """
    handler = HANDLERS.get(flow)
    if handler is None:
        raise NotFound
    return handler


async def to_change(drafts: DraftRepository, draft_id: str) -> DraftRow:
    """A draft that is about to be changed, locked.

    Raises:
        NotFound: there is none with this id, or it is somebody else's.
        Refused: it has expired; with the code of its flow.
    """
    if not is_short_id(draft_id):
        raise NotFound
    try:
        return await drafts.get(draft_id, lock=True)
    except NotFound:
        if flow := await drafts.expired(draft_id):
            raise Refused(handler_of(flow).flow.refusals.expired) from None
        raise


def journey(handler: FlowHandler, row: Contents, day: date, facts: Mapping[str, Any] | None = None) -> Journey:
    """The way of a draft; with its own facts, unless newer ones are known."""
    return Journey(handler.flow, row.answers, row.completed, row.facts if facts is None else facts, day)


def draft(
    row: Contents,
    way: Journey | None = None,
    *,
    version: int | None = None,
    expires_at: datetime | None = None,
) -> Draft:
    """A draft.

    Args:
        row: as it is, or was, in the database.
        way: its answers, when they are newer than the row; none for one that was sent.
        version: likewise.
        expires_at: likewise.
    """
    return Draft(
        draft_id=row.public_id,
        key=row.key,
        flow=row.flow,
        subject=row.subject,
        answers=dict(way.answers if way else row.answers),
        completed=[way.flow.address(name) for name in way.completed] if way else [],
        facts=dict(way.facts if way else row.facts),
        version=row.version if version is None else version,
        warnings={name: code.value for name, code in way.warnings().items()} if way else {},
        expires_at=expires_at or row.expires_at,
        receipt=receipt(row),
    )


def receipt(row: Contents) -> Receipt | None:
    """What a draft became; none while it was not sent."""
    if row.sent_at is None:
        return None
    return Receipt(
        flow=row.flow,
        draft_id=row.public_id,
        reference=row.reference,
        sent_at=row.sent_at,
        email=str(row.receipt.get("email", "")),
        summary=dict(row.receipt.get("summary", {})),
    )


def summary(row: DraftRow, name: str) -> DraftSummary:
    """A draft in a list."""
    return DraftSummary(
        draft_id=row.public_id,
        flow=row.flow,
        subject=row.subject,
        name=name,
        updated_at=row.updated_at,
        expires_at=row.expires_at,
    )
