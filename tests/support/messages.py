"""A table of what customers read when something is refused, and how it comes to that."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from portal.kernel.codes import Code
from tests.support.living import Living

Provoke = Callable[[Living], Awaitable[Any]]


@dataclass(frozen=True)
class Message:
    """The text in both languages, and what is refused with it."""

    english: str
    dutch: str
    provoke: Provoke


MESSAGES_BY_CODE: dict[Code, Message] = {}


def says(code: Code, english: str, dutch: str) -> Callable[[Provoke], Provoke]:
    """Enter what follows into the table."""

    def enter(provoke: Provoke) -> Provoke:
        assert code not in MESSAGES_BY_CODE
        MESSAGES_BY_CODE[code] = Message(english, dutch, provoke)
        return provoke

    return enter
