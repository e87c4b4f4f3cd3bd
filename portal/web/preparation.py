"""Tables and shop are made ready by a process of their own, while the server builds or loads the pages."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable

_FORK = multiprocessing.get_context("fork")
"""Processes that share what is loaded already. Whoever begins them has no threads of its own."""
_LOOK_SECONDS, _WAIT_SECONDS = 0.02, 0.25


class Preparation:
    """Work that has to be done before the first customer is answered.

    The server waits for its end, and so does each worker of that server.
    """

    def __init__(self, work: Callable[[], int]) -> None:
        """Begin.

        Args:
            work: what is to be done; returns 0, or the code that the server has to end with.
        """
        self._done, self._given_up = _FORK.Event(), _FORK.Event()
        self._process = _FORK.Process(target=self._run, args=(work,), daemon=True)
        self._process.start()

    def _run(self, work: Callable[[], int]) -> None:
        end_when_asked()
        code = work()
        if code == 0:
            self._done.set()
        sys.exit(code)

    def wait(self) -> None:
        """Wait in a worker until the work is done. The worker ends when it never will be, or its server is gone."""
        server = os.getppid()
        while not self._done.wait(_WAIT_SECONDS):
            if self._given_up.is_set() or os.getppid() != server:
                sys.exit(1)

    def code(self, interrupted: Callable[[], bool]) -> int:
        """Wait in the process that began the work until it ended.

        Args:
            interrupted: whether not to wait any longer; the work is broken off then.

        Returns:
            what the work returned, 1 when it did not come to its end, 0 when it was broken off.
        """
        while self._process.is_alive() and not interrupted():
            time.sleep(_LOOK_SECONDS)
        broken_off = self._process.is_alive()
        if broken_off:
            self._process.terminate()
        self._process.join()
        ended_with = self._process.exitcode or 0
        if ended_with:
            self._given_up.set()
        if broken_off:
            return 0
        return 1 if ended_with < 0 else ended_with  # below 0: ended by a signal


def end_when_asked() -> None:
    """Let a process that was forked end at once when it is asked to stop, whatever the server does then."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
