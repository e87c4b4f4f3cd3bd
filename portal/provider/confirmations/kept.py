"""What a request keeps beside its answers, so that papers can be made of it at any later time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portal.contract.base import Locale
from portal.domain.costs import Costs
from portal.domain.flow import Answers

COSTS, FILES, WORDS = "costs", "files", "words"
HOME, SERVICE_LOCATION, HANDED_OVER = "home", "service_location", "handed_over"
"""Names in the details of a request. No field of a flow is called so."""
_BESIDE = frozenset({COSTS, FILES, WORDS, HOME, SERVICE_LOCATION, HANDED_OVER})


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that came with a request: its name as the customer knows it, and its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The details of a request.

    Attributes:
        answers: what was answered on the way, by field.
        words: answers that only the desk could put into words when it was sent, by field: the name of the bike.
        files: the files that came with it.
        costs: what the customer was told it costs.
        home: where the customer is, part by part; empty when it was not asked.
        location: the service location that was chosen, with its address; empty when none was.
        handed_over: how the bike gets there, a value of `Handover`; empty when that was not asked.
        locale: language in which it is told.
    """

    answers: Answers
    words: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[KeptFile] = ()
    costs: Costs = field(default_factory=Costs)
    home: Mapping[str, str] = field(default_factory=dict)
    location: Mapping[str, Any] = field(default_factory=dict)
    handed_over: str = ""
    locale: Locale = "nl"

    def text(self, name: str) -> str:
        """The answer to a field of one value; empty when it was not asked."""
        value = self.answers.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a field of several values; empty when it was not asked."""
        value = self.answers.get(name, [])
        return value if isinstance(value, list) else []

    @classmethod
    def of(cls, details: Mapping[str, Any] | None, locale: Locale) -> Kept:
        """Read the details of a request; none were kept of what was asked for at the counter."""
        details = details or {}
        return cls(
            {name: value for name, value in details.items() if name not in _BESIDE},
            words=details.get(WORDS, {}),
            files=[KeptFile(str(entry["name"]), int(entry["size"])) for entry in details.get(FILES, ())],
            costs=Costs.from_json(details.get(COSTS)),
            home=details.get(HOME, {}),
            location=details.get(SERVICE_LOCATION, {}),
            handed_over=details.get(HANDED_OVER, ""),
            locale=locale,
        )


def details_of_request(
    answers: Answers,
    *,
    words: Mapping[str, str] | None = None,
    files: Sequence[Mapping[str, Any]] = (),
    costs: Costs | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The details that a desk keeps with a request.

    Args:
        answers: what was answered on the way.
        words: answers that only the desk can put into words, by field.
        files: what came with it, each with `name` and `size` in bytes; anything else about them is not kept here.
        costs: what the customer was told.
        more: home, location and hand-over, by the names above.
    """
    return {
        **answers,
        **({WORDS: dict(words)} if words else {}),
        **({FILES: [{"name": entry["name"], "size": entry["size"]} for entry in files]} if files else {}),
        **({COSTS: costs.to_json()} if costs else {}),
        **(more or {}),
    }
