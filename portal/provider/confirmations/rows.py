"""Questions and answers in words, the same words as on the check page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from babel.numbers import format_decimal

from portal.domain.flow import Answer, Control, Field, Flow, Iban, OneOf, Phone, SomeOf, Step
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.documents.letterhead import spoken_phone
from portal.texts import gettext_for


@dataclass(frozen=True, slots=True)
class Row:
    """A question and its answer: lines as they stand under each other."""

    label: str
    lines: tuple[str, ...]


Rows = Callable[[StoredRequest], Sequence[Row]]
"""Makes the rows of a step in words of its own; none when the step was not on the way."""
_FILES = "files"
"""Control of a field that asks for files; they have a list of their own."""


def rows_of(flow: Flow, stored: StoredRequest, own: Mapping[Step, Rows]) -> list[Row]:
    """All rows of a request, in the order of the flow.

    Args:
        flow: its declaration.
        stored: what is stored of it.
        own: of steps that need other words than their fields give.
    """
    rows: list[Row] = []
    for step in flow.steps:
        make = own.get(step)
        rows += make(stored) if make else [row_of(entry, stored) for entry in step.fields if _is_shown(entry, stored)]
    return rows


def row_of(entry: Field, stored: StoredRequest) -> Row:
    """One answer."""
    _ = gettext_for(stored.locale)
    label = _(entry.label)
    if entry.about:
        label = _("{part}: {question}").format(part=_(entry.about), question=label)
    return Row(label, words_of(entry, stored))


def words_of(entry: Field, stored: StoredRequest) -> tuple[str, ...]:
    """An answer in words. A bank account is told by its ends only: mails are read on the way."""
    _ = gettext_for(stored.locale)
    given = stored.answers.get(entry.name, "")
    if entry.name in stored.words:
        return lines_of(stored.words[entry.name])
    if not given:
        return (_("Not filled in"),)
    if isinstance(entry.rule, SomeOf):
        return tuple(_(text) for option, text in entry.rule.options.items() if option in given)
    if isinstance(given, list):
        return tuple(given)
    if isinstance(entry.rule, OneOf):
        return (_(entry.rule.options.get(given, given)),)
    if isinstance(entry.rule, Iban):
        return (f"{given[:4]} •••• {given[-4:]}",)
    if isinstance(entry.rule, Phone):
        return (spoken_phone(given),)
    if entry.control is Control.DECIMAL:
        return (format_decimal(Decimal(given), locale={"nl": "nl_NL", "en": "en_GB"}[stored.locale]),)
    return lines_of(given)


def lines_of(text: Answer) -> tuple[str, ...]:
    """The lines of a text, without empty ones at its ends."""
    return tuple(line.rstrip() for line in str(text).strip().splitlines())


def _is_shown(entry: Field, stored: StoredRequest) -> bool:
    return entry.name in stored.answers and entry.control != _FILES
