"""Files for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any

from portal.kernel.address import NAMES, Country
from portal.kernel.texts import Locale, gettext_for
from portal.vocabulary.audit import AUDIT_LABELS, AuditAction
from portal.vocabulary.cases import CASE_LABELS, CASE_STATES, CaseKind, CaseState
from portal.vocabulary.exchange import IMPORT_OUTCOMES, ImportOutcome
from portal.vocabulary.insurance import INSURANCE_TYPES, INSURER_NAMES, InsuranceType, Insurer

BOM = "\ufeff"
"""Byte order mark at the beginning of a file, by which spreadsheets know that it is UTF-8."""


def cell(value: str) -> str:
    """A value that a spreadsheet does not take for a formula: customers type their names themselves."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


_LABELS: Mapping[type[StrEnum], Mapping[Any, str]] = {
    AuditAction: AUDIT_LABELS,
    CaseKind: CASE_LABELS,
    CaseState: CASE_STATES,
    Country: NAMES,
    ImportOutcome: IMPORT_OUTCOMES,
    Insurer: INSURER_NAMES,
    InsuranceType: INSURANCE_TYPES,
}
"""The words of vocabularies that are in files. A value of another one stops the file."""


def lines(rows: Iterable[Sequence[object]], locale: Locale) -> str:
    """Rows as CSV for spreadsheets of the Netherlands and Belgium: semicolons, and a comma in amounts.

    Values of a vocabulary are in the words of the language.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerows([_written(value, locale) for value in row] for row in rows)
    return text.getvalue()


def _written(value: object, locale: Locale) -> str:
    if isinstance(value, StrEnum):
        return gettext_for(locale)(_LABELS[type(value)][value])
    if isinstance(value, Decimal):
        return str(value).replace(".", ",")
    return cell("" if value is None else str(value))
