"""The handlers of flows: their facts, their checks, the creation of the request, and its stored details."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import kilometres
from portal.backend.outbox import Outbox
from portal.backend.security import masked_iban
from portal.backend.sessions import Owner
from portal.contract.account import Account
from portal.contract.models import Locale, Page
from portal.flow.api import RequestItem, SubjectSearch
from portal.flow.facts import Answer, AnswerContext, Answers, Found, UploadedFile
from portal.flow.model import Control, Field, Findings, Flow, FlowError, LookedUp, Step
from portal.flow.rules import Files, Iban, Kilometres, OneOf, Phone, SomeOf
from portal.kernel.address import readable_phone
from portal.kernel.texts import Cost, gettext_for, snapshot, stored_costs
from portal.settings import Settings

COSTS, FILES, WORDS = "costs", "files", "words"
"""Reserved keys in the details of a request. No field of a flow has such a name."""


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file of a request. `name` is the customer's name for it; `size` is in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The stored details of a request.

    `words`: readable forms of answers that only the handler could resolve at sending, by field, such as the name of a
    bike.
    `costs`: the costs that the customer saw.
    """

    answers: Answers
    words: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[HeldFile] = ()
    costs: Sequence[Cost] = ()
    locale: Locale = "nl"
    further: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The answer to a single-value field; empty if it was not asked."""
        value = self.answers.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a multiple-value field; empty if it was not asked."""
        value = self.answers.get(name, [])
        return value if isinstance(value, list) else []

    @classmethod
    def of(cls, details: Mapping[str, Any] | None, locale: Locale) -> StoredRequest:
        """Read the details of a request. A request that staff entered has none."""
        details = details or {}
        own = {name: value for name, value in details.items() if name not in {COSTS, FILES, WORDS}}
        answers: dict[str, Answer] = {name: value for name, value in own.items() if isinstance(value, str | list)}
        files = [HeldFile(str(entry["name"]), int(entry["size"])) for entry in details.get(FILES, ())]
        return cls(answers, details.get(WORDS, {}), files, stored_costs(details.get(COSTS)), locale, own)


def details_of_request(
    answers: Answers,
    *,
    words: Mapping[str, str] | None = None,
    files: Sequence[UploadedFile] = (),
    costs: Sequence[Cost] = (),
    **further: Any,
) -> dict[str, object]:
    """The details that a handler stores with a request."""
    return {
        **answers,
        **further,
        **({WORDS: dict(words)} if words else {}),
        **({FILES: [{"name": file.name, "size": file.size} for file in files]} if files else {}),
        **({COSTS: snapshot(costs)} if costs else {}),
    }


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A question and the lines of its answer."""

    label: str
    lines: tuple[str, ...]


Rows = Callable[[StoredRequest], Sequence[SummaryLine]]
"""Builds the rows of a step; no rows if the step was not on the path."""


def rows_of(flow: Flow, stored: StoredRequest, own: Mapping[Step, Rows]) -> list[SummaryLine]:
    """The rows of a request in the order of the flow."""
    rows: list[SummaryLine] = []
    for step in flow.steps:
        make = own.get(step)
        rows += make(stored) if make else [row_of(entry, stored) for entry in step.fields if _is_shown(entry, stored)]
    return rows


def row_of(entry: Field, stored: StoredRequest) -> SummaryLine:
    """The row of one answer."""
    _ = gettext_for(stored.locale)
    label = _(entry.label)
    if entry.about:
        label = _("{part}: {question}").format(part=_(entry.about), question=label)
    return SummaryLine(label, wording_of(entry, stored))


def wording_of(entry: Field, stored: StoredRequest) -> tuple[str, ...]:
    """An answer as readable lines. An IBAN is masked, because mail is not confidential."""
    _ = gettext_for(stored.locale)
    given = stored.answers.get(entry.name, "")
    if entry.name in stored.words:
        return lines_of(stored.words[entry.name])
    if not given:
        return (_("Not filled in"),)
    if isinstance(entry.rule, SomeOf):
        return tuple(_(text) for option, text in entry.rule.options.items() if option in given)
    if isinstance(given, list):
        return tuple(given)
    if isinstance(entry.rule, OneOf):
        return (_(entry.rule.options.get(given, given)),)
    if isinstance(entry.rule, Iban):
        return (masked_iban(given),)
    if isinstance(entry.rule, Phone):
        return (readable_phone(given),)
    if isinstance(entry.rule, Kilometres):
        return (kilometres(Decimal(given), stored.locale),)
    return lines_of(given)


def lines_of(text: Answer) -> tuple[str, ...]:
    """The lines of a text, without empty lines at its start and end."""
    return tuple(line.rstrip() for line in str(text).strip().splitlines())


def _is_shown(entry: Field, stored: StoredRequest) -> bool:
    # Files have a list of their own.
    return entry.name in stored.answers and entry.control is not Control.FILES


@dataclass(frozen=True, slots=True)
class DraftSubmission:
    """A complete and valid draft that is being sent.

    `key`: the key of the draft. The handler stores it as the `draft_key` of the request; files refer to it.
    `answers`: the answers on the path, with the current facts.
    `seen`: the same answers with the facts that the customer saw last.
    `now`: the moment of sending (UTC).
    `outbox`: takes the confirmation mail.
    """

    owner: Owner
    key: str
    answers: AnswerContext
    seen: AnswerContext
    now: datetime
    outbox: Outbox
    context: Context
    files: Sequence[UploadedFile] = ()


@dataclass(frozen=True, slots=True)
class LookupContext:
    """The data that a lookup of a choice gets."""

    session: AsyncSession
    owner: Owner
    answers: AnswerContext
    settings: Settings


@dataclass(frozen=True, slots=True)
class Submitted:
    """The result of sending. `mailed`: whether a confirmation mail is in the outbox."""

    reference: str
    summary: Mapping[str, object] = field(default_factory=dict)
    mailed: bool = False


LookUpFacts = Callable[[AsyncSession, Owner], Awaitable[Found]]
Check = Callable[[AsyncSession, Owner, Answers], Awaitable[Findings]]
Lookup = Callable[[LookupContext], Awaitable[Found]]
Submit = Callable[[AsyncSession, DraftSubmission], Awaitable[Submitted]]


@dataclass(frozen=True, slots=True)
class CurrentRequest:
    """A request that was sent, as it holds now: its account, None for a flow without, and what it is about."""

    account: Account | None
    items: Sequence[RequestItem]


ReadCurrent = Callable[[AsyncSession, Owner, str], Awaitable[CurrentRequest | None]]
"""Reads the customer's request with a reference."""


class Subjects(Protocol):
    """Looks up what a flow can be about, such as the customer's bikes, of which there can be thousands."""

    async def facts(self, session: AsyncSession, owner: Owner, chosen: Collection[str]) -> Found:
        """The facts about the first page of subjects, and about those whose ids are in `chosen`."""

    async def page(self, session: AsyncSession, owner: Owner, search: SubjectSearch) -> Page[dict[str, object]]:
        """A page of subjects, as entries of the facts."""


@dataclass(frozen=True, slots=True)
class StepHandler:
    """The retailer's side of one step.

    `check`: a check that needs the database; called if all other checks pass.
    `lookup`: looks up the choice of the customer, or what follows from several choices. The customer receives the
    result: no secrets.
    """

    step: Step
    check: Check | None = None
    lookup: Lookup | None = None
    rows: Rows | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FlowHandler:
    """The retailer's side of one flow.

    `submit`: creates the request in the transaction that marks the draft as sent. It raises `Refused` if a rule does
    not allow the request; the transaction is then rolled back.
    `facts`: looks up the data that the flow depends on, best as a `FactsPart`. The customer receives it: no secrets.
    `introduction`: looks up what the introduction shows of it, where the facts of a draft are many; by default it has
    those.
    `subjects`: looks up what the flow can be about, if there can be many.
    `describe`: builds title and description of the request, empty where nothing was answered. Without it the stored
    title and description are used.
    `terms`: further facts that come from the settings, such as a fee.
    `current`: reads the request that was sent, as it holds now; None if there is none any more.
    """

    flow: Flow
    submit: Submit
    facts: LookUpFacts | None = None
    introduction: LookUpFacts | None = None
    subjects: Subjects | None = None
    steps: tuple[StepHandler, ...] = ()
    describe: Callable[[StoredRequest], tuple[str, str]] | None = None
    terms: Callable[[Settings], Found] | None = None
    at_counter: Callable[[AsyncSession, Owner], Awaitable[Answers]] | None = None
    current: ReadCurrent | None = None
    _steps: dict[Step, StepHandler] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the handler against the declaration. Raises `FlowError`."""
        for entry in self.steps:
            name = f"{self.flow.name}: {entry.step.name}"
            if entry.step not in self.flow.steps:
                raise FlowError(f"{name} is no step of it")
            if not (entry.check or entry.lookup or entry.rows):
                raise FlowError(f"{name} has a handler that does nothing")
            if entry.lookup and not any(isinstance(item.rule, LookedUp | SomeOf) for item in entry.step.fields):
                raise FlowError(f"{name} has a lookup, but no field with the rule LookedUp or SomeOf")
            if entry.rows and self.describe is None:
                raise FlowError(f"{name} has rows, but requests of this flow are not described")
        by_step = {entry.step: entry for entry in self.steps}
        if len(by_step) < len(self.steps):
            raise FlowError(f"{self.flow.name}: a step has two handlers")
        for entry in self.flow.fields:
            if entry.required_by and entry.required_by not in Settings.model_fields:
                raise FlowError(f"{self.flow.name}: {entry.name} depends on an unknown setting")
        object.__setattr__(self, "_steps", by_step)

    def of(self, step: Step) -> StepHandler:
        """The handler of a step; an empty one if there is none."""
        return self._steps.get(step) or StepHandler(step)

    @property
    def rows(self) -> dict[Step, Rows]:
        """The functions that build rows, by step."""
        return {entry.step: entry.rows for entry in self.steps if entry.rows}

    @property
    def lookups(self) -> list[Lookup]:
        """The lookups of all steps."""
        return [entry.lookup for entry in self.steps if entry.lookup]

    def optional_fields(self, settings: Settings, *, at_counter: bool = False) -> list[str]:
        """Names of the fields that need no answer."""
        return [
            entry.name
            for entry in self.flow.fields
            if (entry.required_by and not getattr(settings, entry.required_by))
            or (at_counter and isinstance(entry.rule, Files))
        ]


class HandlerRegistry(Mapping[str, FlowHandler]):
    """The handlers of all flows, by flow name. `portal.provider.application` registers them."""

    def __init__(self) -> None:
        self._handlers: dict[str, FlowHandler] = {}

    def register(self, handlers: Iterable[FlowHandler]) -> None:
        """Add handlers. Adding the same handler again has no effect. Raises `FlowError`."""
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
