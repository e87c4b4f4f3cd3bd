"""One process of a site on a database, because it holds the state of open pages in its memory."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, NullPool, create_engine, make_url, text

from portal.backend.faults import CommandFailed
from portal.kernel.locks import keep_lock
from portal.settings import Settings

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
