"""What draws documents outside of a browser: files of the build, and what React Router reads of them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from portal.reflex_adapter.patches import ENVIRONMENT, DrawingPlugin, drawing_command

HANDED_OVER = re.compile(r"streamController\.enqueue\((.*?)\);window")


def test_the_server_entry_is_the_file_that_react_router_takes(built: Build) -> None:
    tasks: list[tuple[str, str]] = []
    DrawingPlugin().pre_compile(add_save_task=lambda task: tasks.append(task()))
    ((path, code),) = tasks
    assert (built.web_dir / path).read_text("utf-8") == code
    server = (built.web_dir / "build/server/index.js").read_text("utf-8")
    assert "renderToPipeableStream" not in server  # the entry that React Router brings along


def test_react_router_asks_the_build_which_addresses_were_prerendered(built: Build) -> None:
    server = built.web_dir / "node_modules/react-router/dist/production/lib/server-runtime/server.js"
    source = server.read_text("utf-8")
    assert "build.prerender.some(" in source
    assert source.count("build.prerender") == 2  # besides, whether there are any
    assert "build.prerender.length === 0" in source


def test_what_draws_needs_no_package_beside_it(built: Build, tmp_path: Path) -> None:
    bun, script = drawing_command(built.web_dir)
    alone = tmp_path / "draw.js"
    alone.write_bytes(Path(script).read_bytes())
    run = subprocess.run([bun, str(alone)], env=dict(ENVIRONMENT), input=b"", capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_what_was_not_built_is_not_drawn(tmp_path: Path) -> None:
    assert drawing_command(tmp_path) == []


def test_built_pages_are_handed_over_without_code_that_moves_parts_of_them(pages_of_build: dict[str, Path]) -> None:
    for path in pages_of_build.values():
        html = path.read_text("utf-8")
        assert "$RC" not in html
        found = HANDED_OVER.search(html)
        assert found, path
        assert json.loads(json.loads(found[1]))[1] == "loaderData"


@pytest.mark.parametrize("name", ["server", "draw"])
def test_nothing_in_a_drawing_depends_on_the_moment(name: str) -> None:
    source = (ROOT / f"portal/ui/browser/{name}.js").read_text("utf-8")
    assert not re.search(r"Math\.random|Date\.now|new Date\b", source)
