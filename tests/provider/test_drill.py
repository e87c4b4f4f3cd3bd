"""The short form of `script/drill`: after the loss of a machine and an upgrade, nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.drill import Drill


@pytest.mark.timeout(500)
def test_nothing_that_was_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    drill = Drill(tmp_path, 20, whole=False)
    drill.run()
    assert drill.faults == []
    assert drill.history.files
    assert drill.history.statuses
