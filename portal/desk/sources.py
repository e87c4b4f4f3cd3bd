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


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cases stand behind each link of the navigation.

    Attributes:
        mark: increases with every change of a case that the person may see.
        recent: whether the last change is so recent that a page that has just loaded may have missed it.
        numbers: number by name of the link (`NavigationItem.count`).
    """

    mark: int
    recent: bool
    numbers: Mapping[str, int]


MemberQuestion = Callable[[str], Awaitable[Member]]
"""Asks who a session token belongs to; raises `NotAuthenticated` when the session has ended."""

CountsQuestion = Callable[[str, int, int], Awaitable[Counts]]
"""Asks for the counts, given token, last mark and the seconds for which the answer may wait for a change."""


class _Sources:
    member: MemberQuestion | None = None
    counts: CountsQuestion | None = None


def connect(*, member: MemberQuestion, counts: CountsQuestion | None = None) -> None:
    """Connect the frame with the subjects.

    Args:
        member: asks who is logged in.
        counts: asks for the counts; None where no page has any.
    """
    _Sources.member, _Sources.counts = member, counts


async def ask_member(token: str) -> Member:
    """Who a session token belongs to.

    Raises:
        NotAuthenticated: the session has ended.
        Unavailable: the provider cannot be reached, or nothing is connected.
    """
    if _Sources.member is None:
        raise Unavailable
    return await _Sources.member(token)


def counts_question() -> CountsQuestion | None:
    """Asks for the counts; None where no page has any."""
    return _Sources.counts
