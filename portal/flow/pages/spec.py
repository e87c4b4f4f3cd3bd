"""What a flow brings of its own. Everything it leaves out is made from the declaration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import reflex as rx

from portal.flow.model import Field, Flow, FlowError, Step
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import DraftCard
from portal.flow.rules import Files, SomeOf, Words
from portal.frontend.layout import title
from portal.frontend.problems import field_message
from portal.i18n import Text, _, choice
from portal.kernel.codes import Code
from portal.ui import Fact
from portal.vocabulary.files import VIDEOS

Part = Callable[[], rx.Component]

Draft = rx.vars.ObjectVar[DraftCard]


class StepFields(Collection[Field]):
    """The fields of a step for what shows them. It notes which were taken, so that none is forgotten."""

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
        """Those fields of these names that there are."""
        return [self[name] for name in names if name in self]

    @property
    def forgotten(self) -> list[str]:
        """Names of the fields that nobody took."""
        return [entry.name for entry in self._step.fields if entry.name not in self._taken]


Body = Callable[[StepFields], rx.Component]

Rows = Callable[[StepFields], Sequence[Fact]]


@dataclass(frozen=True, slots=True)
class StepPage:
    """The page of one step.

    Attributes:
        step: the step.
        body: its fields, where they are more than labels and inputs.
        rows: its rows on the check page, where an answer needs other words. The addresses of their "Wijzig" are added.
        before: what stands between heading and form, such as a search with a form of its own.
        wide: whether it takes the whole width, such as a comparison; then nothing stands beside it.
    """

    step: Step
    body: Body | None = None
    rows: Rows | None = None
    before: Part | None = None
    wide: bool = False


@dataclass(frozen=True, slots=True)
class SentPage:
    """The page after sending.

    Attributes:
        title: what happened, where `Flow.sent` does not do.
        next_steps: what happens next and when, in order, where `Flow.next_steps` do not do.
        more: further content, such as downloads.
        status: where the request can be followed, without its name at the end.
        name: what it is called there; its reference by default.
        follow: where it can be followed, when that is not below `status`.
        followed: whether its status can be viewed; always by default.
        documents: links to its documents, where they are not those of every request.
        waits: takes the place of what has happened while that waits for something the customer has to do.
        page: the page itself, where the usual one does not do.
        on_load: further events when it is opened.
    """

    title: Text | None = None
    next_steps: Sequence[Text] = ()
    more: Part | None = None
    status: str = "/maintenance"
    name: rx.Var[str] | None = None
    follow: Text | None = None
    followed: rx.Var[bool] | bool = True
    documents: Part | None = None
    waits: Part | None = None
    page: Part | None = None
    on_load: Sequence[Any] = ()


def _without_subject(flow: Flow, _draft: Draft) -> rx.Var[str]:
    return _(flow.title)


def _refused(refused: rx.Component) -> rx.Component:
    return refused


@dataclass(frozen=True, slots=True)
class SubjectPages:
    """What the first page of a flow says about its subject.

    Attributes:
        unnamed: what a draft is called that has no name, because its subject was not chosen or has none.
        closed_page: what stands on the first page of a flow that cannot be started, given what stands there usually.
    """

    unnamed: Callable[[Flow, Draft], rx.Var[str]] = _without_subject
    closed_page: Callable[[rx.Component], rx.Component] = _refused


@dataclass(frozen=True, slots=True)
class FlowPages:
    """The pages of one flow.

    Attributes:
        flow: the declaration.
        intro: content of the first page below its heading: what to expect, what to have at hand.
        steps: what is special about single steps.
        sent: the page after sending.
        subject: what the first page says about the subject.
        phases: the phases of the whole way, which the first page tells too; shown again after sending (design D4).
        below: further content of the first page, below the button that starts.
        aside: what stands beside the steps, such as the chosen bike. It holds no controls.
        before_sending: further content of the check page: costs, consent.
        send: what the last button says, where `Flow.send` does not do.
        failure: what could not be done, where `Flow.failure` does not do; it says what to do as well.
    """

    flow: Flow
    intro: Part
    steps: Sequence[StepPage] = ()
    sent: SentPage = field(default_factory=SentPage)
    subject: SubjectPages = field(default_factory=SubjectPages)
    phases: Part | None = None
    below: Part | None = None
    aside: Part | None = None
    before_sending: Part | None = None
    send: rx.Var[str] | None = None
    failure: rx.Var[str] | None = None

    def __post_init__(self) -> None:
        """Refuse pages of steps that are not of the flow, and two for one step."""
        own = [page.step for page in self.steps]
        if strange := [step.name for step in own if step not in self.flow.steps]:
            raise FlowError(f"{self.flow.name}: no steps of it: {', '.join(strange)}")
        if twice := {step.name for step in own if own.count(step) > 1}:
            raise FlowError(f"{self.flow.name}: two pages for a step: {', '.join(sorted(twice))}")

    def of(self, step: Step) -> StepPage:
        """What is special about a step; often nothing."""
        return next((page for page in self.steps if page.step is step), StepPage(step))

    def check_all_taken(self, fields: StepFields, what: str) -> None:
        """Stop the build when a field was forgotten.

        Args:
            fields: those of a step.
            what: what should have taken them all.

        Raises:
            FlowError: with the names.
        """
        if fields.forgotten:
            raise FlowError(f"{self.flow.name}: no {what} for {', '.join(fields.forgotten)}")


def is_shown(flow: Flow, step: Step) -> rx.Var[bool]:
    """Whether this step may be seen now. What may not is never drawn, not even for a moment."""
    return (FlowRun.flow == flow.name) & FlowRun.open.contains(step.name)


def number_of(step: Step) -> rx.Var[int]:
    """Number of a step on the way."""
    return FlowRun.numbers[step.name].to(int)


def counter(flow: Flow, step: Step) -> rx.Var[str]:
    """Where the step stands: "Stap 2 van 8 · Reparatie aanvragen"; an extra question says so instead of the flow."""
    name = _("Extra question") if step.extra else _(flow.title)
    return _("Step {x} of {y} · {name}", x=number_of(step), y=FlowRun.total, name=name)


def step_of(step: Step) -> rx.Var[str]:
    """Where the step stands: "Stap 2 van 8"."""
    return _("Step {x} of {y}", x=number_of(step), y=FlowRun.total)


def step_title(flow: Flow, step: Step) -> rx.Var[str]:
    """Title of the document: heading, counter and flow while the step is shown, with "Fout: " when it has errors."""
    shown = title(_(step.title), step_of(step), _(flow.title), failed=has_errors(step))
    return rx.cond(is_shown(flow, step), shown, title(_(flow.title))).to(str)


def has_errors(step: Step) -> rx.Var[bool]:
    """Whether something is wrong with what was filled in here, or it could not be sent."""
    any_error = FlowRun.refusal != ""
    return reduce(lambda found, entry: found | FlowRun.errors.contains(entry.name), step.fields, any_error)


def error_of(entry: Field) -> rx.Var[str]:
    """What is wrong with a field, in the words that stand beside it and in the summary; empty while nothing is."""
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
    if isinstance(entry.rule, SomeOf):
        own[Code.REQUIRED.value] = _("{label}: choose at least one.", label=label)
    if entry.label.endswith("?"):
        own[Code.REQUIRED.value] = _("Answer the question: {question}", question=label)
    own |= {code.value: _(text) for code, text in entry.rule.messages.items()}
    return field_message(FlowRun.errors[entry.name].to(str), label, *entry.rule.codes, **own)


def next_title(flow: Flow, step: Step) -> rx.Var[str]:
    """Heading of the step after this one."""
    places = flow.all_steps.index(step) + 1
    return choice(
        FlowRun.ahead[step.name].to(str), {flow.url(after): _(after.title) for after in flow.all_steps[places:]}
    )
