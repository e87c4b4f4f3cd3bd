"""What the retailer's side adds to a flow: what it knows, what only it can check, what becomes of a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import readable_phone
from portal.backend.outbox import Outbox
from portal.backend.sessions import Owner
from portal.contract.models import Locale
from portal.flow.model import Control, Field, Findings, Flow, FlowError, LookedUp, Step
from portal.flow.rules import Answer, AnswerContext, Answers, Iban, OneOf, Phone, SomeOf
from portal.kernel.money import Cost, snapshot, stored_costs
from portal.kernel.texts import gettext_for
from portal.settings import Settings

COSTS, FILES, WORDS = "costs", "files", "words"
"""Names in the details of a request. No field of a flow is called so."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that came with a request: its name as the customer knows it, and its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The details of a request.

    Attributes:
        answers: what was answered on the way, by field.
        words: answers that only the handler could put into words when it was sent, by field: the name of the bike.
        files: the files that came with it.
        costs: what the customer was told it costs.
        locale: language in which it is told.
        further: what else was stored, such as the address that an answer meant.
    """

    answers: Answers
    words: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[StoredFile] = ()
    costs: Sequence[Cost] = ()
    locale: Locale = "nl"
    further: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The answer to a field of one value; empty when it was not asked."""
        value = self.answers.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a field of several values; empty when it was not asked."""
        value = self.answers.get(name, [])
        return value if isinstance(value, list) else []

    @classmethod
    def of(cls, details: Mapping[str, Any] | None, locale: Locale) -> StoredRequest:
        """Read the details of a request; none were kept of what was asked for at the counter."""
        details = details or {}
        own = {name: value for name, value in details.items() if name not in {COSTS, FILES, WORDS}}
        answers: dict[str, Answer] = {name: value for name, value in own.items() if isinstance(value, str | list)}
        files = [StoredFile(str(entry["name"]), int(entry["size"])) for entry in details.get(FILES, ())]
        return cls(answers, details.get(WORDS, {}), files, stored_costs(details.get(COSTS)), locale, own)


def details_of_request(
    answers: Answers,
    *,
    words: Mapping[str, str] | None = None,
    files: Sequence[Mapping[str, Any]] = (),
    costs: Sequence[Cost] = (),
    **further: Any,
) -> dict[str, Any]:
    """The details that a handler keeps with a request.

    Args:
        answers: what was answered on the way.
        words: answers that only the handler can put into words, by field.
        files: what came with it, each with `name` and `size` in bytes; anything else about them is not kept here.
        costs: what the customer was told.
        **further: what the answers meant when it was sent, as JSON.
    """
    return {
        **answers,
        **further,
        **({WORDS: dict(words)} if words else {}),
        **({FILES: [{"name": entry["name"], "size": entry["size"]} for entry in files]} if files else {}),
        **({COSTS: snapshot(costs)} if costs else {}),
    }


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A question and its answer: lines as they stand under each other."""

    label: str
    lines: tuple[str, ...]


Rows = Callable[[StoredRequest], Sequence[SummaryLine]]
"""Makes the rows of a step in words of its own; none when the step was not on the way."""

_FILES = "files"
"""Control of a field that asks for files; they have a list of their own."""


def rows_of(flow: Flow, stored: StoredRequest, own: Mapping[Step, Rows]) -> list[SummaryLine]:
    """All rows of a request, in the order of the flow.

    Args:
        flow: its declaration.
        stored: what is stored of it.
        own: of steps that need other words than their fields give.
    """
    rows: list[SummaryLine] = []
    for step in flow.steps:
        make = own.get(step)
        rows += make(stored) if make else [row_of(entry, stored) for entry in step.fields if _is_shown(entry, stored)]
    return rows


def row_of(entry: Field, stored: StoredRequest) -> SummaryLine:
    """One answer."""
    _ = gettext_for(stored.locale)
    label = _(entry.label)
    if entry.about:
        label = _("{part}: {question}").format(part=_(entry.about), question=label)
    return SummaryLine(label, wording_of(entry, stored))


def wording_of(entry: Field, stored: StoredRequest) -> tuple[str, ...]:
    """An answer in words. A bank account is told by its ends only: mails are read on the way."""
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
        return (f"{given[:4]} •••• {given[-4:]}",)
    if isinstance(entry.rule, Phone):
        return (readable_phone(given),)
    if entry.control is Control.DECIMAL:
        return (format_decimal(Decimal(given), locale={"nl": "nl_NL", "en": "en_GB"}[stored.locale]),)
    return lines_of(given)


def lines_of(text: Answer) -> tuple[str, ...]:
    """The lines of a text, without empty ones at its ends."""
    return tuple(line.rstrip() for line in str(text).strip().splitlines())


def _is_shown(entry: Field, stored: StoredRequest) -> bool:
    return entry.name in stored.answers and entry.control != _FILES


@dataclass(frozen=True, slots=True)
class DraftSubmission:
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

Submit = Callable[[AsyncSession, DraftSubmission], Awaitable[Submitted]]


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
