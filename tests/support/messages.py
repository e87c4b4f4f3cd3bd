"""A table of refusals, and how it comes to each."""

from collections.abc import Awaitable, Callable
from typing import Any

from portal.kernel.codes import Code
from tests.support.living import Living

Provoke = Callable[[Living], Awaitable[Any]]
PROVOKED: dict[Code, Provoke] = {}


def provokes(code: Code) -> Callable[[Provoke], Provoke]:
    """Enter what follows into the table."""

    def enter(provoke: Provoke) -> Provoke:
        assert code not in PROVOKED
        PROVOKED[code] = provoke
        return provoke

    return enter
