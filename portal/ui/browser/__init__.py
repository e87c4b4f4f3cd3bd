"""Our own small browser modules, and the build step that puts them where pages import them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reflex.plugins import Plugin

_HERE = Path(__file__).parent


def module(name: str) -> str:
    """How a component names one of the modules in this directory.

    Args:
        name: File name without its ending.
    """
    return f"$/utils/portal/{name}"


class BrowserModulesPlugin(Plugin):
    """Writes the modules of this directory into the compiler's working directory."""

    def pre_compile(self, **context: Any) -> None:
        """Hand every module to the compiler."""
        context["add_save_task"](_sources)


def _sources() -> list[tuple[str, str]]:
    return [(f"utils/portal/{path.name}", path.read_text(encoding="utf-8")) for path in sorted(_HERE.glob("*.js"))]
