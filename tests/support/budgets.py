"""Size limits of pages in bytes, as served with brotli (measurements M1-M4)."""

from __future__ import annotations

from portal.flow.registry import FLOWS

LOGIN, LIST, STEP = 105_000, 115_000, 125_000
FURTHER = 25_000
"""Limit for a page after the first one."""

MAP = 36_000
"""Limit for the map beside a list of locations, which comes once, when there is a list."""


def budget_of(path: str) -> int:
    """Limit for a first visit to a page: HTML, styles and scripts, without the font.

    A page of a flow also loads the step that follows it, in an idle moment.
    """
    if path in {"/", "/login/token", "/contact"}:
        return LOGIN
    return STEP if path.split("/")[1] in FLOWS else LIST
