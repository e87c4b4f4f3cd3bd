"""A test that waits for ever is ended, and named with the place where it waits."""

import subprocess
import sys
from pathlib import Path

from portal.launch import ROOT

_HANGS = """
import threading
import pytest

@pytest.fixture
def hung():
    threading.Event().wait()  # deaf to signals, as a browser that does not answer

def test_that_never_ends(hung):
    pass

def test_after_it():
    pass
"""


def test_the_run_goes_on_after_a_test_that_hangs(tmp_path: Path) -> None:
    hanging = tmp_path / "test_hanging.py"
    hanging.write_text(_HANGS)
    limits = ["-o", "faulthandler_timeout=3", "-o", "timeout=60", "-n", "1", "--rootdir", str(ROOT)]
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), *limits, str(hanging)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert "test_that_never_ends" in run.stdout
    assert "crashed while running" in run.stdout
    assert "in hung" in run.stderr, "where it waits"
    assert "1 failed, 1 passed" in run.stdout
