"""Answers that name one thing of a large stock: the provider looks up only what was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portal.domain.codes import Code
from portal.domain.flow import Answer, AnswerContext, OneValue
from portal.domain.identifiers import is_short_id
from portal.domain.validation import InvalidValue


@dataclass(frozen=True, slots=True)
class LookedUp(OneValue):
    """What was chosen from a stock.

    Once it is answered, the facts hold it under `key`: its `id`, and a `refusal` when it cannot be had (any more).

    Attributes:
        key: of the facts.
        unknown: the code for what cannot be of this stock.
        refusals: the codes it can be refused with.
        options: the stock where it is small; without it a short id is expected.
    """

    key: str
    unknown: Code
    refusals: tuple[Code, ...] = ()
    options: Mapping[str, str] | None = None

    @property
    def codes(self) -> tuple[Code, ...]:
        """All refusals."""
        return tuple(dict.fromkeys((self.unknown, *self.refusals)))

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The `id`."""
        name = str(given)
        if not (name in self.options if self.options is not None else is_short_id(name)):
            raise InvalidValue(self.unknown)
        if refusal := looked_up(answers, self.key, name).get("refusal"):
            raise InvalidValue(Code(refusal))
        return name


def looked_up(answers: AnswerContext, key: str, name: str) -> Mapping[str, Any]:
    """What the provider found for a choice; empty while it was not looked up."""
    found = answers.facts.get(key) or {}
    return found if name and found.get("id") == name else {}
