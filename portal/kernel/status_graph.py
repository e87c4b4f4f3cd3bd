"""Status graphs: the allowed transitions between statuses.

Work orders, deliveries, returns, insurance requests and date changes each declare one graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

S = TypeVar("S", bound=StrEnum)


class UnsoundGraph(ValueError):
    """A graph with a status that cannot be reached, or from which nothing leads to an end."""


@dataclass(frozen=True)
class StatusGraph(Generic[S]):
    """The allowed transitions; all others are refused (part-1 §4).

    Attributes:
        start: the status in which everything begins.
        transitions: for each status those that may follow; a status without any is an end.
    """

    start: S
    transitions: Mapping[S, frozenset[S]]
    ends: frozenset[S] = field(init=False)

    def __post_init__(self) -> None:
        """Check the declaration.

        Raises:
            UnsoundGraph: it has a status that is never reached, or one that leads nowhere.
        """
        known = set(self.transitions).union(*self.transitions.values())
        object.__setattr__(
            self, "transitions", {status: frozenset(self.transitions.get(status, ())) for status in known}
        )
        object.__setattr__(self, "ends", frozenset(status for status in known if not self.transitions[status]))
        if lost := known - self.after(self.start) - {self.start}:
            raise UnsoundGraph(f"never reached: {', '.join(sorted(lost))}")
        if stuck := {status for status in known - self.ends if not self.after(status) & self.ends}:
            raise UnsoundGraph(f"leads nowhere: {', '.join(sorted(stuck))}")

    @property
    def statuses(self) -> frozenset[S]:
        """All statuses of the graph."""
        return frozenset(self.transitions)

    def allows(self, status: S, target: S) -> bool:
        """Whether `target` may follow `status`. Staying where it is, is no move."""
        return target in self.transitions.get(status, frozenset())

    def following(self, status: S) -> list[S]:
        """What may follow, in the order in which the statuses are declared."""
        order = list(type(self.start))
        return sorted(self.transitions.get(status, frozenset()), key=order.index)

    def after(self, status: S) -> frozenset[S]:
        """Everything that can come after a status, over any number of moves."""
        found: set[S] = set()
        pending = deque([status])
        while pending:
            for target in self.transitions.get(pending.popleft(), ()):
                if target not in found:
                    found.add(target)
                    pending.append(target)
        return frozenset(found)

    def path_to(self, target: S) -> list[S]:
        """The shortest path from the start to a status, both included.

        Raises:
            KeyError: the status is not in the graph.
        """
        came_from: dict[S, S | None] = {self.start: None}
        pending = deque([self.start])
        while pending and target not in came_from:
            here = pending.popleft()
            for status in self.following(here):
                if status not in came_from:
                    came_from[status] = here
                    pending.append(status)
        path: list[S] = [target]
        while (before := came_from[path[-1]]) is not None:
            path.append(before)
        return path[::-1]


def combined_transitions(declared: Mapping[S, Iterable[S]], *more: Mapping[S, Iterable[S]]) -> dict[S, frozenset[S]]:
    """Put moves together: a common part, and what a kind adds to it."""
    together: dict[S, frozenset[S]] = {}
    for part in (declared, *more):
        for status, targets in part.items():
            together[status] = together.get(status, frozenset()) | frozenset(targets)
    return together
