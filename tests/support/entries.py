"""Builds the answers to a step by its name; the API identifies a step by its address."""

from collections.abc import Mapping

from portal.flow.api import Answer, Draft, StepEntry
from portal.flow.journey import FLOWS


def step_entry(draft: Draft, step: str, answers: Mapping[str, Answer], version: int | None = None) -> StepEntry:
    """Build the answers to a step of a draft.

    Args:
        draft: the draft.
        step: name of the step.
        answers: values by field.
        version: version of the draft that the customer saw; by default the current one.
    """
    address = FLOWS[draft.flow].address(step)
    return StepEntry(step=address, answers=dict(answers), version=draft.version if version is None else version)
