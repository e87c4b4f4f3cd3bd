"""Two steps of the frontend build: the stylesheet of our tokens, and a socket address that follows the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reflex.plugins import TailwindV4Plugin
from reflex_base.plugins import Plugin

_THEME = Path("assets/theme.css")
_TAILWIND = "styles/tailwind.css"
# Tailwind honours .gitignore when it looks for class names by itself, and `.web` is ignored: name the sources.
_ROOT = """@layer theme, base, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
@import "tailwindcss/preflight.css" layer(base);
@layer utilities { @tailwind utilities source(none); }
@source "../app";
@source "../app_components";
@source "../utils";
"""


class FrontendBuildError(RuntimeError):
    """The framework's own files no longer look as this build expects."""


def replace_once(text: str, old: str, new: str) -> str:
    """Replace the only occurrence of a piece of text.

    Raises:
        FrontendBuildError: When the piece occurs never or more than once.
    """
    if text.count(old) != 1:
        message = f"expected exactly one occurrence of {old!r}, found {text.count(old)}"
        raise FrontendBuildError(message)
    return text.replace(old, new)


class ThemePlugin(TailwindV4Plugin):
    """Tailwind with the tokens of `assets/theme.css` as its root, instead of the default palette."""

    def pre_compile(self, **context: Any) -> None:
        """Put our stylesheet where Tailwind's own root would be."""
        super().pre_compile(**context)
        theme = replace_once(_THEME.read_text(encoding="utf-8"), '@import "tailwindcss";', _ROOT)
        context["add_modify_task"](_TAILWIND, lambda _default: theme)

    def post_build(self, **context: Any) -> None:
        """Drop the uncompiled stylesheet that was copied along with the assets."""
        (Path(context["static_dir"]) / _THEME.name).unlink(missing_ok=True)


class SameOriginPlugin(Plugin):
    """Make the browser talk to the host and port that served the page, so one build serves every address."""

    def pre_compile(self, **context: Any) -> None:
        """Let the compiled client take the port from the page, too."""
        context["add_modify_task"]("utils/state.js", _follow_page_port)


_PAGE_PORT = "endpoint.port = window.location.port;"


def _follow_page_port(source: str) -> str:
    if _PAGE_PORT in source:  # the compiler's directory keeps the file of the build before
        return source
    host = "endpoint.hostname = frontend_hostname;"
    source = replace_once(source, host, f"{host}\n    {_PAGE_PORT}")
    return replace_once(source, 'endpoint.port = ""; // Assume websocket is on https port via load balancer.', "")
