"""The way to an address."""

from __future__ import annotations

from urllib.parse import urlencode

_PLANNER = "https://www.google.com/maps/dir/"


def route_url(*address: str) -> str:
    """A link that plans a route from where somebody is; opens the app of a telephone. Empty without an address.

    Args:
        address: name, street, place: what a map can be asked for. Empty parts are left out.
    """
    destination = ", ".join(part for part in address if part)
    return f"{_PLANNER}?{urlencode({'api': 1, 'destination': destination})}" if destination else ""
