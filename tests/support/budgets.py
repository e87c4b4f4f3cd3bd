"""Bytes that a page may cost a customer, as served with brotli (measurements M1-M4)."""

from __future__ import annotations

from portal.flow.registry import FLOWS

LOGIN, LIST, STEP = 150_000, 165_000, 175_000

FURTHER = 25_000
"""A page after the first."""


def budget_of(path: str) -> int:
    """Bytes of a first visit to a page: HTML, styles and scripts, without the font."""
    if path in {"/", "/login/token"}:
        return LOGIN
    _, flow, *step = path.split("/")
    return STEP if step and flow in FLOWS else LIST
