"""The shop of this folder under a short name."""

from __future__ import annotations

import pytest

from tests.provider.aftercare.living import Living


@pytest.fixture
def shop(living: Living) -> Living:
    """The demonstration shop, on each database, with a clock and mails that the tests hold."""
    return living
