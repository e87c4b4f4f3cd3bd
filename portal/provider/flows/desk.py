"""What the retailer's side adds to a flow: what it knows, what only it can check, and what becomes of a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.flow import Answers, Asked, Facts, Findings, Flow
from portal.provider.confirmations.kept import Kept
from portal.provider.confirmations.rows import Rows
from portal.provider.context import Context
from portal.provider.outbox import Outbox
from portal.provider.sessions import Owner
from portal.settings import Settings


@dataclass(frozen=True, slots=True)
class Case:
    """A request that is complete and valid, about to be sent.

    Attributes:
        owner: whose it is.
        key: of the draft; the request keeps it.
        answers: what was answered on the way, and nothing else.
        now: the moment of sending (UTC).
        email: the customer's address, where the confirmation goes.
        outbox: where it is put.
        asked: the answers with what is known now.
        seen: the facts as the customer saw them last.
        files: what was uploaded, as the facts tell it. The request gets them by its `draft_key`, which is `key`.
        context: the parts of the house, for letters and links.
    """

    owner: Owner
    key: str
    answers: Answers
    now: datetime
    email: str
    outbox: Outbox
    asked: Asked
    seen: Facts
    context: Context
    files: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """In which something that was chosen is looked up."""

    session: AsyncSession
    owner: Owner
    asked: Asked
    settings: Settings


@dataclass(frozen=True, slots=True)
class Sent:
    """What a request became.

    Attributes:
        reference: what the customer reads and quotes.
        summary: what the confirmation page tells beside it.
        mailed: whether a confirmation was put into the outbox.
    """

    reference: str
    summary: dict[str, Any] = field(default_factory=dict)
    mailed: bool = False


Look = Callable[[AsyncSession, Owner], Awaitable[dict[str, Any]]]
Examination = Callable[[AsyncSession, Owner, Answers], Awaitable[Findings]]
Lookup = Callable[[Situation], Awaitable[dict[str, Any]]]
Fulfilment = Callable[[AsyncSession, Case], Awaitable[Sent]]


@dataclass(frozen=True, slots=True)
class Desk:
    """The retailer's side of one flow.

    Attributes:
        flow: the declaration.
        facts: looks up what the flow depends on, as JSON. It is told to the customer: no secrets in it.
        fulfil: makes the request in the transaction that marks the draft as sent. It raises `Refused` when a rule says
            no; what it wrote is then undone.
        examinations: by slug of the step, what only the provider can check; asked when everything else is right.
        rows: by slug of the step, its rows on the confirmation, where the words of its fields do not do.
        next_steps: what happens next and when, English, where it depends on the answers; else as the flow says.
        told: title and description of the request, our words around the customer's; empty where nothing was answered.
            Without it they are told as they were written down.
        lookups: by slug of the step, looks up what was chosen there; it joins the facts. No secrets in it either.
        optional: names of fields that the settings let stay empty.
    """

    flow: Flow
    facts: Look
    fulfil: Fulfilment
    examinations: Mapping[str, Examination] = field(default_factory=dict)
    rows: Mapping[str, Rows] = field(default_factory=dict)
    next_steps: Callable[[Kept], Sequence[str]] | None = None
    told: Callable[[Kept], tuple[str, str]] | None = None
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    optional: Callable[[Settings], Collection[str]] = lambda _settings: ()
