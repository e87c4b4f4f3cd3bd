"""The demonstration shop on both databases."""

from __future__ import annotations

from tests.provider.account.conftest import loaded_postgres, loaded_url, shop

__all__ = ["loaded_postgres", "loaded_url", "shop"]
