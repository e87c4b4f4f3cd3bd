"""What a change touches: `python -m tests.support.changed python | tests | others` lists the files, a line each.

The change is everything since the merge base with main, committed or not. Its tests are the nearest ones of the graph
of imports; journeys and built pages take minutes and are left to `script/test`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
MAX_FILES = 24
"""What two quiet processors finish within a minute."""

_SLOW = ("tests/journeys/", "tests/complete/", "tests/architecture/test_bundle", "tests/architecture/test_desk_bundle")


def _git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")


def changed() -> list[str]:
    """Files that differ from main and are there."""
    own, known = _git("branch", "--show-current"), _git("branch", "--all", "--format=%(refname:short)")
    main = next((name for name in ("main", "origin/main") if name in known and name not in own), "HEAD")
    (base, *_) = _git("merge-base", "HEAD", main)
    found = {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(name for name in found if (ROOT / name).is_file())


def tests_of(files: Iterable[str]) -> list[str]:
    """Test files that are among the files or import one of them, those of the same subject first."""
    graph = grimp.build_graph("portal", "tests", cache_dir=None)
    modules = {module: path for module in graph.modules if (path := _path(module))}
    touched = {module for module, path in modules.items() if path in files}
    near = {importer for module in touched for importer in graph.find_modules_that_directly_import(module)}
    helpers = {module for module in near if module.startswith("tests.") and not _is_test(modules.get(module, ""))}
    near |= {importer for module in helpers for importer in graph.find_modules_that_directly_import(module)}
    subjects = {module.split(".")[1] for module in touched}
    found = {modules[module] for module in touched | near if _is_test(modules.get(module, ""))}
    return sorted(found, key=lambda path: (path not in files, path.split("/")[1] not in subjects, path))


def _path(module: str) -> str:
    place = Path(*module.split("."))
    paths = (place.with_suffix(".py"), place / "__init__.py")
    return next((str(path) for path in paths if (ROOT / path).is_file()), "")


def _is_test(path: str) -> bool:
    return Path(path).name.startswith("test_") and not path.startswith(_SLOW)


if __name__ == "__main__":
    files = changed()
    match sys.argv[1]:
        case "python":
            found = [name for name in files if name.endswith(".py")]
        case "tests":
            found = tests_of(files)[:MAX_FILES]
        case _:
            found = tests_of(files)[MAX_FILES:]
    sys.stdout.writelines(f"{name}\n" for name in found)
