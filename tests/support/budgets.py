"""Size limits of pages in bytes, as served with brotli (measurements M1-M4)."""

from __future__ import annotations

from portal.flow.journey import FLOWS

# About 3 % above what is measured: builds of the same source differ by some bytes, in the names of their files and in
# how these compress.
LOGIN, LIST, STEP = 180_000, 191_000, 202_000
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
