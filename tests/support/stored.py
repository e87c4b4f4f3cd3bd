"""Reads, changes and deletes the stored data of a running portal directly."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.server import PortalServer

Begun = dict[str, list[tuple[Any, ...]]]


@contextmanager
def database(server: PortalServer) -> Iterator[sqlite3.Connection]:
    """The database of a running portal, for several statements. Each of them counts at once."""
    connection = sqlite3.connect(server.data_dir / "portal.db", timeout=60, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys=ON")
        yield connection
    finally:
        connection.close()


def execute(server: PortalServer, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Look something up in the database of a running portal, or change it, with one statement."""
    with database(server) as connection:
        return connection.execute(statement, values).fetchall()


def forget_requests(server: PortalServer) -> None:
    """Delete all drafts and requests that flows created."""
    sent = "SELECT id FROM returns WHERE draft_key IS NOT NULL"
    with database(server) as connection:
        connection.execute("DELETE FROM uploads")
        connection.execute("DELETE FROM drafts")
        connection.execute("DELETE FROM requests WHERE draft_key IS NOT NULL")
        connection.execute(f"DELETE FROM return_units WHERE return_id IN ({sent})")
        connection.execute(f"DELETE FROM return_events WHERE return_id IN ({sent})")
        connection.execute("DELETE FROM returns WHERE draft_key IS NOT NULL")
        connection.execute("DELETE FROM work_order_events WHERE request_id NOT IN (SELECT id FROM requests)")


def begun(server: PortalServer) -> Begun:
    """The unsent drafts and uploads."""
    return {table: execute(server, f"SELECT * FROM {table}") for table in ("drafts", "uploads")}


def begin_again(server: PortalServer, kept: Begun) -> None:
    """As if they had begun it anew, where nothing is begun."""
    with database(server) as connection:
        for table, rows in kept.items():
            for row in rows:
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def count(server: PortalServer, table: str, condition: str = "1") -> int:
    """How many rows there are."""
    return execute(server, f"SELECT count(*) FROM {table} WHERE {condition}")[0][0]


def forget_aftercare(server: PortalServer) -> None:
    """Remove every insurance and service package that a flow created."""
    forget_requests(server)
    asked = "SELECT bike_id FROM insurance_requests WHERE draft_key IS NOT NULL"
    no_insurance = "insurance = '', policy_number = '', insurance_start = NULL"
    bought = "SELECT bike_id FROM package_orders WHERE draft_key IS NOT NULL"
    with database(server) as connection:
        connection.execute(f"UPDATE bikes SET {no_insurance} WHERE id IN ({asked})")
        connection.execute("DELETE FROM insurance_requests WHERE draft_key IS NOT NULL")
        connection.execute("DELETE FROM confirmation_links WHERE purpose = 'insurance'")
        connection.execute(f"UPDATE bikes SET service_package = NULL WHERE id IN ({bought})")
        connection.execute("DELETE FROM package_orders WHERE draft_key IS NOT NULL")
