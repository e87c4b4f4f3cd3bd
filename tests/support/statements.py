"""Statements that one application of a test process compiled serve all others of it.

An engine keeps what it compiled under its dialect. Tests open thousands of applications, and each would compile anew
what it asks: a tenth of their processor time. Here all dialects of a kind are equal, and their engines share one store.
"""

from typing import Any

from sqlalchemy import URL, Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg, PGDialectAsync_psycopg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.util import LRUCache

_COMPILED: LRUCache[Any, Any] = LRUCache(3000)


class _Shared:
    """What makes the engines of all applications one, as far as they compile: they have the same options."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Give an engine the store of all."""
        engine.update_execution_options(compiled_cache=_COMPILED)


class SQLite(_Shared, SQLiteDialect_aiosqlite):
    """SQLite of applications."""

    supports_statement_cache = True


class _ApplicationPostgreSQL(_Shared, PGDialectAsync_psycopg):
    supports_statement_cache = True


class PostgreSQL(PGDialect_psycopg):
    """PostgreSQL of migrations, and the way to that of applications."""

    supports_statement_cache = True

    @classmethod
    def get_async_dialect_cls(cls, url: URL) -> type[_ApplicationPostgreSQL]:
        """The dialect of applications."""
        assert issubclass(_ApplicationPostgreSQL, super().get_async_dialect_cls(url))
        return _ApplicationPostgreSQL


def pytest_configure() -> None:
    """Make these the dialects of their names."""
    registry.register("sqlite.aiosqlite", __name__, SQLite.__name__)
    registry.register("postgresql.psycopg", __name__, PostgreSQL.__name__)
