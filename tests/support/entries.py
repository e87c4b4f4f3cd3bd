"""Answers to a step that a test names; over the API it travels by its address."""

from __future__ import annotations

from collections.abc import Mapping

from portal.flow.api import Answer, Draft, StepEntry
from portal.flow.registry import FLOWS


def step_entry(draft: Draft, step: str, answers: Mapping[str, Answer], version: int | None = None) -> StepEntry:
    """The answers to a step of a draft.

    Args:
        draft: the draft.
        step: name of the step.
        answers: values by field.
        version: of the draft that was seen; by default the one at hand.
    """
    address = FLOWS[draft.flow].address(step)
    return StepEntry(step=address, answers=dict(answers), version=draft.version if version is None else version)
