"""What became of the records of an import, counted while it runs."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from portal.imports.api import ImportCounts, ImportLine
from portal.imports.rules.reasons import Reason
from portal.vocabulary.exchange import ImportOutcome

PROBLEMS = 1000
"""Most records that a report names. The counts are complete, and every rejected record is stored."""


class Report(ImportCounts):
    """The counts, and the first records of which there is something to say."""

    model_config = ConfigDict(frozen=False)

    problems: list[ImportLine] = Field(default_factory=list)

    def add(self, outcome: ImportOutcome, found: ImportLine) -> None:
        """Count a record, and name it while there is room."""
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.name(outcome, found)

    def name(self, outcome: ImportOutcome, found: ImportLine) -> None:
        if len(self.problems) < PROBLEMS:
            self.problems.append(found.model_copy(update={"outcome": outcome}))

    def counts(self) -> dict[str, int]:
        return self.model_dump(include=set(ImportCounts.model_fields))


def problem(line: int, external_id: str, field: str, reason: Reason) -> ImportLine:
    return ImportLine(
        line=line,
        external_id=external_id,
        field=field,
        reason=reason.english,
        code=reason.code,
        values=dict(reason.values),
    )
