"""What a running portal has stored of drafts and requests."""

from __future__ import annotations

import sqlite3

from tests.support.server import PortalServer


def database(server: PortalServer) -> sqlite3.Connection:
    """The database of a running portal."""
    connection = sqlite3.connect(server.data_dir / "portal.db", timeout=10, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def forget_requests(server: PortalServer) -> None:
    """As if nobody had ever begun or sent anything through a flow."""
    connection = database(server)
    connection.execute("DELETE FROM uploads")
    connection.execute("DELETE FROM drafts")
    connection.execute("DELETE FROM requests WHERE draft_key IS NOT NULL")
    sent = "SELECT id FROM returns WHERE draft_key IS NOT NULL"
    connection.execute(f"DELETE FROM return_units WHERE return_id IN ({sent})")  # noqa: S608
    connection.execute(f"DELETE FROM return_events WHERE return_id IN ({sent})")  # noqa: S608
    connection.execute("DELETE FROM returns WHERE draft_key IS NOT NULL")
    connection.execute("DELETE FROM work_order_events WHERE request_id NOT IN (SELECT id FROM requests)")
    connection.close()


def count(server: PortalServer, table: str, condition: str = "1") -> int:
    """How many rows there are."""
    connection = database(server)
    found = connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]  # noqa: S608
    connection.close()
    return found
