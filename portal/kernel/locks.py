"""Locks between processes of one machine."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Let one process at a time through; the others wait. The lock ends with the process.

    Args:
        path: of the lock file, which is created and stays. Its directory is created when it is missing.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
