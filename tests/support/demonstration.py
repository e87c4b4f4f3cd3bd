"""The demonstration shop, prepared once and copied for whoever needs one."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.settings import Settings
from portal.wiring import prepare


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory with the database of the demonstration shop. To be copied, not opened."""
    directory = tmp_path_factory.mktemp("demonstration")
    prepare(Settings(data_dir=directory))
    return directory
