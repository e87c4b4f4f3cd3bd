"""The shop of this folder under a short name."""

from __future__ import annotations

from tests.provider.account.conftest import shop

__all__ = ["shop"]
