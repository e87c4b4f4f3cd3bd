"""The program of `planted` without any protection: whatever it tries succeeds, so a refusal comes from a protection."""

from __future__ import annotations

from portal.kernel import processes
from tests.support import planted


def _nothing(*_arguments: object, **_named: object) -> None:
    """Stands in for every protection."""


if __name__ == "__main__":
    vars(processes).update(begin=_nothing, confine=_nothing, limit=_nothing)
    planted.main()
