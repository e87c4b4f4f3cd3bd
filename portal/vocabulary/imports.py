"""Words of the import of a shop's data."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """Who holds a value: the shop that sends records, or the portal in which customers and staff change them."""

    SHOP = "shop"
    PORTAL = "portal"
