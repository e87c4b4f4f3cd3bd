"""How slow this machine is just now, for limits of time: machines differ threefold, and tests run beside others."""

from __future__ import annotations

import time

_ROUNDS = 200_000
_SECONDS = 0.012
"""What the rounds take on the machine of docs/measurements.md, when it does nothing else."""


def slowness() -> float:
    """How many times longer plain code takes than on the machine of the measurements; at least 1."""
    total, started = 0, time.perf_counter()
    for number in range(_ROUNDS):
        total += number
    return max(1.0, (time.perf_counter() - started) / _SECONDS)
