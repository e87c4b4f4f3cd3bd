"""What the pages of a flow have beyond its declaration, and the texts of a step."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import reflex as rx

from portal import ui
from portal.flow.api import DraftSummary
from portal.flow.model import Field, Flow, FlowError, Step
from portal.flow.pages.state import FlowRun
from portal.flow.rules import Files, Words
from portal.frontend.layout import title
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.files import VIDEOS

Part = Callable[[], rx.Component]
Draft = rx.vars.ObjectVar[DraftSummary]
WARNINGS = {code.value: MESSAGES[code] for code in (Code.DATE_IN_FUTURE, Code.USED_DISTANCE)}


class StepFields(Collection[Field]):
    """The fields of a step. It records which ones a body or a row used, so that none can be forgotten."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._taken: set[str] = set()

    def __getitem__(self, name: str) -> Field:
        self._taken.add(name)
        return self._step.field(name)

    def __contains__(self, name: object) -> bool:
        return any(entry.name == name for entry in self._step.fields)

    def __iter__(self) -> Iterator[Field]:
        return iter([self[entry.name] for entry in self._step.fields])

    def __len__(self) -> int:
        return len(self._step.fields)

    def take(self, *names: str) -> list[Field]:
        return [self[name] for name in names if name in self]

    @property
    def forgotten(self) -> list[str]:
        return [entry.name for entry in self._step.fields if entry.name not in self._taken]


Body = Callable[[StepFields], rx.Component]
Rows = Callable[[StepFields], Sequence[ui.Fact]]


@dataclass(frozen=True, slots=True)
class StepPage:
    """The page of one step.

    `body`: builds the fields, if they are more than labels and inputs.
    `rows`: builds the rows for the check page, if they are not made from the fields. Links to change are added.
    """

    step: Step
    body: Body | None = None
    rows: Rows | None = None
    before: Part | None = None
    wide: bool = False
    half: bool = False
    title: Text | None = None


@dataclass(frozen=True, slots=True)
class Intro:
    """What the intro page says before the first question.

    `minutes`: how long the questions take; None if the page does not say it.
    """

    lead: Text
    heading: Text | None = None
    notes: Sequence[Text | rx.Component] = ()
    closing: Sequence[Text] = ()
    minutes: int | None = None
    phases: Part | None = None
    above: Part | None = None
    beside: Part | None = None
    below: Part | None = None


@dataclass(frozen=True, slots=True)
class SentPage:
    """The confirmation page.

    `follow`: address of the status page, if it is not that of a service request.
    `waits`: replaces the panel with the heading if the customer still has to do something.
    """

    title: Text | None = None
    more: Part | None = None
    beside: Part | None = None
    follow: Text | None = None
    followed: rx.Var[bool] | bool = True
    documents: Part | None = None
    waits: Part | None = None
    page: Part | None = None
    on_load: Sequence[Any] = ()


def _without_subject(flow: Flow, _draft: Draft) -> rx.Var[str]:
    return _(flow.title)


def _reason_only(reason: rx.Component) -> rx.Component:
    return reason


@dataclass(frozen=True, slots=True)
class Offers:
    """What a request can be about, such as the bikes of the customer; each with `id`, `name` and `picture`.

    `another`: text of the button that begins without one of them.
    `details`: what tells it from others of its name; None if the name does.
    `others`: the views of what another flow is about, each with its `flow`; None without any.
    `mark`: tells it from others of its name for those who hear only its button; None if the name does.
    """

    label: Text
    entries: rx.vars.ArrayVar[Any]
    another: Text
    details: Callable[[Any], rx.Component] | None = None
    others: rx.vars.ArrayVar[Any] | None = None
    mark: Callable[[Any], rx.Component] | None = None


@dataclass(frozen=True, slots=True)
class SubjectPages:
    """What the intro page shows about the subject of the flow.

    `offers`: what a request can be about, of which the intro begins one at once; None if it lists none.
    `chosen`: the name of what a request is about, for screens without the column beside the form.
    """

    unnamed: Callable[[Flow, Draft], rx.Var[str]] = _without_subject
    closed_page: Callable[[rx.Component], rx.Component] = _reason_only
    offers: Callable[[], Offers] | None = None
    chosen: Callable[[], rx.Var[str]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FlowPages:
    """The pages of one flow.

    `failure`: text if the request could not be sent, including what to do; by default `Flow.failure`.
    """

    flow: Flow
    intro: Callable[[], Intro]
    steps: Sequence[StepPage] = ()
    sent: SentPage = field(default_factory=SentPage)
    subject: SubjectPages = field(default_factory=SubjectPages)
    phases: Part | None = None
    aside: Part | None = None
    before_sending: Part | None = None
    send: rx.Var[str] | None = None
    failure: rx.Var[str] | None = None

    def __post_init__(self) -> None:
        steps = [page.step for page in self.steps]
        if unknown := [step.name for step in steps if step not in self.flow.steps]:
            raise FlowError(f"{self.flow.name}: no steps of it: {', '.join(unknown)}")
        if duplicates := {step.name for step in steps if steps.count(step) > 1}:
            raise FlowError(f"{self.flow.name}: two pages for a step: {', '.join(sorted(duplicates))}")

    def of(self, step: Step) -> StepPage:
        return next((page for page in self.steps if page.step is step), StepPage(step))

    def title_of(self, step: Step) -> Text:
        own = self.of(step).title
        return _(step.title) if own is None else own

    def check_all_taken(self, fields: StepFields, what: str) -> None:
        if fields.forgotten:
            raise FlowError(f"{self.flow.name}: no {what} for {', '.join(fields.forgotten)}")


def is_shown(flow: Flow, step: Step) -> rx.Var[bool]:
    """Whether this step may be shown now. Other steps are never rendered."""
    return (FlowRun.flow == flow.name) & FlowRun.open.contains(step.name)


def number_of(step: Step) -> rx.Var[int]:
    return FlowRun.numbers[step.name].to(int)


def counter(flow: Flow, step: Step) -> rx.Var[str]:
    """Number and flow: "Stap 2 van 8 · Reparatie aanvragen". An extra question replaces the name of the flow."""
    name = _("Extra question") if step.extra else _(flow.title)
    return _("Step {x} of {y} · {name}", x=number_of(step), y=FlowRun.total, name=name)


def step_title(pages: FlowPages, step: Step) -> rx.Var[str]:
    """Title of the document: heading, counter and flow if the step is shown, with "Fout: " if it has errors."""
    counted = _("Step {x} of {y}", x=number_of(step), y=FlowRun.total)
    flow = pages.flow
    full_title = title(pages.title_of(step), counted, _(flow.title), failed=_has_errors(step))
    return rx.cond(is_shown(flow, step), full_title, title(_(flow.title))).to(str)


def _has_errors(step: Step) -> rx.Var[bool]:
    any_error = FlowRun.refusal != ""
    return reduce(lambda errors, entry: errors | FlowRun.errors.contains(entry.name), step.fields, any_error)


def error_of(entry: Field) -> rx.Var[str]:
    own: dict[str, Text] = {}
    label = _(entry.label)
    if entry.about:
        label = _("{part}: {label}", part=_(entry.about), label=label)
    if isinstance(entry.rule, Words):
        short = _(entry.about or entry.label)
        own[Code.TOO_SHORT.value] = _("{label}: use at least {n} characters.", label=short, n=entry.rule.minimum)
        own[Code.TOO_LONG.value] = _("{label}: use at most {n} characters.", label=short, n=entry.rule.maximum)
    if isinstance(entry.rule, Files):
        videos = bool(entry.rule.kinds & VIDEOS)
        own[Code.REQUIRED.value] = _("Add at least one photo or video.") if videos else _("Add at least one file.")
        own[Code.MAX_UPLOAD_FILE_COUNT_REACHED.value] = _("You can add at most {n} files.", n=entry.rule.maximum)
        own[Code.TOO_FEW_FILES.value] = _("Add at least {n} files.", n=entry.rule.minimum)
    if entry.label.endswith("?"):
        own[Code.REQUIRED.value] = _("Answer the question: {question}", question=label)
    if entry.ask:
        own[Code.REQUIRED.value] = _(entry.ask)
    own |= {code.value: _(text) for code, text in entry.rule.messages.items()}
    return field_message(FlowRun.errors[entry.name].to(str), label, *entry.rule.codes, **own)


def next_title(pages: FlowPages, step: Step) -> rx.Var[str]:
    flow = pages.flow
    later = flow.all_steps[flow.all_steps.index(step) + 1 :]
    return choice(FlowRun.ahead[step.name].to(str), {flow.url(after): pages.title_of(after) for after in later})
