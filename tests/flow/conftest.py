"""Flows ask every question: the bikes of their shop are not new."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def demonstration(aged_shop: Path) -> Path:
    """Directory with the demonstration shop, with older bikes."""
    return aged_shop
