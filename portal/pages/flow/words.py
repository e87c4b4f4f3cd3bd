"""Texts of a flow's pages that follow from the declaration: titles, counters, what is wrong with a field."""

from __future__ import annotations

from functools import reduce

import reflex as rx

from portal.domain.codes import Code
from portal.domain.flow import VIDEOS, Field, Files, Flow, SomeOf, Step, Words
from portal.i18n import Text, _, choice
from portal.pages.layout import title
from portal.pages.messages import field_message
from portal.states.flow import FlowRun


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
