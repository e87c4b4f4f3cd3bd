"""Reads records from CSV and JSON Lines, one at a time, so that a file of any size needs little memory.

A CSV file has one row a record, with the names of the fields in its first row. Nested fields have names such as
`shipping_address.city`. A record with a list, such as the lines of an order, takes several rows: the first row holds
everything, the rows below repeat the `external_id` and hold the next entry of `lines.name`, `lines.sku`, and so on.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from portal.imports.rules.reasons import Reason, WrongFile
from portal.vocabulary.exchange import Rejection

LONGEST_LINE = 2_000_000
"""Most characters of a line of JSON; a longer one is rejected."""


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record as it was read, not validated yet.

    Attributes:
        line: number of its first line in the file, from 1; 0 when it came by API.
        values: the fields; empty if the line could not be read.
        error: why the line could not be read; None if it could.
        text: the line that could not be read.
        last: number of its last line, if it has several; else 0.
    """

    line: int
    values: dict[str, Any]
    error: Reason | None = None
    text: str = ""
    last: int = 0

    @property
    def lines(self) -> range:
        """Numbers of its lines; none when it came by API."""
        return range(self.line, max(self.line, self.last) + 1) if self.line else range(0)


def read_file(path: Path) -> Iterator[RawRecord]:
    """Read a file by its extension.

    Raises:
        WrongFile: the extension is neither `.csv` nor `.jsonl`, or the file is not UTF-8.
        OSError: the file cannot be read.
    """
    readers = {".csv": read_csv, ".jsonl": read_json_lines, ".ndjson": read_json_lines}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise WrongFile(Reason(Rejection.WRONG_EXTENSION), path.name)
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            yield from reader(file)
        except UnicodeDecodeError:
            raise WrongFile(Reason(Rejection.NOT_UTF8), path.name) from None


def read_json_lines(file: TextIO) -> Iterator[RawRecord]:
    """Read one JSON object a line; empty lines are skipped."""
    for number, line in enumerate(file, 1):
        text = line.strip()
        if text:
            yield _parsed(number, text)


def _parsed(number: int, text: str) -> RawRecord:
    if len(text) > LONGEST_LINE:
        return RawRecord(number, {}, Reason(Rejection.LINE_TOO_LONG, {"most": LONGEST_LINE}), text[:1000])
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        return RawRecord(number, {}, Reason(Rejection.NOT_JSON, {"column": error.colno}), text[:1000])
    except (ValueError, RecursionError):
        # A number of thousands of digits, or thousands of brackets.
        return RawRecord(number, {}, Reason(Rejection.NOT_JSON, {"column": 1}), text[:1000])
    if not isinstance(values, dict):
        return RawRecord(number, {}, Reason(Rejection.NOT_AN_OBJECT), text[:1000])
    return RawRecord(number, values)


def read_csv(file: TextIO) -> Iterator[RawRecord]:
    """Read records from CSV with comma or semicolon; rows with the same `external_id` in a row are one record."""
    first = file.readline()
    separator = ";" if first.count(";") > first.count(",") else ","
    names = next(csv.reader([first], delimiter=separator), [])
    current: RawRecord | None = None
    reader = csv.reader(file, delimiter=separator)
    for cells in reader:
        if not any(cells):
            continue
        line = reader.line_num + 1
        if len(cells) != len(names):
            if current:
                yield current
                current = None
            wrong = Reason(Rejection.WRONG_CELLS, {"found": len(cells), "expected": len(names)})
            yield RawRecord(line, {}, wrong, separator.join(cells)[:1000])
            continue
        values = nested(zip(names, cells, strict=True))
        if current and values.get("external_id") and values["external_id"] == current.values.get("external_id"):
            _append(current.values, values)
            current = replace(current, last=line)
            continue
        if current:
            yield current
        current = RawRecord(line, values)
    if current:
        yield current


LISTS = frozenset({"lines", "shipments"})
"""Fields that hold a list; their columns are named after the field, such as `lines.sku`."""


WORDS = frozenset({"features", "includes", "half_price_jobs", "covers"})
"""Fields that hold a list of words; in one cell they are separated by spaces."""


def nested(cells: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Build a record from the cells of a row; empty cells are left out."""
    values: dict[str, Any] = {}
    for name, cell in cells:
        if cell == "":
            continue
        head, _, rest = name.partition(".")
        if head in LISTS:
            values.setdefault(head, [{}])[0][rest] = cell
        elif rest:
            values.setdefault(head, {})[rest] = cell
        elif head in WORDS:
            values[head] = cell.split()
        else:
            values[head] = cell
    return values


def _append(record: dict[str, Any], more: dict[str, Any]) -> None:
    for name in LISTS:
        record.setdefault(name, []).extend(more.get(name, ()))
        if not record[name]:
            del record[name]
