"""`python -m portal.provider work-order`, `shipment` and so on: the same moves as by the API."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shutil import copytree

import pytest

from tests.provider.test_commands import refused_line, run

PARTS = "SELECT status FROM shipments WHERE order_id = (SELECT id FROM orders WHERE order_number = '900000078')"

TRANSITION = """SELECT {} FROM date_changes JOIN orders ON orders.id = date_changes.order_id
          WHERE order_number = '900000073'"""

INSURING = """SELECT {} FROM bikes JOIN orders ON orders.id = bikes.order_id
              JOIN insurance_requests ON bike_id = bikes.id WHERE order_number = '900000083'"""

GROUPED = """SELECT substr(reference, 1, 4) || ' ' || substr(reference, 5) FROM returns
             WHERE status = 'pickup_confirmed_to_customer' AND order_number = '900000724'"""
"""As a mail says it."""

IN_REPAIR = "SELECT reference FROM requests WHERE status = 'in_repair'"


@pytest.fixture
def data_dir(demonstration: Path, tmp_path: Path) -> Path:
    """A shop of its own."""
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    return tmp_path


def looked_up(data_dir: Path, query: str) -> list[tuple[str, ...]]:
    with sqlite3.connect(data_dir / "portal.db") as connection:
        return connection.execute(query).fetchall()


@pytest.mark.parametrize(
    ("kind", "thing", "move", "never", "kept"),
    [
        (
            "work-order", IN_REPAIR,
            [
                "in_repair", "wait_for_parts", "--note", "De cassette is besteld.", "--planned-date", "2027-01-04",
                "--partner", "Bovenbuis Utrecht",
            ],
            "done",
            (
                "SELECT requests.status, requests.planned_date, note, template FROM requests, outbox_mails,"
                " work_order_events AS events WHERE events.id = (SELECT max(id) FROM work_order_events)"
                " AND requests.reference = '{reference}'",
                [("wait_for_parts", "2027-01-04", "De cassette is besteld.", "work_order_status")],
            ),
        ),
        (
            "shipment", "SELECT '900000071'", ["order_assembled", "ready_for_transport"], "order_delivered",
            ("SELECT delivery_status FROM orders WHERE order_number = '900000071'", [("ready_for_transport",)]),
        ),
        (
            "shipment", "SELECT '900000078-1'", ["order_assembled", "ready_for_transport"], "order_picked_up",
            (PARTS, [("ready_for_transport",), ("order_delivered",)]),
        ),
        (
            "return", GROUPED,
            ["pickup_confirmed_to_customer", "RMA_order_received_at_DC", "--battery-collected"], "request_received",
            (
                "SELECT status FROM returns WHERE reference = replace('{reference}', ' ', '')",
                [("RMA_order_received_at_DC",)],
            ),
        ),
        (
            "date-change", TRANSITION.format("reference"),
            ["waiting_for_retailer", "refused", "--note", "Geen bus in je regio."], "accepted",
            (TRANSITION.format("status, note"), [("refused", "Geen bus in je regio.")]),
        ),
        (
            "insurance", INSURING.format("reference"),
            ["created", "finished", "--policy-number", "P123456789", "--planned-date", "2026-12-01"], "cancelled",
            (
                INSURING.format("bikes.insurance, substr(bikes.policy_number, 1, 6), insurance_start"),
                [("theft", "gAAAAA", "2026-12-01")],  # encrypted
            ),
        ),
    ],
)  # fmt: skip
def test_a_move_is_made_once_and_only_along_the_graph(
    data_dir: Path, kind: str, thing: str, move: list[str], never: str, kept: tuple[str, list[tuple[object, ...]]]
) -> None:
    reference = looked_up(data_dir, thing)[0][0]
    before, status, *more = move
    name, settings = f"{kind} {reference}", {"DATA_DIR": str(data_dir)}
    made = run(kind, reference, status, *more, **settings)
    assert (made.returncode, made.stdout, made.stderr) == (0, f"{name}: {before} → {status}\n", "")
    again = run(kind, reference, status, **settings)
    assert (again.returncode, again.stdout) == (0, f"{name}: already {status}\n")
    assert refused_line(run(kind, reference, never, **settings), 1).startswith(f"portal.provider: {name} is {status}; ")
    assert looked_up(data_dir, kept[0].format(reference=reference)) == kept[1]


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        ("insurance {insured} finished", 1, "an insurance request that is finished needs --policy-number"),
        ("shipment 900009999 order_delivered", 1, "there is no shipment 900009999"),
        ("shipment 900000078-3 order_delivered", 1, "there is no shipment 900000078-3"),
        (
            "work-order {own} done", 1,
            "work-order {own} is in_repair; it can become wait_for_parts or "
            "wait_for_repair_after_in_repair or wait_for_customer or cancelled",
        ),
        ("work-order {own} cancelled --partner Nobody", 1, "there is no service location 'Nobody'"),
        ("work-order {own} cancelled --note " + "x" * 501, 1, "--note is too long"),
        ("work-order {own} repaired", 2, "error: argument status: invalid choice"),
        ("work-order {own} cancelled --planned-date 4-1-2027", 2, "--planned-date: write a day as 2026-03-31"),
        ("work-order {own}", 2, "error: the following arguments are required: status"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_reported_in_one_line(data_dir: Path, arguments: str, status: int, line: str) -> None:
    [(insured,)] = looked_up(data_dir, INSURING.format("reference"))
    own = looked_up(data_dir, IN_REPAIR)[0][0]
    failed = run(*arguments.format(own=own, insured=insured).split(), DATA_DIR=str(data_dir))
    assert line.format(own=own) in refused_line(failed, status)
    assert looked_up(data_dir, IN_REPAIR)[0][0] == own


def test_a_portal_with_its_provider_elsewhere_moves_nothing_here(data_dir: Path) -> None:
    failed = run("work-order", "S1", "done", DATA_DIR=str(data_dir), API_ROOT="https://shop.example")
    assert refused_line(failed, 1) == "portal.provider: the provider is elsewhere (PORTAL_API_ROOT); do it there"
