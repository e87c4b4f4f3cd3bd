"""Finding customers by the beginnings of their names, for every search of staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, func
from sqlmodel import col

from portal.tables.customers import CustomerRow

_AFTER_ANY = "\uffff"
"""Sorts after every letter of a name."""


def named(dialect: str, names: Sequence[str]) -> list[ColumnElement[bool]]:
    """Conditions on `customers`, of which one has to hold; each is answered by an index.

    Args:
        dialect: of the database.
        names: beginnings of names (`portal.kernel.validation.search_key`): one of them, 'first last' or 'last first',
            where a prefix such as 'van der' may stand between.
    """
    first, last = col(CustomerRow.first_name_key), col(CustomerRow.last_name_key)
    if len(names) == 1:
        return [_begins(dialect, name, names[0]) for name in (last, first)]
    prefix = func.lower(col(CustomerRow.prefix)) == " ".join(names[:-1])
    return [
        _begins(dialect, last, names[-1]) & _begins(dialect, first, names[0]),
        _begins(dialect, last, names[0]) & _begins(dialect, first, names[-1]),
        # Without the first name, and last names of several words.
        _begins(dialect, last, names[-1]) & prefix,
        _begins(dialect, last, " ".join(names)),
    ]


def _begins(dialect: str, column: Any, beginning: str) -> ColumnElement[bool]:
    """Whether a name begins so. PostgreSQL finds a pattern by the index, SQLite a range."""
    if dialect != "sqlite":
        return column.startswith(beginning, autoescape=True)
    return (column >= beginning) & (column < beginning + _AFTER_ANY)
