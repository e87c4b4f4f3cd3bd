"""`python -m portal.provider shipment | return | date-change | insurance`: the same moves as by the API."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shutil import copytree

import pytest

from portal.provider.__main__ import main

PARTS = "SELECT status FROM shipments WHERE order_id = (SELECT id FROM orders WHERE order_number = '900000078')"

TRANSITION = """SELECT {} FROM date_changes JOIN orders ON orders.id = date_changes.order_id
          WHERE order_number = '900000073'"""

INSURING = """SELECT {} FROM bikes JOIN orders ON orders.id = bikes.order_id
              JOIN insurance_requests ON bike_id = bikes.id WHERE order_number = '900000083'"""

GROUPED = """SELECT substr(reference, 1, 4) || ' ' || substr(reference, 5) FROM returns
             WHERE status = 'pickup_confirmed_to_customer' AND order_number = '900000724'"""
"""As a mail says it."""


@pytest.fixture
def data_dir(demonstration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shop of its own, which the command finds."""
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path))
    return tmp_path


def looked_up(data_dir: Path, query: str) -> list[tuple[str, ...]]:
    with sqlite3.connect(data_dir / "portal.db") as connection:
        return connection.execute(query).fetchall()


@pytest.mark.parametrize(
    ("kind", "thing", "move", "never", "kept"),
    [
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
                INSURING.format("bikes.insurance, bikes.policy_number, insurance_start"),
                [("theft", "P123456789", "2026-12-01")],
            ),
        ),
    ],
)  # fmt: skip
def test_a_move_is_made_once_and_only_along_the_graph(
    data_dir: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    thing: str,
    move: list[str],
    never: str,
    kept: tuple[str, list[tuple[object, ...]]],
) -> None:
    [(reference,)] = looked_up(data_dir, thing)
    before, status, *more = move
    name = f"{kind} {reference}"
    for told in (f"{name}: {before} → {status}\n", f"{name}: already {status}\n"):
        more = more if "→" in told else []
        assert main([kind, reference, status, *more]) == 0
        assert capsys.readouterr().out == told
    assert looked_up(data_dir, kept[0].format(reference=reference)) == kept[1]
    assert main([kind, reference, never]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"portal.provider: {name} is {status}; ")
    assert looked_up(data_dir, kept[0].format(reference=reference)) == kept[1]


def test_what_is_missing_is_reported_in_one_line(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [(reference,)] = looked_up(data_dir, INSURING.format("reference"))
    for arguments, line in (
        (["insurance", reference, "finished"], "an insurance request that is finished needs --policy-number"),
        (["shipment", "900009999", "order_delivered"], "there is no shipment 900009999"),
        (["shipment", "900000078-3", "order_delivered"], "there is no shipment 900000078-3"),
        (["return", "ABCD2345", "return_closed"], "there is no return ABCD2345"),
        (["date-change", "ABCD2345", "accepted"], "there is no date-change ABCD2345"),
    ):
        assert main(arguments) == 1
        assert capsys.readouterr().err == f"portal.provider: {line}\n"
