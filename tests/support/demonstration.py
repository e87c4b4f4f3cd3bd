"""The demonstration shop, prepared once and copied for each test that needs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.settings import Settings
from portal.wiring import prepare


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory with the database of the demonstration shop. Tests copy it and never open it."""
    directory = tmp_path_factory.mktemp("demonstration")
    prepare(Settings(data_dir=directory))
    return directory
