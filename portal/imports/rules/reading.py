"""Reads records from CSV, JSON Lines and JSON; lines one at a time, so that a file of any size needs little memory.

A CSV file has one row a record, with the names of the fields in its first row. Nested fields have names such as
`shipping_address.city`. A record with a list, such as the lines of an order, takes several rows: the first row holds
everything, the rows below repeat the `external_id` and hold the next entry of `lines.name`, `lines.sku`, and so on.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from portal.imports.rules.reasons import Reason, WrongFile
from portal.kernel.validation import clean
from portal.vocabulary.exchange import Rejection

Values = dict[str, Any]
"""The fields of a record as a shop names them, nested as it sends them."""

MAX_LINE = 2_000_000
"""Most characters of a line of JSON; a longer one is rejected."""

_PIECE = 1_048_576


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record as it was read, not cleaned yet.

    `line`: number of its first line in the file, from 1; 0 when it came by API.
    `values`: the fields; empty if the line could not be read.
    `error`: why the line could not be read, or is left out; None if it could.
    `text`: the line that could not be read.
    `last`: number of its last line, if it has several; else 0.
    `field`: what the error is about; empty for the whole record.
    `left_out`: whether the shop itself does not count it, such as a draft.
    `as_of`: when it held, as the shop writes moments; an earlier one changes nothing. Empty if that is always now.
    """

    line: int
    values: Values
    error: Reason | None = None
    text: str = ""
    last: int = 0
    field: str = ""
    left_out: bool = False
    as_of: str = ""

    @property
    def lines(self) -> range:
        """Numbers of its lines; none when it came by API."""
        return range(self.line, max(self.line, self.last) + 1) if self.line else range(0)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that a CSV file of a kind may have, and those that each has."""

    known: Collection[str]
    required: Collection[str]


def read_file(path: Path, columns: Columns | None = None) -> Iterator[RawRecord]:
    """Read a file by its extension.

    Raises `WrongFile`: the extension, the text or the columns are not those of a file to import.
    Raises `OSError`: the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix not in {".csv", ".jsonl", ".ndjson", ".json"}:
        raise WrongFile(Reason(Rejection.WRONG_EXTENSION), path.name)
    # The last sign of a file that was cut off may be half.
    with path.open(encoding=_encoding(path), errors="replace", newline="") as file:
        try:
            if suffix == ".csv":
                yield from read_csv(file, columns)
            else:
                yield from read_answer(file) if suffix == ".json" else read_json_lines(file)
        except _Unreadable as wrong:
            raise WrongFile(wrong.reason, path.name) from None


class _Unreadable(ValueError):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.code)
        self.reason = reason


def _encoding(path: Path) -> str:
    """UTF-8, UTF-16 or Windows-1252, by what is in the file."""
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for encoding in ("utf-8-sig", "cp1252"):
        if _reads(path, encoding):
            return encoding
    raise WrongFile(Reason(Rejection.NOT_UTF8), path.name)


def _reads(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            while piece := file.read(_PIECE):
                # Every file can be Windows-1252 but for a few signs, which files of other programs are full of.
                if "\x00" in decoder.decode(piece):
                    return False
        except UnicodeDecodeError:
            return False
    return True


def read_answer(file: TextIO) -> Iterator[RawRecord]:
    """Read the answer of an API: a list of objects, as it is or in what GraphQL or PHP wrap it."""
    try:
        answer = unwrapped(json.loads(file.read(), parse_constant=_no_number))
    except (ValueError, RecursionError):
        answer = None
    while isinstance(answer, dict) and (inside := answer.get("data", next(iter(answer.values()), None))):
        answer = inside
    if not isinstance(answer, list):
        raise _Unreadable(Reason(Rejection.NOT_A_LIST_OF_ANSWERS))
    for place, values in enumerate(answer, 1):
        known = isinstance(values, dict)
        yield RawRecord(place, values if known else {}, None if known else Reason(Rejection.NOT_AN_OBJECT))


def unwrapped(value: Any) -> Any:
    """A value with plain lists: GraphQL writes lists as edges or nodes, and PHP as objects with numbers for names."""
    if isinstance(value, dict):
        if isinstance(value.get("edges"), list):
            value = [edge.get("node") if isinstance(edge, dict) else edge for edge in value["edges"]]
        elif isinstance(value.get("nodes"), list):
            value = value["nodes"]
        elif value and all(name.isdigit() for name in value):
            value = list(value.values())
        else:
            return {name: unwrapped(part) for name, part in value.items()}
    return [unwrapped(part) for part in value] if isinstance(value, list) else value


def read_json_lines(file: TextIO) -> Iterator[RawRecord]:
    """Read one JSON object a line; empty lines are skipped."""
    for number, line in enumerate(file, 1):
        text = line.strip()
        if text:
            yield _parsed(number, text)


def _parsed(number: int, text: str) -> RawRecord:
    if len(text) > MAX_LINE:
        return RawRecord(number, {}, Reason(Rejection.LINE_TOO_LONG, {"most": MAX_LINE}), text[:1000])
    try:
        values = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        # Without a column: a number of thousands of digits, thousands of brackets, or NaN.
        column = error.colno if isinstance(error, json.JSONDecodeError) else 1
        return RawRecord(number, {}, Reason(Rejection.NOT_JSON, {"column": column}), text[:1000])
    if not isinstance(values, dict):
        return RawRecord(number, {}, Reason(Rejection.NOT_AN_OBJECT), text[:1000])
    return RawRecord(number, values)


def _no_number(text: str) -> None:
    raise ValueError(text)


def read_csv(file: TextIO, columns: Columns | None = None) -> Iterator[RawRecord]:
    """Read records from CSV with comma, semicolon or tab; rows with the same `external_id` in a row are one record."""
    above, first = 1, file.readline()
    # Excel reads the separator from such a line.
    if said := re.fullmatch(r'"?sep=(.)"?\s*', first, re.IGNORECASE):
        above, first = 2, file.readline()
    separator = said[1] if said else max(",;\t", key=first.count)
    names = [clean(name) for name in next(csv.reader([first], delimiter=separator), [])]
    _check(names, columns)
    current: RawRecord | None = None
    reader = csv.reader(file, delimiter=separator)
    for cells in _rows(reader):
        if not any(cells):
            continue
        line = reader.line_num + above
        row = RawRecord(line, {}, text=separator.join(cells)[:1000])
        if len(cells) != len(names):
            row = replace(row, error=Reason(Rejection.WRONG_CELLS, {"found": len(cells), "expected": len(names)}))
        else:
            values = nested(zip(names, cells, strict=True))
            external_id = values.get("external_id")
            if not current or not external_id or external_id != current.values.get("external_id"):
                row = RawRecord(line, values)
            elif _continues(current.values, values):
                current = replace(current, last=line)
                continue
            else:
                row = replace(row, error=Reason(Rejection.DOUBLE_ID, {"id": external_id}))
        if current:
            yield current
        current = row
    if current:
        yield current


def _rows(reader: Any) -> Iterator[list[str]]:
    """The rows of a file. A cell that is longer than Python's reader takes comes as a row of one cell."""
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield [str(error)]


def _check(names: list[str], columns: Columns | None) -> None:
    double = [name for place, name in enumerate(names) if name in names[:place]]
    if double:
        raise _Unreadable(Reason(Rejection.DOUBLE_COLUMN, {"column": double[0]}))
    unknown = [name for name in names if columns and name not in columns.known]
    if columns and unknown:
        missing = ", ".join(name for name in columns.required if name not in names)
        code = Rejection.OTHER_COLUMNS if missing else Rejection.UNKNOWN_COLUMNS
        raise _Unreadable(Reason(code, {"unknown": ", ".join(unknown), **({"missing": missing} if missing else {})}))


LISTS = frozenset({"adjustments", "lines", "shipments"})
"""Fields that hold a list; their columns are named after the field, such as `lines.sku`."""


WORDS = frozenset({"features", "includes", "half_price_jobs", "covers"})
"""Fields that hold a list of words; in one cell they are separated by spaces."""


def nested(cells: Iterable[tuple[str, str]]) -> Values:
    """Build a record from the cells of a row; empty cells are left out."""
    values: Values = {}
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


def _continues(record: Values, more: Values) -> bool:
    """Add the lists of a further row to its record, unless the row says something else of the record itself."""
    entries = {name: value for name, value in more.items() if name in LISTS}
    if not entries or any(record.get(name) != value for name, value in more.items() if name not in LISTS):
        return False
    for name, value in entries.items():
        record.setdefault(name, []).extend(value)
    return True
