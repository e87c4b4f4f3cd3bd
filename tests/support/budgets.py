"""Size limits of pages in bytes, as served with brotli (measurements M1-M4)."""

from __future__ import annotations

from portal.flow.registry import FLOWS

LOGIN, LIST, STEP = 105_000, 115_000, 125_000
FURTHER = 25_000
"""Limit for a page after the first one."""


def budget_of(path: str) -> int:
    """Limit for a first visit to a page: HTML, styles and scripts, without the font."""
    if path in {"/", "/login/token", "/contact"}:
        return LOGIN
    _, flow, *step = path.split("/")
    return STEP if step and flow in FLOWS else LIST
