"""Status graphs: the allowed transitions between statuses.

Work orders, deliveries, returns, insurance requests and date changes each declare one graph.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

S = TypeVar("S", bound=StrEnum)


class UnsoundGraph(ValueError):
    """A graph has an unreachable status, or a status from which no final status can be reached."""


@dataclass(frozen=True)
class StatusGraph(Generic[S]):
    """The allowed transitions. All others are refused (part-1 §4).

    `transitions`: the statuses that may follow each status; a status without successors is final.
    """

    start: S
    transitions: Mapping[S, frozenset[S]]
    ends: frozenset[S] = field(init=False)

    def __post_init__(self) -> None:
        """Validate the graph.

        Raises `UnsoundGraph`: a status cannot be reached, or no final status can be reached from it.
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
        """Whether `target` may follow `status`. An unchanged status is not a transition."""
        return target in self.transitions.get(status, frozenset())

    def following(self, status: S) -> list[S]:
        """The statuses that may follow directly, in the order of their declaration."""
        # pyrefly: ignore[bad-argument-type]  # the type of a status is its enumeration
        order = list[S](type(self.start))
        return sorted(self.transitions.get(status, frozenset()), key=order.index)

    def after(self, status: S) -> frozenset[S]:
        """All statuses that can be reached from a status, over any number of transitions."""
        found: set[S] = set()
        pending = deque([status])
        while pending:
            for target in self.transitions.get(pending.popleft(), ()):
                if target not in found:
                    found.add(target)
                    pending.append(target)
        return frozenset(found)

    def path_to(self, target: S) -> list[S]:
        """The shortest path from the initial status to `target`, both included."""
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
    """Merge transitions: a common part and the additions of a kind."""
    together: dict[S, frozenset[S]] = {}
    for part in (declared, *more):
        for status, targets in part.items():
            together[status] = together.get(status, frozenset()) | frozenset(targets)
    return together
