"""Our own small browser modules, and the build step that puts them where pages import them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reflex_base.plugins import Plugin

from portal.ui.browser import framework

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
        """Hand every module to the compiler, and change what `framework` names."""
        context["add_save_task"](_sources)
        context["add_modify_task"]("utils/state.js", framework.in_both_languages)
        context["add_modify_task"]("utils/state.js", framework.without_local_evaluation)
        context["add_modify_task"]("vite.config.js", framework.without_unused_packages)
        context["add_modify_task"]("vite.config.js", framework.in_few_files)
        context["add_modify_task"]("app/root.jsx", framework.without_shared_libraries)


def _sources() -> list[tuple[str, str]]:
    return [(f"utils/portal/{path.name}", path.read_text(encoding="utf-8")) for path in sorted(_HERE.glob("*.js"))]
