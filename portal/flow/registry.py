"""The registry of all flows, by name. Both sides use it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from portal.flow.model import Flow, FlowError


class FlowRegistry(Mapping[str, Flow]):
    """The flows by name. `portal.subjects` registers them; the engine itself knows none."""

    def __init__(self) -> None:
        self._flows: dict[str, Flow] = {}

    def register(self, flows: Iterable[Flow]) -> None:
        """Add flows. Adding the same flow again has no effect.

        Raises:
            FlowError: two flows have the same name.
        """
        for flow in flows:
            if self._flows.setdefault(flow.name, flow) is not flow:
                raise FlowError(f"{flow.name}: two flows have this name")

    def __getitem__(self, name: str) -> Flow:
        return self._flows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._flows)

    def __len__(self) -> int:
        return len(self._flows)


FLOWS = FlowRegistry()
"""All registered flows."""
