"""The language of whoever reads what an operation answers.

A shop names its articles in two languages. An answer has them in the language of the session: that of the customer, or
of the member of staff. Mails and documents have a language of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from portal.kernel.texts import DEFAULT, Locale

_reader: ContextVar[Locale] = ContextVar("reader", default=DEFAULT)


def reader() -> Locale:
    """The language of the current session; that of visitors without one."""
    return _reader.get()


def read_in(locale: Locale) -> None:
    """Set the language of the current operation. The check of its session does so."""
    _reader.set(locale)


@contextmanager
def reading_in(locale: Locale) -> Iterator[None]:
    """Answer in another language than that of the session for a while, for a mail to somebody else."""
    before = _reader.set(locale)
    try:
        yield
    finally:
        _reader.reset(before)
