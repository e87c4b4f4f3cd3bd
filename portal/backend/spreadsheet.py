"""Files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

BOM = "\ufeff"
"""Byte order mark at the beginning of a file, by which spreadsheets know that it is UTF-8."""


def cell(value: str) -> str:
    """A value that a spreadsheet does not take for a formula: customers type their names themselves."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV for spreadsheets of the Netherlands and Belgium: semicolons, and a comma in amounts."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows([_written(value) for value in row] for row in rows)
    return text.getvalue()


def _written(value: object) -> str:
    if isinstance(value, Decimal):
        return str(value).replace(".", ",")
    return cell("" if value is None else str(value))
