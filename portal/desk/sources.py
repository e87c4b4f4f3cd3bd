"""What the frame asks of subjects that stand above it: who is logged in, and how many cases wait.

`portal.desk_app` connects them when the site starts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from portal.contract.errors import Unavailable
from portal.contract.models import Locale
from portal.vocabulary.staff import Right, Role


class StoreOfMember(Protocol):
    @property
    def store_id(self) -> str: ...

    @property
    def name(self) -> str:
        """Its name."""
        ...


class Member(Protocol):
    """The person of a valid session; `portal.staff.api.Member`."""

    @property
    def person_id(self) -> str: ...

    @property
    def name(self) -> str:
        """First and last name."""
        ...

    @property
    def role(self) -> Role: ...

    @property
    def rights(self) -> Sequence[Right]: ...

    @property
    def stores(self) -> Sequence[StoreOfMember]:
        """Where the person works; empty for roles that see all stores."""
        ...

    @property
    def locale(self) -> Locale:
        """Language of the person's mails."""
        ...

    @property
    def expires_at(self) -> datetime:
        """End of the session without further use (UTC)."""
        ...

    @property
    def ends_at(self) -> datetime:
        """End of the session in any case (UTC)."""
        ...


@dataclass(frozen=True, slots=True)
class SavedLink:
    """A link of the navigation that the person saved."""

    name: str
    path: str
    number: int
    view_id: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cases stand behind each link of the navigation."""

    numbers: Mapping[str, int]
    saved: Sequence[SavedLink] = ()


MemberQuestion = Callable[[str], Awaitable[Member]]
"""Asks who a session token belongs to; raises `NotAuthenticated` when the session has ended."""

ChangesQuestion = Callable[[str, int, int], Awaitable[int]]
"""Waits for a change of a case that the person may see. Given are token, last mark and the longest wait in seconds; the
answer is the new mark."""

CountsQuestion = Callable[[str], Awaitable[Counts]]
"""Asks for the counts, given the token."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The questions of the frame."""

    member: MemberQuestion
    changes: ChangesQuestion
    counts: CountsQuestion


_connected: list[Sources] = []


def connect(sources: Sources) -> None:
    """Connect the frame with the subjects above it."""
    _connected[:] = [sources]


def sources() -> Sources:
    """The questions of the frame."""
    if not _connected:
        raise Unavailable
    return _connected[0]
