"""What draws documents outside of a browser: files of the build, and what React Router reads of them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from portal.reflex_adapter.build import Build
from portal.reflex_adapter.patches import ENVIRONMENT, drawing_command

HANDED_OVER = re.compile(r"streamController\.enqueue\((.*?)\);window")


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
