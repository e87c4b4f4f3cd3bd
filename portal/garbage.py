"""When Python looks for objects that hold each other and nobody else."""

from __future__ import annotations

import gc

# New objects until the youngest are looked through, and how often until the older and the oldest are. A tab is some
# ten thousand objects that stay; with Python's 700, 10, 10 all tabs were looked through every second under load (a
# tenth of the time), which held up everybody for up to a second.
_THRESHOLDS = 10_000, 20, 20


def wait() -> None:
    """Call before much is loaded: nothing of it would be found to be of no use."""
    gc.disable()


def settle() -> None:
    """Call once everything is loaded.

    What is there now (modules, pages, tables) stays until the end: it need not be looked through again and again, for
    longer than a customer's event takes.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
