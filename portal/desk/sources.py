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
    """A store where somebody works."""

    @property
    def store_id(self) -> str:
        """Public id."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...


class Member(Protocol):
    """The person of a valid session; `portal.staff.api.Member`."""

    @property
    def person_id(self) -> str:
        """Public id."""
        ...

    @property
    def name(self) -> str:
        """First and last name."""
        ...

    @property
    def role(self) -> Role:
        """What the person does."""
        ...

    @property
    def rights(self) -> Sequence[Right]:
        """What the role may do."""
        ...

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
    """A link of the navigation that the person saved.

    Attributes:
        name: as the person named it.
        path: address of the view, with its query.
        number: cases in it.
        view_id: public id.
    """

    name: str
    path: str
    number: int
    view_id: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cases stand behind each link of the navigation.

    Attributes:
        numbers: number by name of the link (`NavigationItem.count`).
        saved: links that the person saved.
    """

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
    """The questions of the frame.

    Attributes:
        member: asks who is logged in.
        changes: waits for changes.
        counts: asks for the counts.
    """

    member: MemberQuestion
    changes: ChangesQuestion
    counts: CountsQuestion


_connected: list[Sources] = []


def connect(sources: Sources) -> None:
    """Connect the frame with the subjects above it."""
    _connected[:] = [sources]


def sources() -> Sources:
    """The questions of the frame.

    Raises:
        Unavailable: nothing is connected.
    """
    if not _connected:
        raise Unavailable
    return _connected[0]
