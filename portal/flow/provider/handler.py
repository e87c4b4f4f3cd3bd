"""What the retailer's side adds to a flow: what it knows, what only it can check, and what becomes of a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.flow import AnswerContext, Answers, Findings, Flow, FlowError, Step
from portal.flows.chosen import LookedUp
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.confirmations.rows import Rows
from portal.provider.context import Context
from portal.provider.outbox import Outbox
from portal.provider.sessions import Owner
from portal.settings import Settings


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that is complete and valid, about to be sent.

    Attributes:
        owner: whose it is.
        key: of the draft; the request keeps it.
        answers: what was answered on the way and nothing else, with what is known now.
        seen: the same answers with the facts as the customer saw them last.
        now: the moment of sending (UTC).
        outbox: where its confirmation is put.
        context: the parts of the application, for letters and links.
        files: what was uploaded, as the facts tell it. The request gets them by its `draft_key`, which is `key`.
    """

    owner: Owner
    key: str
    answers: AnswerContext
    seen: AnswerContext
    now: datetime
    outbox: Outbox
    context: Context
    files: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class LookupContext:
    """What is at hand when something that was chosen is looked up."""

    session: AsyncSession
    owner: Owner
    answers: AnswerContext
    settings: Settings


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a request became.

    Attributes:
        reference: what the customer reads and quotes.
        summary: what the confirmation page tells beside it.
        mailed: whether a confirmation was put into the outbox.
    """

    reference: str
    summary: dict[str, Any] = field(default_factory=dict)
    mailed: bool = False


LookUpFacts = Callable[[AsyncSession, Owner], Awaitable[dict[str, Any]]]
Check = Callable[[AsyncSession, Owner, Answers], Awaitable[Findings]]
Lookup = Callable[[LookupContext], Awaitable[dict[str, Any]]]
Submit = Callable[[AsyncSession, Submission], Awaitable[Submitted]]


@dataclass(frozen=True, slots=True)
class StepHandler:
    """What the retailer's side adds to one step.

    Attributes:
        step: the step.
        check: what only the provider can check; asked when everything else is right.
        lookup: looks up what was chosen; it joins the facts, so no secrets in it.
        rows: its rows on the confirmation, where the words of its fields do not do.
    """

    step: Step
    check: Check | None = None
    lookup: Lookup | None = None
    rows: Rows | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FlowHandler:
    """The retailer's side of one flow.

    Attributes:
        flow: the declaration.
        facts: looks up what the flow depends on, as JSON. It is told to the customer: no secrets in it.
        submit: makes the request in the transaction that marks the draft as sent. It raises `Refused` when a rule says
            no; what it wrote is then undone.
        steps: what is added to single steps.
        describe: title and description of the request, our words around the customer's; empty where nothing was
            answered. Without it they are told as they were written down.
        next_steps: what happens next and when, English, where it depends on the answers; else as the flow says.
    """

    flow: Flow
    facts: LookUpFacts
    submit: Submit
    steps: tuple[StepHandler, ...] = ()
    describe: Callable[[StoredRequest], tuple[str, str]] | None = None
    next_steps: Callable[[StoredRequest], Sequence[str]] | None = None
    _steps: dict[Step, StepHandler] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what can never be asked."""
        for entry in self.steps:
            name = f"{self.flow.name}: {entry.step.name}"
            if entry.step not in self.flow.steps:
                raise FlowError(f"{name} is no step of it")
            if not (entry.check or entry.lookup or entry.rows):
                raise FlowError(f"{name} has a handler that does nothing")
            if entry.lookup and not any(isinstance(one.rule, LookedUp) for one in entry.step.fields):
                raise FlowError(f"{name} is looked up, but no field of it is")
            if entry.rows and self.describe is None:
                raise FlowError(f"{name} has rows, but requests of this flow are not described")
        by_step = {entry.step: entry for entry in self.steps}
        if len(by_step) < len(self.steps):
            raise FlowError(f"{self.flow.name}: a step has two handlers")
        for entry in self.flow.fields:
            if entry.required_by and entry.required_by not in Settings.model_fields:
                raise FlowError(f"{self.flow.name}: {entry.name} hangs on a setting that there is not")
        object.__setattr__(self, "_steps", by_step)

    def of(self, step: Step) -> StepHandler:
        """What is added to a step; often nothing."""
        return self._steps.get(step) or StepHandler(step)

    @property
    def rows(self) -> dict[Step, Rows]:
        """The rows of its steps that need words of their own."""
        return {entry.step: entry.rows for entry in self.steps if entry.rows}

    @property
    def lookups(self) -> list[Lookup]:
        """Everything that is looked up."""
        return [entry.lookup for entry in self.steps if entry.lookup]

    def optional_fields(self, settings: Settings) -> list[str]:
        """Names of the fields that the settings let stay empty."""
        return [one.name for one in self.flow.fields if one.required_by and not getattr(settings, one.required_by)]


class HandlerRegistry(Mapping[str, FlowHandler]):
    """The handlers of all flows, by name of the flow. `portal.provider.handlers` lists them."""

    def __init__(self) -> None:
        self._handlers: dict[str, FlowHandler] = {}

    def register(self, handlers: Iterable[FlowHandler]) -> None:
        """Make handlers known. The same ones again change nothing.

        Raises:
            FlowError: a flow has two handlers.
        """
        for handler in handlers:
            if self._handlers.setdefault(handler.flow.name, handler) is not handler:
                raise FlowError(f"{handler.flow.name}: the flow has two handlers")

    def __getitem__(self, name: str) -> FlowHandler:
        return self._handlers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._handlers)

    def __len__(self) -> int:
        return len(self._handlers)


HANDLERS = HandlerRegistry()
"""The handlers, once they are registered."""
