"""When Python looks for objects that hold each other and nobody else."""

from __future__ import annotations

import gc

YOUNGER_LOOKS = 100
"""After so many looks at what is newer comes one at everything. With 500 tabs open that one takes more than a tenth of
a second, in which nobody is answered, and finds next to nothing."""


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
    gc.set_threshold(*gc.get_threshold()[:2], YOUNGER_LOOKS)
    gc.enable()
