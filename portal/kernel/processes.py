"""Processes that belong together."""

from __future__ import annotations

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Let the kernel end this process when the process that started it ends, in whatever way.

    The signal comes when the thread ends that started this process, so that must have been the main thread.

    Args:
        parent: number of the process that started this one.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before the call
        os.kill(os.getpid(), signal.SIGTERM)
