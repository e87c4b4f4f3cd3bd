"""What the memory of a worker keeps of a tab: the parts of its state that hold something.

The framework makes every part of the state for every tab, and keeps it, for as long as the tab lives: forty of them
where a customer looks at three pages. Here the parts that hold nothing but what they begin with are forgotten when
there are more than a few, and made anew when they are asked for.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, TypeVar, Unpack

from reflex.istate.manager import StateModificationContext
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import StateToken
from reflex.state import BaseState, State

T = TypeVar("T")

HYDRATE = frozenset(f"{State.get_full_name()}.{name}" for name in ("hydrate", "hydrate_and_load"))
"""The events that tell a page all there is, as it may show what a state that is lost once held."""
ROOM = 10
"""So many parts stay as they are: to forget and make them with every event costs more than to keep them."""
_is_there = dict[str, BaseState].__contains__


class Parts(dict[str, BaseState]):
    """The parts of a tab's state by their names. One that is not there is made when it is asked for."""

    __slots__ = ("_looked_at_next", "_whole")

    def __init__(self, whole: BaseState) -> None:
        """Take over the parts that a state has; `whole` is what they are parts of."""
        super().__init__(whole.substates)
        self._whole = whole
        self._looked_at_next = set(self)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a part, or could be."""
        return _is_there(self, name) or _class_of(self._whole, name) is not None

    def __missing__(self, name: str) -> BaseState:
        """Make a part.

        Raises:
            KeyError: The state has no such part.
        """
        kind = _class_of(self._whole, name)
        if kind is None:
            raise KeyError(name)
        part = self[name] = kind(parent_state=self._whole, _reflex_internal_init=True)
        self._looked_at_next.add(name)
        return part

    def clear(self) -> None:
        """Let go of everything, so that the state is freed without a search for circles."""
        super().clear()
        self._looked_at_next.clear()
        del self._whole

    def complete(self) -> None:
        """Make every part that is not there."""
        for kind in self._whole.get_substates():
            self[kind.get_name()]

    def forget_empty(self) -> None:
        """Forget the parts that hold nothing but what they begin with, where there are more than a few.

        One that has something to send is left for later.
        """
        if len(self) <= ROOM:
            return
        changed = {name for name, part in self.items() if part._was_touched}
        later = set[str]()
        for name in changed | self._looked_at_next:
            part = self[name]
            if part.dirty_vars or part.dirty_substates:
                later.add(name)
            elif part.substates or (part._was_touched and _holds_something(part)):
                part._was_touched = False  # It is looked at again once it has changed.
            else:
                del self[name]
        self._looked_at_next = later


class HoldingMemory(StateManagerMemory):
    """The framework's states in memory, with `Parts` for each tab."""

    def _get_or_create_state(self, token: StateToken[T]) -> T:
        state = super()._get_or_create_state(token)
        if isinstance(state, BaseState) and not isinstance(state.substates, Parts):
            state.substates = Parts(state)
        return state

    def modify_state(
        self, token: StateToken[T], **context: Unpack[StateModificationContext]
    ) -> contextlib.AbstractAsyncContextManager[T]:
        """Hold the state of a tab while an event changes it.

        Args:
            token: The tab.
            context: The event.
        """
        event = context.get("event")
        told_all = event is not None and event.name in HYDRATE
        return _Holding(super().modify_state(token, **context), told_all=told_all)


class _Holding(contextlib.AbstractAsyncContextManager[T, "bool | None"]):
    """A class rather than a generator, like the framework's own: it is entered with every event."""

    __slots__ = ("_inner", "_parts", "_told_all")

    def __init__(self, inner: contextlib.AbstractAsyncContextManager[T], *, told_all: bool) -> None:
        self._inner, self._told_all = inner, told_all
        self._parts: Parts | None = None

    async def __aenter__(self) -> T:
        state = await self._inner.__aenter__()
        try:
            if isinstance(state, BaseState) and isinstance(parts := state.substates, Parts):
                self._parts = parts
                if self._told_all or not state.router_data:  # Without it no page has been told anything yet.
                    parts.complete()
        except BaseException:
            await self._inner.__aexit__(*sys.exc_info())  # Nobody else lets the tab go.
            raise
        return state

    async def __aexit__(self, *failure: Any) -> bool | None:
        try:
            if self._parts is not None:
                self._parts.forget_empty()
        finally:
            ended = await self._inner.__aexit__(*failure)
        return ended


def _class_of(whole: BaseState, name: object) -> type[BaseState] | None:
    if name == whole.get_name():
        return None  # Looking up a class answers this name too.
    with contextlib.suppress(ValueError):
        return type(whole).get_class_substate((str(name),))
    return None


def _holds_something(part: BaseState) -> bool:
    fields, results = part.__fields__, _kept_results(type(part))
    for name, value in vars(part).items():
        field = fields.get(name)
        if field is None:
            if name not in results:
                return True
        elif value != field.default_value():
            return True
    return False


@functools.cache
def _kept_results(kind: type[BaseState]) -> frozenset[str]:
    """Where a state keeps what it has computed from its variables: it can compute it again."""
    return frozenset(result._cache_attr for result in kind.computed_vars.values())
