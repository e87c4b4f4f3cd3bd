"""Draws documents at run time with the pages that Reflex compiled, in a process of bun beside the server.

Reaches: the server build that React Router leaves beside the pages (`build/server/index.js`), its server entry, which
    Reflex does not write (`app/entry.server.jsx`), and in `portal/ui/browser/draw.js` the member `prerender` of that
    build, which otherwise refuses addresses that were not drawn when the pages were built.
Why: Reflex exports pages without data, and its data come over the socket, after all scripts.
Gain: the customer's own rows are in the first paint, after 0.4 times the wait (measurements M33).
Test: tests/reflex_adapter/test_drawing.py.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflex.plugins import Plugin

_ENTRY = "app/entry.server.jsx"
_ENTRY_CODE = """export { default, handleError, order } from "$/utils/portal/server";\n"""
_SOURCE = "$/utils/portal/draw"
_BUNDLE = "build/draw.js"

ENVIRONMENT: Mapping[str, str] = {"NODE_ENV": "production", "TZ": "Europe/Amsterdam"}
"""All that the process knows of its environment. Without the first, React draws as it does for developers: slowly."""


class DrawingPlugin(Plugin):
    """Gives React Router our server entry, and bundles what draws into one file that needs no package beside it."""

    def pre_compile(self, **context: Any) -> None:
        """Write the server entry."""
        context["add_save_task"](lambda: (_ENTRY, _ENTRY_CODE))

    def post_build(self, **context: Any) -> None:
        """Bundle `draw.js` with the server build."""
        directory = Path(context["static_dir"]).parents[1]
        options = ["--target=bun", '--define=process.env.NODE_ENV="production"', f"--outfile={_BUNDLE}"]
        source = _SOURCE.replace("$", ".") + ".js"
        subprocess.run([_bun() or "bun", "build", source, *options], cwd=directory, check=True)  # noqa: S603 - our own bun


def drawing_command(web_dir: Path) -> list[str]:
    """The command that starts the process that draws the pages built here; empty if this cannot be done."""
    bun, bundle = _bun(), web_dir / _BUNDLE
    return [bun, str(bundle)] if bun and bundle.is_file() else []


def _bun() -> str | None:
    """The bun that is installed with the Python requirements, in the directory of the interpreter."""
    return shutil.which("bun", path=str(Path(sys.executable).parent)) or shutil.which("bun")
