"""The marked entry of the menu on each page (part-1 §2)."""

import re

import pytest

from portal.frontend.layout import MENU
from portal.ui.page import short_patterns_of


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/my-data", ["/my-data"]),
        ("/orders", ["/orders"]),
        ("/orders/900000721", ["/orders"]),
        ("/order-status/900000721", ["/orders"]),
        ("/order-return", []),
        ("/order-return/step-1", []),
        ("/ordering", []),
        ("/invoices", ["/invoices"]),
        ("/bikes/ABCDEFGH23", ["/bikes"]),
        ("/bikesheds", []),
        ("/maintenance", ["/maintenance"]),
        ("/maintenance-request", ["/maintenance"]),
        ("/maintenance/S48621851", ["/maintenance"]),
        ("/returns/ABCDEFGH23", ["/returns"]),
        ("/return-request", []),
        ("/dashboard", []),
    ],
)
def test_the_menu_marks_the_entry_of_the_page(path: str, marked: list[str]) -> None:
    entries = [
        item.path for item in MENU if path == item.path or re.match(item.within or f"^{re.escape(item.path)}/", path)
    ]
    assert entries == marked


def test_the_paths_of_flows_are_written_once_and_match_as_before() -> None:
    routes = ["bikes/[bike_id]", "my-data", "my-data/privacy", "repair-request", "repair-request/step-1"]
    pattern = re.compile(short_patterns_of([*routes, "repair-request/confirmation", "withdrawal/[order_number]"]))
    for path in (
        "/bikes/1",
        "/my-data",
        "/my-data/privacy",
        "/repair-request",
        "/repair-request/step-7",
        "/withdrawal/9",
    ):
        assert pattern.fullmatch(path), path
    for path in ("/bikes", "/repair-request/elsewhere", "/withdrawal", "/withdrawal/9/more", "/orders/step-1"):
        assert not pattern.fullmatch(path), path
