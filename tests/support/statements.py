"""Statements that one application of a test process compiled serve all others of it.

An engine keeps its compiled statements, under its dialect among other things. Tests open hundreds of applications, and
each would compile anew what it asks: a tenth of the processor time of the tests.
"""

from __future__ import annotations

from functools import wraps

from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from portal.backend import database

_compiled: LRUCache[object, object] = LRUCache(3000)
_make_engine = database._engine


@wraps(_make_engine)
def _engine(url: str) -> AsyncEngine:
    engine = _make_engine(url)
    engine.sync_engine._compiled_cache = _compiled  # pyright: ignore[reportAttributeAccessIssue]
    return engine


def _is_same(one: DefaultDialect, other: object) -> bool:
    """Whether both speak to the same kind of server: all engines of `_make_engine` have the same options."""
    return type(one) is type(other) and one.server_version_info == getattr(other, "server_version_info", None)


def pytest_configure() -> None:
    """Make what is compiled known by the kind of the database, and keep it for all engines."""
    DefaultDialect.__eq__ = _is_same  # type: ignore[method-assign]
    DefaultDialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    database._engine = _engine
