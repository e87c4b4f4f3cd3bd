"""When Python looks for objects that hold each other and nobody else."""

from __future__ import annotations

import gc


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
    gc.enable()
