"""Locks between processes of one machine."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

_kept: list[TextIO] = []


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


def keep_lock(path: Path) -> bool:
    """Take a lock that ends with this process; False when another process has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = path.open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return False
    _kept.append(handle)
    return True
