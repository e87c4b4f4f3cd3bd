"""What the first test process of a run makes for all of them."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A directory that one test process makes while the others wait.

    Args:
        temporary: where this process has its files; those of the other processes of the run stand beside it.
        name: of the directory.
        make: fills the directory. If it fails, the next process tries again.
    """
    root = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    made, unfinished = root / f"once-{name}", root / f"once-{name}.{os.getpid()}"
    with (root / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.is_dir():
            make(unfinished)
            unfinished.rename(made)
    return made
