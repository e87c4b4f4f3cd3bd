"""The portal's own browser modules, and the build step that copies them to where pages import them."""

from pathlib import Path
from typing import Annotated, Any

import reflex as rx
from reflex.plugins import Plugin

_HERE = Path(__file__).parent


def module(name: str) -> str:
    """The import path of a module in this directory."""
    return f"$/utils/portal/{name}"


def component(of: str, tag: str, /, **props: Any) -> type[rx.Component]:
    """A component of a module in this directory.

    `props`: the type of each; for an event `on_…` that of its value, None without one.
    """
    types = {name: _event(kind) if name.startswith("on_") else rx.Var[kind] for name, kind in props.items()}
    names = {"__module__": __name__, "__annotations__": types, "library": module(of), "tag": tag}
    return type(rx.Component)(tag, (rx.Component,), names)


def _event(kind: Any) -> Any:
    spec = rx.event.no_args_event_spec if kind is None else rx.event.passthrough_event_spec(kind)
    return Annotated[rx.EventHandler, spec]


STAFF_ONLY = "desk"
"""Modules whose name begins with it are only for the staff site; customers' style sheet and scripts do not see them."""


class BrowserModulesPlugin(Plugin):
    """Copies the modules of this directory into the compiler's working directory."""

    def __init__(self, *, for_staff: bool = False) -> None:
        """Copy the modules of customers' pages, and those of the staff site only where it is compiled."""
        self._for_staff = for_staff

    def pre_compile(self, **context: Any) -> None:
        """Register the modules with the compiler."""
        context["add_save_task"](self._sources)

    def _sources(self) -> list[tuple[str, str]]:
        found = [path for path in sorted(_HERE.glob("*.js")) if self._for_staff or not path.stem.startswith(STAFF_ONLY)]
        return [(f"utils/portal/{path.name}", path.read_text(encoding="utf-8")) for path in found]
