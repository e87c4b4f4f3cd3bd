"""Errors that nobody foresaw, and those of commands: how they are logged, and what their callers get."""

import traceback
from pathlib import Path

import structlog
from sqlalchemy import Connection, NullPool, create_engine, make_url, text

from portal.contract.errors import Unavailable
from portal.kernel.processes import keep_lock
from portal.settings import Settings

_log = structlog.get_logger(__name__)
_FRAMES = 6


class Unforeseen(Unavailable):
    """An operation raised an unexpected exception; the log holds its type and location."""

    status = 500


def log_fault(error: Exception, operation: str) -> None:
    """Log the type and location of an exception, but not its message: it may contain a customer's input."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    _log.error(
        "fault",
        operation=operation,
        kind=type(error).__qualname__,
        place=[f"{frame.filename.rpartition('/portal/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    )


class CommandFailed(Exception):
    """A command failed; the message is one line."""


def in_one_line(error: BaseException) -> str:
    """Type and first line of a database or system error. Later lines may contain values, so they are left out."""
    reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {reason}"


_NUMBER = 716_046_191
"""First number of the PostgreSQL advisory locks of sites; the value is arbitrary."""

_held: list[Connection] = []


def claim(options: Settings, site: str) -> None:
    """Refuse to serve a site that another process serves from the same database. The claim ends with this process.

    Processes on one PostgreSQL may share the open pages in Redis.
    """
    url = make_url(options.database)
    if url.get_backend_name() == "sqlite":
        if not keep_lock(Path(f"{url.database}.{site}.lock")):
            raise CommandFailed(f"another process serves {url.database}; SQLite serves one process")
    elif not options.redis_url:
        connection = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool).connect()
        held = text("SELECT pg_try_advisory_lock(:number, hashtext(:site))")
        if not connection.scalar(held, {"number": _NUMBER, "site": f"{site} {options.shop}"}):
            raise CommandFailed("another process serves this database; a second one needs PORTAL_REDIS_URL")
        _held.append(connection)
