"""The marked entry of the menu on each page (part-1 §2)."""

from __future__ import annotations

import re

import pytest

from portal.frontend.layout import MENU


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
