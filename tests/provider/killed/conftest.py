"""The demonstration shop on both databases."""

from __future__ import annotations

from tests.provider.account.conftest import loaded_postgres, loaded_url, mail_server, shop

__all__ = ["loaded_postgres", "loaded_url", "mail_server", "shop"]
