"""Houses on both databases, as for logging in."""

from __future__ import annotations

from tests.provider.login.conftest import database_url, house, sqlite_house

__all__ = ["database_url", "house", "sqlite_house"]
