"""What became of the records of an import, counted while it runs: the first ones by name, and all of them in a file."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from io import BytesIO
from itertools import groupby, islice
from typing import NamedTuple

from pydantic import ConfigDict, Field, PrivateAttr

from portal.backend.files.store import Store
from portal.backend.spreadsheet import BOM, lines
from portal.imports.api import LISTED, ImportCounts, ImportLine, ReasonValues
from portal.imports.rules.reasons import Reason, reason_texts
from portal.kernel.texts import Locale, gettext_for
from portal.tables.exchange import ImportRunRow
from portal.vocabulary.exchange import IMPORT_ADVICE, ImportOutcome

PROBLEMS = 1000
"""Most records that a report names as problems. The counts are complete, and every rejected record is stored."""

LARGEST = 16 * 1024 * 1024
"""Bytes of a packed file, about two million records. What does not fit is counted in its last line."""

_BESIDE = frozenset({ImportOutcome.NOTED, ImportOutcome.MISMATCHED})
"""Outcomes of records that have another one, too."""

_AT_ONCE = 1000


class _Entry(NamedTuple):
    """A record, or as many as `number` that did not change, from `line` to `last`."""

    line: int
    outcome: str
    external_id: str
    field: str
    code: str
    values: ReasonValues
    number: int = 1
    last: int = 0

    @classmethod
    def of(cls, found: ImportLine, outcome: str) -> _Entry:
        return cls(found.line, outcome, found.external_id, found.field, found.code, found.values)


class Report(ImportCounts):
    """The counts, the first records of which there is something to say, and the first others of each outcome."""

    model_config = ConfigDict(frozen=False)

    problems: list[ImportLine] = Field(default_factory=list)
    records: list[ImportLine] = Field(default_factory=list)
    _batch: list[_Entry] = PrivateAttr(default_factory=list)
    _bytes: BytesIO = PrivateAttr(default_factory=BytesIO)
    _entries: int = PrivateAttr(default=0)

    def add(self, outcome: ImportOutcome, found: ImportLine) -> None:
        """Count a record, and name it while there is room."""
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.name(outcome, found)

    def name(self, outcome: ImportOutcome, found: ImportLine) -> None:
        self._batch.append(_Entry.of(found, outcome))
        if len(self.problems) < PROBLEMS:
            self.problems.append(found.model_copy(update={"outcome": outcome}))

    def stored(self, outcome: ImportOutcome, line: int, external_id: str) -> None:
        """Count a record of which there is nothing to say."""
        count = getattr(self, outcome) + 1
        setattr(self, outcome, count)
        self._batch.append(_Entry(line, outcome, external_id, "", "", {}))
        if count <= LISTED:
            self.records.append(ImportLine(line=line, outcome=outcome, external_id=external_id, reason=""))

    def counts(self) -> dict[str, int]:
        return self.model_dump(include=set(ImportCounts.model_fields))

    def write(self) -> None:
        """Write a batch into the file, in the order of its lines; records in a row that are the same need one line."""
        rows: list[_Entry] = []
        for same, group in groupby(
            sorted(self._batch, key=lambda entry: entry.line), lambda entry: entry.outcome == ImportOutcome.UNCHANGED
        ):
            found = list(group)
            if same and found[0].line and len(found) > 1:
                found = [found[0]._replace(external_id="", number=len(found), last=found[-1].line)]
            rows += found
        self._entries += len(self._batch)
        self._batch.clear()
        if self._bytes.tell() < LARGEST:
            self._bytes.write(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode(), 1))

    def file(self, most: int) -> bytes:
        """All records, for `written`; empty if this names each of them, with up to `most` problems."""
        named = len(self.problems[:most]) + len(self.records)
        return self._bytes.getvalue() if self._entries > named else b""

    def described(self) -> list[ImportLine]:
        """Everything of which there is something to say."""
        found = (entry for entry in _entries(self._bytes.getvalue()) if entry.code)
        return [
            problem(entry.line, entry.external_id, entry.field, Reason(entry.code, entry.values)).model_copy(
                update={"outcome": ImportOutcome(entry.outcome)}
            )
            for entry in found
        ]


def problem(line: int, external_id: str, field: str, reason: Reason) -> ImportLine:
    return ImportLine(
        line=line,
        external_id=external_id,
        field=field,
        reason=reason.english,
        code=reason.code,
        values=dict(reason.values),
    )


def _entries(packed: bytes) -> Iterator[_Entry]:
    return (_Entry(*json.loads(line)) for line in gzip.GzipFile(fileobj=BytesIO(packed)))


async def written(store: Store, row: ImportRunRow, named: Sequence[ImportLine], locale: Locale) -> AsyncIterator[bytes]:
    """A report for a spreadsheet: from its file in the store, or without one from what the report names itself."""
    _ = gettext_for(locale)
    heads = (_("Line"), _("Record"), _("Quantity"), _("Outcome"), _("Field"), _("Reason"), _("What to do"))
    yield (BOM + lines([heads], locale)).encode()
    found: Iterator[_Entry] = (_Entry.of(each, each.outcome) for each in sorted(named, key=lambda each: each.line))
    if row.key:
        packed = b"".join([part async for part in store.read(row.key)])
        found = _entries(packed)
    rest = sum(row.counts.get(outcome, 0) for outcome in ImportOutcome if outcome not in _BESIDE)
    while part := list(islice(found, _AT_ONCE)):
        rest -= sum(entry.number for entry in part if entry.outcome not in _BESIDE)
        yield lines((_row(entry, locale, advised=not row.dry_run) for entry in part), locale).encode()
    if rest > 0:
        yield lines(
            [("", "", rest, "", "", _("More records than fit into this file. They are only counted."), "")], locale
        ).encode()


def _row(entry: _Entry, locale: Locale, *, advised: bool) -> tuple[object, ...]:
    outcome, _ = ImportOutcome(entry.outcome), gettext_for(locale)
    place = f"{entry.line}–{entry.last}" if entry.last else entry.line or ""
    reason = reason_texts(entry.code, entry.values)[locale] if entry.code else ""
    advice = IMPORT_ADVICE.get(outcome) if advised else None
    return place, entry.external_id, entry.number, outcome, entry.field, reason, _(advice) if advice else ""
