"""Changing a state so that only what is different travels to the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import reflex as rx

S = TypeVar("S", bound=rx.State)


def bare(state: S) -> S:
    """The state itself. A background event holds a proxy of it that watches every single access.

    Only inside `async with self`, where the state may be changed.
    """
    return getattr(state, "__wrapped__", state)


def change(state: rx.State, values: Mapping[str, Any]) -> None:
    """Set what is different.

    Args:
        state: the state; one that may be changed now.
        values: new values by name of the variable.
    """
    itself = bare(state)
    kept = vars(itself)  # as they are stored, without the framework's watching
    for name, value in values.items():
        if (kept[name] if name in kept else getattr(itself, name)) != value:
            setattr(itself, name, value)
