"""What a customer answered, and what is known when a question is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

Answer = str | list[str]
"""One text, or several values of a list. Kept as the rule of the field returned it."""
Answers = Mapping[str, Answer]
"""Answers by name of the field."""
Facts = Mapping[str, Any]
"""What the retailer's side knows and the flow depends on, as JSON: the bikes to choose from, and so on."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The answers to a flow, with everything that they are judged by.

    Attributes:
        given: everything answered so far, this step included.
        facts: what the retailer's side knows.
        day: today in Europe/Amsterdam.
    """

    given: Answers
    facts: Facts
    day: date

    def text(self, name: str) -> str:
        """The answer to a field of one value; empty while there is none."""
        value = self.given.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a field of several values; empty while there is none."""
        value = self.given.get(name, [])
        return value if isinstance(value, list) else []

    def of_field(self, name: str) -> AnswerContext:
        """The same, with the files of one field only."""
        mine = [entry for entry in self.facts.get("files", ()) if entry["field"] == name]
        return replace(self, facts={**self.facts, "files": mine})

    def entry(self, key: str, name: str) -> Mapping[str, Any]:
        """The entry of a list of facts that an answer names by its `id`; empty when there is none.

        Args:
            key: the list among the facts.
            name: the field whose answer is the `id`.
        """
        wanted = self.text(name)
        return next((entry for entry in self.facts.get(key, ()) if entry.get("id") == wanted), {})


Condition = Callable[[AnswerContext], bool]


@dataclass(frozen=True, slots=True)
class Answered:
    """The condition that a field has one of these answers. `Flow` checks that there is such a field."""

    field: str
    values: tuple[str, ...]

    def __call__(self, answers: AnswerContext) -> bool:
        """Whether it has."""
        return answers.text(self.field) in self.values


def answered(field: str, *values: str) -> Answered:
    """The condition that a field has one of these answers.

    Args:
        field: name of a field that is asked before.
        *values: the answers.
    """
    return Answered(field, values)


def always(_answers: AnswerContext) -> bool:
    """Whatever was answered."""
    return True
