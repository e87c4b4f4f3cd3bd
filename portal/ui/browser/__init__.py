"""The portal's own browser modules, and the build step that copies them to where pages import them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reflex.plugins import Plugin

_HERE = Path(__file__).parent


def module(name: str) -> str:
    """The import path of a module in this directory.

    Args:
        name: File name without its extension.
    """
    return f"$/utils/portal/{name}"


class BrowserModulesPlugin(Plugin):
    """Copies the modules of this directory into the compiler's working directory."""

    def pre_compile(self, **context: Any) -> None:
        """Register the modules with the compiler."""
        context["add_save_task"](_sources)


def _sources() -> list[tuple[str, str]]:
    return [(f"utils/portal/{path.name}", path.read_text(encoding="utf-8")) for path in sorted(_HERE.glob("*.js"))]
