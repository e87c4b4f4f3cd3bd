"""What the database holds encrypted: the numbers that staff reveal one by one, in columns and within JSON.

The keys belong to an engine. What was stored before it was encrypted is read as it is.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from cryptography.fernet import MultiFernet
from sqlalchemy import JSON, Connection, String, bindparam, column, select, table, update
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from typing_extensions import override

from portal.vocabulary.staff import HiddenNumber

_BEGINS = "gAAAAA"
"""Every text of Fernet does until the year 2106, and no number of ours."""

_CIPHERS: WeakKeyDictionary[Dialect, MultiFernet] = WeakKeyDictionary()


def seal_with(dialect: Dialect, cipher: MultiFernet) -> None:
    """Encrypt and decrypt what goes through a dialect, of which each engine has its own."""
    _CIPHERS[dialect] = cipher


class Sealed(TypeDecorator[str]):
    """An encrypted text of at most 500 characters, which no query can compare; the empty one is stored as it is."""

    impl = String
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(1500)

    @override
    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return _CIPHERS[dialect].encrypt(value.encode()).decode() if value else value

    @override
    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return opened(_CIPHERS[dialect], value) if value and is_sealed(value) else value


class SealedJson(TypeDecorator[Any]):
    """JSON in which the values of some fields are encrypted, at any depth."""

    impl = JSON
    cache_ok = True

    def __init__(self, *further: str) -> None:
        """`further`: names of fields beside those of the hidden numbers."""
        super().__init__(none_as_null=True)
        self.names = frozenset({*HiddenNumber, *further})

    @override
    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return _replaced(value, self.names, lambda each: _CIPHERS[dialect].encrypt(json.dumps(each).encode()).decode())

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return opened_json(_CIPHERS[dialect], value, self.names)


def is_sealed(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_BEGINS)


def opened(cipher: MultiFernet, text: str) -> str:
    """Raises `cryptography.fernet.InvalidToken`: it was encrypted with another key."""
    return cipher.decrypt(text).decode() if is_sealed(text) else text


def opened_json(cipher: MultiFernet, value: Any, names: Collection[str]) -> Any:
    return _replaced(value, names, lambda each: json.loads(opened(cipher, each)) if is_sealed(each) else each)


def renewed(cipher: MultiFernet, text: str) -> str:
    """The text, encrypted with the newest key."""
    return (cipher.rotate(text) if is_sealed(text) else cipher.encrypt(text.encode())).decode() if text else text


def renewed_json(cipher: MultiFernet, value: Any, names: Collection[str]) -> Any:
    return _replaced(value, names, lambda each: renewed(cipher, each if is_sealed(each) else json.dumps(each)))


def _replaced(value: Any, names: Collection[str], change: Callable[[Any], Any]) -> Any:
    """JSON with the values of some fields changed; empty ones stay."""
    if isinstance(value, dict):
        return {
            name: change(each) if name in names and each not in ("", None) else _replaced(each, names, change)
            for name, each in value.items()
        }
    return [_replaced(each, names, change) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Place:
    """Encrypted columns of a table. `columns`: the names of the fields within JSON; None for a text."""

    table: str
    key: str
    columns: Mapping[str, Collection[str] | None]


AT_ONCE = 500


def rewrite(
    connection: Connection,
    place: Place,
    text: Callable[[MultiFernet, str], str],
    within: Callable[[MultiFernet, Any, Collection[str]], Any],
    cipher: MultiFernet,
    after: int = 0,
) -> int | None:
    """Change the values of the next rows, held until the end of the transaction; the key of the last one, if any."""
    kinds = {name: String() if names is None else JSON(none_as_null=True) for name, names in place.columns.items()}
    rows = table(place.table, column(place.key), *(column(name, kind) for name, kind in kinds.items()))
    query = select(rows).where(rows.c[place.key] > after).order_by(rows.c[place.key]).limit(AT_ONCE)
    last = None
    for last, *values in connection.execute(query.with_for_update()).all():
        before = dict(zip(place.columns, values, strict=True))
        changed = {
            name: found
            for name, names in place.columns.items()
            if before[name]
            and (found := text(cipher, before[name]) if names is None else within(cipher, before[name], names))
            != before[name]
        }
        if changed:
            own = update(rows).where(rows.c[place.key] == bindparam("own"))
            connection.execute(own.values(changed), {"own": last})
    return last
