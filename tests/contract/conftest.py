"""The shop of this folder under a short name."""

from __future__ import annotations

import pytest

from tests.support.ways import Shop


@pytest.fixture(scope="module")
def shop(shop_each_way: Shop) -> Shop:
    """The demonstration shop, one way after the other."""
    return shop_each_way
