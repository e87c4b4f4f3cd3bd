"""The shop of this folder under a short name."""

from __future__ import annotations

import pytest

from tests.provider.account.furnished import Furnished


@pytest.fixture
def shop(furnished: Furnished) -> Furnished:
    """The demonstration shop, on each database."""
    return furnished
