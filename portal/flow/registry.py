"""The flows: declarations without screens, which both sides read. Here they are found by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from portal.flow.model import Flow, FlowError


class FlowRegistry(Mapping[str, Flow]):
    """The flows of the shop, by name. `portal.subjects` lists them; the engine itself knows none."""

    def __init__(self) -> None:
        self._flows: dict[str, Flow] = {}

    def register(self, flows: Iterable[Flow]) -> None:
        """Make flows known. The same ones again change nothing.

        Raises:
            FlowError: two flows have the same name.
        """
        for flow in flows:
            if self._flows.setdefault(flow.name, flow) is not flow:
                raise FlowError(f"{flow.name}: two flows are called so")

    def __getitem__(self, name: str) -> Flow:
        return self._flows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._flows)

    def __len__(self) -> int:
        return len(self._flows)


FLOWS = FlowRegistry()
"""All flows, once they are registered."""
