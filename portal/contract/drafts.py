"""Requests that are being filled in, and what becomes of them (part-1 §2, §5)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from portal.contract.base import Shape

Answer = str | list[str]


class DraftStart(Shape):
    """Begin a request, or go on with the one that was begun.

    Attributes:
        flow: name of the flow, such as 'repair-request'.
        subject: what it is about (a bike), when that is known already; the flow starts with it filled in.
        anew: throw away what was begun before for this subject.
    """

    flow: str = Field(max_length=40)
    subject: str = Field(default="", max_length=40)
    anew: bool = False


class StepEntry(Shape):
    """The answers to one step, raw as typed; the provider checks them.

    Attributes:
        step: slug of the step.
        answers: values by field; what the step does not ask is ignored.
        version: of the draft that the customer saw.
    """

    step: str = Field(max_length=40)
    answers: dict[str, Answer] = Field(default_factory=dict)
    version: int


class Submission(Shape):
    """Send a request. The key was given out with the draft; sent twice, it is one request."""

    key: str = Field(max_length=64)


class Receipt(Shape):
    """A request that was sent.

    Attributes:
        flow: name of the flow.
        draft_id: the draft it was.
        reference: what the customer reads and quotes.
        sent_at: when (UTC).
        email: where the confirmation went; empty when none was sent.
        summary: what the confirmation page tells beside that, by flow; `planned` is the local day of the work.
    """

    flow: str
    draft_id: str
    reference: str
    sent_at: datetime
    email: str
    summary: dict[str, Any] = Field(default_factory=dict)


class Draft(Shape):
    """A request that is being filled in.

    Attributes:
        draft_id: names it.
        key: has to be shown when it is sent.
        flow: name of the flow.
        subject: what it is about (a bike); empty while that is not chosen.
        answers: accepted answers by field.
        completed: slugs of the steps that were answered.
        facts: what the flow depends on and only the provider knows.
        version: rises with every change.
        warnings: codes of what to look at again, by field; no errors.
        expires_at: when it is thrown away (UTC).
        receipt: once it was sent; then it holds no answers any more.
    """

    draft_id: str
    key: str
    flow: str
    subject: str
    answers: dict[str, Answer]
    completed: list[str]
    facts: dict[str, Any]
    version: int
    warnings: dict[str, str] = Field(default_factory=dict)
    expires_at: datetime
    receipt: Receipt | None = None


class DraftSummary(Shape):
    """A request to go on with. `name` is that of its subject, empty while that is not chosen; times in UTC."""

    draft_id: str
    flow: str
    subject: str
    name: str
    updated_at: datetime
    expires_at: datetime


class FlowStart(Shape):
    """What is known before a request is begun.

    Attributes:
        facts: what the flow depends on and only the provider knows.
        drafts: requests that were begun in this flow, the last one first.
        receipt: the request that was sent last, if it was within a month.
    """

    facts: dict[str, Any]
    drafts: list[DraftSummary]
    receipt: Receipt | None = None
