"""The answers to a flow, and the facts of the retailer's side that it depends on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, Self, TypeVar

from pydantic import Field

from portal.contract.models import Model

Answer = str | list[str]
"""A text, or a list of values, as the rule of the field returned it."""

Answers = Mapping[str, Answer]
Facts = Mapping[str, Any]
"""The facts as JSON, as drafts store them and the API sends them, such as the bikes to choose from."""


class FactsPart(Model):
    """A part of the facts, typed. Its fields are keys of the facts.

    A handler returns a part; flows and pages read it with `of`. Every field has a default, because not every flow has
    every fact, and stored facts may be those of an earlier release.
    """

    @classmethod
    def of(cls, facts: Facts) -> Self:
        """This part of the facts."""
        return cls.model_validate(dict(facts))

    def stored(self) -> dict[str, object]:
        """The part as JSON."""
        return self.model_dump(mode="json")


Found = FactsPart | Facts


def stored_facts(found: Found) -> Facts:
    """What was looked up, as JSON."""
    return found.stored() if isinstance(found, FactsPart) else found


class UploadedFile(Model):
    """A complete file of a draft. `size` in bytes, `kind` a value of `FileKind`."""

    id: str
    field: str
    name: str
    size: int
    kind: str
    photo: bool


class FileFacts(FactsPart):
    """The complete files of a draft, in upload order."""

    files: list[UploadedFile] = Field(default_factory=list)


class _WithId(Protocol):
    @property
    def id(self) -> str: ...


E = TypeVar("E", bound=_WithId)
P = TypeVar("P", bound=FactsPart)


def with_id(entries: Iterable[E], identifier: str) -> E | None:
    """The entry with this `id`."""
    return next((entry for entry in entries if entry.id == identifier), None)


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The answers to a flow and the data that rules check them against.

    `given`: all answers so far, including those of this step.
    `facts`: the data of the retailer's side.
    `day`: today in Europe/Amsterdam.
    """

    given: Answers
    facts: Facts
    day: date
    _parts: dict[type[FactsPart], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def part(self, kind: type[P]) -> P:
        """A part of the facts; it is read once."""
        if kind not in self._parts:
            self._parts[kind] = kind.of(self.facts)
        return self._parts[kind]

    def text(self, name: str) -> str:
        """The answer to a single-value field; empty if there is none."""
        value = self.given.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a multiple-value field; empty if there is none."""
        value = self.given.get(name, [])
        return value if isinstance(value, list) else []

    def chosen(self, entries: Iterable[E], name: str) -> E | None:
        """The entry of a list whose `id` is the answer to a field."""
        return with_id(entries, self.text(name))
