"""What a request keeps beside its answers, so that papers can be made of it at any later time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portal.contract.base import Locale
from portal.domain.costs import Cost, snapshot, told
from portal.domain.flow import Answer, Answers

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
        return cls(answers, details.get(WORDS, {}), files, told(details.get(COSTS)), locale, own)


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
