"""Whoever reads what an operation answers: their language and their e-mail address.

A shop names its articles in two languages. An answer has them in the language of the session: that of the customer, or
of the member of staff. Mails and documents have a language of their own.

Customers read their own address whole, because there they must find a mail. Everybody else reads it masked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from portal.backend.security import is_masked, masked_email
from portal.kernel.texts import DEFAULT, Locale

_reader: ContextVar[Locale] = ContextVar("reader", default=DEFAULT)
_address: ContextVar[str] = ContextVar("address", default="")


def reader() -> Locale:
    """The language of the current session; that of visitors without one."""
    return _reader.get()


def read_by(locale: Locale, email: str = "") -> None:
    """Set language and address of the reader of the current operation. The check of its session does so.

    Args:
        locale: of the session.
        email: of the customer; empty for staff.
    """
    _reader.set(locale)
    _address.set(email)


def shown_email(address: str) -> str:
    """An address as the reader may see it: whole if it is their own.

    Args:
        address: whole or masked; empty stays empty.
    """
    if not address:
        return ""
    masked, own = address if is_masked(address) else masked_email(address), _address.get()
    return own if own and masked_email(own) == masked else masked


@contextmanager
def reading_in(locale: Locale) -> Iterator[None]:
    """Answer in another language than that of the session for a while, for a mail to somebody else."""
    before = _reader.set(locale)
    try:
        yield
    finally:
        _reader.reset(before)
